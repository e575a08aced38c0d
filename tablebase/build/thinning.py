"""Selects the stored boards that are best replies: a table of optimal play keeps only these."""

from collections.abc import Iterator

import numpy as np

from engine.geometry import destinations
from engine.symmetry import canonical_many
from tablebase.build.layer_frame import LayerFrame
from tablebase.build.scratch import F64
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64
from tablebase.kernels.layer_boards import GrowingBitmap, Solved
from tablebase.kernels.optimal_replies import mark_best, put_values, set_slots
from tablebase.kernels.unrank import slots_of_boards, stored_boards
from tablebase.memory.arrays import parts
from tablebase.rank.kernel_tables import I64


class Thinning(LayerFrame):
    """Follows stored boards and their images from one layer to the next."""

    def best_replies(self, layer: int, pre: U64, stored: U64, rates: F64) -> U64:
        """Return the bitmap of stored boards of a layer that are the best reply to a pre-state.

        A stored board represents its images: it counts when one of them is a best reply.

        Parameters
        ----------
        pre : uint64[...]
            Bitmap of the pre-states, with at least one image of each.
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
        """Return the bitmap of the boards that represent those of `words` when stored."""
        if self.space.formation.symmetry == "identity":
            return words
        stored = self.arrays.zeros(self.n_words(layer), np.uint64)
        boards, blocks = self._boards(layer, words), self.blocks(layer)
        for part in parts(boards.size):
            canonical = canonical_many(boards[part], self.space.formation.symmetry)
            set_slots(stored, slots_of_boards(self._tables, blocks, canonical, least=True))
        return stored

    def _image_slots(self, layer: int, stored: U64) -> Iterator[tuple[slice, I64]]:
        """Yield the image slots of some stored boards at a time, for every symmetry."""
        boards, blocks = self._boards(layer, stored), self.blocks(layer)
        for destination in destinations(self.space.formation.symmetry):
            for part in parts(boards.size):
                images = permuted(boards[part], destination)
                yield part, slots_of_boards(self._tables, blocks, images)

    def _boards(self, layer: int, words: U64) -> U64:
        half_sum, new_array = self.half_sum(layer), self.arrays.empty
        return stored_boards(self.space, self._tables, half_sum, words, new_array)
