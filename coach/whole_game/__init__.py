"""Judging a whole game: by tables where they know, by search everywhere else."""
