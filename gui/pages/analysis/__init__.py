"""The Analysis page."""
