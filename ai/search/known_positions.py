"""Known positions ahead, which a search uses like its own earlier results.

Before a deep search, all after-states of its next moves are listed; known values, for example from
a table, are written into the transposition table as if searched to the end. The search then uses
them wherever it meets them and goes no deeper there. See ai.dispatch.leaf_rates for the values from
tables.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluate import held_at_root
from ai.evaluation.rules import SearchRules
from ai.search.expectimax import LOCK_KEY, empty_cells, keeps, lock_of, lock_that_holds
from ai.search.transposition import MAX_DEPTH, MAX_EFFORT, MAX_RARE, MAX_SLACK, pack, store
from engine.kernels.moves import slide
from engine.platform.jit import kernel

U64 = npt.NDArray[np.uint64]
F32 = npt.NDArray[np.float32]

Known = Callable[[U64], F32]
"""Returns the values (float32[n]) of after-states (uint64[n]) beside walls, as the evaluation
counts; NaN where nothing is known."""

MOVES_AHEAD = 2
"""Moves after the first one whose after-states are looked at."""

MAX_AHEAD = 1 << 14
"""After-states that are looked at, at most: about 5,000 come within two moves."""

_U = np.uint64


def write_known(
    board: np.uint64,
    rules: SearchRules,
    evaluator: Any,
    known: Known,
    tag: int,
    age: int,
    tables: Sequence[U64],
) -> int:
    """Write the known values of positions ahead into transposition tables; return their number.

    `board` is the root of the search; `rules`, `evaluator`, `tag` and `age` are those of the next
    search.
    """
    afters, locks = np.empty(4, np.uint64), np.empty(4, np.uint64)
    n = first_afters(board, rules, evaluator, afters, locks)
    left, n_known = np.stack((afters, locks))[:, :n], 0
    for _ in range(MOVES_AHEAD):
        before = np.unique(left, axis=1)
        boards = np.empty((2, MAX_AHEAD), np.uint64)
        boards = boards[:, : next_afters(before[0], before[1], rules, boards[0], boards[1])]
        values = known(boards[0])
        is_known = ~np.isnan(values)
        rated = boards[:, is_known]
        for table in tables:
            store_known(rated[0], rated[1], values[is_known], tag, age, table)
        n_known += rated.shape[1]
        left = boards[:, ~is_known]
    return n_known


@kernel
def first_afters(board, rules, evaluator, afters, locks):
    n = 0
    held = lock_that_holds(board, held_at_root(board, evaluator), rules.moves)
    for direction in range(4):
        after = slide(board, direction, rules.moves)
        if after != board and keeps(board, after, held):
            afters[n], locks[n] = after, lock_of(after)
            n += 1
    return n


@kernel
def next_afters(before, locks_before, rules, afters, locks):
    """Fill the after-states one spawn and move later, as far as they fit; return their number.

    As in the search, moves that break the lock are left out if there are others.
    """
    n = 0
    for i in range(before.size):
        lock = locks_before[i]
        for kind in range(2):
            empty = empty_cells(before[i]) << _U(kind)
            while empty:
                tile = empty & (_U(0) - empty)
                empty ^= tile
                board = before[i] | tile
                held = lock_that_holds(board, lock, rules.moves)
                for direction in range(4):
                    after = slide(board, direction, rules.moves)
                    if after != board and keeps(board, after, held) and n < afters.size:
                        afters[n], locks[n] = after, lock
                        n += 1
    return n


@kernel
def store_known(afters, locks, values, tag, age, table):
    for i in range(afters.size):
        word = pack(values[i], MAX_DEPTH, MAX_SLACK, MAX_RARE, MAX_EFFORT, tag, age)
        store(afters[i] ^ locks[i] * LOCK_KEY, word, age, table)
