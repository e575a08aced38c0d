"""Good answers anywhere: evaluation, search, players, and games that they play by themselves."""
