"""The logic of the Analysis page."""
