"""The new tiles of a route: the same for everyone, on any machine, whatever was played before.

A route has a stream of 64-bit numbers, that of splitmix64 (`engine.spawn`) from a state that
follows from its seed. splitmix64 counts: its i-th number is a function of the state and of i, so
the tile after move k takes its two numbers independently of those before. Moves never shift the
luck::

    number   0       which of the start boards
             1       how the start is turned
             2, 3    value and place of the first tile at the start
             4, 5    of the second one
             8 + 2k  value of the tile after move k, from 0 on
             9 + 2k  its place

A place is a rank among the empty cells: the same for equally many empty cells. So the same moves
lead to the same boards, and different moves still get the same tile values, at places equally far
down the list.

All of it is arithmetic of whole numbers below 2**64, which Python computes identically everywhere,
without byte order or rounding.
"""

from collections.abc import Sequence

from engine.spawn import GAMMA, Rng

PER_MILLE = 1000
_FIRST_TILE, _FIRST_MOVE = 2, 8


def draw(seed: int, number: int) -> int:
    """Return a number of a route's stream, uniform over 0 to 2**64 - 1.

    Parameters
    ----------
    seed : int
        Of the route.
    number : int
        Index in the stream, from 0.
    """
    return Rng(Rng(seed).next_u64() + number * GAMMA).next_u64()


def draw_below(seed: int, number: int, n: int) -> int:
    """Return a whole number from 0 to n - 1, ``1 <= n < 2**32``.

    Always from one number of the stream, so some results are more frequent, by n in 2**32.
    """
    return (draw(seed, number) >> 32) * n >> 32


def start_tile(empty: Sequence[int], seed: int, nth: int, fours: int) -> tuple[int, int]:
    """Return the (cell, exponent) of the first or second tile at the start, `nth` 0 or 1."""
    return _tile(empty, seed, _FIRST_TILE + 2 * nth, fours)


def new_tile(empty: Sequence[int], seed: int, n_moves: int, fours: int) -> tuple[int, int]:
    """Return the (cell, exponent) of the tile after a move.

    Parameters
    ----------
    empty : sequence of int
        The cells that are empty after the slide, ascending; at least one.
    seed : int
        Of the route.
    n_moves : int
        Number of moves before this one.
    fours : int
        Number of fours per 1000 tiles.
    """
    return _tile(empty, seed, _FIRST_MOVE + 2 * n_moves, fours)


def _tile(empty: Sequence[int], seed: int, number: int, fours: int) -> tuple[int, int]:
    is_four = draw_below(seed, number, PER_MILLE) < fours
    return empty[draw_below(seed, number + 1, len(empty))], 2 if is_four else 1
