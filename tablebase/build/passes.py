"""The two passes over whole layers: bitmaps forward, values backward; no files, no resume."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.geometry import destinations
from engine.symmetry import canonical_many
from tablebase.build.band_exchange import BandExchange
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.layer_window import LayerWindow
from tablebase.build.scratch import F64
from tablebase.build.worker_pool import (
    Band,
    LayerPool,
    SharedBitmap,
    cut,
    halved,
    slots_of,
)
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import (
    U64,
    bitmap_words,
    build_index_part,
    count_ones,
    empty_bitmap,
    or_all,
    pack_rates,
)
from tablebase.kernels.board_limits import Limits, end_others, keep_within
from tablebase.kernels.diagonal import Outside, add_images, count_before, raise_to_images
from tablebase.kernels.expand import expand_moves, expand_spawns
from tablebase.kernels.layer_boards import GrowingBitmap, Solved
from tablebase.kernels.optimal_replies import mark_best, put_values, set_slots
from tablebase.kernels.oriented_expand import expand_moves_oriented, expand_spawns_oriented
from tablebase.kernels.oriented_marks import add_least_oriented
from tablebase.kernels.oriented_solve import (
    mark_grown_oriented,
    solve_moves_oriented,
    solve_spawns_oriented,
)
from tablebase.kernels.shifting_expand import MOST_WAITING, expand_moves_shifting
from tablebase.kernels.shifting_solve import solve_moves_shifting
from tablebase.kernels.solve import mark_grown, solve_moves, solve_spawns
from tablebase.kernels.transposed import add_transposed, rate_transposed
from tablebase.kernels.unrank import (
    add_canonical,
    are_images_beside,
    slots_of_boards,
    stored_boards,
)
from tablebase.memory.arrays import Arrays, parts
from tablebase.memory.window import Marks
from tablebase.rank.kernel_tables import I64, Blocks, Places
from tablebase.rank.orientation import held_ones, is_transposed, orientation_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.rank.spawn_classes import spawn_classes
from tablebase.rank.tiles import blocks_by_tile, tiles_of
from tablebase.store.layer_file import pack_layer
from tablebase.store.manifest import OmittedLayer
from tablebase.store.options import FIRST_LIMITED
from tablebase.store.rates import Encoded, RateType, find_rate_type

_KEPT_BLOCKS = 4  # layers
_MOST_BLOCKS_BYTES = 16 << 20  # up to here those of all layers are kept
_BLOCK_BYTES = 36  # in Blocks and Places together
_PARTS_OF_LAYER = 256  # it is known of each what it needs, and bands are made of them
_STEP_WORDS = 1 << 14  # of a bitmap, in whose slots there may be as many values
_NO_SLOTS, _NONE = np.empty(0, np.uint64), np.zeros(1, np.int64)
_MAIL_SHARE = 10  # of what a band may take, for letters, and for the lists of whom to write to
_LISTED_BYTES = 16
_MOST_OF_BAND = 1 << 30  # bytes, of which the index takes one for four slots: so many fit 32 bits
_MOST_MAIL, _LEAST_MAIL = 16 << 20, 1 << 18


class Stretch(NamedTuple):
    """Blocks to go through, and how many slots there are where they begin; places of any layer."""

    blocks: Blocks
    n_slots: int


class Layers:
    """One formation and goal, layer by layer; layer i has half-sum ``seed_half_sum + i``.

    With `all_images` positions are held with all images, even where fewer would do
    (tablebase.rank.orientation), and all four moves of each are tried. With `limits` after-states
    beyond them are ends (tablebase.kernels.board_limits): they are found, but not followed up, and
    are worth 0.

    Attributes
    ----------
    is_diagonal : bool
        Whether only moves along the rows are tried (tablebase.kernels.diagonal).
    """

    def __init__(
        self,
        space: Space,
        spawn4: float,
        pool: LayerPool,
        arrays: Arrays | None = None,
        *,
        all_images: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self.space = space
        self._limits = limits
        self.arrays = arrays or Arrays(Path(), None)
        self._spawn4 = spawn4
        self._pool = pool
        self._shifts = 1 if len(space.formation.arrangements) > 1 else None
        self._orientation = None if all_images else orientation_of(space)
        self.is_diagonal = self._orientation is None and not all_images and is_transposed(space)
        # Whether moves along the columns are found as those along the rows of other boards.
        self._rows_only = self.is_diagonal or (
            self._orientation is not None and self._orientation.is_transposed
        )
        self._tiles = tiles_of(space) if self.is_diagonal else None
        self._tables = kernel_tables(space, slides=self._orientation is None)
        self._scratch = np.zeros((pool.n_threads, 4, 12), np.int64)
        self._waiting = np.zeros((pool.n_threads, 4, MOST_WAITING), np.uint64)
        self._n_slots = [space.n_slots(self.half_sum(i)) for i in range(space.n_layers)]
        n_kept = space.n_layers if _are_blocks_small(space) else _KEPT_BLOCKS
        self.blocks: Callable[[int], Blocks] = lru_cache(maxsize=n_kept)(self._find_blocks)

    @property
    def other_cpu_s(self) -> float:
        """Return the seconds of a processor that other processes took: none."""
        return 0.0

    def n_slots(self, layer: int) -> int:
        """Return the size of the layer's rank space."""
        return self._n_slots[layer]

    def n_words(self, layer: int) -> int:
        """Return the length of the layer's bitmaps."""
        return bitmap_words(self.n_slots(layer))

    def half_sum(self, layer: int) -> int:
        """Return the half-sum of the boards of a layer."""
        return self.space.formation.seed_half_sum + layer

    def seeds(self) -> U64:
        """Return the after-states of layer 0, with those of their images that are held."""
        after = empty_bitmap(self.n_slots(0))
        formation = self.space.formation
        seeds = np.asarray(formation.layer_0, np.uint64)
        images = [permuted(seeds, destination) for destination in destinations(formation.symmetry)]
        boards = np.concatenate(images)
        if self._orientation is not None:
            boards = held_ones(self._orientation, self.space, boards)
        set_slots(after, slots_of_boards(self._tables, self.blocks(0), boards))
        return after

    def spawn(self, layer: int, before: Sequence[U64 | None]) -> U64:
        """Return the pre-states of a layer from the after-states one and two layers before."""
        sources = [
            None if after is None else (self.whole(layer - exponent), after)
            for exponent, after in enumerate(before, start=1)
        ]
        return self.spawn_from(sources, self.whole(layer))

    def spawn_from(self, sources: Sequence[tuple[Stretch, U64] | None], to: Stretch) -> U64:
        """Return the pre-states that follow from some blocks of after-states by new tiles.

        Parameters
        ----------
        sources : sequence of (Stretch, uint64[...]) or None
            By a new 2, and by a new 4: blocks with the bitmap that they lie in.
        to : Stretch
            Where the pre-states are to lie.
        """
        shared = self._pool.bitmap_for(to.n_slots, self.arrays)
        for exponent, source in enumerate(sources, start=1):
            if source is not None:
                self._spawn_into(shared, to.blocks.places, *source, exponent)
        return shared.merged()

    def whole(self, layer: int) -> Stretch:
        """Return all blocks of a layer."""
        return Stretch(self.blocks(layer), self.n_slots(layer))

    def spawn_classes(self, layer: int) -> I64:
        """Return the class of each block of a layer, which new tiles never leave."""
        n_arrangements = len(self.space.formation.arrangements)
        return spawn_classes(self.blocks(layer), self._orientation, n_arrangements)

    def move(self, layer: int, pre: U64) -> U64:
        """Return the after-states of a layer from its pre-states."""
        return self.move_from(layer, self.whole(layer), pre)

    def move_from(self, layer: int, own: Stretch, pre: U64) -> U64:
        """Return the after-states of a layer from the pre-states of some of its blocks.

        `pre` is the bitmap that the blocks of `own` lie in, whose places are those of the layer.
        """
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        blocks = own.blocks

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            if self._orientation is not None:
                expand_moves_oriented(self._tables, self._orientation, blocks, lo, hi, pre, to)
            elif self._shifts:
                expand_moves_shifting(self._tables, blocks, lo, hi, pre, to, self._waiting[worker])
            else:
                waiting = self._waiting[worker]
                expand_moves(self._tables, blocks, lo, hi, pre, to, waiting, self.is_diagonal)

        self._pool.run(blocks, own.n_slots, work)
        found = shared.merged()
        return self._with_transposed(layer, found) if self._rows_only else found

    def _with_transposed(self, layer: int, found: U64) -> U64:
        """Return boards of a layer that are held together with their transposed images."""
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        blocks = self.blocks(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            if self._orientation is not None:
                add_transposed(self._tables, self._orientation, blocks, lo, hi, found, to)
            else:
                add_images(self._tables, blocks, lo, hi, found, to, self._waiting[worker])

        self._pool.run(blocks, self.n_slots(layer), work)
        every = shared.merged()
        for part in self.arrays.steps(every.size):
            or_all(every[part], found[None, part])
        return every

    def followed(self, layer: int, after: U64) -> U64:
        """Return those after-states of a layer that are followed up: all, unless there are limits.

        The first two layers are whole in any case, so that the table answers at the start.
        """
        if self._limits is None or layer < FIRST_LIMITED:
            return after
        limits, blocks = self._limits, self.blocks(layer)
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            keep_within(self._tables, limits, blocks, lo, hi, after, to)

        self._pool.run(blocks, self.n_slots(layer), work)
        return shared.merged()

    def end_others(self, solved: Solved, followed: U64) -> Solved:
        """Make after-states worth nothing that are not followed up; return all."""
        if self._limits is not None:
            for part in self.arrays.steps(followed.size, _STEP_WORDS):
                indexed = solved.indexed[2 * part.start : 2 * part.stop]
                end_others(indexed, followed[part], solved.values)
        return solved

    def ended(self, layer: int, after: U64) -> Solved:
        """Return the after-states of one of the last two layers: too late for a tile, or there."""
        solved = self.unsolved(layer, after)
        for part in self.arrays.steps(solved.values.size - 1):
            solved.values[part] = self.space.goal.last_rate
        return solved

    def restored(self, layer: int, after: U64, values: F64) -> Solved:
        """Return after-states whose values were kept; `values` has the spare one."""
        if self.arrays.is_limited:  # they may lie in a mapped file, and are read here and there
            values, kept = self.arrays.empty(values.size, np.float64), values
            for part in self.arrays.steps(values.size):
                values[part] = kept[part]
        return Solved(self._index(after)[0], values, self.blocks(layer).places)

    def rate_moves(self, layer: int, pre: U64, after: Solved) -> LayerWindow:
        """Return the pre-states of a layer with their values."""
        window = self._window(layer, pre)
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
        window.keep(window.no_pieces())
        return window

    @property
    def is_cuttable(self) -> bool:
        """Tell whether `fill_moves` finds what `rate_moves` does, to the last bit."""
        return self._orientation is None or not self._orientation.is_transposed

    def fill_moves(self, own: Stretch, pre: Solved, after: Solved) -> None:
        """Fill the values of the pre-states of some blocks, of all moves, if it `is_cuttable`.

        Parameters
        ----------
        own : Stretch
            Where the blocks lie in `pre`; its places are those of `after`.
        pre, after : Solved
        """
        self._fill_moves(own, pre, after, False, None)

    def _fill_row_moves(
        self, layer: int, pre: Solved, after: Solved, band: Band | None = None
    ) -> None:
        """Fill the values of the pre-states of a layer, or of a band of its blocks.

        Where moves along the columns are those along the rows of images, they are those of moves
        along the rows alone, until `_exchange`.
        """
        self._fill_moves(self.whole(layer), pre, after, self.is_diagonal, band)

    def _fill_moves(
        self,
        own: Stretch,
        pre: Solved,
        after: Solved,
        rows_only: bool,
        band: Band | None,
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
        """Raise the values of pre-states by moves along their rows to those by all moves."""
        every = ~window.no_pieces()  # here and there
        with self.arrays.lent() as allowed:
            if allowed is None or window.bytes_of(every) <= allowed:
                window.keep(every, to_write=True)
            self._exchange(layer, window.solved)

    def _exchange(
        self,
        layer: int,
        pre: Solved,
        band: Band | None = None,
        outside: Sequence[Outside] = (),
    ) -> None:
        """Raise the values of pre-states and of their transposed images to the greater of both.

        With a `band`, of those of its blocks; images that are `outside` are only listed, by each
        thread on its own.
        """
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
        """Fill the values of pre-states that are held with their transposed images."""
        blocks, n_slots, solved = self.blocks(layer), self.n_slots(layer), window.solved
        with self.arrays.lent() as allowed:
            mail_bytes = _most_mail(allowed)
            bands = list(self._own_bands(layer, window, allowed and allowed - 2 * mail_bytes))
            if len(bands) == 1:
                window.keep(bands[0][1], to_write=True)
                self._fill_row_moves(layer, solved, after)
                self._exchange(layer, solved)
                window.keep(window.no_pieces())
                return
            starts = [slots_of(blocks, n_slots, band)[0] for band, _ in bands]
            data = starts, mail_bytes, self.arrays, self._pool, self._waiting[:, 0]
            with BandExchange(solved, *data) as exchange:
                for number, (band, marks) in enumerate(bands):
                    window.keep(marks, to_write=True)
                    self._fill_row_moves(layer, solved, after, band)
                    self._write_letters(layer, solved, exchange, number, band, mail_bytes)
                    exchange.answer(number)
                for number, (_, marks) in enumerate(bands):
                    if exchange.has_mail(number):
                        window.keep(marks, to_write=True)
                        exchange.answer(number)
                        exchange.read(number)
            window.keep(window.no_pieces())

    def _write_letters(
        self,
        layer: int,
        solved: Solved,
        exchange: BandExchange,
        number: int,
        band: Band,
        mail_bytes: int,
    ) -> None:
        """Raise pre-states of a band to images inside it, and have the others written to."""
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)
        first, last = map(np.uint64, slots_of(blocks, n_slots, band))
        every = cut(blocks, n_slots, band, mail_bytes // _LISTED_BYTES // self._pool.n_threads)
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
        """Return the after-states of a layer with their values, from the pre-states further on."""
        solved, blocks = self.unsolved(layer, after), self.blocks(layer)
        both = one_on.solved, two_on.solved
        if not self.arrays.is_limited:
            self.fill_spawns(self.whole(layer), solved, *both)
            return solved

        def grown(band: Band) -> list[Marks]:
            found = []
            for exponent, window in enumerate((one_on, two_on), start=1):
                marks, places = window.no_pieces(), window.solved.places
                data = blocks, *band, solved, exponent, places, window.piece_shift, marks
                if self._orientation is not None:
                    scratch = self._scratch[0]
                    mark_grown_oriented(self._tables, self._orientation, *data, scratch)
                else:
                    mark_grown(self._tables, *data)
                found.append(marks)
            return found

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
        own: Stretch,
        solved: Solved,
        one_on: Solved,
        two_on: Solved,
        band: Band | None = None,
    ) -> None:
        """Fill the values of the after-states of some blocks, or of a band of these."""
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
    ) -> Iterator[tuple[Band, Marks]]:
        """Yield bands of a layer, each with its own pieces, as `_bands` does."""
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def own(band: Band) -> list[Marks]:
            return [window.pieces_of(*slots_of(blocks, n_slots, band))]

        if allowed is not None:
            allowed = min(allowed, _MOST_OF_BAND)
        for band, (marks,) in self._bands(layer, [window], own, allowed):
            yield band, marks

    def _bands(
        self,
        layer: int,
        windows: Sequence[LayerWindow],
        wanted: Callable[[Band], list[Marks]],
        allowed: int | None,
    ) -> Iterator[tuple[Band, list[Marks]]]:
        """Yield bands of a layer, each with what `wanted` tells of it: pieces of the windows.

        They take no more memory than `allowed` together, unless a single block needs more.
        """
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def bytes_of(marks: list[Marks]) -> int:
            pairs = zip(windows, marks, strict=True)
            return sum(window.bytes_of(of_it) for window, of_it in pairs)

        whole = (0, blocks.start.size)
        size = max(n_slots // _PARTS_OF_LAYER, 1) if allowed is not None else n_slots
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

    def packing(
        self, layer: int, after: U64, solved: Solved, how: Packing
    ) -> Callable[[], StoredLayer]:
        """Return what packs a layer, or counts it, when it is called: from any thread."""
        return partial(self.stored, layer, after, solved, how)

    def stored(self, layer: int, after: U64, solved: Solved, how: Packing) -> StoredLayer:
        """Return a layer as it is written, or how many boards it has if it isn't kept."""
        rate = find_rate_type(how.rate)
        if not how.is_kept:
            return OmittedLayer(layer, *self.counted(layer, after, solved, rate))
        n_boards, words, encoded = self.packed(layer, after, solved, rate, how.threshold)
        return pack_layer(
            layer, rate, self.n_slots(layer), n_boards, words, encoded, how.level,
            new_array=self.arrays.empty, make_room=self.arrays.make_room,
        )  # fmt: skip

    def packed(
        self, layer: int, after: U64, solved: Solved, rate: RateType, threshold: float = 0.0
    ) -> tuple[int, U64, Encoded]:
        """Return what is stored of a layer.

        Boards whose exact rate is not above `threshold` are not, nor those whose rate is 0 as
        stored, nor those of a layer that is sure of the goal.

        Returns
        -------
        n_boards : int
            After-states of the layer, symmetric ones counted once.
        words : uint64[...]
            Bitmap of those to store, canonical ones.
        encoded : Encoded
            Their rates.
        """
        n_boards, words, stored = self._chosen(layer, after, solved, rate, threshold)
        if rate.has_levels:
            return n_boards, words, rate.encode(stored, self.arrays.empty)
        return n_boards, words, Encoded(stored)

    def counted(self, layer: int, after: U64, solved: Solved, rate: RateType) -> tuple[int, int]:
        """Return how many after-states a layer has, and how many of them would be stored."""
        n_boards, _, stored = self._chosen(layer, after, solved, rate, 0.0)
        return n_boards, stored.size

    def _chosen(
        self, layer: int, after: U64, solved: Solved, rate: RateType, threshold: float
    ) -> tuple[int, U64, np.ndarray]:
        """Return the number of after-states, which to store, and their rates: levels not yet."""
        n_boards, canonical = solved.values.size - 1, after
        if self.space.formation.symmetry != "identity":
            canonical = self._canonical(layer, solved)
            steps = self.arrays.steps(canonical.size)
            n_boards = sum(int(count_ones(canonical[part])) for part in steps)
        words = self.arrays.zeros(self.n_words(layer), np.uint64)
        if self.space.goal.is_sure_after(self.half_sum(layer)):
            threshold = 1.0
        # Levels are chosen from all exact rates of the layer; other types take one at a time.
        stored = self.arrays.empty(n_boards + 1, np.float64 if rate.has_levels else rate.dtype)
        how, n_stored = (threshold, rate.scale, rate.is_rounded), 0
        for part in self.arrays.steps(after.size, _STEP_WORDS):
            before = int(solved.indexed[2 * part.start + 1])
            data = after[part], solved.values[before:], *how, canonical[part], words[part]
            n_stored += int(pack_rates(*data, stored[n_stored:]))
        return n_boards, words, stored[:n_stored]

    def _canonical(self, layer: int, solved: Solved) -> U64:
        """Return the bitmap of those after-states of a layer that stand for their images."""
        blocks, index = self.blocks(layer), solved.indexed
        least = self.arrays.zeros(self.n_words(layer), np.uint64)
        new_array = self.arrays.empty
        if self._orientation is not None and self._orientation.is_whole:
            for some in self._steps(layer):
                add_least_oriented(self._tables, self._orientation, some, index, least)
        elif are_images_beside(self.space):
            for some in self._steps(layer):
                add_canonical(self.space, self._tables, some, index, least)
        else:
            add_canonical(self.space, self._tables, blocks, index, least, new_array)
        return least

    def _steps(self, layer: int) -> Iterator[Blocks]:
        """Yield the blocks of a layer, some at a time, each after room was made; all if unlimited.

        For what is done by one thread.
        """
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)
        whole = 0, blocks.start.size
        size = 64 * _STEP_WORDS if self.arrays.is_limited else n_slots
        for lo, hi in self.arrays.with_room(cut(blocks, n_slots, whole, size)):
            yield blocks._replace(
                start=blocks.start[lo:hi],
                rows=blocks.rows[lo:hi],
                rest=blocks.rest[lo:hi],
                arrangement=blocks.arrangement[lo:hi],
            )

    def best_replies(self, layer: int, pre: U64, stored: U64, rates: F64) -> U64:
        """Return which stored boards of a layer are the best reply to one of its pre-states.

        A stored board stands for its images: it counts when one of them is.

        Parameters
        ----------
        pre : uint64[...]
            Bitmap of the pre-states: of each at least one image.
        stored, rates : uint64[...], float64[n]
            Bitmap of the stored boards, and their rates.
        """
        after = self._with_images(layer, stored, rates)
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        blocks = self.blocks(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            mark_best(self._tables, blocks, lo, hi, pre, after, to, self._shifts)

        self._pool.run(blocks, self.n_slots(layer), work)
        return self._without_images(layer, shared.merged())

    def images(self, layer: int, stored: U64) -> U64:
        """Return the bitmap of the stored boards of a layer and all their images."""
        if self.space.formation.symmetry == "identity":
            return stored
        closed = self.arrays.zeros(self.n_words(layer), np.uint64)
        for _, slots in self._image_slots(layer, stored):
            set_slots(closed, slots)
        return closed

    def _with_images(self, layer: int, stored: U64, rates: F64) -> Solved:
        """Return the stored boards of a layer and all their images with their rates."""
        solved = self.unsolved(layer, self.images(layer, stored))
        if self.space.formation.symmetry == "identity":
            solved.values[:-1] = rates
        else:
            for part, slots in self._image_slots(layer, stored):
                put_values(solved.indexed, solved.values, slots, rates[part])
        return solved

    def _without_images(self, layer: int, words: U64) -> U64:
        """Return the bitmap of those boards that stand for the ones of `words` when stored."""
        if self.space.formation.symmetry == "identity":
            return words
        stored = self.arrays.zeros(self.n_words(layer), np.uint64)
        boards, blocks = self._boards(layer, words), self.blocks(layer)
        for part in parts(boards.size):
            canonical = canonical_many(boards[part], self.space.formation.symmetry)
            set_slots(stored, slots_of_boards(self._tables, blocks, canonical, least=True))
        return stored

    def _image_slots(self, layer: int, stored: U64) -> Iterator[tuple[slice, I64]]:
        """Yield, for every symmetry and some stored boards at a time, their images' slots."""
        boards, blocks = self._boards(layer, stored), self.blocks(layer)
        for destination in destinations(self.space.formation.symmetry):
            for part in parts(boards.size):
                images = permuted(boards[part], destination)
                yield part, slots_of_boards(self._tables, blocks, images)

    def _boards(self, layer: int, words: U64) -> U64:
        half_sum, new_array = self.half_sum(layer), self.arrays.empty
        return stored_boards(self.space, self._tables, half_sum, words, new_array)

    def _spawn_into(
        self, shared: SharedBitmap, places: Places, source: Stretch, after: U64, exponent: int
    ) -> None:
        blocks = source.blocks

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            data = (blocks, lo, hi, after, exponent, places, to)
            if self._orientation is not None:
                expand_spawns_oriented(self._tables, self._orientation, *data)
            else:
                expand_spawns(self._tables, *data)

        self._pool.run(blocks, source.n_slots, work)

    def _window(self, layer: int, words: U64) -> LayerWindow:
        """Return pre-states of a layer whose values are not set yet."""
        return LayerWindow(words, self.blocks(layer).places, self.arrays)

    def unsolved(self, layer: int, words: U64) -> Solved:
        """Return boards of a layer whose values are not set yet, but for the spare one."""
        index, n = self._index(words)
        values = self.arrays.empty(n + 1, np.float64)
        values[-1] = 0.0
        return Solved(index, values, self.blocks(layer).places)

    def _index(self, words: U64) -> tuple[U64, int]:
        """Return the index of a bitmap, and how many ones it has."""
        index, n = self.arrays.empty(2 * words.size, np.uint64), np.uint64(0)
        for part in self.arrays.steps(words.size):
            n = np.uint64(build_index_part(words, part.start, part.stop, n, index))
        return index, int(n)

    def _find_blocks(self, layer: int) -> Blocks:
        return self.space.blocks(self.half_sum(layer))


def _most_mail(allowed: int | None) -> int:
    """Return what letters between bands may take in memory, when so much is allowed for all."""
    if allowed is None:
        return _LEAST_MAIL
    return min(max(allowed // _MAIL_SHARE, _LEAST_MAIL), _MOST_MAIL)


def _are_blocks_small(space: Space) -> bool:
    """Tell whether the blocks of all layers take little memory: finding them takes longer."""
    n_blocks = sum(shape.lists[0].rows.size * shape.lists[1].rows.size for shape in space.shapes)
    return n_blocks * _BLOCK_BYTES * space.n_layers <= _MOST_BLOCKS_BYTES
