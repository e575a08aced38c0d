"""Mistakes: drilling them, listing them, the progress."""
