"""Comparing a move with the best one: why it is worse, and both lines with the same new tiles."""
