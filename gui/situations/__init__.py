"""Situations: one position ten times with fair tiles, and how often its goal was reached."""
