"""Expectimax, its transposition table, its time, and search on several threads."""
