"""Custom formations: drawing, checking, estimating, saving, deleting."""
