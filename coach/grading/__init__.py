"""Judging moves: rates of positions, losses, grades, luck."""
