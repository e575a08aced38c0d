"""Whether a board can still reach the goal, and its probability, found by playing on from it.

With perfect luck: a crowd of descendants is followed, layer by layer. New tiles appear where they
are wanted, so a small crowd is enough; it keeps the boards with the fewest tiles. Boards found can
reach the target; a board with very few ways to do so is missed, and its rate rounds to 0 anyway.

At random: new tiles appear as in a game, and the move that leaves the fewest tiles is made.
"""

import numpy as np

from engine.platform.array_types import I64, U64, Bools
from engine.platform.jit import inline_kernel, kernel
from tablebase.kernels.single_boards import (
    BoardRules,
    gather,
    has_target,
    is_inside,
    moved,
    n_tiles,
    place_of,
    random_bits,
)

CROWDS = (160, 640)  # if the first finds no way, the second is tried
TURNS_EACH = 6  # new tiles tried for each board of a crowd; every move is tried
FIRST_TURNS = 256  # and at least this many per layer

_EMPTY = np.uint64(0)
_FOURS_IN_1024 = 102
_LOST = 40  # tiles: worse than any board


def can_win(rules: BoardRules, boards: U64, layers: I64, n_layers: int, seed: int) -> Bools:
    """Return a mask of the boards (uint64[n]) of some layers (int64[n]) that can reach the goal."""
    wins = np.zeros(boards.size, np.bool_)
    state = np.array([2 * seed + 1], np.uint64)
    for size in CROWDS:
        left = np.flatnonzero(~wins)
        is_winnable, crowd = np.zeros(left.size, np.bool_), np.zeros((3, size), np.uint64)
        _search(rules, boards[left], layers[left], n_layers, crowd, state, is_winnable)
        wins[left[is_winnable]] = True
    return wins


def share_won(
    rules: BoardRules, boards: U64, layers: I64, n_layers: int, seed: int, n_games: int
) -> float:
    """Return the share of `n_games` random games from each board that reach the goal."""
    state = np.array([2 * seed + 1], np.uint64)
    n_won = _play_on(rules, boards, layers, n_layers, n_games, state)
    return float(n_won) / max(1, n_games * boards.size)


@kernel
def _search(rules, boards, layers, n_layers, crowd, state, wins):
    for i in range(boards.size):
        crowd[:] = _EMPTY
        layer, n_empty = layers[i], 0
        crowd[layer % 3, 0] = boards[i]
        # In the last two layers it is too late, or the goal is reached.
        while layer < n_layers - 2 and n_empty < 2 and not wins[i]:
            n = gather(crowd[layer % 3])
            n_empty = n_empty + 1 if n == 0 else 0
            n_turns = max(FIRST_TURNS, TURNS_EACH * n) if n > 0 else 0
            wins[i] = _advance_crowds(rules, crowd, layer, n, n_turns, n_layers, state)
            crowd[layer % 3] = _EMPTY
            layer += 1


@inline_kernel
def _advance_crowds(rules, crowd, layer, n, n_turns, n_layers, state):
    """Fill the crowds one and two layers on; return whether a move reaches the target."""
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
            if has_target(rules, after) or _is_there(rules, layer + exponent, n_layers):
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
def _is_there(rules, layer, n_layers):
    return rules.ends_well and layer >= n_layers - 2


@inline_kernel
def _with_tile(board, start, tile):
    """Return the board with a tile in the first empty cell from `start` on; unchanged if full."""
    for i in range(16):
        shift = np.uint64(4 * ((start + i) & 15))
        if (board >> shift) & np.uint64(15) == _EMPTY:
            return board | tile << shift
    return board


@kernel
def _play_on(rules, boards, layers, n_layers, n_games, state):
    n_won = 0
    end = n_layers - 2 if rules.ends_well else n_layers
    for i in range(boards.size):
        for _ in range(n_games):
            board, layer = boards[i], layers[i]
            while board != _EMPTY and layer < end and not has_target(rules, board):
                draw = np.int64(random_bits(state))
                exponent = 2 if (draw >> 20) & 1023 < _FOURS_IN_1024 else 1
                layer += exponent
                board = _best_move(rules, _with_new(board, draw & 0xFFFF, np.uint64(exponent)))
            n_won += board != _EMPTY and (layer < end or rules.ends_well)
    return n_won


@inline_kernel
def _with_new(board, draw, tile):
    """Return the board with a tile in a random empty cell; unchanged if full."""
    n = 16 - n_tiles(board)
    which = draw % n if n > 0 else 0
    for shift in range(0, 64, 4):
        if (board >> np.uint64(shift)) & np.uint64(15) == _EMPTY:
            if which == 0:
                return board | tile << np.uint64(shift)
            which -= 1
    return board


@inline_kernel
def _best_move(rules, pre):
    """Return the after-state with most room a move later, or one with the target; 0 if none.

    The room is that after the best reply to a 2, averaged over the cells where it may appear.
    """
    best, least = _EMPTY, 1e9
    for direction in range(4):
        after = moved(rules, pre, direction)
        if after == pre or not is_inside(rules, after):
            continue
        if has_target(rules, after):
            return after
        n = total = 0
        for shift in range(0, 64, 4):
            if (after >> np.uint64(shift)) & np.uint64(15) == _EMPTY:
                n += 1
                total += _fewest_tiles(rules, after | np.uint64(1) << np.uint64(shift))
        mean = total / n if n > 0 else 2.0 * _LOST
        if mean < least:
            best, least = after, mean
    return best


@inline_kernel
def _fewest_tiles(rules, pre):
    """Return the number of tiles that the best move leaves; 0 if it reaches the target."""
    fewest = _LOST
    for direction in range(4):
        after = moved(rules, pre, direction)
        if after != pre and is_inside(rules, after):
            fewest = min(fewest, 0 if has_target(rules, after) else n_tiles(after))
    return fewest
