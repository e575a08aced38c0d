"""Whether a board can come up, found by playing backwards from it.

A crowd of possible ancestors is followed back, layer by layer: many lines end, because nothing was
just pushed to a side or no 2 or 4 can be taken away, and the crowd goes on with the others. On
their way the ancestors meet boards that came up when the table was played forward at random a few
million times (`Crowds.seen`), or those of the first layers, which are listed in a moment. So a few
thousand boards drawn at random tell how many of a table come up, long before it could be built.
What is found does come up; of what comes up, a part is missed, as the crowd is small: about as much
of one layer as of the next.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import inline_kernel, kernel
from tablebase.single_boards import (
    I64,
    U64,
    Rules,
    before_move,
    has_target,
    is_inside,
    is_pushed,
    moved,
    n_tiles,
    place_of,
    random_bits,
    transposed,
)

CROWD = 512  # possible ancestors kept of one layer
TRIES_EACH = 1024  # ways back tried from each of a crowd,
TRIES = 8 * CROWD  # but no more than these from one layer
_TURNS_EACH = 4

_EMPTY, _ONE = np.uint64(0), np.uint64(1)


class Met(NamedTuple):
    """What is known to come up.

    Attributes
    ----------
    first : uint64[k]
        All after-states of two neighbouring layers with their images, ascending. Row 0 is the
        earlier of them, row 1 the later, and so on to the last layer.
    seen : uint64[n, m]
        For every row a hash table of some boards of it; 0 where there is none.
    """

    first: U64
    seen: U64


def play_forward(rules: Rules, rows: tuple[U64, U64], n_rows: int, size: int, seed: int) -> Met:
    """Play at random from all boards of two layers to the last one.

    Parameters
    ----------
    rules : Rules
    rows : two of uint64[...]
        All after-states of two neighbouring layers, with their images.
    n_rows : int
        Of layers, those two among them.
    size : int
        So many boards are kept of each layer, about.
    seed : int
        Of the random generator.
    """
    seen = np.zeros((n_rows, size), np.uint64)
    for boards, row in zip(rows, seen, strict=False):
        _scatter(boards, row)
    _play(rules, seen, _TURNS_EACH, np.array([2 * seed + 1], np.uint64))
    first = np.sort(np.concatenate(rows))
    return Met(first, seen)


def comes_up(
    rules: Rules, boards: U64, rows: I64, met: Met, seed: int, most_tries: int
) -> npt.NDArray[np.bool_]:
    """Tell which after-states have an ancestor that comes up.

    Parameters
    ----------
    rules : Rules
    boards : uint64[n]
    rows : int64[n]
        The layer of each, counted as in `met`; at least 2.
    met : Met
    seed : int
        Of the random generator.
    most_tries : int
        After so many ways back no other board is looked at.

    Returns
    -------
    bool[m]
        Of the first m boards, all of them if the tries were enough.
    """
    state = np.array([2 * seed + 1], np.uint64)
    crowd = np.zeros((3, CROWD), np.uint64)
    found = np.zeros(boards.size, np.bool_)
    n = _search(rules, boards, rows, met, crowd, TRIES, TRIES_EACH, most_tries, state, found)
    return found[:n]


@kernel
def _scatter(boards, row):
    for i in range(boards.size):
        row[place_of(boards[i], row.size)] = boards[i]


@kernel
def _play(rules, seen, n_turns, state):
    """Fill the rows of `seen` from the third on with what comes of those before."""
    size = seen.shape[1]
    for row in range(2, seen.shape[0]):
        for back in range(1, 3):
            for i in range(size):
                board = seen[row - back, i]
                for _ in range(n_turns if board != _EMPTY else 0):
                    after = _random_turn(rules, board, np.uint64(back), state)
                    if after != _EMPTY:
                        seen[row, place_of(after, size)] = after


@inline_kernel
def _random_turn(rules, board, tile, state):
    """Put a tile into a random cell and move at random; return 0 when that leads nowhere."""
    n = 16 - n_tiles(board)
    if n == 0:
        return _EMPTY
    draw = random_bits(state)
    which = np.int64(draw >> np.uint64(2)) % n
    pre = board
    for shift in range(0, 64, 4):
        if (board >> np.uint64(shift)) & np.uint64(15) == _EMPTY:
            if which == 0:
                pre |= tile << np.uint64(shift)
            which -= 1
    after = moved(rules, pre, np.int64(draw) & 3)
    if after == pre or not is_inside(rules, after) or has_target(rules, after):
        return _EMPTY
    return after


@kernel
def _search(rules, boards, rows, met, crowd, n_tries, n_each, most_tries, state, found):
    """Fill `found`; return how many boards were looked at."""
    spent = 0
    for i in range(boards.size):
        if spent > most_tries:
            return i
        if not is_pushed(rules, boards[i]):
            continue
        found[i] = _is_met(met, rows[i], boards[i])
        crowd[:] = _EMPTY
        crowd[rows[i] % 3, 0] = boards[i]
        row, n_empty = rows[i], 0
        while row >= 2 and n_empty < 2 and not found[i]:
            n = _gather_crowd(crowd[row % 3])
            n_empty = n_empty + 1 if n == 0 else 0
            tries = min(n_tries, n_each * n)
            found[i] = _go_back(rules, crowd, row, n, tries, met, state)
            crowd[row % 3] = _EMPTY
            spent += tries
            row -= 1
    return boards.size


@inline_kernel
def _gather_crowd(crowd):
    """Move the boards of a hash table to its beginning; return how many there are."""
    n = 0
    for j in range(crowd.size):
        if crowd[j] != _EMPTY:
            crowd[n] = crowd[j]
            n += 1
    return n


@inline_kernel
def _go_back(rules, crowd, row, n, n_tries, met, state):
    """Fill the crowds one and two layers before with ancestors; tell whether one is met.

    The crowd of a layer is that of its row modulo 3: a hash table, in which a board has one place
    and makes way for one of as many tiles or more.
    """
    size = crowd.shape[1]
    found = False
    for _ in range(n_tries):
        draw = random_bits(state)
        board = crowd[row % 3, np.int64(draw >> np.uint64(2)) % n]
        is_upright = np.int64(draw) & 1
        lines = transposed(board) if is_upright else board
        pre = before_move(rules, lines, np.int64(draw >> _ONE) & 1, is_upright, state)
        if pre in (_EMPTY, lines):
            continue
        pre = transposed(pre) if is_upright else pre
        for shift in range(0, 64, 4):
            exponent = np.int64((pre >> np.uint64(shift)) & np.uint64(15))
            after = pre & ~(np.uint64(15) << np.uint64(shift))
            if exponent not in (1, 2) or not _is_ancestor(rules, after):
                continue
            to = row - exponent
            found |= _is_met(met, to, after)
            place = place_of(after, size)
            if n_tiles(after) >= n_tiles(crowd[to % 3, place]):
                crowd[to % 3, place] = after
        if found:
            break
    return found


@inline_kernel
def _is_ancestor(rules, board):
    return is_inside(rules, board) and not has_target(rules, board) and is_pushed(rules, board)


@inline_kernel
def _is_met(met, row, board):
    """Tell whether the board is known to come up."""
    if row >= 2:
        return met.seen[row, place_of(board, met.seen.shape[1])] == board
    lo, hi = 0, met.first.size
    while lo < hi:
        mid = (lo + hi) >> 1
        if met.first[mid] < board:
            lo = mid + 1
        else:
            hi = mid
    return lo < met.first.size and met.first[lo] == board
