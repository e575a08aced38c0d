"""What a table knows about a million positions, by machine code.

`tablebase.probe.reader.Tablebase.probe` takes some 20 microseconds for one board, nearly all of it
spent in Python. Here all boards of a layer are looked up together: which after-states are stored,
and where one is not, whether the position comes up, so that the after-state is worth nothing. Cases
that this leaves open (proofs that go further back, large tiles that equal small ones, layers
without a file when nothing is proved) are left to `probe`.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from engine.geometry import SAME, Destination, destinations, permute
from engine.kernels.bulk_moves import slide_all
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64
from tablebase.kernels.block_addressing import IS_OUTSIDE, IS_REACHED
from tablebase.kernels.masked_boards import NONE, mask_large_tiles
from tablebase.probe.after_states import StoredAfterStates
from tablebase.probe.embed import Embedding
from tablebase.probe.probes import ManyRates, large_tiles
from tablebase.rank.kernel_tables import I64
from tablebase.store.manifest import Manifest
from tablebase.store.rates import F64

Bools = npt.NDArray[np.bool_]

_SHIFTS = np.arange(0, 64, 4, dtype=np.uint64)
_AT_ONCE = 1 << 18  # boards; their working memory stays in the processor's caches
_RECOMPUTED_AT_ONCE = 1 << 12  # each needs a thousand others
_ALL_DIFFERENT = 0x0123_4567_89AB_CDEF


class ManyProbes:
    """The probes of many positions of a table, which are known to come up or not."""

    def __init__(
        self, manifest: Manifest, embedding: Embedding, states: StoredAfterStates, comes_up: bool
    ) -> None:
        self._manifest, self._formation = manifest, manifest.formation
        self._embedding, self._states, self._comes_up = embedding, states, comes_up
        self._rates = states.recomputation

    def probe(self, boards: U64, at_least: int) -> ManyRates:
        """If a layer has fewer boards than `at_least`, they are left to the table's `probe`."""
        rates = np.full((boards.size, 4), np.nan)
        formation, goal = self._formation, self._manifest.goal
        masked, halves = np.empty_like(boards), np.empty(boards.size, np.int64)
        mask_large_tiles(
            boards, formation.n_large, 15 if formation.walls else goal.least_large, masked, halves
        )
        is_complete = halves == NONE
        layer_of = halves - formation.seed_half_sum
        is_above = layer_of >= self._manifest.n_layers
        is_outside = (halves >= 0) & (is_above | (layer_of < 0))
        if goal.is_reached_by(int(halves.max(initial=0))):
            is_outside &= ~is_above  # boards beyond the goal count as of the last layer
        is_complete |= is_outside
        layer_of[(halves < 0) | is_above] = -1
        large = large_tiles(masked)
        for standing in np.unique(large).tolist():
            ways = self._different(self._embedding.turns(standing))
            alike = np.flatnonzero((large == standing) & (layer_of >= 0))
            for layer, some in _by_layer(alike, layer_of, at_least):
                some_rates, complete = self._by_all_ways(masked[some], ways, layer)
                rates[some[complete]], is_complete[some] = some_rates[complete], complete
        return ManyRates(rates, is_complete)

    def _by_all_ways(
        self, boards: U64, ways: Sequence[Destination], layer: int
    ) -> tuple[F64, Bools]:
        """Return the rates of positions of a layer (float64[n, 4]), and which ones are complete.

        Of ways with the same requirements, the one that knows most counts; among ways with other
        ones, the one with the highest rate. Where several differ, the choice is left to `probe`.
        """
        games: dict[object, tuple[F64, Bools]] = {}
        for way in ways:
            other, is_other_complete = self._of_layer(boards, way, layer)
            game = self._embedding.asked_for(way)
            if game in games:
                rates, complete = games[game]
                is_higher = _highest(other) > _highest(rates)
                is_better = is_other_complete & (~complete | is_higher)
                rates[is_better] = other[is_better]
                complete |= is_other_complete
            else:
                games[game] = other, is_other_complete
        if not games:
            return np.full((boards.size, 4), np.nan), np.ones(boards.size, np.bool_)
        (rates, complete), *others = games.values()
        for other, is_other_complete in others:
            is_same = (rates == other) | np.isnan(rates) & np.isnan(other)
            complete &= is_other_complete & is_same.all(axis=1)
        return rates, complete

    def _different(self, ways: Sequence[Destination]) -> list[Destination]:
        by_image: dict[int, Destination] = {}
        for way in ways:
            board = permute(_ALL_DIFFERENT, way)
            images = (permute(board, image) for image in destinations(self._formation.symmetry))
            by_image.setdefault(min(images), way)
        return list(by_image.values())

    def _of_layer(self, boards: U64, way: Destination, layer: int) -> tuple[F64, Bools]:
        """Return like `_by_all_ways`."""
        moved = slide_all(boards, self._formation.walls)
        is_legal = moved != boards
        turned = moved if tuple(way) == SAME else permuted(moved.ravel(), way).reshape(4, -1)
        slots = np.full(turned.shape, IS_OUTSIDE, np.int64)
        slots[is_legal] = self._rates.slots(turned[is_legal], layer)
        rates = np.full(turned.shape, np.nan)
        rates[slots == IS_REACHED] = self._states.reached_rates(turned[slots == IS_REACHED])
        is_asked = slots >= 0
        complete = np.ones(boards.size, np.bool_)
        pre = permuted(boards, way)
        if layer in self._manifest.omitted:
            self._recompute(pre, turned, layer, is_asked, rates, complete)
        else:
            stored = self._rates.stored_rates(slots[is_asked], layer)
            stored[stored == 0.0] = np.nan  # no stored rate is 0
            rates[is_asked] = stored
            is_missing = is_asked & np.isnan(rates)
            self._fill_zeros(pre, turned, layer, is_missing, rates, complete)
        return np.ascontiguousarray(rates.T), complete

    def _fill_zeros(
        self, pre: U64, afters: U64, layer: int, is_missing: Bools, rates: F64, complete: Bools
    ) -> None:
        if layer >= self._manifest.n_layers - 2:
            rates[is_missing] = 0.0
            return
        positions = np.flatnonzero(is_missing.any(axis=0))
        if not positions.size:
            return
        if self._states.keeps_all(layer):
            is_sure = self._come_up(pre[positions], layer)
            complete[positions] = is_sure
            which = np.zeros_like(complete)
            which[positions[is_sure]] = True
            rates[is_missing & which] = 0.0
            return
        lost = np.flatnonzero(is_missing)
        is_over = self._rates.are_over(afters.ravel()[lost], layer)
        rates.ravel()[lost[is_over]] = 0.0
        complete[lost[~is_over] % pre.size] = False

    def _recompute(
        self, pre: U64, afters: U64, layer: int, is_asked: Bools, rates: F64, complete: Bools
    ) -> None:
        positions = np.flatnonzero(is_asked.any(axis=0))
        if self._manifest.options.is_limited:
            complete[positions] = False
            return
        is_sure = self._come_up(pre[positions], layer)
        complete[positions] = is_sure
        for start in range(0, positions.size, _RECOMPUTED_AT_ONCE):
            part = slice(start, start + _RECOMPUTED_AT_ONCE)
            some = positions[part][is_sure[part]]
            wanted = is_asked[:, some]
            if wanted.any():
                of_some = rates[:, some]
                of_some[wanted] = self._rates.rates(afters[:, some][wanted], layer)
                rates[:, some] = of_some

    def _come_up(self, pre: U64, layer: int) -> Bools:
        is_sure = np.full(pre.size, self._comes_up)
        for exponent in (1, 2):
            before, tile = layer - exponent, np.uint64(exponent)
            left = np.flatnonzero(~is_sure)
            if before < 0 or before in self._manifest.omitted or not left.size:
                continue
            tiles = pre[left, np.newaxis] >> _SHIFTS & np.uint64(15)
            which, cell = np.nonzero(tiles == tile)
            slots = self._rates.slots(pre[left[which]] ^ tile << _SHIFTS[cell], before)
            is_sure[left[which[self._rates.stored_rates(slots, before) > 0.0]]] = True
        return is_sure


def _by_layer(some: I64, layer_of: I64, at_least: int) -> Iterator[tuple[int, I64]]:
    some = some[np.argsort(layer_of[some].astype(np.uint16), kind="stable")]
    numbers, starts = np.unique(layer_of[some], return_index=True)
    for layer, of_layer in zip(numbers.tolist(), np.split(some, starts[1:]), strict=False):
        for start in range(0, of_layer.size if of_layer.size >= at_least else 0, _AT_ONCE):
            yield layer, of_layer[start : start + _AT_ONCE]


def _highest(rates: F64) -> F64:
    highest: F64 = np.where(np.isnan(rates), -1.0, rates).max(axis=1)
    return highest
