"""How many moves tell something of a person: most lose nothing and a few lose much."""

LEAST_MOVES, LEAST_WRONG = 100, 5


def are_enough(n: int, n_wrong: int) -> bool:
    """Return whether moves, of which some lost something, are enough to say what is lost."""
    return n >= LEAST_MOVES and n_wrong >= LEAST_WRONG
