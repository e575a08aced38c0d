"""How many moves are enough to judge a person: most lose nothing and a few lose a lot."""

MIN_MOVES, MIN_WRONG = 100, 5


def are_enough(n: int, n_wrong: int) -> bool:
    """Return whether `n` moves, `n_wrong` of them with a loss, are enough to estimate the loss."""
    return n >= MIN_MOVES and n_wrong >= MIN_WRONG
