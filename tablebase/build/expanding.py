"""The forward pass: which after-states of a layer can come up, as bitmaps of whole layers."""

from collections.abc import Sequence

import numpy as np

from engine.geometry import destinations
from tablebase.build.layer_frame import BlockRange, LayerFrame
from tablebase.build.worker_pool import SharedBitmap
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64, empty_bitmap, or_all
from tablebase.kernels.board_limits import keep_within
from tablebase.kernels.diagonal import add_images
from tablebase.kernels.expand import expand_moves, expand_spawns
from tablebase.kernels.layer_boards import GrowingBitmap
from tablebase.kernels.optimal_replies import set_slots
from tablebase.kernels.oriented_expand import expand_moves_oriented, expand_spawns_oriented
from tablebase.kernels.shifting_expand import expand_moves_shifting
from tablebase.kernels.transposed import add_transposed
from tablebase.kernels.unrank import slots_of_boards
from tablebase.rank.kernel_tables import I64, U16, Blocks, Places
from tablebase.rank.orientation import Orientation, held_ones
from tablebase.store.options import FIRST_LIMITED

_NEW_TILES = 2  # exponents 1 and 2


class Expander(LayerFrame):
    """Finds the boards of the layers, one layer after the other."""

    def seeds(self) -> U64:
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
        sources = [
            None if after is None else (self.whole(layer - exponent), after)
            for exponent, after in enumerate(before, start=1)
        ]
        return self.spawn_from(sources, self.whole(layer))

    def spawn_from(self, sources: Sequence[tuple[BlockRange, U64] | None], to: BlockRange) -> U64:
        """A source, for a new 2 and for a new 4, is blocks with the bitmap that they lie in."""
        shared = self._pool.bitmap_for(to.n_slots, self.arrays)
        for exponent, source in enumerate(sources, start=1):
            if source is not None:
                self._spawn_into(shared, to.blocks.places, *source, exponent)
        return shared.merged()

    def _spawn_into(
        self, shared: SharedBitmap, places: Places, source: BlockRange, after: U64, exponent: int
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

    def spawn_classes(self, layer: int) -> I64:
        """Return the class of each block of a layer; new tiles never lead out of a class."""
        n_arrangements = len(self.space.formation.arrangements)
        return _spawn_classes(self.blocks(layer), self._orientation, n_arrangements)

    def move(self, layer: int, pre: U64) -> U64:
        return self.move_from(layer, self.whole(layer), pre)

    def move_from(self, layer: int, own: BlockRange, pre: U64) -> U64:
        """`pre` is the bitmap that the blocks of `own` lie in; its places are the layer's."""
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
        after = shared.merged()
        return self._with_transposed(layer, after) if self._rows_only else after

    def _with_transposed(self, layer: int, found: U64) -> U64:
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
        """The first two layers are always expanded in full: the table has answers at the start."""
        if self._limits is None or layer < FIRST_LIMITED:
            return after
        limits, blocks = self._limits, self.blocks(layer)
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            keep_within(self._tables, limits, blocks, lo, hi, after, to)

        self._pool.run(blocks, self.n_slots(layer), work)
        return shared.merged()


def _spawn_classes(blocks: Blocks, orientation: Orientation | None, n_arrangements: int) -> I64:
    """Return the number of the class of each block, which is the same in all layers.

    A new tile is a 2 or a 4 in an empty cell. So it never moves the large tiles of the outer rows,
    nor changes the arrangement of F: after-states and pre-states that follow from each other by new
    tiles are in blocks of one class, in any layer. Moves can lead to any class. `orientation`
    defines which images of a board are held, if not all are.
    """
    if n_arrangements > 1:
        return blocks.arrangement.astype(np.int64)
    row_0, row_1 = blocks.rows >> 16, blocks.rows & 0xFFFF
    if orientation is None:
        return _class_of_rows(row_0, row_1)
    # With a new tile another image may be held: mirrored, or with row 1 and mid row swapped.
    if orientation.exchanges:
        row_1 = np.zeros_like(row_1)
    mirror: U16 = orientation.mirror_row
    images = _class_of_rows(mirror[row_0].astype(np.int64), mirror[row_1].astype(np.int64))
    return np.minimum(_class_of_rows(row_0, row_1), images)


def _class_of_rows(row_0: I64, row_1: I64) -> I64:
    both: I64 = (row_0 << 16) | row_1
    large = np.zeros_like(both)
    for shift in range(0, 32, 4):
        tile = (both >> shift) & 15
        large |= np.where(tile > _NEW_TILES, tile, 0) << shift
    return large
