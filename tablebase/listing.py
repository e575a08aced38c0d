"""From slots back to boards, many at a time."""

import numpy as np

from engine.jit import kernel, trailing_zeros
from engine.symmetry import canonical_many
from tablebase.bits import U64, build_index, position, read_indexed
from tablebase.space import Space
from tablebase.tables import Tables

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def list_boards(t, blocks, lo, hi, index, boards):
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


def boards_of_layer(space: Space, tables: Tables, half_sum: int, words: U64) -> U64:
    """Return the boards of a bitmap over one layer's slots, in slot order, in canonical form."""
    padded = np.concatenate([words, np.zeros(2, np.uint64)])
    index = np.empty(2 * padded.size, np.uint64)
    boards = np.empty(build_index(padded, index), np.uint64)
    blocks = space.blocks(half_sum)
    list_boards(tables, blocks, 0, blocks.start.size, index, boards)
    return canonical_many(boards, space.formation.symmetry)
