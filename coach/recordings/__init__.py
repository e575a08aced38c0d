"""Games in files: recordings, practice games, and the games of other programs."""
