"""Backups: all of a person's data in one file, and its restoring; tables are too large for it."""
