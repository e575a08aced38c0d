"""Cells: the parts of all layers of a build, with boundaries that no new tile crosses.

A cell has the same classes of blocks (tablebase.build.expanding) in each layer. So the
pre-states of a cell follow from its own after-states alone, and the values of its after-states from
its own pre-states: they need never leave the machine that made them. Moves lead from a cell to all.
In its own slots a cell's blocks are adjacent, so that its memory does not grow with the layer.
"""

import heapq
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tablebase.build.layer_frame import BlockRange
from tablebase.build.layers import Layers
from tablebase.kernels.bits import U64, empty_bitmap
from tablebase.kernels.layer_boards import Solved, copy_runs, put_runs
from tablebase.rank.kernel_tables import I64, REST_SHIFT, Blocks, Places

_SAMPLES = 16  # layers sampled for the sizes of classes


class Cell(NamedTuple):
    """The blocks of a cell in one layer."""

    there: BlockRange  # their place in the layer
    own: BlockRange  # their place in slots of the cell, to which `own.blocks.places` refer
    sizes: I64  # int64[n]: number of slots of each

    @property
    def leaving(self) -> BlockRange:
        """Return the blocks in slots of the cell, to be moved to boards of the whole layer."""
        blocks = self.own.blocks._replace(places=self.there.blocks.places)
        return BlockRange(blocks, self.own.n_slots)

    def cut(self, words: U64) -> U64:
        own = empty_bitmap(self.own.n_slots)
        copy_runs(words, self.there.blocks.start, self.sizes, own, self.own.blocks.start)
        return own

    def add_to(self, words: U64, own: U64) -> None:
        copy_runs(own, self.own.blocks.start, self.sizes, words, self.there.blocks.start)

    def put_values(self, solved: Solved, own: np.ndarray) -> None:
        put_runs(solved.indexed, self.there.blocks.start, self.sizes, own, solved.values)


class Cells:
    """The cells of all layers of a build, the same on every machine; fewer if classes are few."""

    def __init__(self, layers: Layers, n_wanted: int) -> None:
        self._layers = layers
        self._classes, self._cell_of = _share_out(layers, n_wanted)
        self.n = int(self._cell_of.max(initial=0)) + 1
        self.cell: Callable[[int, int], Cell] = lru_cache(maxsize=8 * self.n)(self._cell)

    def _cell(self, layer: int, number: int) -> Cell:
        blocks, n_slots = self._layers.blocks(layer), self._layers.n_slots(layer)
        classes = self._layers.spawn_classes(layer)
        at = np.minimum(np.searchsorted(self._classes, classes), self._classes.size - 1)
        # A class that no sample had is assigned by its number.
        of = np.where(self._classes[at] == classes, self._cell_of[at], classes % self.n)
        (chosen,) = np.nonzero(of == number)
        sizes = np.diff(np.append(blocks.start, n_slots))[chosen]
        there = Blocks(
            blocks.start[chosen],
            blocks.rows[chosen],
            blocks.rest[chosen],
            blocks.arrangement[chosen],
            blocks.places,
        )
        start = np.cumsum(sizes) - sizes
        own = there._replace(start=start, places=_places_of(there, start, chosen))
        return Cell(BlockRange(there, n_slots), BlockRange(own, int(sizes.sum())), sizes)


def _share_out(layers: Layers, n_wanted: int) -> tuple[I64, I64]:
    """In order of size, the largest first, each class goes to the cell with the least so far."""
    n = layers.space.n_layers
    sampled, slots = list[I64](), list[I64]()
    for layer in sorted({n * i // _SAMPLES for i in range(_SAMPLES)}):
        sampled.append(layers.spawn_classes(layer))
        slots.append(np.diff(np.append(layers.blocks(layer).start, layers.n_slots(layer))))
    classes, numbers = np.unique(np.concatenate(sampled), return_inverse=True)
    weights = np.bincount(numbers, np.concatenate(slots)).astype(np.int64)
    cells = [(0, k) for k in range(max(min(n_wanted, classes.size), 1))]
    cell_of = np.zeros(classes.size, np.int64)
    for i in np.argsort(-weights, kind="stable").tolist():
        weight, k = cells[0]
        cell_of[i] = k
        heapq.heapreplace(cells, (weight + int(weights[i]), k))
    return classes, cell_of


def _places_of(there: Blocks, start: I64, chosen: I64) -> Places:
    places = there.places
    if places.start.size > 1:  # an arrangement is there as a whole
        arrangements, first = np.unique(there.arrangement, return_index=True)
        starts = np.zeros_like(places.start)
        inside = there.start[first] - places.start[arrangements]
        starts[arrangements] = start[first] - inside
        return places._replace(start=starts)
    place = np.full_like(places.place, -1)
    at = np.flatnonzero(places.place >= 0)[chosen]
    place[at] = (start - places.start[0]) << REST_SHIFT | there.rest
    return places._replace(place=place)
