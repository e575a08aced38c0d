"""Importing the other program's files besides tables: finding, reading and planning."""
