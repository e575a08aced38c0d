"""Formatting numbers, rates, boards and tables for display."""
