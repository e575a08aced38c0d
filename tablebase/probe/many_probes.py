"""What a table knows about a million positions, by machine code.

`tablebase.probe.reader.Tablebase.probe` takes some 20 microseconds for one board, nearly all of it
spent in Python. Here all boards of a layer are looked up together: which after-states are stored,
and where one is not, whether the position comes up, so that the after-state is worth nothing. Cases
that this leaves open (proofs that go further back, large tiles that equal small ones, layers
without a file when nothing is proved) are left to `probe`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry import SAME, Destination
from engine.kernels.bulk_moves import slide_all
from tablebase.formation.formation import Formation
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64
from tablebase.kernels.block_addressing import IS_OUTSIDE, IS_REACHED
from tablebase.kernels.masked_boards import NONE, mask_large_tiles
from tablebase.probe.bulk_rates import large_tiles
from tablebase.probe.probes import ManyRates
from tablebase.probe.recompute import Recomputation
from tablebase.rank.kernel_tables import I64
from tablebase.store.rates import F64

Bools = npt.NDArray[np.bool_]

_SHIFTS = np.arange(0, 64, 4, dtype=np.uint64)
_AT_ONCE = 1 << 18  # boards; their working memory stays in the processor's caches
_RECOMPUTED_AT_ONCE = 1 << 12  # each needs a thousand others
_ALL_DIFFERENT = 0x0123_4567_89AB_CDEF


class ProbedLayers(NamedTuple):
    """The parts of a table that many probes use."""

    formation: Formation
    n_layers: int
    least_large: int  # least exponent that the large tiles of a player's board must have
    is_reached_by: Callable[[int], bool]  # whether every board of a half-sum has reached the goal
    # Returns the ways to turn a board of F alone into the formation: destinations.
    turns: Callable[[int], Sequence[Destination]]
    canonical: Callable[[int], int]  # returns the least image of a board in the formation
    # Returns the requirements of the formation for a way to turn boards: ways with equal
    # requirements give a board the same rate, though a table need not hold each image.
    game_of: Callable[[Destination], object]
    # keeps_all, omits, knows: of a layer: whether every board with a rate above zero is stored;
    # whether it has no file; whether boards that are not stored follow from the layers above.
    keeps_all: Callable[[int], bool]
    omits: Callable[[int], bool]
    knows: Callable[[int], bool]
    rates: Recomputation


def probe_many(layers: ProbedLayers, boards: U64, comes_up: bool, at_least: int) -> ManyRates:
    """If a layer has fewer boards than `at_least`, they are left to `probe`."""
    rates = np.full((boards.size, 4), np.nan)
    formation = layers.formation
    masked, halves = np.empty_like(boards), np.empty(boards.size, np.int64)
    mask_large_tiles(boards, formation.n_large, layers.least_large, masked, halves)
    is_complete = halves == NONE
    layer_of = halves - formation.seed_half_sum
    is_above = layer_of >= layers.n_layers
    is_outside = (halves >= 0) & (is_above | (layer_of < 0))
    if layers.is_reached_by(int(halves.max(initial=0))):
        is_outside &= ~is_above  # boards beyond the goal count as of the last layer
    is_complete |= is_outside
    layer_of[(halves < 0) | is_above] = -1
    large = large_tiles(masked)
    for standing in np.unique(large).tolist():
        ways = _different(layers, layers.turns(standing))
        alike = np.flatnonzero((large == standing) & (layer_of >= 0))
        for layer, some in _by_layer(alike, layer_of, at_least):
            some_rates, complete = _by_all_ways(layers, masked[some], ways, layer, comes_up)
            rates[some[complete]], is_complete[some] = some_rates[complete], complete
    return ManyRates(rates, is_complete)


def _by_layer(some: I64, layer_of: I64, at_least: int) -> Iterator[tuple[int, I64]]:
    some = some[np.argsort(layer_of[some].astype(np.uint16), kind="stable")]
    numbers, starts = np.unique(layer_of[some], return_index=True)
    for layer, of_layer in zip(numbers.tolist(), np.split(some, starts[1:]), strict=False):
        for start in range(0, of_layer.size if of_layer.size >= at_least else 0, _AT_ONCE):
            yield layer, of_layer[start : start + _AT_ONCE]


def _by_all_ways(
    layers: ProbedLayers, boards: U64, ways: Sequence[Destination], layer: int, comes_up: bool
) -> tuple[F64, Bools]:
    """Return the rates of positions of a layer (float64[n, 4]), and which positions are complete.

    Of ways with the same requirements, the one that knows most counts; among ways with different
    ones, the one with the highest rate. Where several differ, the choice is left to `probe`.
    """
    games: dict[object, tuple[F64, Bools]] = {}
    for way in ways:
        other, is_other_complete = _of_layer(layers, boards, way, layer, comes_up)
        game = layers.game_of(way)
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


def _highest(rates: F64) -> F64:
    highest: F64 = np.where(np.isnan(rates), -1.0, rates).max(axis=1)
    return highest


def _different(layers: ProbedLayers, ways: Sequence[Destination]) -> list[Destination]:
    destinations: dict[int, Destination] = {}
    board = np.array([_ALL_DIFFERENT], np.uint64)
    for way in ways:
        destinations.setdefault(layers.canonical(int(permuted(board, way)[0])), way)
    return list(destinations.values())


def _of_layer(
    layers: ProbedLayers, boards: U64, way: Destination, layer: int, comes_up: bool
) -> tuple[F64, Bools]:
    """Return rates of positions of a layer (float64[n, 4]), and which positions are complete."""
    moved = slide_all(boards, layers.formation.walls)
    is_legal = moved != boards
    turned = moved if tuple(way) == SAME else permuted(moved.ravel(), way).reshape(4, -1)
    slots = np.full(turned.shape, IS_OUTSIDE, np.int64)
    slots[is_legal] = layers.rates.slots(turned[is_legal], layer)
    rates = np.full(turned.shape, np.nan)
    rates[slots == IS_REACHED] = 1.0
    is_asked = slots >= 0
    complete = np.ones(boards.size, np.bool_)
    pre = permuted(boards, way)
    if layers.omits(layer):
        _recompute(layers, pre, turned, layer, comes_up, is_asked, rates, complete)
    else:
        stored = layers.rates.stored_rates(slots[is_asked], layer)
        stored[stored == 0.0] = np.nan  # no stored rate is 0
        rates[is_asked] = stored
        is_missing = is_asked & np.isnan(rates)
        _fill_zeros(layers, pre, turned, layer, comes_up, is_missing, rates, complete)
    return np.ascontiguousarray(rates.T), complete


def _fill_zeros(
    layers: ProbedLayers,
    pre: U64,
    afters: U64,
    layer: int,
    comes_up: bool,
    is_missing: Bools,
    rates: F64,
    complete: Bools,
) -> None:
    if layer >= layers.n_layers - 2:
        rates[is_missing] = 0.0
        return
    positions = np.flatnonzero(is_missing.any(axis=0))
    if not positions.size:
        return
    if layers.keeps_all(layer):
        is_sure = _come_up(layers, pre[positions], layer, comes_up)
        complete[positions] = is_sure
        which = np.zeros_like(complete)
        which[positions[is_sure]] = True
        rates[is_missing & which] = 0.0
        return
    lost = np.flatnonzero(is_missing)
    is_over = layers.rates.are_over(afters.ravel()[lost], layer)
    rates.ravel()[lost[is_over]] = 0.0
    complete[lost[~is_over] % pre.size] = False


def _recompute(
    layers: ProbedLayers,
    pre: U64,
    afters: U64,
    layer: int,
    comes_up: bool,
    is_asked: Bools,
    rates: F64,
    complete: Bools,
) -> None:
    positions = np.flatnonzero(is_asked.any(axis=0))
    if not layers.knows(layer):
        complete[positions] = False
        return
    is_sure = _come_up(layers, pre[positions], layer, comes_up)
    complete[positions] = is_sure
    for start in range(0, positions.size, _RECOMPUTED_AT_ONCE):
        part = slice(start, start + _RECOMPUTED_AT_ONCE)
        some = positions[part][is_sure[part]]
        wanted = is_asked[:, some]
        if wanted.any():
            of_some = rates[:, some]
            of_some[wanted] = layers.rates.rates(afters[:, some][wanted], layer)
            rates[:, some] = of_some


def _come_up(layers: ProbedLayers, pre: U64, layer: int, comes_up: bool) -> Bools:
    is_sure = np.full(pre.size, comes_up)
    for exponent in (1, 2):
        before, tile = layer - exponent, np.uint64(exponent)
        left = np.flatnonzero(~is_sure)
        if before < 0 or layers.omits(before) or not left.size:
            continue
        tiles = pre[left, np.newaxis] >> _SHIFTS & np.uint64(15)
        which, cell = np.nonzero(tiles == tile)
        slots = layers.rates.slots(pre[left[which]] ^ tile << _SHIFTS[cell], before)
        is_sure[left[which[layers.rates.stored_rates(slots, before) > 0.0]]] = True
    return is_sure
