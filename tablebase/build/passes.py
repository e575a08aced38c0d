"""The two passes over whole layers: bitmaps forward, values backward; no files, no resume."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.geometry import destinations
from engine.symmetry import canonical_many
from tablebase.build.layer_window import LayerWindow
from tablebase.build.scratch import F64
from tablebase.build.worker_pool import Band, LayerPool, SharedBitmap, halved, slots_of
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64, bitmap_words, build_index, empty_bitmap, or_all, pack_rates
from tablebase.kernels.board_limits import Limits, end_others, keep_within
from tablebase.kernels.diagonal import (
    add_images,
    count_before,
    raise_listed,
    raise_to_images,
)
from tablebase.kernels.expand import expand_moves, expand_spawns
from tablebase.kernels.layer_boards import GrowingBitmap, Solved
from tablebase.kernels.optimal_replies import mark_best, put_values, set_slots
from tablebase.kernels.oriented_expand import expand_moves_oriented, expand_spawns_oriented
from tablebase.kernels.oriented_marks import mark_least_oriented
from tablebase.kernels.oriented_solve import solve_moves_oriented, solve_spawns_oriented
from tablebase.kernels.shifting_expand import MOST_WAITING, expand_moves_shifting
from tablebase.kernels.shifting_solve import solve_moves_shifting
from tablebase.kernels.solve import mark_grown, solve_moves, solve_spawns
from tablebase.kernels.transposed import add_transposed, rate_transposed
from tablebase.kernels.unrank import (
    slots_of_boards,
    stands_for_images,
    stored_boards,
)
from tablebase.memory.arrays import Arrays, parts
from tablebase.memory.window import Marks
from tablebase.rank.kernel_tables import I64, Blocks, Places
from tablebase.rank.orientation import held_ones, is_transposed, orientation_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.options import FIRST_LIMITED
from tablebase.store.rates import Encoded, RateType

_KEPT_BLOCKS = 4  # layers
_MOST_BLOCKS_BYTES = 16 << 20  # up to here those of all layers are kept
_BLOCK_BYTES = 36  # in Blocks and Places together
_SHARE_OF_BAND = 0.36  # of two bands, which exchange values, and the list of the one's images


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
        self._tables = kernel_tables(space, slides=self._orientation is None)
        self._scratch = np.zeros((pool.n_threads, 4, 12), np.int64)
        self._waiting = np.zeros((pool.n_threads, 4, MOST_WAITING), np.uint64)
        self._n_slots = [space.n_slots(self.half_sum(i)) for i in range(space.n_layers)]
        n_kept = space.n_layers if _are_blocks_small(space) else _KEPT_BLOCKS
        self.blocks: Callable[[int], Blocks] = lru_cache(maxsize=n_kept)(self._find_blocks)

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
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        places = self.blocks(layer).places
        for exponent, after in enumerate(before, start=1):
            if after is not None:
                self._spawn_into(shared, places, layer - exponent, after, exponent)
        return shared.merged()

    def move(self, layer: int, pre: U64) -> U64:
        """Return the after-states of a layer from its pre-states."""
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        blocks = self.blocks(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            if self._orientation is not None:
                expand_moves_oriented(self._tables, self._orientation, blocks, lo, hi, pre, to)
            elif self._shifts:
                expand_moves_shifting(self._tables, blocks, lo, hi, pre, to, self._waiting[worker])
            else:
                waiting = self._waiting[worker]
                expand_moves(self._tables, blocks, lo, hi, pre, to, waiting, self.is_diagonal)

        self._pool.run(blocks, self.n_slots(layer), work)
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
        or_all(every, found[None, :])
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

    def end_others(self, solved: Solved, followed: U64) -> None:
        """Make after-states worth nothing that are not followed up."""
        if self._limits is not None:
            end_others(solved.indexed, followed, solved.values)

    def ended(self, layer: int, after: U64) -> Solved:
        """Return the after-states of one of the last two layers: too late for a tile, or there."""
        solved = self._unsolved(layer, after)
        solved.values[:-1] = self.space.goal.last_rate
        return solved

    def restored(self, layer: int, after: U64, values: F64) -> Solved:
        """Return after-states whose values were kept; `values` has the spare one."""
        if self.arrays.is_limited:  # they may lie in a mapped file, and are read here and there
            values, kept = self.arrays.empty(values.size, np.float64), values
            values[:] = kept
        index = self.arrays.empty(2 * after.size, np.uint64)
        build_index(after, index)
        return Solved(index, values, self.blocks(layer).places)

    def rate_moves(self, layer: int, pre: U64, after: Solved) -> LayerWindow:
        """Return the pre-states of a layer with their values."""
        window = self._window(layer, pre)
        if self.space.goal.is_reached_by(self.half_sum(layer)):
            window.fill(1.0)
            return window
        blocks, solved = self.blocks(layer), window.solved

        def work(worker: int, lo: int, hi: int) -> None:
            data = solved, after
            if self._orientation is not None:
                solve_moves_oriented(self._tables, self._orientation, blocks, lo, hi, *data)
            elif self._shifts:
                solve_moves_shifting(self._tables, blocks, lo, hi, *data, self._waiting[worker])
            else:
                waiting = self._waiting[worker]
                solve_moves(self._tables, blocks, lo, hi, *data, waiting, self.is_diagonal)

        for band, marks in self._own_bands(layer, window, self.arrays.stream_bytes):
            window.keep(marks, to_write=True)
            self._pool.run(blocks, self.n_slots(layer), work, band)
        if self._rows_only:
            self._raise_transposed(layer, window)
        window.keep(window.no_pieces())
        return window

    def _raise_transposed(self, layer: int, window: LayerWindow) -> None:
        """Raise the values of pre-states by moves along their rows to those by all moves.

        Boards of one band exchange values with images in another: two bands are there at a time.
        """
        blocks, n_slots, solved = self.blocks(layer), self.n_slots(layer), window.solved

        if self._orientation is not None:
            orientation = self._orientation

            def rate(worker: int, lo: int, hi: int) -> None:
                waiting = self._waiting[worker]
                rate_transposed(self._tables, orientation, blocks, lo, hi, solved, waiting)

            window.keep(~window.no_pieces())  # here and there
            self._pool.run(blocks, n_slots, rate)
            return

        left = self.arrays.bytes_left
        allowed = None if left is None else int(_SHARE_OF_BAND * left)
        bands = list(self._own_bands(layer, window, allowed))
        if len(bands) == 1:
            ((_, marks),) = bands
            window.keep(marks)

            def exchange(worker: int, lo: int, hi: int) -> None:
                waiting = self._waiting[worker]
                raise_to_images(self._tables, blocks, lo, hi, solved, waiting, None, 0)

            self._pool.run(blocks, n_slots, exchange)
            return
        for band, marks in bands:
            window.keep(marks)
            base, images = self._listed_images(layer, solved, band)

            def raise_band(
                other: Band, base: int, images: I64, _worker: int, lo: int, hi: int
            ) -> None:
                own, its = slots_of(blocks, n_slots, (lo, hi)), slots_of(blocks, n_slots, other)
                raise_listed(solved, *own, images, base, *its)

            for other, other_marks in bands:
                window.keep(marks | other_marks)
                self._pool.run(blocks, n_slots, partial(raise_band, other, base, images), band)

    def _listed_images(self, layer: int, solved: Solved, band: Band) -> tuple[int, I64]:
        """Return how many pre-states lie before a band, and the slots of its own ones' images.

        Of a board and its image, one has the other's slot (tablebase.kernels.diagonal).
        """
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)
        begin, end = slots_of(blocks, n_slots, band)
        base = int(count_before(solved.indexed, begin))
        images = self.arrays.empty(int(count_before(solved.indexed, end)) - base, np.int64)
        images[:] = -1

        def work(worker: int, lo: int, hi: int) -> None:
            waiting = self._waiting[worker]
            raise_to_images(self._tables, blocks, lo, hi, solved, waiting, images, base)

        self._pool.run(blocks, n_slots, work, band)
        return base, images

    def rate_spawns(
        self, layer: int, after: U64, one_on: LayerWindow, two_on: LayerWindow
    ) -> Solved:
        """Return the after-states of a layer with their values, from the pre-states further on."""
        solved = self._unsolved(layer, after)
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)
        both = one_on.solved, two_on.solved

        def work(worker: int, lo: int, hi: int) -> None:
            data = (blocks, lo, hi, solved, *both, self._spawn4, self._scratch[worker])
            if self._orientation is not None:
                solve_spawns_oriented(self._tables, self._orientation, *data)
            else:
                solve_spawns(self._tables, *data)

        if self._orientation is not None or not self.arrays.is_limited:
            self._pool.run(blocks, n_slots, work)
            return solved

        def grown(band: Band) -> list[Marks]:
            found = []
            for exponent, window in enumerate((one_on, two_on), start=1):
                marks, places = window.no_pieces(), window.solved.places
                data = solved, exponent, places, window.piece_shift, marks
                mark_grown(self._tables, blocks, *band, *data)
                found.append(marks)
            return found

        windows = [one_on, two_on]
        for band, wanted in self._bands(layer, windows, grown, self.arrays.stream_bytes):
            for window, marks in zip(windows, wanted, strict=True):
                window.keep(marks)
            self._pool.run(blocks, n_slots, work, band)
        for window in windows:
            window.keep(window.no_pieces())
        return solved

    def _own_bands(
        self, layer: int, window: LayerWindow, allowed: int | None
    ) -> Iterator[tuple[Band, Marks]]:
        """Yield bands of a layer, each with its own pieces, as `_bands` does."""
        blocks, n_slots = self.blocks(layer), self.n_slots(layer)

        def own(band: Band) -> list[Marks]:
            return [window.pieces_of(*slots_of(blocks, n_slots, band))]

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
        blocks = self.blocks(layer)
        left = [(0, blocks.start.size)]
        while left:
            band = left.pop()
            marks = wanted(band)
            pairs = zip(windows, marks, strict=True)
            needed = sum(window.bytes_of(of_it) for window, of_it in pairs)
            if allowed is None or needed <= allowed or band[1] - band[0] == 1:
                yield band, marks
            else:
                middle = halved(blocks, self.n_slots(layer), band)
                left += [(middle, band[1]), (band[0], middle)]

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
        n = n_boards = solved.values.size - 1
        canonical = np.empty(0, np.bool_)
        if self.space.formation.symmetry != "identity":
            canonical = self._mark_stored(layer, solved)
            n_boards = int(canonical.sum())
        words = self.arrays.zeros(self.n_words(layer), np.uint64)
        if self.space.goal.is_sure_after(self.half_sum(layer)):
            threshold = 1.0
        # Levels are chosen from all exact rates of the layer; other types take one at a time.
        stored = self.arrays.empty(n + 1, np.float64 if rate.has_levels else rate.dtype)
        n_stored = pack_rates(
            after, solved.values, threshold, rate.scale, rate.is_rounded, canonical, words, stored
        )
        return n_boards, words, stored[:n_stored]

    def _mark_stored(self, layer: int, solved: Solved) -> npt.NDArray[np.bool_]:
        """Tell which of the after-states of a layer stand for their images."""
        blocks = self.blocks(layer)
        marks = self.arrays.empty(solved.values.size - 1, np.bool_)
        if self._orientation is not None and self._orientation.is_whole:
            mark_least_oriented(self._tables, self._orientation, blocks, solved.indexed, marks)
            return marks
        new_array = self.arrays.empty
        return stands_for_images(self.space, self._tables, blocks, solved.indexed, marks, new_array)

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
        solved = self._unsolved(layer, self.images(layer, stored))
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
        self, shared: SharedBitmap, places: Places, layer: int, after: U64, exponent: int
    ) -> None:
        blocks = self.blocks(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            data = (blocks, lo, hi, after, exponent, places, to)
            if self._orientation is not None:
                expand_spawns_oriented(self._tables, self._orientation, *data)
            else:
                expand_spawns(self._tables, *data)

        self._pool.run(blocks, self.n_slots(layer), work)

    def _window(self, layer: int, words: U64) -> LayerWindow:
        """Return pre-states of a layer whose values are not set yet."""
        return LayerWindow(words, self.blocks(layer).places, self.arrays)

    def _unsolved(self, layer: int, words: U64) -> Solved:
        """Return boards of a layer whose values are not set yet, but for the spare one."""
        index = self.arrays.empty(2 * words.size, np.uint64)
        n = build_index(words, index)
        values = self.arrays.empty(n + 1, np.float64)
        values[-1] = 0.0
        return Solved(index, values, self.blocks(layer).places)

    def _find_blocks(self, layer: int) -> Blocks:
        return self.space.blocks(self.half_sum(layer))


def _are_blocks_small(space: Space) -> bool:
    """Tell whether the blocks of all layers take little memory: finding them takes longer."""
    n_blocks = sum(shape.lists[0].rows.size * shape.lists[1].rows.size for shape in space.shapes)
    return n_blocks * _BLOCK_BYTES * space.n_layers <= _MOST_BLOCKS_BYTES
