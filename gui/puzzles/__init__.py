"""Puzzles: positions where the natural move is wrong, one after the other, and a daily one."""
