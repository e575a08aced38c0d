"""The data of a formation for the kernels: the codes of rows, and the arrays they read."""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import I32, I64, U8, U16, U32, U64

OUTSIDE = np.uint32(0xFFFF_FFFF)
REACHED = np.uint32(0xFFFF_FFFE)

# A row's code: index among the rows of its sum | number of its sum | its half-sum.
INDEX_SHIFT, SUM_ID_SHIFT = 25, 14
SUM_ID_MASK, SUM_MASK = 0x7FF, 0x3FFF

# Flags of a moved row, above the 7 bits of its new index. A row that SHIFTS has an F in another
# cell afterwards; its new index and REACHES are then undefined. It also LEAVES if no arrangement
# has those F there.
MOVED, SHIFTS, REACHES, LEAVES = 0x80, 0x100, 0x200, 0x400

# An empty cell of the row lets an F slide out of the formation when the board moves up, or down.
STUCK_UP, STUCK_DOWN = 1, 2

RUN_SHIFT, RUN_MASK = 8, 0xFF
REST_SHIFT, REST_MASK = 14, 0x3FFF

# Columns of `KernelTables.arrangement`: data for the kernels, mostly positions in other arrays.
MID_ROWS = 0  # first row of the mid row's list
INNER_ROWS = 1
MID_SUMS = 2  # start of the half-sums of the mid row's class in `row_end`
INNER_SUMS = 3  # the same for the inner row's in `row_begin` and `count_3`
PAIR = 4  # start of the half-sums of mid and inner row together in `count_23`
RUNS = 5  # the same in `runs`
STRIDE = 6  # numbers of row 1: the length of a line of `Places.place`
NUMBER_0, NUMBER_1 = 7, 8  # starts of the numbers of outer rows in `number`
CODE_MID, CODE_INNER = 9, 10  # starts of the codes in `code`
COLUMNS = 11  # start of the columns of this row order in `column_up`
KEPT_BY = 12  # the symmetries that keep the arrangement, as a bit set
STUCK_0, STUCK_1, STUCK_MID = 13, 14, 15  # starts of the rows in `stuck`
OPEN = 16  # start of the half-sums in `inner_open`
CLASH = 17  # the same in `inner_clash`
POSSIBLE_0, POSSIBLE_1 = 18, 19  # the patterns outer rows have in any arrangement, as a bit set
SLIDES = 20  # start of the half-sums in `slide_part`
N_FACTS = 21


class RowList(NamedTuple):
    """The rows of one kind, ascending by (half-sum, value); n rows, m distinct sums."""

    rows: U16  # [n] 16-bit rows
    sums: I64  # [n] half-sums, ascending
    sum_ids: I64  # [n] number of the half-sum among the m
    indices: I64  # [n] index among the rows of the same sum
    distinct: I64  # [m] the half-sums, ascending
    counts: I64  # [m] rows of each sum


class KernelTables(NamedTuple):
    """What the kernels read: the same for all layers of a table.

    The columns of a board are one uint64, column 0 in the highest 16 bits; in each the cell of
    row 0 comes first and that of the inner row last, so that the columns of one run are adjacent in
    the tables of moved columns.

    Arrays marked [n] run over the rows of all kinds, one list after the other; those marked [*h]
    consist of one part for each class (or pair of classes), indexed by half-sum.
    """

    arrangement: I64  # [n_arrangements, N_FACTS]
    arrangement_of: I32  # [65536] arrangement << 3 | symmetry, by pattern of F
    shift: U64  # [n_arrangements, 4] position of row 0, row 1, mid and inner row in a board
    f_cells: U64  # [n_arrangements]
    code: U32  # [* 65536] code of a row; a part for each set of target cells in a row
    number: U32  # [* 65536] number of a row in its list, or OUTSIDE, or REACHED
    pattern: U8  # [65536] the cells of a row that hold F
    count_23: I64  # [* h] boards of mid and inner rows by half-sum: the length of a block
    count_3: I64  # [* h] inner rows by half-sum: the length of a run
    runs: I64  # [* h m] base_2 << RUN_SHIFT | length of the runs of each sum number
    run_sums: I64  # [1] m
    row_begin: I64  # [* h] rows of less than this half-sum
    row_end: I64  # [* h] rows of at most this half-sum
    rows: U16  # [n]
    sums: I64  # [n]
    mid_columns: U64  # [n] the row's cells at the places of the mid row in the columns
    inner_columns: U64
    left_step: I64  # [n] (new index - old index) << 16 | flags
    right_step: I64
    left: U16  # [n] new index | flags
    right: U16
    left_fours: U64  # [2, 16 n] bits of the new indices of four rows (see `fours_of`), unless
    right_fours: U64  # they SHIFT or REACH: of rows that moved themselves; of all
    spawn_codes: U32  # [2, n, 4] codes after a 2 or 4 appears in the free cells, OUTSIDE as filler
    spawn_index: U8  # [2, n, 4] new indices
    spawn_fours: U64  # [2, 16 n] the same for all free cells together, for a 2, for a 4
    free: U8  # [n] number of free cells
    stuck: U8  # [* 65536] STUCK_UP | STUCK_DOWN, by row; a part for each set of cells to fill
    inner_open: U64  # [* h 2] bits of the rows that are not stuck up, down
    inner_clash: U64  # [* h 2 4 16] bits of rows that merge with a mid tile, by column and tile
    column_sets: U32  # [* 4 4096] 3 * the sets of inner tiles: up | down << 16, by upper cells
    set_words: I64  # [1] 3 * the number of sets
    slide_part: I64  # [* h] first part of `column_slides` and `row_slides`: one for 64 inner rows
    column_slides: U64  # [parts 4 sets 3] bits of the rows that make a column move, shift, leave
    row_slides: U64  # [parts 2 3] bits of the rows that move, shift, leave, to the left and right
    low_cells: U64  # [parts 4 17] bits of the rows with less than each tile in each cell
    row_left: U16  # [65536] the moved row
    row_right: U16
    column_up: U64  # [* 65536] the moved column, in column 0 of a board
    column_down: U64


class Places(NamedTuple):
    """The places of the blocks of one layer, by arrangement and outer rows."""

    start: I64  # [n_arrangements] first slot
    at: I64  # [n_arrangements] start of its lines in `place`
    place: I64  # first slot of the block in its arrangement << REST_SHIFT | rest; -1: no block


class Blocks(NamedTuple):
    """The blocks of one layer in slot order, and the place of that of two given rows."""

    start: I64  # [n] first slot
    rows: I64  # [n] row 0 << 16 | row 1
    rest: I64  # [n] half-sum of mid and inner row together
    arrangement: I32  # [n]
    places: Places


def fours_of(bits: U64) -> U64:
    """Return the `or` of the bits of each row and the three after it, for each choice of these.

    `bits` is uint64[..., n], the result uint64[..., 16 n]: the choice ``1 << j`` of row i takes
    ``bits[..., i + j]``; past the last one is nothing. A kernel that has the bits of a run's
    boards, and wants the bits of their results, processes four rows at a time: going from one board
    to the next takes longer, above all because the end of the loop is unpredictable.
    """
    *before, n = bits.shape
    padded = np.concatenate((bits, np.zeros((*before, 3), np.uint64)), axis=-1)
    fours = np.zeros((*before, n, 16), np.uint64)
    for j in range(4):
        chosen = np.flatnonzero(np.arange(16) >> j & 1)
        fours[..., chosen] |= padded[..., j : n + j, None]
    return fours.reshape(*before, 16 * n)
