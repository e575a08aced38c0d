"""Long games as a chain of blocks: statistics of where they end.

From 16384 on a game is the same task again and again: make the next 2048 beside k large tiles that
are all different. A game that made n tiles of 2048 so far has as many large tiles as n has binary
ones, since equal ones merge, so a player is characterized by the chance p(k) of that task for each
k.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

BLOCK = 2048
FIRST = 8
"""So many blocks make the 16384 from which the chain is counted."""


class Tries(NamedTuple):
    """Numbers of tries and of successes at a task."""

    won: int
    tried: int


def n_blocks(final: Sequence[int]) -> int:
    """Return the number of 2048 tiles that a game with these final exponents has made."""
    return sum(1 << exponent for exponent in final if 1 << exponent >= BLOCK) // BLOCK


def large_tiles(block: int) -> int:
    """Return the number of large tiles present after `block` blocks."""
    return block.bit_count()


def tries_by_large_tiles(finals: Iterable[Sequence[int]]) -> dict[int, Tries]:
    """Return the tries and successes at another 2048 beside k large tiles, from 16384 on, by k.

    Parameters
    ----------
    finals : iterable of sequence of 16 int
        The exponents on the board as each game ended.
    """
    won, tried = dict.fromkeys(range(1, 17), 0), dict.fromkeys(range(1, 17), 0)
    for final in finals:
        made = n_blocks(final)
        for block in range(FIRST, made + 1):
            tried[large_tiles(block)] += 1
            won[large_tiles(block)] += block < made
    return {k: Tries(won[k], tried[k]) for k in tried if tried[k]}
