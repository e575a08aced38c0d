"""The Tables page."""
