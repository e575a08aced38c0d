"""The backward pass: the values of a layer's boards, from those of the next two layers."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from engine.kernels.bulk_moves import slide_all
from engine.platform.array_types import Bools
from tablebase.build.band_exchange import BandExchange
from tablebase.build.layer_frame import STEP_WORDS, BlockRange, LayerFrame, blocks_by_tile
from tablebase.build.layer_window import LayerWindow
from tablebase.build.scratch import F64
from tablebase.build.worker_pool import Band, cut, halved, slots_of
from tablebase.kernels.bits import U64
from tablebase.kernels.block_addressing import IS_REACHED
from tablebase.kernels.board_limits import end_others
from tablebase.kernels.diagonal import Outside, count_before, raise_to_images
from tablebase.kernels.goal_moves import choose_pairs, set_best
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.oriented_solve import (
    mark_spawned_oriented,
    solve_moves_oriented,
    solve_spawns_oriented,
)
from tablebase.kernels.shifting_solve import solve_moves_shifting
from tablebase.kernels.solve import mark_spawned, solve_moves, solve_spawns
from tablebase.kernels.transposed import rate_transposed
from tablebase.kernels.unrank import list_boards, slots_of_boards
from tablebase.rank.kernel_tables import I64

_PARTS_OF_LAYER = 256  # the needs of each part are known, and bands consist of parts
_NO_SLOTS, _NONE = np.empty(0, np.uint64), np.zeros(1, np.int64)
_MESSAGE_SHARE = 10  # fraction of a band's memory for messages, and for the lists of recipients
_LISTED_BYTES = 16
_MAX_OF_BAND = 1 << 30  # bytes, the index takes one byte for four slots: so many slots fit 32 bits
_MAX_MAIL, _MIN_MAIL = 16 << 20, 1 << 18
_LISTED_SLOTS = 1 << 22  # whose boards are listed at a time


class LayerSolver(LayerFrame):
    """Fills the values of the layers, from the last to the first."""

    def ended(self, layer: int, after: U64) -> Solved:
        solved = self.unsolved(layer, after)
        for part in self.arrays.steps(solved.values.size - 1):
            solved.values[part] = self.space.goal.last_rate
        return solved

    def end_others(self, solved: Solved, followed: U64) -> Solved:
        if self._limits is not None:
            for part in self.arrays.steps(followed.size, STEP_WORDS):
                indexed = solved.indexed[2 * part.start : 2 * part.stop]
                end_others(indexed, followed[part], solved.values)
        return solved

    def restored(self, layer: int, after: U64, values: F64) -> Solved:
        """Return after-states with values that were kept; `values` includes the spare one."""
        if self.arrays.is_limited:  # they may lie in a mapped file, and access is random
            values, stored = self.arrays.empty(values.size, np.float64), values
            for part in self.arrays.steps(values.size):
                values[part] = stored[part]
        return Solved(self._index(after)[0], values, self.blocks(layer).places)

    def rate_moves(self, layer: int, pre: U64, after: Solved) -> LayerWindow:
        window = LayerWindow(pre, self.blocks(layer).places, self.arrays)
        if self.space.goal.is_reached_by(self.half_sum(layer)):
            window.fill(1.0)
            return window
        if self.is_diagonal:
            self._rate_diagonal(layer, window, after)
            return window
        for band, marks in self._own_bands(layer, window, self.arrays.stream_bytes):
            window.keep(marks, to_write=True)
            self._fill_row_moves(layer, window.solved, after, band)
        if self._rows_only:
            self._raise_transposed(layer, window)
        if self._rates_of_reached:
            self._continue(layer, window, after, self._rates_of_reached)
        window.keep(window.no_pieces())
        return window

    def _continue(
        self, layer: int, window: LayerWindow, after: Solved, rates_of_reached: Callable[[U64], F64]
    ) -> None:
        """Give boards with a move to the target what the next table says of it."""
        half = self.space.goal.tile // 2
        if self.half_sum(layer) < half:
            return
        blocks, n_slots, solved = self.blocks(layer), self.n_slots(layer), window.solved
        for band, marks in self._own_bands(layer, window, self.arrays.stream_bytes):
            window.keep(marks, to_write=True)
            for lo, hi in cut(blocks, n_slots, band, _LISTED_SLOTS):
                edges = map(np.uint64, slots_of(blocks, n_slots, (lo, hi)))
                first, last = (int(count_before(solved.indexed, slot)) for slot in edges)
                boards = np.empty(last - first, np.uint64)
                positions = np.empty(boards.size, np.int64)
                list_boards(self._tables, blocks, lo, hi, solved.indexed, boards, first)
                n = choose_pairs(boards, first, np.uint64(half.bit_length() - 1), positions)
                data = boards[:n], positions[:n], solved, after, rates_of_reached
                self._set_best(layer, *data)

    def _set_best(
        self,
        layer: int,
        boards: U64,
        positions: I64,
        solved: Solved,
        after: Solved,
        rates_of_reached: Callable[[U64], F64],
    ) -> None:
        moved = slide_all(boards)
        slots = slots_of_boards(self._tables, self.blocks(layer), moved.ravel()).reshape(4, -1)
        legal, reached = moved != boards, np.zeros(moved.shape)
        is_reached = legal & (slots == IS_REACHED)
        reached[is_reached] = rates_of_reached(moved[is_reached])
        set_best(positions, legal, slots, reached, after, solved.values)

    @property
    def is_cuttable(self) -> bool:
        """Return whether `fill_moves` gives the same values as `rate_moves`, to the last bit."""
        return self._orientation is None or not self._orientation.is_transposed

    def fill_moves(self, own: BlockRange, pre: Solved, after: Solved) -> None:
        self._fill_moves(own, pre, after, False, None)

    def _fill_row_moves(
        self, layer: int, pre: Solved, after: Solved, band: Band | None = None
    ) -> None:
        """Values of column moves that are row moves of images come with `_exchange`."""
        self._fill_moves(self.whole(layer), pre, after, self.is_diagonal, band)

    def _fill_moves(
        self, own: BlockRange, pre: Solved, after: Solved, rows_only: bool, band: Band | None
    ) -> None:
        blocks = own.blocks

        def work(worker: int, lo: int, hi: int) -> None:
            data = pre, after
            if self._orientation is not None:
                solve_moves_oriented(self._tables, self._orientation, blocks, lo, hi, *data)
            elif self._shifts:
                solve_moves_shifting(self._tables, blocks, lo, hi, *data, self._waiting[worker])
            else:
                waiting = self._waiting[worker]
                how = rows_only, self.is_diagonal
                solve_moves(self._tables, blocks, lo, hi, *data, waiting, *how)

        self._pool.run(blocks, own.n_slots, work, band)

    def _raise_transposed(self, layer: int, window: LayerWindow) -> None:
        every = ~window.no_pieces()  # access is random
        with self.arrays.lent() as allowed:
            if allowed is None or window.bytes_of(every) <= allowed:
                window.keep(every, to_write=True)
            self._exchange(layer, window.solved)

    def _exchange(
        self, layer: int, pre: Solved, band: Band | None = None, outside: Sequence[Outside] = ()
    ) -> None:
        """With a `band` only its blocks; images `outside` are listed, by each thread on its own."""
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            data = blocks, lo, hi, pre, self._waiting[worker]
            if self._orientation is not None:
                rate_transposed(self._tables, self._orientation, *data)
            else:
                order = blocks_by_tile(self.space, blocks, lo, hi)
                raise_tiles(worker, order, outside[worker])

        def raise_tiles(worker: int, order: I64, outside: Outside) -> None:
            assert self._tiles is not None
            data = order, pre, self._waiting[worker], outside
            raise_to_images(self._tables, self._tiles, blocks, *data)

        if self._tiles is None or outside:
            self._pool.run(blocks, n_slots, work, band)
            return
        everywhere = Outside(np.uint64(0), np.uint64(n_slots), _NO_SLOTS, _NO_SLOTS, _NONE)
        order = blocks_by_tile(self.space, blocks, 0, blocks.start.size)
        sizes = np.diff(blocks.start, append=n_slots)[order]
        self._pool.run_in_order(
            sizes, lambda worker, lo, hi: raise_tiles(worker, order[lo:hi], everywhere)
        )

    def _rate_diagonal(self, layer: int, window: LayerWindow, after: Solved) -> None:
        blocks, n_slots, solved = self.blocks(layer), self.n_slots(layer), window.solved
        with self.arrays.lent() as allowed:
            message_bytes = _max_messages(allowed)
            bands = list(self._own_bands(layer, window, allowed and allowed - 2 * message_bytes))
            if len(bands) == 1:
                window.keep(bands[0][1], to_write=True)
                self._fill_row_moves(layer, solved, after)
                self._exchange(layer, solved)
                window.keep(window.no_pieces())
                return
            starts = [slots_of(blocks, n_slots, band)[0] for band, _ in bands]
            data = starts, message_bytes, self.arrays, self._pool, self._waiting[:, 0]
            with BandExchange(solved, *data) as exchange:
                for number, (band, marks) in enumerate(bands):
                    window.keep(marks, to_write=True)
                    self._fill_row_moves(layer, solved, after, band)
                    self._write_messages(layer, solved, exchange, number, band, message_bytes)
                    exchange.answer(number)
                for number, (_, marks) in enumerate(bands):
                    if exchange.has_messages(number):
                        window.keep(marks, to_write=True)
                        exchange.answer(number)
                        exchange.read(number)
            window.keep(window.no_pieces())

    def _write_messages(
        self,
        layer: int,
        solved: Solved,
        exchange: BandExchange,
        number: int,
        band: Band,
        message_bytes: int,
    ) -> None:
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)
        first, last = map(np.uint64, slots_of(blocks, n_slots, band))
        every = cut(blocks, n_slots, band, message_bytes // _LISTED_BYTES // self._pool.n_threads)
        edges = [slots_of(blocks, n_slots, part)[0] for part in every]
        before = [int(count_before(solved.indexed, slot)) for slot in (*edges, int(last))]
        counts = np.diff(before).tolist()
        room = max(counts) + 1
        outside = [
            Outside(first, last, np.empty(room, np.uint64), np.empty(room, np.uint64), none)
            for none in np.zeros((self._pool.n_threads, 1), np.int64)
        ]
        for part, n in zip(every, counts, strict=True):
            if n:
                self._exchange(layer, solved, part, outside)
                for listed in outside:
                    exchange.write(number, listed)
                    listed.n[0] = 0
        exchange.send(number)

    def rate_spawns(
        self, layer: int, after: U64, one_on: LayerWindow, two_on: LayerWindow
    ) -> Solved:
        solved, blocks = self.unsolved(layer, after), self.blocks(layer)
        both = one_on.solved, two_on.solved
        if not self.arrays.is_limited:
            self.fill_spawns(self.whole(layer), solved, *both)
            return solved

        def grown(band: Band) -> list[Bools]:
            all_marks = []
            for exponent, window in enumerate((one_on, two_on), start=1):
                marks, places = window.no_pieces(), window.solved.places
                data = blocks, *band, solved, exponent, places, window.piece_shift, marks
                if self._orientation is not None:
                    scratch = self._scratch[0]
                    mark_spawned_oriented(self._tables, self._orientation, *data, scratch)
                else:
                    mark_spawned(self._tables, *data)
                all_marks.append(marks)
            return all_marks

        windows = [one_on, two_on]
        with self.arrays.lent() as allowed:
            for band, wanted in self._bands(layer, windows, grown, allowed):
                for window, marks in zip(windows, wanted, strict=True):
                    window.keep(marks)
                self.fill_spawns(self.whole(layer), solved, *both, band)
        for window in windows:
            window.keep(window.no_pieces())
        return solved

    def fill_spawns(
        self,
        own: BlockRange,
        solved: Solved,
        one_on: Solved,
        two_on: Solved,
        band: Band | None = None,
    ) -> None:
        blocks = own.blocks

        def work(worker: int, lo: int, hi: int) -> None:
            data = (blocks, lo, hi, solved, one_on, two_on, self._spawn4, self._scratch[worker])
            if self._orientation is not None:
                solve_spawns_oriented(self._tables, self._orientation, *data)
            else:
                solve_spawns(self._tables, *data, self._waiting[worker])

        self._pool.run(blocks, own.n_slots, work, band)

    def _own_bands(
        self, layer: int, window: LayerWindow, allowed: int | None
    ) -> Iterator[tuple[Band, Bools]]:
        """Yield bands of a layer, each with its own pieces, like `_bands`."""
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def own(band: Band) -> list[Bools]:
            return [window.pieces_of(*slots_of(blocks, n_slots, band))]

        if allowed is not None:
            allowed = min(allowed, _MAX_OF_BAND)
        for band, (marks,) in self._bands(layer, [window], own, allowed):
            yield band, marks

    def _bands(
        self,
        layer: int,
        windows: Sequence[LayerWindow],
        wanted: Callable[[Band], list[Bools]],
        allowed: int | None,
    ) -> Iterator[tuple[Band, list[Bools]]]:
        """Yield bands whose pieces take at most `allowed` bytes, unless a single block needs
        more.
        """
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def bytes_of(marks: list[Bools]) -> int:
            pairs = zip(windows, marks, strict=True)
            return sum(window.bytes_of(of_it) for window, of_it in pairs)

        whole = (0, blocks.start.size)
        # A layer whose sum no board can hold has no slots.
        size = max(n_slots // _PARTS_OF_LAYER if allowed is not None else n_slots, 1)
        left = cut(blocks, n_slots, whole, size)[::-1]
        band, marks = (0, 0), [window.no_pieces() for window in windows]
        while left:
            part = left.pop()
            own = wanted(part)
            both = [a | b for a, b in zip(marks, own, strict=True)]
            if allowed is None or bytes_of(both) <= allowed:
                band, marks = (band[0], part[1]), both
                continue
            if band[0] < band[1]:
                yield band, marks
                band, marks = (part[0], part[0]), [window.no_pieces() for window in windows]
            if bytes_of(own) <= allowed or part[1] - part[0] == 1:
                band, marks = part, own
            else:
                middle = halved(blocks, n_slots, part)
                left += [(middle, part[1]), (part[0], middle)]
        yield band, marks


def _max_messages(allowed: int | None) -> int:
    if allowed is None:
        return _MIN_MAIL
    return min(max(allowed // _MESSAGE_SHARE, _MIN_MAIL), _MAX_MAIL)
