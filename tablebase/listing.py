"""From slots back to boards, many at a time."""

import numpy as np

from engine.jit import kernel, trailing_zeros
from tablebase.bits import position, read_indexed

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def list_boards(t, blocks, lo, hi, index, boards):  # type: ignore[no-untyped-def]
    """Fill `boards` (uint64[n]) with the boards of some blocks, in slot order."""
    for block in range(lo, hi):
        run, rest = blocks.start[block], blocks.rest[block]
        at = position(index, run)
        outer = np.uint64(blocks.rows[block] >> 16) << t.shift[0]
        outer |= np.uint64(blocks.rows[block] & 0xFFFF) << t.shift[1]
        for j in range(t.mid_end[rest]):
            rest_3 = rest - t.mid_sums[j]
            n = t.count_3[rest_3]
            upper = outer | (np.uint64(t.mid_rows[j]) << t.shift[2])
            for done in range(0, n, 64):
                bits = read_indexed(index, run + done, n - done)
                first = t.inner_first[rest_3] + done
                while bits != _ZERO:
                    row = np.uint64(t.inner_rows[first + np.int64(trailing_zeros(bits))])
                    bits &= bits - _ONE
                    boards[at] = upper | (row << t.shift[3])
                    at += 1
            run += n
