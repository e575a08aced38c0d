"""Solved layers that are processed in order, with only a part in memory at a time."""

import numpy as np

from engine.platform.array_types import Bools
from tablebase.kernels.bits import U64, build_index_part
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays
from tablebase.memory.window import Window
from tablebase.rank.kernel_tables import I64, Places

_PIECE_SHIFT = 17
_PIECES_AT_ONCE = 64  # 2 MiB of the index


class LayerWindow:
    """The boards of a layer by their bitmap; a piece has ``1 << piece_shift`` slots."""

    def __init__(self, words: U64, places: Places, arrays: Arrays) -> None:
        self.piece_shift = _PIECE_SHIFT
        n_words = 1 << self.piece_shift - 6
        self.n_pieces = -(-words.size // n_words)
        edges = np.minimum(np.arange(self.n_pieces + 1) * n_words, words.size)
        indexed = arrays.stream(2 * words.size, np.uint64)
        self._index = Window(indexed, 2 * edges, arrays.make_room)
        before = self._fill(words, indexed, edges)
        values = arrays.stream(int(before[-1]) + 1, np.float64)
        before[-1] += 1  # the spare one
        self._values, self._before = Window(values, before, arrays.make_room), before
        self.solved = Solved(indexed, values, places)
        values[-1] = 0.0

    def keep(self, wanted: Bools, *, to_write: bool = False) -> None:
        """Keep only these pieces in memory; with `to_write`, for setting values the first time."""
        self._index.keep(wanted)
        self._values.keep(wanted, to_write=to_write)

    def pieces_of(self, first: int, last: int) -> Bools:
        marks = self.no_pieces()
        marks[first >> self.piece_shift : -(-last >> self.piece_shift)] = True
        return marks

    def bytes_of(self, marks: Bools) -> int:
        return self._index.bytes_of(marks) + self._values.bytes_of(marks)

    def fill(self, value: float) -> None:
        for piece in range(self.n_pieces):
            self._values.keep_between(piece, piece + 1, to_write=True)
            self.solved.values[self._before[piece] : self._before[piece + 1]] = value
        self._values.keep(self.no_pieces())
        self.solved.values[-1] = 0.0  # the spare one

    def no_pieces(self) -> Bools:
        return np.zeros(self.n_pieces, np.bool_)

    def _fill(self, words: U64, indexed: U64, edges: I64) -> I64:
        """Return the number of boards before each edge."""
        before = np.zeros(edges.size, np.int64)
        for first in range(0, self.n_pieces, _PIECES_AT_ONCE):
            last = min(first + _PIECES_AT_ONCE, self.n_pieces)
            self._index.keep_between(first, last, to_write=True)
            for piece in range(first, last):
                begin, end = int(edges[piece]), int(edges[piece + 1])
                count = np.uint64(before[piece])
                before[piece + 1] = build_index_part(words, begin, end, count, indexed)
        self._index.keep(self.no_pieces())
        return before
