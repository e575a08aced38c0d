"""Analyzing recorded games: the runs, their results as a tree."""
