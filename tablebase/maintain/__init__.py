"""Finished tables made anew: converted, moved to other drives."""
