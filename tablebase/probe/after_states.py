"""What a table knows about after-states that are already turned into its formation.

An after-state that a table does not store may be worth nothing, or may never have been generated,
because a person can type any board. The two are never mixed up: the rate is 0 for a board that is
certain to come up from the formation's seeds and is not stored (`tablebase.probe.comes_up`), or
after which there is no move or no layer left; for any other missing board it is unknown.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.moves import move
from tablebase.formation.formation import Formation, half_sum
from tablebase.formation.goal import Goal
from tablebase.probe.open_layers import OpenLayers
from tablebase.rank.kernel_tables import KernelTables
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import AT_TARGET, Space
from tablebase.store.manifest import Manifest
from tablebase.store.rates import find_rate_type

if TYPE_CHECKING:
    from tablebase.probe.comes_up import Provenance
    from tablebase.probe.recompute import Recomputation

_MAX_SEEDS = 1000  # whose first after-states are computed
# Rates of boards that do not come up follow from those of so many layers, to some 1e-9.
_COMPUTED_LAYERS = 16
_COMPUTED_AT_ONCE = 1 << 16
_SPAWNED = (1, 2)  # exponents: a 2, a 4


class AfterStates(ABC):
    """The rates of after-states in a formation, each with its layer, independent of storage."""

    def __init__(
        self, formation: Formation, goal: Goal, n_layers: int, is_inside: Callable[[int], bool]
    ) -> None:
        self._formation, self._goal, self._n_layers = formation, goal, n_layers
        self._is_inside = is_inside

    @abstractmethod
    def held(self, afters: list[int], layer: int) -> list[float | None]:
        """None is an after-state that the table does not hold; one at the goal has rate 1."""

    @abstractmethod
    def is_stored(self, after: int, layer: int) -> bool: ...

    @abstractmethod
    def has_reached(self, after: int) -> bool: ...

    @abstractmethod
    def keeps_all(self, layer: int) -> bool: ...

    @abstractmethod
    def keeps_best_of(self, pre: int, layer: int, is_sure: Callable[[], bool]) -> bool:
        """Whether it is stored even if others are left out; `is_sure` tells if `pre` comes up."""

    def is_proved(self, _afters: list[tuple[int, int]]) -> bool:
        """Return whether any of the after-states, each with its layer, is certain to come up."""
        return False

    def rates(
        self, afters: list[int], layer: int, come_up: Callable[[], bool]
    ) -> list[float | None]:
        """`come_up`, called only if needed, tells whether all of them are certain to come up."""
        rates = self.held(afters, layer)
        for i, after in enumerate(afters):
            if rates[i] is None and self._is_worthless(after, layer, come_up):
                rates[i] = 0.0
        return rates

    def _is_worthless(self, after: int, layer: int, come_up: Callable[[], bool]) -> bool:
        if layer >= self._n_layers - 2:
            return True  # past the last two layers, a board without the target has lost
        if not self.keeps_all(layer):
            return self._ends_with_next_tile(after)
        return come_up() or self._ends_with_next_tile(after) or self.is_proved([(after, layer)])

    def _ends_with_next_tile(self, after: int) -> bool:
        if self._goal.is_reached_by(half_sum(after) + _SPAWNED[-1]):
            return False
        return not any(
            moved != spawned and self._is_inside(moved)
            for shift in range(0, 64, 4)
            if not after >> shift & 15
            for spawned in (after | tile << shift for tile in _SPAWNED)
            for direction in range(4)
            for moved in (move(spawned, direction, self._formation.walls),)
        )

    def comes_up(self, pre: int, layer: int) -> bool:
        """It does if it is an after-state that comes up plus a new tile, a 2 or a 4."""
        befores = self.befores(pre, layer)
        return self.is_any_stored(befores) or self.is_proved(befores)

    def befores(self, pre: int, layer: int) -> list[tuple[int, int]]:
        befores = [
            (pre & ~(15 << shift), layer - (pre >> shift & 15))
            for shift in range(0, 64, 4)
            if pre >> shift & 15 in _SPAWNED
        ]
        # A player who has reached the goal, or is sure of it, stops playing, so no position follows
        # from such an after-state.
        return [before for before in befores if before[1] >= 0 and not self.has_reached(before[0])]

    def is_any_stored(self, afters: list[tuple[int, int]]) -> bool:
        return any(self.is_stored(after, layer) for after, layer in afters)


class StoredAfterStates(AfterStates):
    """The rates of after-states in the layers of one of our own tables.

    Layers of a sparse table that have no file are computed from those above by machine code, which
    is loaded at the first query for such a layer. `is_source_thinned` means that the table was
    imported from one that lacks boards with a rate above zero.
    """

    def __init__(
        self,
        manifest: Manifest,
        space: Space,
        layers: OpenLayers,
        is_source_thinned: bool,
        rates_of_reached: Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.float64]] | None = None,
    ) -> None:
        super().__init__(manifest.formation, manifest.goal, space.n_layers, space.is_inside)
        self._options, self._spawn4 = manifest.options, manifest.options.spawn4
        self._rate_type = find_rate_type(manifest.rate)
        self._space, self._layers = space, layers
        self._is_source_thinned = is_source_thinned
        self._rates_of_reached = rates_of_reached

    def reached_rates(self, afters: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        return self._rates_of_reached(afters) if self._rates_of_reached else np.ones(afters.size)

    def _reached_rate(self, after: int) -> float:
        if self._rates_of_reached is None:
            return 1.0
        return float(self._rates_of_reached(np.array([after], np.uint64))[0])

    @cached_property
    def tables(self) -> KernelTables:
        return kernel_tables(self._space, slides=False, fours=False)

    @cached_property
    def recomputation(self) -> "Recomputation":
        from tablebase.probe.recompute import Recomputation  # loads the compiler

        self._layers.unpack_quickly()
        return Recomputation(
            self._space,
            self.tables,
            self._spawn4,
            omitted=self._layers.omitted,
            layer_file=self._layers.file,
            reached_rates=self.reached_rates,
            limits=self._options.limits(),
        )

    @cached_property
    def _provenance(self) -> "Provenance":
        from tablebase.kernels.single_boards import rules_of
        from tablebase.probe.comes_up import Provenance  # loads the compiler

        rules = rules_of(self._formation, self._goal)
        return Provenance(rules, self._are_held, lambda layer: layer not in self._layers.omitted)

    def held(self, afters: list[int], layer: int) -> list[float | None]:
        """Those computed from stored ones count as held too."""
        if layer not in self._layers.omitted:
            return [self._rate_or_target(after, layer) for after in afters]
        self._layers.take_time()
        rates: list[float | None] = [
            self._reached_rate(after) if self._space.reached(after) else None for after in afters
        ]
        left = [i for i, rate in enumerate(rates) if rate is None]
        if left:
            boards = np.array([afters[i] for i in left], np.uint64)
            found = self.recomputation.rates(boards, layer)
            for i, rate in zip(left, found.tolist(), strict=True):
                rates[i] = rate or None
        return rates

    def rates(
        self, afters: list[int], layer: int, come_up: Callable[[], bool]
    ) -> list[float | None]:
        # With limits, boards that were left out count 0 in any case: proofs would not help.
        if layer in self._layers.omitted and not self._options.is_limited:
            return self._recomputed_rates(afters, layer, come_up)
        return super().rates(afters, layer, come_up)

    def _recomputed_rates(
        self, afters: list[int], layer: int, come_up: Callable[[], bool]
    ) -> list[float | None]:
        """Of boards that follow from any but a sure one, only a part may be stored."""
        self._layers.take_time()
        rates: list[float | None] = [
            self._reached_rate(after) if self._space.reached(after) else None for after in afters
        ]
        sure = [
            i
            for i, after in enumerate(afters)
            if rates[i] is None and (come_up() or self._provenance.proves([(after, layer)]))
        ]
        if sure:
            boards = np.array([afters[i] for i in sure], np.uint64)
            for i, rate in zip(sure, self.recomputation.rates(boards, layer).tolist(), strict=True):
                rates[i] = rate
        return rates

    def is_stored(self, after: int, layer: int) -> bool:
        if layer in self._layers.omitted:
            return False
        slot = self._space.find(after, self._formation.seed_half_sum + layer)
        return slot != AT_TARGET and self._rate_in(slot, layer) is not None

    def has_reached(self, after: int) -> bool:
        return self._space.reached(after)

    def keeps_all(self, layer: int) -> bool:
        options = self._options
        leaves_out = self._is_source_thinned or options.is_limited or options.is_thinned(layer)
        return not leaves_out and options.threshold_of(layer) == 0.0

    def keeps_best_of(self, pre: int, layer: int, is_sure: Callable[[], bool]) -> bool:
        """With a threshold, boards left out are worth less.

        With optimal play only, the best replies to stored boards are stored. With limits, boards
        left out may be worth anything.
        """
        if self._options.is_limited:
            return False
        if self._is_source_thinned or self._options.is_thinned(layer):
            return self.is_any_stored(self.befores(pre, layer))
        return not self.keeps_all(layer) and is_sure()

    def is_proved(self, afters: list[tuple[int, int]]) -> bool:
        self._layers.take_time()
        return self._provenance.proves(afters)

    def _rate_or_target(self, after: int, layer: int) -> float | None:
        slot = self._space.find(after, self._formation.seed_half_sum + layer)
        if slot == AT_TARGET:
            return self._reached_rate(after)
        return self._rate_in(slot, layer)

    def _rate_in(self, slot: int | None, layer: int) -> float | None:
        if slot is None:
            return None
        stored = self._layers.file(layer).value(slot)
        return None if stored is None else self._rate_type.decode(stored)

    def held_rates(self, boards: npt.NDArray[np.uint64], layer: int) -> npt.NDArray[np.float64]:
        if layer in self._layers.omitted or layer < 0:
            return np.full(boards.size, np.nan)
        return self.recomputation.held_rates(boards, layer)

    def computed_rates(self, boards: npt.NDArray[np.uint64], layer: int) -> npt.NDArray[np.float64]:
        """Return the rates also of boards that do not come up; `layer` may be below the first."""
        rates = self.held_rates(boards, layer)
        missing = np.flatnonzero(np.isnan(rates))
        until = min(layer + _COMPUTED_LAYERS, self._n_layers - 2)
        for start in range(0, missing.size, _COMPUTED_AT_ONCE):
            some = missing[start : start + _COMPUTED_AT_ONCE]
            rates[some] = self.recomputation.rates(boards[some], layer, until)
        return rates

    def _are_held(self, boards: npt.NDArray[np.uint64], layer: int) -> npt.NDArray[np.bool_]:
        held = self.held_rates(boards, layer) > 0.0
        if layer < 2:
            held |= self.recomputation.are_alike(boards, self._first_boards[layer], layer)
        return held

    @cached_property
    def _first_boards(self) -> tuple[list[int], list[int]]:
        """Of many generated seeds only the first ones: stored boards tell more."""
        seeds = list(self._formation.seeds[:_MAX_SEEDS])
        spawned = {
            seed | 1 << shift
            for seed in seeds
            for shift in range(0, 64, 4)
            if not seed >> shift & 15 and not self._space.reached(seed)
        }
        moved = {
            after
            for board in spawned
            for direction in range(4)
            if (after := move(board, direction, self._formation.walls)) != board
        }
        return seeds, sorted(filter(self._space.is_inside, moved))
