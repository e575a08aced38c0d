"""How many moves are enough: to judge a person, and to list a part of a game."""

MIN_MOVES, MIN_WRONG = 100, 5
"""Most moves of a person lose nothing and a few lose a lot."""
MIN_LISTED_MOVES = 5
"""Parts of a game with fewer judged moves are counted, not listed."""


def are_enough(n: int, n_wrong: int) -> bool:
    """Return whether `n` moves, `n_wrong` of them with a loss, are enough to estimate the loss."""
    return n >= MIN_MOVES and n_wrong >= MIN_WRONG
