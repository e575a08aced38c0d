"""Building a table: passes over layers, workers, scratch files, memory, progress."""
