"""Many games, their statistics, and reports."""
