"""The Test page."""
