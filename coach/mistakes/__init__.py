"""Mistakes that were made, kept, found again and practiced."""
