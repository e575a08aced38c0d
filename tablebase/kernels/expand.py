"""The forward half-steps: which boards can come up.

``after-states (S-1) --2--> pre-states (S) <--4-- after-states (S-2)`` and
``pre-states (S) --four moves--> after-states (S)``. Sets are bitmaps over slots; several threads
may run a kernel at once on different blocks, each into a bitmap of its own, or into one with
`shared` set.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.batched_lookup import NO_SLOT, look_up_moved
from tablebase.kernels.bits import is_empty, or_bits, or_run, read_bits, set_bit
from tablebase.kernels.block_addressing import (
    block_slot,
    gather,
    run_slot,
    spot_of,
)
from tablebase.kernels.block_moves import column_slides, outer_of, row_slides, slide_run
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import (
    INNER_ROWS,
    INNER_SUMS,
    MID_ROWS,
    MID_SUMS,
    PAIR,
    REACHED,
    SLIDES,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def expand_spawns(t, blocks, lo, hi, after, exponent, places, pre, shared):
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
    places : Places
        Of the pre-states' layer.
    pre : uint64[...]
        Bitmap of the pre-states, added to.
    shared : bool
        Whether other threads write to `pre` at the same time.
    """
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        n = t.count_23[t.arrangement[a, PAIR] + rest]
        if is_empty(after, start, n):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot = spot_of(t, places, a)
        _spawn_in_outer_rows(t, spot, places, row_0, row_1, exponent, after, start, n, pre, shared)
        grown = block_slot(t, spot, places, row_0, row_1)
        _spawn_in_block(t, a, spot, after, start, rest, exponent, pre, grown, shared)


@kernel
def _spawn_in_outer_rows(t, spot, places, row_0, row_1, exponent, after, start, n, pre, shared):
    """A tile in an outer row changes the block and nothing inside it: copy the whole block."""
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0 | (exponent << shift), row_1)
            or_run(pre, to, after, start, n, shared)
        if (row_1 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0, row_1 | (exponent << shift))
            or_run(pre, to, after, start, n, shared)


@kernel
def _spawn_in_block(t, a, spot, after, start, rest, exponent, pre, grown, shared):
    """Put a tile into each free cell of mid and inner row; `grown` is where the block lies then."""
    mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
    inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
    for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
        j = mids + np.uint64(i)
        rest_3 = rest - t.sums[j]
        h = inner_sums + np.uint64(rest_3)
        n = t.count_3[h]
        if n == 0:
            continue
        run, start = start, start + n
        first = inners + t.row_begin[h]
        done = 0
        while done < n:
            bits = read_bits(after, run + done, n - done)
            if bits != _ZERO:
                for c in range(4):
                    new = t.spawn_codes[exponent - 1, j, c]
                    if new >= REACHED:
                        break
                    slot = grown + run_slot(t, spot, rest + exponent, new)
                    or_bits(pre, slot + done, bits, shared)
                # The inner row grows: the run begins elsewhere and its rows are other ones.
                code = t.code[spot.code_mid + np.uint64(t.rows[j])]
                to = grown + run_slot(t, spot, rest + exponent, code)
                if n <= 64 and t.count_3[h + np.uint64(exponent)] <= 64:
                    new_bits = gather(t.spawn_bits[exponent - 1], bits, first)
                    if new_bits != _ZERO:  # or there may be no such block
                        or_bits(pre, to, new_bits, shared)
                else:
                    _spawn_in_long_run(t, bits, first + done, exponent, pre, to, shared)
            done += 64


@kernel
def _spawn_in_long_run(t, bits, first, exponent, pre, to, shared):
    """Put a tile into the inner rows of a run of more than 64."""
    while bits != _ZERO:
        k = np.uint64(first) + trailing_zeros(bits)
        bits &= bits - _ONE
        for c in range(np.int64(t.free[k])):
            or_bits(pre, to + np.int64(t.spawn_index[exponent - 1, k, c]), _ONE, shared)


@kernel
def expand_moves(t, blocks, lo, hi, pre, after, shared, waiting):
    """Add to the after-states every move of the pre-states of some blocks, both of one layer.

    Parameters as in `expand_spawns`, but for

    waiting : uint64[4, MOST_WAITING]
        Working memory of the calling thread.

    Notes
    -----
    For formations whose F tiles never move, with one arrangement therefore; see
    `tablebase.kernels.shifting_expand` for others. Moves that reach the target add nothing. What a
    move does with the boards of a run is known at once (see tablebase.rank.slide_masks). Boards
    that move along the columns wait in queues (see tablebase.kernels.batched_lookup).
    """
    places = blocks.places
    spot = spot_of(t, places, 0)
    mids, inners = np.uint64(t.arrangement[0, MID_ROWS]), t.arrangement[0, INNER_ROWS]
    inner_sums = np.uint64(t.arrangement[0, INNER_SUMS])
    going_up, going_down = waiting[0], waiting[1]
    n_up = n_down = _ZERO
    for block in range(lo, hi):
        run, rest = blocks.start[block], blocks.rest[block]
        if is_empty(pre, run, t.count_23[t.arrangement[0, PAIR] + rest]):
            continue
        outer = outer_of(t, 0, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        for i in range(t.row_end[t.arrangement[0, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_bits(pre, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = np.uint64(inners + t.row_begin[h] + done)
                part = np.uint64(t.slide_part[t.arrangement[0, SLIDES] + rest_3] + (done >> 6))
                flags = outer.left_flags | t.left_step[j]
                stays, _ = row_slides(t, part, 0, flags, bits)
                to = left + (flags >> 16) * n
                slide_run(t.left, t.left_bits, stays, first, n, flags, after, to, shared)
                flags = outer.right_flags | t.right_step[j]
                stays, _ = row_slides(t, part, 1, flags, bits)
                to = right + (flags >> 16) * n
                slide_run(t.right, t.right_bits, stays, first, n, flags, after, to, shared)
                columns = outer.columns | t.mid_columns[j]
                up, _, down, _ = column_slides(t, spot, part, columns, bits)
                n_up = _put_columns(t, columns, first, up, going_up, n_up)
                n_down = _put_columns(t, columns, first, down, going_down, n_down)
                if n_up > PLENTY:
                    n_up = _add_all(t, t.column_up, spot, places, going_up, n_up, after, shared)
                if n_down > PLENTY:
                    n_down = _add_all(
                        t, t.column_down, spot, places, going_down, n_down, after, shared
                    )
            run += n
            left += n
            right += n
    _add_all(t, t.column_up, spot, places, going_up, n_up, after, shared)
    _add_all(t, t.column_down, spot, places, going_down, n_down, after, shared)


@inline_kernel
def _put_columns(t, columns, first, bits, queue, n):
    """Put the columns of some boards of a run behind n others; return how many there are."""
    while bits != _ZERO:
        queue[n] = columns | t.inner_columns[first + trailing_zeros(bits)]
        bits &= bits - _ONE
        n += _ONE
    return n


@inline_kernel
def _add_all(t, spread, spot, places, queue, n, after, shared):
    """Add n boards, moved along their columns; return how many are left: none."""
    look_up_moved(t, spread, spot, places, queue, n)
    for i in range(n):
        slot = queue[i]
        if slot != NO_SLOT:
            set_bit(after, slot, shared)
    return _ZERO
