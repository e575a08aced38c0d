"""Puzzles: positions where the natural move is wrong, found in tables and games, and rated."""
