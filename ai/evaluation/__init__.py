"""Evaluating boards: lines of cells, n-tuple networks, and their files."""
