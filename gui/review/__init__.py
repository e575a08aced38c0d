"""Review of a recorded game: its positions, grades, charts."""
