"""Rates of the layers of a sparse table that have no files, computed from the layers above.

A query is a few after-states of one layer. Forward, layer by layer, the boards that their rates
depend on are collected: ``after-states (S) --2--> pre-states (S+1)``, ``after-states (S) --4-->
(S+2)``, ``pre-states (S) --four moves--> after-states (S)``, each board of a layer once, until only
after-states of stored layers are left. These are looked up, all of a layer at a time; then the
means and maxima of `tablebase.kernels.solve` follow backward.

The error of a mean or a maximum is at most the largest error of its terms: a recomputed rate is as
exact as the stored ones, and it is not rounded once more. This holds for boards that come up:
boards that follow from any other need not be stored. The caller has to know (see
`tablebase.probe.comes_up`).

In a table with limits, boards beyond them count 0 on the way, as they did when it was built, so the
result is a lower bound like all of its rates, for any board.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.geometry import destinations
from engine.kernels.bulk_moves import slide_all
from engine.platform.jit import kernel
from engine.symmetry import canonical_many
from tablebase.kernels.bits import U64
from tablebase.kernels.block_addressing import IS_OUTSIDE, IS_REACHED
from tablebase.kernels.board_limits import BoardLimits, are_within
from tablebase.kernels.unrank import fill_slots
from tablebase.rank.kernel_tables import I64, KernelTables, Places
from tablebase.rank.space import Space
from tablebase.store.layer_file import LayerFile
from tablebase.store.rates import F64

_PLACES_KEPT = 32  # layers; every query uses up to sparse + 1 of them


class Recomputation:
    """Computes rates of the layers without a file; `layer_file` opens those of the others."""

    def __init__(
        self,
        space: Space,
        tables: KernelTables,
        spawn4: float,
        omitted: Container[int],
        layer_file: Callable[[int], LayerFile],
        reached_rates: Callable[[U64], F64],
        limits: BoardLimits | None = None,
    ) -> None:
        self._limits = limits
        self._space, self._tables, self._spawn4 = space, tables, spawn4
        self._omitted, self._layer_file = omitted, layer_file
        self._reached_rates = reached_rates
        symmetry = space.formation.symmetry
        # The slots know the images of the square's symmetries, but not those of a window's.
        self._window = (
            symmetry if len(space.placed.symmetries) < len(destinations(symmetry)) else ""
        )
        self._places: Callable[[int], Places] = lru_cache(maxsize=_PLACES_KEPT)(
            lambda layer: space.places(self._half_sum(layer))
        )

    def rates(self, boards: U64, layer: int, until: int = 0) -> F64:
        """The rate is 1 where the target is reached, 0 outside the formation and beyond limits.

        Below layer `until`, boards that are not stored are computed from those above as well.
        """
        queries = self._collect(boards, layer, until)
        for i in range(len(queries) - 1, -1, -1):
            query = queries[i]
            if query.grown.size:
                query.set_rates(self._spawn4)
            best = query.best_of_spawned()
            if i > 0:
                queries[i - 1].after_two = best[: queries[i - 1].owner.size]
            if i > 1:
                queries[i - 2].after_four = best[queries[i - 1].owner.size :]
        return queries[0].rates[queries[0].roots]

    def held_rates(self, boards: U64, layer: int) -> F64:
        slots = self.slots(boards, layer)
        rates = self.stored_rates(slots, layer)
        rates[rates == 0.0] = np.nan  # no stored rate is 0
        rates[slots == IS_REACHED] = self._reached_rates(boards[slots == IS_REACHED])
        return rates

    def stored_rates(self, slots: I64, layer: int) -> F64:
        return self._layer_file(layer).values_at(slots)

    def are_over(self, boards: U64, layer: int) -> npt.NDArray[np.bool_]:
        """The layer is at least two below the last one."""
        can_go_on = np.zeros(boards.size, np.bool_)
        if self._space.goal.is_reached_by(self._half_sum(layer + 2)):
            return can_go_on
        none = np.empty(0, np.int64)
        query = _LayerQuery(np.empty(0), none, none, none, none, boards, 0.0)
        for exponent in (1, 2):
            spawned = query.spawned(exponent)
            moved = slide_all(spawned, self._space.formation.walls)
            slots = self.slots(moved.ravel(), layer + exponent).reshape(4, -1)
            goes_on = ((moved != spawned) & (slots != IS_OUTSIDE)).any(axis=0)
            can_go_on[query.owner[goes_on]] = True
        return ~can_go_on

    def are_alike(self, boards: U64, others: Sequence[int], layer: int) -> npt.NDArray[np.bool_]:
        slots = self.slots(boards, layer)
        wanted = self.slots(np.array(others, np.uint64), layer)
        return np.isin(slots, wanted[wanted >= 0])

    def _collect(self, boards: U64, layer: int, until: int) -> "list[_LayerQuery]":
        none = np.empty(0, np.uint64)
        queries = [self._query(layer, boards, none, until)]
        while True:
            twos = queries[-1].spawned(1)
            fours = queries[-2].spawned(2) if len(queries) > 1 else none
            if not twos.size + fours.size:
                return queries
            spawned = np.concatenate((twos, fours))
            queries.append(self._query(layer + len(queries), none, spawned, until))

    def _query(self, layer: int, roots: U64, spawned: U64, until: int) -> "_LayerQuery":
        pre, which = _distinct(spawned)
        moved = slide_all(pre, self._space.formation.walls)
        slots = self.slots(moved.ravel(), layer)
        slots[moved.ravel() == np.tile(pre, 4)] = IS_OUTSIDE  # nothing moved
        boards = np.concatenate((roots, moved.ravel()))
        slots = np.concatenate((self.slots(roots, layer), slots))
        if self._limits is not None and layer in self._omitted:
            slots[(slots >= 0) & ~are_within(self._limits, boards)] = IS_OUTSIDE
        reached = boards[slots == IS_REACHED]
        slots[slots == IS_REACHED] = IS_REACHED - np.arange(reached.size)
        slots, where = _distinct(slots)
        rates = np.zeros(slots.size)
        rates[slots <= IS_REACHED] = self._reached_rates(reached)[::-1]
        growing = np.arange(np.searchsorted(slots, 0), slots.size)
        if layer >= 0 and layer not in self._omitted and growing.size:
            rates[growing] = self._layer_file(layer).values_at(slots[growing])
            growing = growing[rates[growing] == 0.0] if layer < until else growing[:0]
        example = np.empty(slots.size, np.int64)
        example[where] = np.arange(where.size)
        least = float(self._space.goal.is_reached_by(self._half_sum(layer)))
        roots_at, moved_at = where[: roots.size], where[roots.size :]
        grown = boards[example[growing]]
        return _LayerQuery(rates, roots_at, moved_at, which, growing, grown, least)

    def slots(self, boards: U64, layer: int) -> I64:
        """Images have equal slots; below 0 for none: IS_OUTSIDE, or IS_REACHED."""
        if self._window:
            boards = canonical_many(boards, self._window)
        slots = np.empty(boards.size, np.int64)
        fill_slots(self._tables, self._places(layer), boards, True, slots)
        if self._space.goal.is_sure_after(self._half_sum(layer)):
            slots[slots >= 0] = IS_REACHED
        return slots

    def _half_sum(self, layer: int) -> int:
        return self._space.formation.seed_half_sum + layer


@dataclass
class _LayerQuery:
    """A query on one layer."""

    rates: F64  # float64[n]: of the distinct after-states, including reached and impossible ones
    roots: I64  # int64[...]: indices of the after-states that the query itself is about
    # int64[4 * n_pre]: indices of the after-states that the moves of the pre-states lead to.
    moved: I64
    which: I64  # int64[...]: index of the pre-state that each spawn led to
    growing: I64  # int64[m]: indices of the after-states that have to be expanded
    grown: U64  # uint64[m]: these
    least: float  # the rate of a pre-state without a move

    def __post_init__(self) -> None:
        nonzero = self.grown | (self.grown >> np.uint64(2))
        nonzero |= nonzero >> np.uint64(1)
        tiles = np.bitwise_count(nonzero & np.uint64(0x1111_1111_1111_1111))
        self._n_free = 16 - tiles.astype(np.int64)
        self.owner = np.repeat(np.arange(self.grown.size), self._n_free)
        self.after_two = self.after_four = np.empty(0)

    def spawned(self, exponent: int) -> U64:
        """Return the boards to expand, with a new tile in each free cell in turn."""
        boards = np.empty(self.owner.size, np.uint64)
        fill_spawns(self.grown, np.uint64(exponent), boards)
        return boards

    def set_rates(self, spawn4: float) -> None:
        n = self.grown.size
        twos = np.bincount(self.owner, self.after_two, n)
        fours = np.bincount(self.owner, self.after_four, n)
        # A board without a free cell can only be a seed; nothing can follow from it.
        means = ((1.0 - spawn4) * twos + spawn4 * fours) / np.maximum(self._n_free, 1)
        self.rates[self.growing] = means

    def best_of_spawned(self) -> F64:
        best = self.rates[self.moved].reshape(4, -1).max(axis=0, initial=self.least)
        rates: F64 = best[self.which]
        return rates


@kernel
def fill_spawns(boards: U64, exponent: np.uint64, spawned: U64) -> None:
    """Fill `spawned` (uint64[...]) with each board with a new tile in each of its free cells."""
    at = 0
    for i in range(boards.size):
        for shift in range(0, 64, 4):
            if (boards[i] >> np.uint64(shift)) & np.uint64(15) == np.uint64(0):
                spawned[at] = boards[i] | (exponent << np.uint64(shift))
                at += 1


def _distinct(keys: np.ndarray) -> tuple[np.ndarray, I64]:
    order = np.argsort(keys)
    ascending = keys[order]
    is_first = np.ones(keys.size, np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]
    which = np.empty(keys.size, np.int64)
    which[order] = np.cumsum(is_first) - 1
    return ascending[is_first], which
