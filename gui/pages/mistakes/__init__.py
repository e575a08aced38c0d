"""The Mistakes page."""
