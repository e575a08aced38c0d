"""Home: cards of what was played last and what to do next."""
