"""The logic of the Game page."""
