"""A person plays, a judge answers: runs, their rules and new tiles, lookups, the player."""
