"""The rules of one formation and goal on single boards, forward and backward, for kernels.

Boards are played at random here, one at a time: the whole-layer methods of the kernels of expand
and solve would be too much for a few thousand boards.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels.symmetry import transpose
from engine.moves import row_tables
from engine.platform.array_types import I64, U16, U64
from engine.platform.jit import inline_kernel, popcount
from tablebase.formation.arrangements import Arrangements
from tablebase.formation.formation import Formation
from tablebase.formation.generated_seeds import TRANSPOSE, permuted
from tablebase.formation.goal import Goal, goal_of

_N_ROWS = 1 << 16
_EMPTY = np.uint64(0)


class BoardRules(NamedTuple):
    """The tables for playing single boards."""

    becomes: U64  # uint64[2, 65536]: the result of pushing a row to the left, or right
    # uint64[...]: for every kind of line, all rows with F where they never move, ordered by the
    # result of a push to one side.
    rows: U64
    first: I64  # int64[k, 65537]: start of the rows that become a given row
    # int64[2, 2, 4]: the kind of each row, and each column, for a push to the left, or right.
    line: I64
    masks: U64  # uint64[n]: a board must hold all F of at least one mask
    # The cells where the target counts, and the target tile in all of them: such a board ends the
    # game, so it is not an ancestor of any other.
    target_cells: np.uint64
    target: np.uint64
    ends_well: np.bool_  # whether getting to the last two layers of the table is enough
    symmetries: np.int64  # a bit set of symmetries of the square (tablebase.formation.arrangements)


def rules_of(formation: Formation, target: Goal | int) -> BoardRules:
    goal = goal_of(target)
    tables = row_tables(formation.walls)
    every = np.arange(_N_ROWS, dtype=np.uint16)
    becomes = [every ^ table for table in (tables.left, tables.right)]
    kinds: dict[tuple[int, int], int] = {}
    rows: list[U16] = []
    first: list[I64] = []
    line: list[int] = []
    n_rows = 0
    for side in range(2):
        for fixed in _fixed_lines(formation):
            if (side, fixed) not in kinds:
                kinds[side, fixed] = len(first)
                fitting = every[(every & becomes[side] & fixed) == fixed]
                order = np.argsort(becomes[side][fitting], kind="stable")
                ends = np.cumsum(np.bincount(becomes[side][fitting], minlength=_N_ROWS))
                first.append(n_rows + np.concatenate(([0], ends)))
                rows.append(fitting[order])
                n_rows += fitting.size
            line.append(kinds[side, fixed])
    target_cells, exponent = goal.cells(formation), goal.tile.bit_length() - 1
    masks = (formation.fixed_mask,) if formation.walls else formation.masks or (0,)
    return BoardRules(
        becomes=np.array(becomes, np.uint64),
        rows=np.concatenate(rows).astype(np.uint64),
        first=np.array(first, np.int64),
        line=np.array(line, np.int64).reshape(2, 2, 4),
        masks=np.array(masks, np.uint64),
        target_cells=np.uint64(target_cells),
        target=np.uint64(target_cells // 15 * exponent),
        ends_well=np.bool_(goal.last_rate > 0),
        symmetries=np.int64(sum(1 << symmetry for symmetry in Arrangements(formation).symmetries)),
    )


def _fixed_lines(formation: Formation) -> list[int]:
    """Return the F that never move, for the four rows and the four columns."""
    cells = np.array([formation.fixed_mask], np.uint64)
    boards = [int(cells[0]), int(permuted(cells, TRANSPOSE)[0])]
    return [(board >> shift) & 0xFFFF for board in boards for shift in (48, 32, 16, 0)]


@inline_kernel
def random_bits(state):
    """Return 32 random bits; `state` is uint64[1]."""
    state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return state[0] >> np.uint64(32)


@inline_kernel
def moved(rules, board, direction):
    """Return the board after a push: to the left, right, up or down for 0, 1, 2 or 3."""
    is_upright = direction >= 2
    lines = transpose(board) if is_upright else board
    after = _EMPTY
    for shift in range(0, 64, 16):
        row = np.int64((lines >> np.uint64(shift)) & np.uint64(0xFFFF))
        after |= rules.becomes[direction & 1, row] << np.uint64(shift)
    return transpose(after) if is_upright else after


@inline_kernel
def n_before(rules, lines, side, is_upright):
    """Return the number of lines that a push to one side turns into these, including themselves.

    `lines` is a board, or with `is_upright` a transposed one.
    """
    n = 1
    for i in range(4):
        row = np.int64((lines >> np.uint64(48 - 16 * i)) & np.uint64(0xFFFF))
        kind = rules.line[side, is_upright, i]
        n *= rules.first[kind, row + 1] - rules.first[kind, row]
    return n


@inline_kernel
def before_move(rules, lines, side, is_upright, number):
    """Return one of the lines that a push to one side turns into these; see `n_before`."""
    before = _EMPTY
    for i in range(4):
        shift = np.uint64(48 - 16 * i)
        row = np.int64((lines >> shift) & np.uint64(0xFFFF))
        kind = rules.line[side, is_upright, i]
        first = rules.first[kind, row]
        n = rules.first[kind, row + 1] - first
        before |= rules.rows[first + number % n] << shift
        number //= n
    return before


@inline_kernel
def is_pushed(rules, board):
    turned = transpose(board)
    for side in range(2):
        for is_upright in range(2):
            lines = turned if is_upright else board
            n = 0
            for i in range(4):
                row = np.int64((lines >> np.uint64(48 - 16 * i)) & np.uint64(0xFFFF))
                kind = rules.line[side, is_upright, i]
                n += rules.first[kind, row] < rules.first[kind, row + 1]
            if n == 4:
                return True
    return False


@inline_kernel
def is_inside(rules, board):
    is_fitting = False
    for i in range(rules.masks.size):
        is_fitting |= (board & rules.masks[i]) == rules.masks[i]
    return is_fitting


@inline_kernel
def has_target(rules, board):
    differs = (board ^ rules.target) & rules.target_cells | ~rules.target_cells
    has_tile = False
    for shift in range(0, 64, 4):
        has_tile |= (differs >> np.uint64(shift)) & np.uint64(15) == _EMPTY
    return has_tile


@inline_kernel
def n_tiles(board):
    """Return the number of tiles, including F."""
    filled = board | board >> np.uint64(1)
    filled |= filled >> np.uint64(2)
    return np.int64(popcount(filled & np.uint64(0x1111111111111111)))


@inline_kernel
def place_of(board, size):
    """Return the only place of a board in a hash table of `size` places."""
    mixed = (board ^ board >> np.uint64(32)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int64(mixed >> np.uint64(33)) % size


@inline_kernel
def gather(crowd):
    """Move the boards of a hash table to its beginning; return their number."""
    n = 0
    for j in range(crowd.size):
        if crowd[j] != _EMPTY:
            crowd[n] = crowd[j]
            n += 1
    return n
