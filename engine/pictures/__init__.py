"""Boards in pictures: where the grid is, and which tiles are on it. NumPy only."""
