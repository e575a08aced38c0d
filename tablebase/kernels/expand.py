"""The forward half-steps: which boards can come up.

``after-states (S-1) --2--> pre-states (S) <--4-- after-states (S-2)`` and
``pre-states (S) --four moves--> after-states (S)``. Sets are bitmaps over slots; several threads
may run a kernel at once on different blocks, each with its own bitmap, or with one that has
`shared` set.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel, prefetch, trailing_zeros
from tablebase.kernels.batched_lookup import NO_SLOT, look_up_moved
from tablebase.kernels.bits import is_empty, or_bits, or_run, read_bits, set_bit
from tablebase.kernels.block_addressing import block_slot, gather, run_slot, spot_of
from tablebase.kernels.block_moves import column_slides, moved_run, outer_of, row_slides, slide_run
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of, run_of, slides_of
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import REACHED

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def expand_spawns(t, blocks, lo, hi, after, exponent, places, pre):
    """Add to the pre-states every after-state of some blocks with a new tile in each free cell.

    Of the `blocks` of the after-states' layer, those from `lo` to `hi` are expanded; `after` is the
    bitmap of its after-states. `exponent` is 1 for a new 2, 2 for a new 4; also the number of
    layers to the pre-states, whose layer has the `places`. `pre` is their GrowingBitmap.
    """
    for i in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i)
        if is_empty(after, block.start, block.n):
            continue
        spot = spot_of(t, places, block.arrangement)
        _spawn_in_outer_rows(t, spot, places, block, exponent, after, pre)
        grown = block_slot(t, spot, places, block.row_0, block.row_1)
        _spawn_in_block(t, spot, block, exponent, after, grown, pre)


@kernel
def _spawn_in_outer_rows(t, spot, places, block, exponent, after, pre):
    """Copy the whole block: a tile in an outer row changes the block and nothing inside it."""
    row_0, row_1 = block.row_0, block.row_1
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0 | (exponent << shift), row_1)
            or_run(pre.words, to, after, block.start, block.n, pre.is_shared)
        if (row_1 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0, row_1 | (exponent << shift))
            or_run(pre.words, to, after, block.start, block.n, pre.is_shared)


@kernel
def _spawn_in_block(t, spot, block, exponent, after, grown, pre):
    """Put a tile into each free cell of mid and inner row; `grown` is the block's place then."""
    lists, begin = lists_of(t.arrangement, block.arrangement), block.start
    grown_rest = block.rest + exponent
    for i in range(t.row_end[lists.mid_sums + block.rest]):
        run = run_of(t.sums, t.count_3, lists, block, i)
        n = run.n
        if n == 0:
            continue
        start, begin = begin, begin + n
        done = 0
        while done < n:
            bits = read_bits(after, start + done, n - done)
            if bits != _ZERO:
                for c in range(4):
                    new = t.spawn_codes[exponent - 1, run.mid, c]
                    if new >= REACHED:
                        break
                    slot = grown + run_slot(t, spot, grown_rest, new)
                    or_bits(pre.words, slot + done, bits, pre.is_shared)
                # The inner row grows: the run begins elsewhere and has other rows.
                code = t.code[spot.code_mid + np.uint64(t.rows[run.mid])]
                to = grown + run_slot(t, spot, grown_rest, code)
                first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
                if n <= 64 and t.count_3[run.sums + np.uint64(exponent)] <= 64:
                    new_bits = gather(t.spawn_fours[exponent - 1], bits, first)
                    if new_bits != _ZERO:  # otherwise there may be no such block
                        or_bits(pre.words, to, new_bits, pre.is_shared)
                else:
                    _spawn_in_long_run(t, bits, first, exponent, to, pre)
            done += 64


@kernel
def _spawn_in_long_run(t, bits, first, exponent, to, pre):
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        for c in range(np.int64(t.free[k])):
            slot = to + np.int64(t.spawn_index[exponent - 1, k, c])
            or_bits(pre.words, slot, _ONE, pre.is_shared)


@kernel
def expand_moves(t, blocks, lo, hi, pre, after, waiting, rows_only):
    """Add to the after-states the results of all moves of the pre-states of some blocks of a layer.

    Of its `blocks`, those from `lo` to `hi` are processed; `pre` is the bitmap of the pre-states,
    `after` the GrowingBitmap of the after-states. `waiting` (uint64[4, MAX_WAITING]) is working
    memory of the calling thread. With `rows_only` moves along the columns are left out (see
    tablebase.kernels.diagonal).

    For formations whose F tiles never move, so with just one arrangement; see
    `tablebase.kernels.shifting_expand` for others. Moves that reach the target add nothing. The
    effect of a move on the boards of a run is computed at once (see tablebase.rank.row_tables).
    Boards that move along the columns wait in queues (see tablebase.kernels.batched_lookup).
    """
    places = blocks.places
    spot, lists = spot_of(t, places, 0), lists_of(t.arrangement, 0)
    going_up, going_down = waiting[0], waiting[1]
    n_up = n_down = _ZERO
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(pre, block.start, block.n):
            continue
        outer = outer_of(t, spot, places, block)
        inside = 0
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            for done in range(0, run.n, 64):
                bits = read_bits(pre, block.start + inside + done, run.n - done)
                if bits == _ZERO:
                    continue
                part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, 0)
                j, mid_row = run.mid, t.rows[run.mid]
                slides = slides_of(t.slide_part, lists, run, done)
                moved = moved_run(
                    spot, outer.left, t.left_step[j], t.row_left[mid_row], run, inside
                )
                stays, _ = row_slides(t.row_slides, slides, 0, moved.flags, bits)
                slide_run(t.left, t.left_fours, part, stays, moved, after)
                moved = moved_run(
                    spot, outer.right, t.right_step[j], t.row_right[mid_row], run, inside
                )
                stays, _ = row_slides(t.row_slides, slides, 1, moved.flags, bits)
                slide_run(t.right, t.right_fours, part, stays, moved, after)
                if rows_only:
                    continue
                columns = outer.columns | t.mid_columns[j]
                up, _, down, _ = column_slides(t, spot, slides, columns, bits)
                n_up = _put_columns(t.inner_columns, columns, first_row(part), up, going_up, n_up)
                n_down = _put_columns(
                    t.inner_columns, columns, first_row(part), down, going_down, n_down
                )
                if n_up > PLENTY:
                    n_up = _add_all(t, t.column_up, spot, places, going_up, n_up, after)
                if n_down > PLENTY:
                    n_down = _add_all(t, t.column_down, spot, places, going_down, n_down, after)
            inside += run.n
    _add_all(t, t.column_up, spot, places, going_up, n_up, after)
    _add_all(t, t.column_down, spot, places, going_down, n_down, after)


@inline_kernel
def _put_columns(inner_columns, columns, first, bits, queue, n):
    """Append the columns of some boards of a run to n others; return the number of all."""
    while bits != _ZERO:
        queue[n] = columns | inner_columns[first + trailing_zeros(bits)]
        bits &= bits - _ONE
        n += _ONE
    return n


@inline_kernel
def _add_all(t, spread, spot, places, queue, n, after):
    """Add n boards, moved along their columns; return the number left: 0."""
    look_up_moved(t, spread, spot, places, queue, n)
    for i in range(n):
        prefetch(after.words, queue[i] >> np.uint64(6))
    for i in range(n):
        slot = queue[i]
        if slot != NO_SLOT:
            set_bit(after.words, slot, after.is_shared)
    return _ZERO
