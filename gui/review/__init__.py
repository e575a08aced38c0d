"""The logic of the Review page."""
