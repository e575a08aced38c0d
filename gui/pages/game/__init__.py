"""The Game page."""
