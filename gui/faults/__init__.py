"""Unexpected errors, reports of them, and how the last session ended."""
