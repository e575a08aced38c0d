"""The forward half-steps: which boards can come up.

``after-states (S-1) --2--> pre-states (S) <--4-- after-states (S-2)`` and
``pre-states (S) --four moves--> after-states (S)``. Sets are bitmaps over slots; several threads
may run a kernel at once on different blocks, each into a bitmap of its own, or into one with
`shared` set.
"""

import numpy as np

from engine.jit import kernel, trailing_zeros
from tablebase.bits import or_bits, or_run, or_word, read_bits
from tablebase.lines import (
    block_slot,
    board_slot,
    columns_of,
    gather,
    may_slide,
    moved_columns,
    run_slot,
)
from tablebase.tables import LEAVES, MOVED, REACHED, REACHES, STUCK_DOWN, STUCK_UP

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BAD = LEAVES | REACHES


@kernel
def expand_spawns(t, blocks, lo, hi, after, exponent, place, pre, shared):
    """Add to the pre-states every after-state of some blocks with a new tile in each free cell.

    Parameters
    ----------
    t : Tables
    blocks : Blocks
        Of the after-states' layer; those from `lo` to `hi` are expanded.
    after : uint64[...]
        Bitmap of the after-states of that layer.
    exponent : int
        1 for a new 2, 2 for a new 4; also how many layers further the pre-states lie.
    place : int64[n0, n1]
        Of the blocks of the pre-states' layer.
    pre : uint64[...]
        Bitmap of the pre-states, added to.
    shared : bool
        Whether other threads write to `pre` at the same time.
    """
    for block in range(lo, hi):
        start, rest = blocks.start[block], blocks.rest[block]
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        length = t.count_23[rest]
        _spawn_in_outer_rows(t, place, row_0, row_1, exponent, after, start, length, pre, shared)
        grown = block_slot(t, place, row_0, row_1)
        _spawn_in_block(t, after, start, rest, exponent, pre, grown, shared)


@kernel
def _spawn_in_outer_rows(t, place, row_0, row_1, exponent, after, start, length, pre, shared):
    """A tile in an outer row changes the block and nothing inside it: copy the whole block."""
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            to = block_slot(t, place, row_0 | (exponent << shift), row_1)
            or_run(pre, to, after, start, length, shared)
        if (row_1 >> shift) & 15 == 0:
            to = block_slot(t, place, row_0, row_1 | (exponent << shift))
            or_run(pre, to, after, start, length, shared)


@kernel
def _spawn_in_block(t, after, start, rest, exponent, pre, grown, shared):
    """Put a tile into each free cell of mid and inner row; `grown` is where the block lies then."""
    for j in range(t.mid_end[rest]):
        rest_3 = rest - t.mid_sums[j]
        n = t.count_3[rest_3]
        if n == 0:
            continue
        run, start = start, start + n
        code = t.code[0, t.mid_rows[j]]
        # A 4 more in the inner row: the run begins elsewhere and its inner rows are other ones.
        to = grown + run_slot(t.runs, rest + exponent, code)
        first = t.inner_first[rest_3]
        done = 0
        while done < n:
            bits = read_bits(after, run + done, n - done)
            if bits != _ZERO:
                for c in range(4):
                    new = t.mid_spawn[exponent - 1, j, c]
                    if new >= REACHED:
                        break
                    slot = grown + run_slot(t.runs, rest + exponent, new)
                    or_bits(pre, slot + done, bits, shared)
                if n <= 64 and t.count_3[rest_3 + exponent] <= 64:
                    new_bits = gather(t.inner_spawn_bits[exponent - 1], bits, first)
                    or_bits(pre, to, new_bits, shared)
                else:
                    _spawn_in_long_run(t, bits, first + done, exponent, pre, to, shared)
            done += 64


@kernel
def _spawn_in_long_run(t, bits, first, exponent, pre, to, shared):
    """Put a tile into the inner rows of a run of more than 64."""
    while bits != _ZERO:
        k = first + np.int64(trailing_zeros(bits))
        bits &= bits - _ONE
        for c in range(np.int64(t.inner_free[k])):
            or_bits(pre, to + np.int64(t.inner_spawn[exponent - 1, k, c]), _ONE, shared)


@kernel
def expand_moves(t, blocks, lo, hi, pre, after, shared):
    """Add to the after-states every move of the pre-states of some blocks, both of one layer.

    Moves that reach the target or leave the formation add nothing. Parameters as in
    `expand_spawns`.
    """
    place = blocks.place
    for block in range(lo, hi):
        run, rest = blocks.start[block], blocks.rest[block]
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        left_0, left_1 = np.int64(t.row_left[row_0]), np.int64(t.row_left[row_1])
        right_0, right_1 = np.int64(t.row_right[row_0]), np.int64(t.row_right[row_1])
        left = block_slot(t, place, left_0, left_1)
        right = block_slot(t, place, right_0, right_1)
        can_left, can_right = left >= 0, right >= 0
        left_moved = left_0 != row_0 or left_1 != row_1
        right_moved = right_0 != row_0 or right_1 != row_1
        stuck = t.outer_stuck[0, row_0] | t.outer_stuck[1, row_1]
        outer = (np.uint64(row_0) << t.shift[0]) | (np.uint64(row_1) << t.shift[1])
        outer_columns = columns_of(row_0, row_1)
        for j in range(t.mid_end[rest]):
            rest_3 = rest - t.mid_sums[j]
            n = t.count_3[rest_3]
            for done in range(0, n, 64):
                bits = read_bits(pre, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = t.inner_first[rest_3] + done
                move = t.mid_left[j]
                if can_left and move & _BAD == 0:
                    to, moved = left + (move >> 16) * n, left_moved or move & MOVED != 0
                    _slide_run(
                        t.inner_left, t.inner_left_bits, bits, first, n, moved, after, to, shared
                    )
                move = t.mid_right[j]
                if can_right and move & _BAD == 0:
                    to, moved = right + (move >> 16) * n, right_moved or move & MOVED != 0
                    _slide_run(
                        t.inner_right, t.inner_right_bits, bits, first, n, moved, after, to, shared
                    )
                mid_row = t.mid_rows[j]
                columns = outer_columns | t.mid_columns[j]
                upper = outer | (np.uint64(mid_row) << t.shift[2])
                run_stuck = stuck | t.mid_stuck[j]
                if run_stuck & STUCK_UP == 0:
                    may = may_slide(bits, done, 0, t.inner_open, t.inner_clash, rest_3, mid_row)
                    _slide_columns(t, t.column_up, may, first, upper, columns, place, after, shared)
                if run_stuck & STUCK_DOWN == 0:
                    may = may_slide(bits, done, 1, t.inner_open, t.inner_clash, rest_3, mid_row)
                    _slide_columns(
                        t, t.column_down, may, first, upper, columns, place, after, shared
                    )
            run += n
            left += n
            right += n


@kernel
def _slide_run(inner_moves, inner_bits, bits, first, n, moved, after, to, shared):
    """Add the moves along the rows of one run; `moved` tells whether an upper row has moved."""
    if n <= 64:
        new_bits = gather(inner_bits[1 if moved else 0], bits, first)
        if new_bits != _ZERO:
            or_bits(after, to, new_bits, shared)
        return
    while bits != _ZERO:
        move = np.int64(inner_moves[first + np.int64(trailing_zeros(bits))])
        bits &= bits - _ONE
        if move & _BAD == 0 and (moved or move & MOVED != 0):
            or_bits(after, to + (move & 0x7F), _ONE, shared)


@kernel
def _slide_columns(t, spread, bits, first, upper, columns, place, after, shared):
    """Add the moves along the columns of one run; `upper` and `columns` are its upper rows."""
    locked = t.locked[0]
    shift_0, shift_1, shift_2, shift_3 = t.shift[0], t.shift[1], t.shift[2], t.shift[3]
    while bits != _ZERO:
        k = first + np.int64(trailing_zeros(bits))
        bits &= bits - _ONE
        all_columns = columns | t.inner_columns[k]
        board = upper | (np.uint64(t.inner_rows[k]) << shift_3)
        moved = moved_columns(spread, all_columns)
        if moved != board and moved & locked == locked:
            slot = board_slot(t, shift_0, shift_1, shift_2, shift_3, place, moved)
            if slot >= 0:
                or_word(after, slot >> 6, _ONE << np.uint64(slot & 63), shared)
