"""Boards in pictures: where the grid is, and which tiles lie on it. NumPy only."""
