"""Which boards of a solved layer are stored, and their rates as stored."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tablebase.build.layer_frame import STEP_WORDS, LayerFrame
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.worker_pool import cut
from tablebase.kernels.bits import U64, count_ones, pack_rates
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.oriented_marks import add_least_oriented
from tablebase.kernels.unrank import add_canonical, are_images_beside
from tablebase.rank.kernel_tables import Blocks
from tablebase.store.layer_file import pack_layer
from tablebase.store.manifest import OmittedLayer
from tablebase.store.rates import Encoded, RateType, find_rate_type


class Storing(LayerFrame):
    """Packs solved layers; may be called from any thread."""

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
        for part in self.arrays.steps(after.size, STEP_WORDS):
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
        size = 64 * STEP_WORDS if self.arrays.is_limited else n_slots
        for lo, hi in self.arrays.with_room(cut(blocks, n_slots, whole, size)):
            yield blocks._replace(
                start=blocks.start[lo:hi],
                rows=blocks.rows[lo:hi],
                rest=blocks.rest[lo:hi],
                arrangement=blocks.arrangement[lo:hi],
            )
