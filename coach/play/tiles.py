"""Where the new tiles of a run come from.

In a test, the tile after move n depends only on the seed, on n and on which cells are empty: the
same moves meet the same tiles, both in a rematch and after an undo, and a test that takes a
different turn has the same luck from there on as far as possible.

A route is the same for everyone, on any machine, whatever was played before. It has a stream of
64-bit numbers, that of splitmix64 (`engine.spawn`) from a state that follows from its seed.
splitmix64 counts: its i-th number is a function of the state and of i, so the tile after move k
takes its two numbers independently of those before. Moves never shift the luck::

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

An adversary, in Practice, places the tile that helps or hurts most.
"""

from collections.abc import Callable, Sequence

from coach.play.board_edits import SPAWNED, put
from coach.play.setup import Kind, Setup
from engine.bitboard import cells, from_cells
from engine.spawn import GAMMA, PER_MILLE, Rng, spawn

_FIRST_TILE, _FIRST_MOVE = 2, 8


def tile_after(setup: Setup, after: Sequence[int], n_moves: int) -> tuple[int, int]:
    """Return the (cell, exponent) of the new tile; `after`: the 16 exponents after the slide."""
    if setup.kind is Kind.ROUTE:
        empty = [cell for cell, exponent in enumerate(after) if not exponent]
        return route_tile(empty, setup.seed, n_moves, round(setup.spawn4 * PER_MILLE))
    return new_tile(from_cells(after), setup.seed, n_moves, setup.spawn4)[1:]


def new_tile(after: int, seed: int, n: int, spawn4: float) -> tuple[int, int, int]:
    """Return (board with the new tile, its cell, its exponent) after move n of a test, from 0."""
    return spawn(after, Rng(Rng(seed + n).next_u64()), spawn4)


def draw(seed: int, number: int) -> int:
    """Return a number of a route's stream, uniform over 0 to 2**64 - 1; `number` counts from 0."""
    return Rng(Rng(seed).next_u64() + number * GAMMA).next_u64()


def draw_below(seed: int, number: int, n: int) -> int:
    """Return a whole number from 0 to n - 1, ``1 <= n < 2**32``.

    Always from one number of the stream, so some results are more frequent, by n in 2**32.
    """
    return (draw(seed, number) >> 32) * n >> 32


def start_tile(empty: Sequence[int], seed: int, nth: int, fours: int) -> tuple[int, int]:
    """Return the (cell, exponent) of the first or second tile at the start, `nth` 0 or 1."""
    return _tile(empty, seed, _FIRST_TILE + 2 * nth, fours)


def route_tile(empty: Sequence[int], seed: int, n_moves: int, fours: int) -> tuple[int, int]:
    """Return the (cell, exponent) of the tile after a move of a route.

    `empty` are the cells that are empty after the slide, ascending; at least one. `fours`: per
    1000.
    """
    return _tile(empty, seed, _FIRST_MOVE + 2 * n_moves, fours)


def _tile(empty: Sequence[int], seed: int, number: int, fours: int) -> tuple[int, int]:
    is_four = draw_below(seed, number, PER_MILLE) < fours
    return empty[draw_below(seed, number + 1, len(empty))], 2 if is_four else 1


def adversary_spawn(
    after: int, best: bool, value_of: Callable[[int], float | None]
) -> tuple[int, int] | None:
    """Return the (cell, exponent) that helps (`best`) or hurts most; None if unknown.

    `value_of` returns the best rate of a board with its new tile, None if unknown; called up to 30
    times.
    """
    empty = [cell for cell, exponent in enumerate(cells(after)) if exponent == 0]
    choices = [(cell, exponent) for cell in empty for exponent in SPAWNED]
    if not choices:
        return None
    values: list[float] = []
    for cell, exponent in choices:
        value = value_of(put(after, cell, exponent))
        if value is None:
            return None
        values.append(value)
    if not any(values):
        return None
    wanted = max(values) if best else min(values)
    return choices[values.index(wanted)]
