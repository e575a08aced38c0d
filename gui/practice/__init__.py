"""The logic of the Practice page."""
