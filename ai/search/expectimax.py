"""Expectimax over after-states: the recursion, as machine code.

A node is a position to move. Its value is the best over its legal moves of the after-state's
value; an after-state's value is the mean over its spawns, or, where the search ends, its
evaluation. The search ends at a number of moves (depth) and where a line has become too improbable:
slack, in 1/16 bit, is the remaining budget of improbability, and each spawn costs its share. The
rarer tile, usually the 4, is searched only while the slack lasts, and only a few times on a line;
otherwise the other one stands for both. Sums have a fixed order, so the same search gives
bit-identical results.

Below the root's moves the large tiles are *locked*, unless a network for whole games evaluates:
each tile from `LOCKED_FROM` up that is unique stays in its cell, or grows there, and moves that
would move it away are not searched unless there is no other: such a move is hardly ever good.
Search alone, games of 70 seeds, about 2,700 nodes per move, measured during development: 179,532
points (+-10,181) without a lock; locked from 512, 1024, 2048 on 251,528, 257,985, 224,029 (+-12,000
to 15,000 each). 1024 is the best of those on these same seeds, so its gain is biased upward. At
about 20,000 nodes, 30 other games: 314,143 (+-26,790) without, 336,619 (+-24,318) with: not shown
to be a gain there.
"""

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluate import after_value, locks_large_tiles, spawns_value
from ai.search.transposition import effort_of, find, pack, store, value_of
from engine.kernels.moves import slide, slide_score
from engine.platform.jit import inline_kernel, kernel, popcount

_U = np.uint64
_NIBBLE_BITS = _U(0x1111_1111_1111_1111)
_LOW_HALVES = _U(0x0F0F_0F0F_0F0F_0F0F)  # every other nibble: each has room to be subtracted from
_GUARDS = _U(0x1010_1010_1010_1010)
_GROWTHS = _U(0x0101_0101_0101_0101)
LOCK_KEY = _U(0x9E37_79B9_7F4A_7C15)
"""Results under different locks have different keys: ``after ^ lock * LOCK_KEY``."""
I64 = npt.NDArray[np.int64]

NODES, LIMIT, STOP, AGE, TAG, LOCK, N_CONTROLS = range(7)
"""Places in `Search.control`: nodes so far, how many are allowed, whether to stop (not 0), the
number of the search (0 to 15) and the tag of the evaluation, as `ai.search.transposition` keeps
them, and
the nibbles of the locked cells."""

LOCKED_FROM = 10
"""The exponent from which on large tiles are locked: 1024."""


@inline_kernel
def empty_cells(board):
    """Return the lowest bit of each empty cell."""
    occupied = board | (board >> _U(2))
    return ~(occupied | (occupied >> _U(1))) & _NIBBLE_BITS


@kernel
def lock_of(after):
    """Return a mask of F in the cells of an after-state's unique large tiles.

    An F never merges, so it always counts as unique.
    """
    lock = _U(0)
    for shift in range(0, 64, 4):
        tile = (after >> _U(shift)) & _U(15)
        n_alike = 0
        for other in range(0, 64, 4):
            n_alike += (after >> _U(other)) & _U(15) == tile
        if tile == _U(15) or (tile >= _U(LOCKED_FROM) and n_alike == 1):
            lock |= _U(15) << _U(shift)
    return lock


@inline_kernel
def lock_below(after, evaluator):
    """Return the lock for searching on from an after-state; 0 if there is none."""
    return lock_of(after) if locks_large_tiles(evaluator) else _U(0)


@inline_kernel
def _grows_at_most(before, moved):
    """Return whether each byte's lower nibble, all others being 0, is the same or one more."""
    return ((moved | _GUARDS) - before) & ~_GROWTHS == _GUARDS


@inline_kernel
def keeps(board, moved, lock):
    """Return whether a move leaves each locked tile in its cell, or merges another into it."""
    before, now = board & lock, moved & lock
    if before == now:
        return True
    return _grows_at_most(before & _LOW_HALVES, now & _LOW_HALVES) and _grows_at_most(
        (before >> _U(4)) & _LOW_HALVES, (now >> _U(4)) & _LOW_HALVES
    )


@kernel
def lock_that_holds(board, lock, moves):
    """Return `lock`, or 0 if no legal move of a position keeps it."""
    for direction in range(4):
        moved = slide(board, direction, moves)
        if moved != board and keeps(board, moved, lock):
            return lock
    return _U(0)


@kernel
def chance_value(after, depth, slack, n_rare, rules, evaluator, table, control):
    """Return the value of an after-state, `depth` moves ahead; 0 gives the evaluation.

    It is returned, too, when `slack` is below 0. `n_rare` is how many of the rarer tile are still
    allowed on the line. `table` (uint64[2 * n]) is overwritten. `control` (int64[N_CONTROLS], see
    `NODES`) counts nodes, and ends the search at the limit or on request: the value is then
    meaningless.
    """
    if depth == 0 or slack < 0:
        return after_value(after, evaluator)
    lock = _U(control[LOCK])
    key = after ^ lock * LOCK_KEY
    at = find(key, depth, slack, n_rare, control[TAG], table)
    if at:
        return value_of(table[at])
    if control[NODES] >= control[LIMIT] or control[STOP]:
        return np.float32(0)
    before = control[NODES]
    empty = empty_cells(after)
    n_empty = popcount(empty)
    likely_slack = slack - rules.costs[rules.likely, n_empty]
    rare_slack = slack - rules.costs[1 - rules.likely, n_empty]
    n_kinds = 2 if n_rare > 0 and rare_slack >= 0 else 1
    control[NODES] += np.int64(n_empty) * n_kinds
    total = np.float32(0)
    for kind in range(n_kinds):
        # Usually fours first: the entries they store are found again by twos that merge.
        is_rare = kind < n_kinds - 1
        is_four = is_rare != (rules.likely == 1)
        chance = rules.chance_4 if is_four else rules.chance_2
        if n_kinds == 1:
            chance = np.float32(1)
        child_slack = rare_slack if is_rare else likely_slack
        is_last = depth == 1 or child_slack < 0
        places = empty << _U(is_four)
        subtotal = np.float32(0)
        if is_last:
            subtotal = spawns_value(after, places, evaluator, rules)
            places = _U(0)
        while places:
            tile = places & (_U(0) - places)
            places ^= tile
            board = after | tile
            best = rules.dead
            held = lock_that_holds(board, lock, rules.moves)
            for direction in range(4):
                moved = slide(board, direction, rules.moves)
                if moved != board and keeps(board, moved, held):
                    value = chance_value(
                        moved,
                        depth - 1,
                        child_slack,
                        n_rare - is_rare,
                        rules,
                        evaluator,
                        table,
                        control,
                    )
                    if rules.points:
                        points = np.float32(slide_score(board, direction, rules.moves))
                        value += rules.points * points
                    best = max(best, value)
            subtotal += best
        total += chance * subtotal
    value = total / np.float32(n_empty)
    if control[NODES] < control[LIMIT] and not control[STOP]:
        effort = effort_of(control[NODES] - before)
        word = pack(value, depth, slack, n_rare, effort, control[TAG], control[AGE])
        store(key, word, control[AGE], table)
    return value
