r"""Expectimax that cuts off lines that have become too improbable, as in "port".

The probability of a line is the product over its spawns of 0.9 or 0.1, divided by the empty cells
of each. Below a probability threshold, or at a number of moves after the first one, the static
score is used.

Positions near the root are cached by their board alone, as in the port: a result found at one depth
is used at another. The cache is cleared for every root move, so results do not depend on earlier
searches. It is a hash table with open addressing:

    keys      uint64[n]    boards
    values    float64[n]
    stamps    uint32[n]    number of the root move that wrote the entry; others are free
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.line_scores import board_score
from ai.search.expectimax import empty_cells
from engine.kernels.moves import slide
from engine.moves import RowTables
from engine.platform.jit import inline_kernel, kernel, popcount

_U = np.uint64
_MULTIPLIER = _U(0x9E37_79B9_7F4A_7C15)
_FARTHEST = 32  # maximal distance of an entry from its slot; beyond that, nothing is cached

MOVES_EVALUATED, CACHE_HITS, STAMP, N_COUNTS = range(4)
"""Places in `counts` (int64[3]): slides tried and memory hits, added to; the last root move."""


class ChanceRules(NamedTuple):
    """The limits of a search."""

    moves: RowTables
    least_chance: np.float64  # lines less probable than this end
    max_depth: np.int64  # moves looked ahead after the first one
    # Positions with fewer moves than this between them and the root move are cached.
    cache_depth: np.int64
    spawn4: np.float64


class PositionCache(NamedTuple):
    """The cached positions; see the module docstring."""

    keys: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]
    stamps: npt.NDArray[np.uint32]


def new_memory(size_log2: int = 18) -> PositionCache:
    n = 1 << size_log2
    return PositionCache(np.zeros(n, np.uint64), np.zeros(n, np.float64), np.zeros(n, np.uint32))


@inline_kernel
def _place(board, stamp, memory):
    """Return the slot of a board, existing or free; the size of the memory if there is none."""
    mask = _U(memory.keys.size - 1)
    mixed = (board ^ (board >> _U(29))) * _MULTIPLIER
    at = (mixed ^ (mixed >> _U(32))) & mask
    for _ in range(_FARTHEST):
        if memory.stamps[at] != stamp or memory.keys[at] == board:
            return at
        at = (at + _U(1)) & mask
    return mask + _U(1)


@kernel
def position_value(board, chance, depth, rules, scores, memory, counts):
    """Return the value of a position to move; 0 if no move is left.

    `chance` is the probability of the line that led here, `depth` the number of moves since the
    root move. `memory` is overwritten; for `counts` (int64[N_COUNTS]) see `MOVES_EVALUATED`.
    """
    if chance < rules.least_chance or depth >= rules.max_depth:
        return board_score(board, scores)
    is_remembered = depth < rules.cache_depth
    stamp = np.uint32(counts[STAMP])
    if is_remembered:
        at = _place(board, stamp, memory)
        if at < _U(memory.keys.size) and memory.stamps[at] == stamp:
            counts[CACHE_HITS] += 1
            return memory.values[at]
    best = 0.0
    for direction in range(4):
        counts[MOVES_EVALUATED] += 1
        after = slide(board, direction, rules.moves)
        if after == board:
            continue
        empty = empty_cells(after)
        n_empty = popcount(empty)
        share = chance / n_empty
        total = 0.0
        while empty:
            tile = empty & (_U(0) - empty)
            empty ^= tile
            for is_four in range(2):
                p = rules.spawn4 if is_four else 1.0 - rules.spawn4
                spawned = after | (tile << _U(is_four))
                if share * p < rules.least_chance or depth + 1 >= rules.max_depth:
                    total += p * board_score(spawned, scores)  # most end here: save the call
                else:
                    total += p * position_value(
                        spawned, share * p, depth + 1, rules, scores, memory, counts
                    )
        best = max(best, total / n_empty)
    if is_remembered:
        at = _place(board, stamp, memory)
        if at < _U(memory.keys.size):
            memory.keys[at] = board
            memory.values[at] = best
            memory.stamps[at] = stamp
    return best


@kernel
def root_values(board, rules, scores, memory, counts, values):
    """Fill `values` (float64[4]) with the value of each move, -inf where it is illegal."""
    for direction in range(4):
        counts[STAMP] += 1
        after = slide(board, direction, rules.moves)
        values[direction] = -np.inf
        if after == board:
            continue
        empty = empty_cells(after)
        n_empty = popcount(empty)
        total = 0.0
        while empty:
            tile = empty & (_U(0) - empty)
            empty ^= tile
            for is_four in range(2):
                p = rules.spawn4 if is_four else 1.0 - rules.spawn4
                spawned = after | (tile << _U(is_four))
                total += p * position_value(
                    spawned, p / n_empty, np.int64(0), rules, scores, memory, counts
                )
        values[direction] = total / n_empty
