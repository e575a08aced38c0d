"""The two passes over whole layers: bitmaps forward, values backward; no files, no resume.

Then comes what is stored of them: which boards of a solved layer, and their rates as they are
written; of a table of optimal play only the boards that are best replies.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from engine.geometry import destinations
from engine.symmetry import canonical_many
from tablebase.build.expanding import Expander
from tablebase.build.layer_frame import STEP_WORDS
from tablebase.build.layer_steps import Packing, StoredLayer
from tablebase.build.scratch import F64
from tablebase.build.solving import LayerSolver
from tablebase.build.worker_pool import cut
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64, count_ones, pack_rates
from tablebase.kernels.layer_boards import GrowingBitmap, Solved
from tablebase.kernels.optimal_replies import mark_best, put_values, set_slots
from tablebase.kernels.transposed import add_least_oriented
from tablebase.kernels.unrank import (
    add_canonical,
    are_images_beside,
    slots_of_boards,
    stored_boards,
)
from tablebase.memory.arrays import parts
from tablebase.rank.kernel_tables import I64, Blocks
from tablebase.store.layer_file import pack_layer
from tablebase.store.manifest import OmittedLayer
from tablebase.store.rates import EncodedRates, RateType, find_rate_type


class Layers(Expander, LayerSolver):
    """One formation and goal, layer by layer: its boards, their values, and the stored part."""

    def packing(
        self, layer: int, after: U64, solved: Solved, how: Packing
    ) -> Callable[[], StoredLayer]:
        return partial(self.stored, layer, after, solved, how)

    def stored(self, layer: int, after: U64, solved: Solved, how: Packing) -> StoredLayer:
        """Return a layer as it is written, or just its number of boards if it isn't kept."""
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
    ) -> tuple[int, U64, EncodedRates]:
        """Return the number of after-states, symmetric ones once; those to store; their rates.

        Not stored are boards whose exact rate is at or below `threshold` or whose stored rate would
        be 0, those of a layer that is certain to reach the goal, and images of others.
        """
        n_boards, words, stored = self._chosen(layer, after, solved, rate, threshold)
        if rate.has_levels:
            return n_boards, words, rate.encode(stored, self.arrays.empty)
        return n_boards, words, EncodedRates(stored)

    def counted(self, layer: int, after: U64, solved: Solved, rate: RateType) -> tuple[int, int]:
        n_boards, _, stored = self._chosen(layer, after, solved, rate, 0.0)
        return n_boards, stored.size

    def _chosen(
        self, layer: int, after: U64, solved: Solved, rate: RateType, threshold: float
    ) -> tuple[int, U64, np.ndarray]:
        """Return the number of after-states, which to store, and their rates, not yet as levels."""
        n_boards, canonical = solved.values.size - 1, after
        if self.space.formation.symmetry != "identity":
            canonical = self._canonical(layer, solved)
            steps = self.arrays.steps(canonical.size)
            n_boards = sum(int(count_ones(canonical[part])) for part in steps)
        words = self.arrays.zeros(self.n_words(layer), np.uint64)
        if self.space.goal.is_sure_after(self.half_sum(layer)):
            threshold = 1.0
        # Levels are chosen from all exact rates of the layer; other types convert each by itself.
        stored = self.arrays.empty(n_boards + 1, np.float64 if rate.has_levels else rate.dtype)
        how, n_stored = (threshold, rate.scale, rate.is_rounded), 0
        for part in self.arrays.steps(after.size, STEP_WORDS):
            before = int(solved.indexed[2 * part.start + 1])
            data = after[part], solved.values[before:], *how, canonical[part], words[part]
            n_stored += int(pack_rates(*data, stored[n_stored:]))
        return n_boards, words, stored[:n_stored]

    def _canonical(self, layer: int, solved: Solved) -> U64:
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

    def best_replies(self, layer: int, pre: U64, stored: U64, rates: F64) -> U64:
        """A stored board represents its images: it counts when one of them is a best reply."""
        after = self._with_images(layer, stored, rates)
        shared = self._pool.bitmap_for(self.n_slots(layer), self.arrays)
        blocks = self.blocks(layer)

        def work(worker: int, lo: int, hi: int) -> None:
            to = GrowingBitmap(shared.of(worker), shared.is_shared)
            mark_best(self._tables, blocks, lo, hi, pre, after, to, self._shifts)

        self._pool.run(blocks, self.n_slots(layer), work)
        return self._without_images(layer, shared.merged())

    def images(self, layer: int, stored: U64) -> U64:
        if self.space.formation.symmetry == "identity":
            return stored
        closed = self.arrays.zeros(self.n_words(layer), np.uint64)
        for _, slots in self._image_slots(layer, stored):
            set_slots(closed, slots)
        return closed

    def _with_images(self, layer: int, stored: U64, rates: F64) -> Solved:
        solved = self.unsolved(layer, self.images(layer, stored))
        if self.space.formation.symmetry == "identity":
            solved.values[:-1] = rates
        else:
            for part, slots in self._image_slots(layer, stored):
                put_values(solved.indexed, solved.values, slots, rates[part])
        return solved

    def _without_images(self, layer: int, words: U64) -> U64:
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
