"""Whether a board can come up, found by playing backwards from it.

The first layers of a table are listed in a moment. Whether a board of a later layer comes up is
then a question of whether some chain of moves and new tiles leads there from one of theirs. A crowd
of possible ancestors is followed back, layer by layer: many lines end, because nothing was just
pushed to a side or no 2 or 4 can be taken away, and the crowd goes on with the others. So a
thousand boards drawn at random tell how many of a table come up, long before it could be built.
What is found does come up; of what comes up, some is missed when the crowd is too small.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry import destinations
from engine.jit import inline_kernel, kernel
from engine.moves import row_tables
from tablebase.bits import count_ones
from tablebase.crew import Crew
from tablebase.formation import Formation
from tablebase.free_seeds import permuted
from tablebase.layers import Layers
from tablebase.listing import boards_of_layer
from tablebase.row_facts import kernel_tables
from tablebase.space import Space

U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]

N_SAMPLES = 700
_CROWD = 4096  # possible ancestors kept of one layer
_TRIES = 8 * _CROWD  # ways back tried from one layer
_KNOWN_BOARDS = 200_000  # so large is the layer from which on boards are drawn,
_KNOWN_SLOTS = 60_000_000  # or so many slots it and those before have

_EMPTY, _ONE = np.uint64(0), np.uint64(1)


class Rules(NamedTuple):
    """What playing backwards takes.

    Attributes
    ----------
    rows : uint64[2, 65536]
        All rows, ordered by what a push to the left, or right, makes of them.
    first : int64[2, 65537]
        Where those begin that become a row.
    masks : uint64[n]
        A board must hold all F of at least one.
    target_cells, target : uint64
        The cells where the target counts, and the target tile in all of them: such a board ends
        the game, so it is nobody's ancestor.
    """

    rows: U64
    first: I64
    masks: U64
    target_cells: np.uint64
    target: np.uint64


def rules_of(formation: Formation, target: int) -> Rules:
    """Return the rules of one formation and target."""
    tables = row_tables(formation.walls)
    every = np.arange(1 << 16, dtype=np.uint16)
    becomes = [every ^ table for table in (tables.left, tables.right)]
    starts = np.arange((1 << 16) + 1)
    exponent = target.bit_length() - 1
    masks = (formation.fixed_mask,) if formation.walls else formation.masks or (0,)
    return Rules(
        rows=np.array([np.argsort(row, kind="stable") for row in becomes], np.uint64),
        first=np.array([np.searchsorted(np.sort(row), starts) for row in becomes], np.int64),
        masks=np.array(masks, np.uint64),
        target_cells=np.uint64(formation.target_cells),
        target=np.uint64(formation.target_cells // 15 * exponent),
    )


@lru_cache(maxsize=64)
def sampled_share(
    formation: Formation, target: int, n_samples: int = N_SAMPLES, seed: int = 1
) -> float:
    """Return about which share of a table's slots hold a board that comes up.

    Takes about three seconds. With 30 boards found the result is good to some 20 %.
    """
    space = Space(formation, target, formation.n_layers(target))
    layer, known, n_found = first_layers(space)
    slots = np.array([space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers)])
    total, later = int(slots.sum()), int(slots[layer + 1 :].sum())
    if not later:
        return n_found / total
    rng = np.random.default_rng(seed)
    share = slots[layer + 1 :] / later
    drawn = layer + 1 + rng.choice(share.size, size=n_samples, p=share)
    boards = [
        space.board(int(rng.integers(slots[i])), formation.seed_half_sum + int(i)) for i in drawn
    ]
    found = comes_up(
        rules_of(formation, target), np.array(boards, np.uint64), drawn - layer, known, seed
    )
    return (n_found + later * float(found.mean())) / total


def first_layers(space: Space) -> tuple[int, U64, int]:
    """List two neighbouring layers near the beginning of a table.

    Returns
    -------
    layer : int
        The later of the two: the first one of many boards, or the last of all.
    boards : uint64[n]
        Their after-states with all images, ascending.
    n_found : int
        How many after-states there are up to that layer, images counted.
    """
    n_found = n_slots = layer = 0
    after = before = None
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew)
        for layer in range(space.n_layers):
            now = layers.seeds()
            if layer > 0:
                now = layers.move(layer, layers.spawn(layer, [after, before]))
            after, before = now, after
            size = count_ones(now)
            n_found += size
            n_slots += layers.n_slots(layer)
            if size > _KNOWN_BOARDS or n_slots > _KNOWN_SLOTS:
                break
    lists = [_with_images(space, layer, after), _with_images(space, layer - 1, before)]
    boards = np.sort(np.concatenate(lists))  # np.unique takes a hash table, ten times as long
    is_first = np.ones(boards.size, np.bool_)
    is_first[1:] = boards[1:] != boards[:-1]
    return layer, boards[is_first], n_found


def comes_up(
    rules: Rules, boards: U64, n_layers: I64, known: U64, seed: int
) -> npt.NDArray[np.bool_]:
    """Tell which after-states have an ancestor among the known ones.

    Parameters
    ----------
    rules : Rules
    boards : uint64[n]
    n_layers : int64[n]
        How many layers after the later of the two known ones each board is, at least 1.
    known : uint64[k]
        All after-states of two neighbouring layers, ascending.
    seed : int
        Of the random generator.

    Returns
    -------
    bool[n]
    """
    state = np.array([2 * seed + 1], np.uint64)
    crowd = np.zeros((3, _CROWD), np.uint64)
    found = np.zeros(boards.size, np.bool_)
    _search(rules, boards, n_layers, known, state, crowd, _TRIES, found)
    return found


def _with_images(space: Space, layer: int, words: U64 | None) -> U64:
    if words is None:
        return np.empty(0, np.uint64)
    half_sum = space.formation.seed_half_sum + layer
    boards = boards_of_layer(space, kernel_tables(space), half_sum, words)
    images = [permuted(boards, image) for image in destinations(space.formation.symmetry)]
    return np.concatenate(images)


@kernel
def _search(rules, boards, n_layers, known, state, crowd, n_tries, found):
    for i in range(boards.size):
        crowd[:] = _EMPTY
        if _is_pushed(rules, boards[i]):
            crowd[0, 0] = boards[i]
            for back in range(n_layers[i]):
                _go_back(rules, crowd, back, state, n_tries)
        for j in range(crowd.size):
            board = crowd[j // crowd.shape[1], j % crowd.shape[1]]
            found[i] |= board != _EMPTY and _is_known(known, board)


@inline_kernel
def _go_back(rules, crowd, back, state, n_tries):
    """Fill the crowds one and two layers before with ancestors of this layer's, and empty it.

    The row of a layer is its number modulo 3. A crowd is a hash table: what falls on the same
    place as another board replaces it.
    """
    now, size = back % 3, crowd.shape[1]
    n = 0
    for j in range(size):
        if crowd[now, j] != _EMPTY:
            crowd[now, n] = crowd[now, j]
            n += 1
    for _ in range(n_tries if n > 0 else 0):
        draw = _random(state)
        board = crowd[now, np.int64(draw >> np.uint64(2)) % n]
        is_upright = draw & _ONE == _ONE
        lines = _transposed(board) if is_upright else board
        pre = _before_move(rules, lines, np.int64(draw >> _ONE) & 1, state)
        if pre in (_EMPTY, lines):
            continue
        pre = _transposed(pre) if is_upright else pre
        shift = _new_tile(pre, state)
        if shift < 0:
            continue
        after = pre & ~(np.uint64(15) << np.uint64(shift))
        if _is_stored(rules, after) and _is_pushed(rules, after):
            exponent = np.int64((pre >> np.uint64(shift)) & np.uint64(15))
            place = np.int64((after * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)) % size
            crowd[(back + exponent) % 3, place] = after
    for j in range(size):
        crowd[now, j] = _EMPTY


@inline_kernel
def _random(state):
    """Return 32 random bits; `state` is uint64[1]."""
    state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return state[0] >> np.uint64(32)


@inline_kernel
def _transposed(board):
    """Return the board with rows and columns swapped."""
    b = (
        (board & np.uint64(0xF0F00F0FF0F00F0F))
        | ((board & np.uint64(0x0000F0F00000F0F0)) << np.uint64(12))
        | ((board & np.uint64(0x0F0F00000F0F0000)) >> np.uint64(12))
    )
    return (
        (b & np.uint64(0xFF00FF0000FF00FF))
        | ((b & np.uint64(0x00FF00FF00000000)) >> np.uint64(24))
        | ((b & np.uint64(0x00000000FF00FF00)) << np.uint64(24))
    )


@inline_kernel
def _before_move(rules, board, side, state):
    """Return a random board that a push to one side makes `board` of; 0 when there is none."""
    before = _EMPTY
    for shift in range(0, 64, 16):
        row = np.int64((board >> np.uint64(shift)) & np.uint64(0xFFFF))
        lo, hi = rules.first[side, row], rules.first[side, row + 1]
        if lo == hi:
            return _EMPTY
        at = lo + np.int64(_random(state)) % (hi - lo)
        before |= rules.rows[side, at] << np.uint64(shift)
    return before


@inline_kernel
def _new_tile(board, state):
    """Return where a random 2 or 4 of the board is (its shift); -1 when it has none."""
    n = 0
    for shift in range(0, 64, 4):
        nibble = (board >> np.uint64(shift)) & np.uint64(15)
        n += nibble == np.uint64(1) or nibble == np.uint64(2)
    if n == 0:
        return -1
    which = np.int64(_random(state)) % n
    for shift in range(0, 64, 4):
        nibble = (board >> np.uint64(shift)) & np.uint64(15)
        if nibble == np.uint64(1) or nibble == np.uint64(2):
            if which == 0:
                return shift
            which -= 1
    return -1


@inline_kernel
def _is_pushed(rules, board):
    """Tell whether a push to some side can have made the board."""
    turned = _transposed(board)
    for side in range(2):
        for lines in (board, turned):
            n = 0
            for shift in range(0, 64, 16):
                row = np.int64((lines >> np.uint64(shift)) & np.uint64(0xFFFF))
                n += rules.first[side, row] < rules.first[side, row + 1]
            if n == 4:
                return True
    return False


@inline_kernel
def _is_stored(rules, board):
    """Tell whether the board is inside the formation and has not reached the target."""
    is_inside = False
    for i in range(rules.masks.size):
        is_inside |= (board & rules.masks[i]) == rules.masks[i]
    differs = (board ^ rules.target) & rules.target_cells | ~rules.target_cells
    for shift in range(0, 64, 4):
        is_inside &= (differs >> np.uint64(shift)) & np.uint64(15) != _EMPTY
    return is_inside


@inline_kernel
def _is_known(known, board):
    """Tell whether the board is in the ascending array."""
    lo, hi = 0, known.size
    while lo < hi:
        mid = (lo + hi) >> 1
        if known[mid] < board:
            lo = mid + 1
        else:
            hi = mid
    return lo < known.size and known[lo] == board
