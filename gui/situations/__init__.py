"""Situations: one position played ten times with fair tiles, and how often the goal is reached."""
