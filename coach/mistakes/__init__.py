"""Mistakes: storing, finding and practicing them."""
