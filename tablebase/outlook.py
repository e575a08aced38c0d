"""Whether a board can still reach the target, found by playing forward from it with all luck.

A crowd of descendants is followed, layer by layer. New tiles come where they are wanted, so a small
crowd does; it keeps the boards of the fewest tiles. What is found can reach the target; a board
that can by very few ways is missed, and its rate rounds to nothing anyway.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import inline_kernel, kernel
from tablebase.single_boards import (
    I64,
    U64,
    Rules,
    has_target,
    is_inside,
    moved,
    n_tiles,
    place_of,
    random_bits,
)

CROWD = 160
TURNS_EACH = 6  # new tiles tried for each board of a crowd; every move is tried
FIRST_TURNS = 256  # and at least so many from one layer

_EMPTY = np.uint64(0)


def can_win(
    rules: Rules, boards: U64, layers: I64, n_layers: int, seed: int, most_turns: int
) -> npt.NDArray[np.bool_]:
    """Tell which after-states can reach the target before the table ends.

    Parameters
    ----------
    rules : Rules
    boards : uint64[n]
    layers : int64[n]
        The layer of each.
    n_layers : int
        Of the table.
    seed : int
        Of the random generator.
    most_turns : int
        After so many new tiles no other board is looked at.

    Returns
    -------
    bool[m]
        Of the first m boards, all of them if the turns were enough.
    """
    wins = np.zeros(boards.size, np.bool_)
    crowd = np.zeros((3, CROWD), np.uint64)
    state = np.array([2 * seed + 1], np.uint64)
    turns = TURNS_EACH, FIRST_TURNS, most_turns
    n = _search(rules, boards, layers, n_layers, turns, crowd, state, wins)
    return wins[:n]


@kernel
def _search(rules, boards, layers, n_layers, turns, crowd, state, wins):
    """Fill `wins`; return how many boards were looked at."""
    n_each, n_first, most_turns = turns
    spent = 0
    for i in range(boards.size):
        if spent > most_turns:
            return i
        crowd[:] = _EMPTY
        layer, n_empty = layers[i], 0
        crowd[layer % 3, 0] = boards[i]
        # Whatever is left in the last two layers comes too late.
        while layer < n_layers - 2 and n_empty < 2 and not wins[i]:
            n = _gather(crowd[layer % 3])
            n_empty = n_empty + 1 if n == 0 else 0
            n_turns = max(n_first, n_each * n) if n > 0 else 0
            wins[i] = _go_on(rules, crowd, layer, n, n_turns, n_layers, state)
            crowd[layer % 3] = _EMPTY
            spent += n_turns
            layer += 1
    return boards.size


@inline_kernel
def _gather(crowd):
    """Move the boards of a hash table to its beginning; return how many there are."""
    n = 0
    for j in range(crowd.size):
        if crowd[j] != _EMPTY:
            crowd[n] = crowd[j]
            n += 1
    return n


@inline_kernel
def _go_on(rules, crowd, layer, n, n_turns, n_layers, state):
    """Fill the crowds one and two layers on; tell whether a move reaches the target."""
    size = crowd.shape[1]
    wins = False
    for _ in range(n_turns):
        draw = random_bits(state)
        board = crowd[layer % 3, np.int64(draw >> np.uint64(5)) % n]
        exponent = 1 + (np.int64(draw) & 1)
        pre = _with_tile(board, np.int64(draw >> np.uint64(1)) & 15, np.uint64(exponent))
        if layer + exponent >= n_layers:
            continue
        for direction in range(4 if pre != board else 0):
            after = moved(rules, pre, direction)
            if after == pre or not is_inside(rules, after):
                continue
            if has_target(rules, after):
                wins = True
                break
            place = place_of(after, size)
            other = crowd[(layer + exponent) % 3, place]
            if other == _EMPTY or n_tiles(after) <= n_tiles(other):
                crowd[(layer + exponent) % 3, place] = after
        if wins:
            break
    return wins


@inline_kernel
def _with_tile(board, start, tile):
    """Put a tile into the first empty cell from one on; return the same board when it is full."""
    for i in range(16):
        shift = np.uint64(4 * ((start + i) & 15))
        if (board >> shift) & np.uint64(15) == _EMPTY:
            return board | tile << shift
    return board
