"""Playing strength for any position: evaluation, search, players and self-play."""
