"""Formations whose boards may be transposed as well: moves along the columns for half the work.

A move of a board along its columns is the move along the rows of its transposed image, transposed.
Of every position an image of either kind is held (see tablebase.orientation). So the kernels of
tablebase.oriented_expand and tablebase.oriented_solve try the rows of every board alone, and what
is here adds what the transposed one found.
"""

import numpy as np

from engine.jit import kernel, trailing_zeros
from engine.kernels.symmetry import transpose
from tablebase.bits import is_empty, position, read_bits, read_indexed, value_of
from tablebase.lines import spot_of, upper_rows
from tablebase.oriented_lines import add_board, held_run, held_slot, lines_of, most_mid
from tablebase.tables import INNER_ROWS, INNER_SUMS, PAIR

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def add_transposed(t, o, blocks, lo, hi, found, after, shared):
    """Add to the after-states the transposed images of those that moves along the rows found.

    Parameters
    ----------
    t, o, blocks, lo, hi
        As in `expand_moves_oriented`.
    found : uint64[...]
        Bitmap of what was found.
    after : uint64[...]
        Bitmap of the after-states, added to.
    shared : bool
        Whether other threads write to `after` at the same time.
    """
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(found, start, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot = spot_of(t, blocks.places, a)
        outer, lines = upper_rows(spot, row_0, row_1), lines_of(t, o, spot, row_0)
        inners, inner_sums = t.arrangement[a, INNER_ROWS], np.uint64(t.arrangement[a, INNER_SUMS])
        most = most_mid(o, row_1)
        for i in range(o.mid_end[rest]):
            run, n, mid, rest_3 = held_run(t, o, spot, start, rest, most, i)
            upper = outer | np.uint64(mid) << spot.shift_2
            for done in range(0, n, 64):
                bits = read_bits(found, run + done, n - done)
                first = inners + t.row_begin[inner_sums + np.uint64(rest_3)] + done
                while bits != _ZERO:
                    k = np.uint64(first) + trailing_zeros(bits)
                    bits &= bits - _ONE
                    board = transpose(upper | np.uint64(t.rows[k]) << spot.shift_3)
                    add_board(t, o, spot, blocks.places, lines, board, after, shared)


@kernel
def rate_transposed(t, o, blocks, lo, hi, index, row_values, values):
    """Fill the values of the pre-states of some blocks: the better of their rows and columns.

    Parameters
    ----------
    t, o, blocks, lo, hi
        As in `solve_moves_oriented`.
    index, row_values : uint64[...], float64[n_pre]
        Pre-states, and their values if moves along the columns were not allowed.
    values : float64[n_pre]
        Their values, overwritten for these blocks.
    """
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(index, start)
        if at == position(index, start + t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot = spot_of(t, blocks.places, a)
        outer, lines = upper_rows(spot, row_0, row_1), lines_of(t, o, spot, row_0)
        inners, inner_sums = t.arrangement[a, INNER_ROWS], np.uint64(t.arrangement[a, INNER_SUMS])
        most = most_mid(o, row_1)
        for i in range(o.mid_end[rest]):
            run, n, mid, rest_3 = held_run(t, o, spot, start, rest, most, i)
            upper = outer | np.uint64(mid) << spot.shift_2
            for done in range(0, n, 64):
                bits = read_indexed(index, run + done, n - done)
                first = inners + t.row_begin[inner_sums + np.uint64(rest_3)] + done
                while bits != _ZERO:
                    k = np.uint64(first) + trailing_zeros(bits)
                    bits &= bits - _ONE
                    board = transpose(upper | np.uint64(t.rows[k]) << spot.shift_3)
                    slot = held_slot(t, o, spot, blocks.places, lines, board)
                    values[at] = max(row_values[at], value_of(index, row_values, slot))
                    at += 1
