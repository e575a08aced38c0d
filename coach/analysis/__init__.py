"""Whole games looked at move by move, and reports of them."""
