"""Recorded games of every kind: bytes to moves and back. Pure codecs, no files."""
