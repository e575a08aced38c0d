"""Formations of one's own: drawn, checked, estimated, saved, deleted."""
