"""The logic of the Mistakes page."""
