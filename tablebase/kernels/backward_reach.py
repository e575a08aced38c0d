"""Whether a board can come up, found by playing backward from it.

A crowd of possible ancestors is followed back, layer by layer. Boards that do not come up have few
ancestors, and all lines end soon, because nothing was just pushed to a side or no 2 or 4 can be
removed: while a crowd is small nearly every backward move is tried, so that hardly a line is
missed. A crowd that has grown goes on with a sample, and ends in two neighboring layers of which
all boards that come up are known: a board with an ancestor among them comes up. So a few thousand
random boards show how many of a table come up, long before it could be built.
"""

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.array_types import I64, U64
from engine.platform.jit import inline_kernel, kernel
from tablebase.kernels.single_boards import (
    BoardRules,
    before_move,
    gather,
    has_target,
    is_inside,
    is_pushed,
    n_before,
    place_of,
    random_bits,
)
from tablebase.kernels.unrank import least_of

_TRIES_EACH = 32  # backward moves per board of a crowd, if there are so many; more while small

_EMPTY = np.uint64(0)


def ancestors(
    rules: BoardRules, boards: U64, rows: I64, size: int, seed: int, to_seeds: bool = False
) -> tuple[I64, U64, int]:
    """Follow after-states (uint64[n]) back to two neighboring layers.

    `rows` (int64[n]) are their layers, counted from the earlier of those two; at least 2. `size` is
    the number of possible ancestors kept per layer: following fewer is faster, but their lines end
    more often by chance. With `to_seeds` the earlier of the two layers is the one of the
    formation's seeds, which need not be pushed to a side.

    Returns the indices of the boards that have possible ancestors in row 0 or 1 (int64[k]), these
    ancestors by row (uint64[k, 2, size], 0 for none), and the number of backward moves tried.
    """
    state = np.array([2 * seed + 1], np.uint64)
    crowd = np.zeros((3, size), np.uint64)
    which, crowds = np.zeros(boards.size, np.int64), np.zeros((boards.size, 2, size), np.uint64)
    n, n_tries = _search(rules, boards, rows, to_seeds, crowd, state, which, crowds)
    return which[:n], crowds[:n], n_tries


@kernel
def _search(rules, boards, rows, to_seeds, crowd, state, which, crowds):
    """Fill `which` and `crowds`; return the number of boards found, and of backward moves tried."""
    n_tries = n_found = 0
    for i in range(boards.size):
        if not is_pushed(rules, boards[i]):
            continue
        crowd[:] = _EMPTY
        crowd[rows[i] % 3, 0] = boards[i]
        row, n_empty = rows[i], 0
        while row >= 2 and n_empty < 2:
            n = gather(crowd[row % 3])
            n_empty = n_empty + 1 if n == 0 else 0
            n_tries += _go_back(rules, crowd, row, n, state, to_seeds)
            crowd[row % 3] = _EMPTY
            row -= 1
        if n_empty < 2:
            which[n_found] = i
            for known in range(2):
                for j in range(crowd.shape[1]):
                    crowds[n_found, known, j] = crowd[known, j]
            n_found += 1
    return n_found, n_tries


@inline_kernel
def _go_back(rules, crowd, row, n, state, to_seeds):
    """Fill the crowds one and two layers before with ancestors; return the number of moves tried.

    The crowd of a layer is that of its row modulo 3: a hash table, in which a board has one place
    and is replaced by the next one with the same place.
    """
    n_tries = 0
    n_each = max(1, _TRIES_EACH * crowd.shape[1] // (4 * n)) if n > 0 else 0
    for i in range(4 * n):
        side, is_upright = i & 1, (i >> 1) & 1
        board = crowd[row % 3, i >> 2]
        lines = transpose(board) if is_upright else board
        n_all = n_before(rules, lines, side, is_upright)
        n_tried = min(n_all, n_each)
        n_tries += n_tried
        for k in range(n_tried):
            way = k if n_all <= n_each else np.int64(random_bits(state)) % n_all
            pre = before_move(rules, lines, side, is_upright, way)
            if pre != lines:
                _take_away(rules, transpose(pre) if is_upright else pre, crowd, row, to_seeds)
    return n_tries


@inline_kernel
def _take_away(rules, pre, crowd, row, to_seeds):
    """Add a board without one of its 2 and 4, in turn, to the crowds of the layers before."""
    for shift in range(0, 64, 4):
        exponent = np.int64((pre >> np.uint64(shift)) & np.uint64(15))
        if exponent not in (1, 2):
            continue
        after = least_of(pre & ~(np.uint64(15) << np.uint64(shift)), rules.symmetries)
        place, to = place_of(after, crowd.shape[1]), (row - exponent) % 3
        is_seed = to_seeds and row == exponent
        if after != crowd[to, place] and _is_ancestor(rules, after, is_seed):
            crowd[to, place] = after


@inline_kernel
def _is_ancestor(rules, board, is_seed):
    if not is_inside(rules, board) or has_target(rules, board):
        return False
    return is_seed or is_pushed(rules, board)
