"""Expectimax over the linear value function, with sampled chance nodes.

Depth is counted in plies, slides and spawns alike: 1 is a slide, 3 a slide, a spawn and a slide.
With few empty cells it searches two plies deeper. With more than K empty cells, a chance node
samples K of them, drawn by a generator seeded by the board and the seed: the same position always
gets the same cells, whatever was searched before, so a table entry is as good as a search. A table
has one slot for each key:

    keys     uint64[n]     after-states; a position to move is searched once for each
    depths   uint32[n]     plies looked ahead from there; 0 marks a free place
    values   float64[n]
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.baselines.linear_value import linear_value
from ai.search.expectimax import empty_cells
from engine.kernels.moves import slide, slide_score
from engine.moves import RowTables
from engine.platform.jit import inline_kernel, kernel, popcount
from engine.spawn import GAMMA, MIX_1, MIX_2

_U = np.uint64
_MULTIPLIER = _U(0x9E37_79B9_7F4A_7C15)
_GAMMA, _MIX_1, _MIX_2 = _U(GAMMA), _U(MIX_1), _U(MIX_2)
SLIDES, HITS, N_COUNTS = range(3)
"""Places in `counts` (int64[2]), added to: legal slides looked at, table hits."""


class SampleRules(NamedTuple):
    """The parameters of a search."""

    moves: RowTables
    sample: np.int64  # K, the empty cells that a chance node looks at
    seed: np.uint64  # selects the cells, see the module docstring
    spawn4: np.float64


class ValueTable(NamedTuple):
    """The transposition table; see the module docstring."""

    keys: npt.NDArray[np.uint64]
    depths: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float64]


def new_value_table() -> ValueTable:
    n = 1 << 14
    return ValueTable(np.zeros(n, np.uint64), np.zeros(n, np.uint32), np.zeros(n, np.float64))


@inline_kernel
def _place(board, depth, table):
    mixed = ((board ^ (board >> _U(29))) + _U(depth)) * _MULTIPLIER
    return (mixed ^ (mixed >> _U(32))) & _U(table.keys.size - 1)


@inline_kernel
def sampled_cells(after, rules):
    """Return the lowest bits of at most K empty cells, scanned from the lowest nibble up.

    Selection sampling: Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S.
    """
    empty = empty_cells(after)
    left = popcount(empty)
    wanted = _U(rules.sample)
    if left <= wanted:
        return empty
    chosen, state = _U(0), after ^ rules.seed
    while wanted:
        tile = empty & (_U(0) - empty)
        empty ^= tile
        state += _GAMMA
        mixed = (state ^ (state >> _U(30))) * _MIX_1
        mixed = (mixed ^ (mixed >> _U(27))) * _MIX_2
        mixed ^= mixed >> _U(31)
        if ((mixed >> _U(32)) * left) >> _U(32) < wanted:
            chosen |= tile
            wanted -= _U(1)
        left -= _U(1)
    return chosen


@kernel
def after_state_value(after, depth, rules, value, table, counts):
    """Return the value of an after-state, looking `depth` plies ahead; 0 gives the value function.

    `table` is overwritten; for `counts` (int64[N_COUNTS]) see `SLIDES`.
    """
    if depth == 0:
        return linear_value(after, value)
    at = _place(after, depth, table)
    if table.keys[at] == after and table.depths[at] == depth:
        counts[HITS] += 1
        return table.values[at]
    tiles = sampled_cells(after, rules)
    n_tiles = popcount(tiles)
    total = 0.0
    while tiles:
        tile = tiles & (_U(0) - tiles)
        tiles ^= tile
        for is_four in range(2):
            board = after | (tile << _U(is_four))
            p = rules.spawn4 if is_four else 1.0 - rules.spawn4
            best = -np.inf
            if depth > 1:
                for direction in range(4):
                    moved = slide(board, direction, rules.moves)
                    if moved != board:
                        counts[SLIDES] += 1
                        points = np.float64(slide_score(board, direction, rules.moves))
                        best = max(
                            best,
                            points
                            + after_state_value(moved, depth - 2, rules, value, table, counts),
                        )
            if best == -np.inf:  # the search ends here, or no move is left
                best = linear_value(board, value)
            total += p * best
    mean = total / n_tiles
    table.keys[at] = after
    table.depths[at] = depth
    table.values[at] = mean
    return mean


@kernel
def plies(board, depth, few):
    """Return the search depth in plies: `depth`, plus two with at most `few` empty cells."""
    return depth + 2 if np.int64(popcount(empty_cells(board))) <= few else depth


@kernel
def move_values(board, depth, rules, value, table, counts, values):
    """Fill `values` (float64[4]) with the value of each move, -inf where it is illegal.

    `depth` is in plies, 1 or more.
    """
    for direction in range(4):
        after = slide(board, direction, rules.moves)
        values[direction] = -np.inf
        if after != board:
            counts[SLIDES] += 1
            points = np.float64(slide_score(board, direction, rules.moves))
            values[direction] = points + after_state_value(
                after, depth - 1, rules, value, table, counts
            )
