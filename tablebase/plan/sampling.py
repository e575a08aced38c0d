"""Estimates from samples for a table too large to build in memory.

Its first layers are expanded, as many as a few seconds allow. For the later ones slots are drawn at
random, and those are counted whose boards have possible ancestors some tens of layers back, found
by playing backward (tablebase.kernels.backward_reach). Some of these don't come up after all, and
for some that do come up, all followed lines end by chance. The ratio of boards that come up to
boards that seem to is measured in the last expanded layers, where all that come up are known, and
some layers further on, from where a larger crowd plays back to those; if it falls between the two,
as on boards with little room, it falls for some more layers. Whether boards have a chance is found
by playing forward (tablebase.kernels.forward_reach).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.bits import U64, count_ones
from tablebase.kernels.board_limits import BoardLimits, are_within
from tablebase.kernels.forward_reach import can_win, share_won
from tablebase.kernels.single_boards import I64, BoardRules, rules_of
from tablebase.kernels.unrank import slots_of_boards
from tablebase.plan.exact_count import Watch, unwatched
from tablebase.rank.kernel_tables import KernelTables
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

F64 = npt.NDArray[np.float64]

TRIES = 20_000_000  # backward moves from all boards together: about three processor seconds
_BOARDS_PER_TRY = 10  # in the expanded layers, in about twice that time
_SLOTS_PER_BOARD = 64  # this many slots take as much time as one board that comes up
_BOARDS_PER_SHIFTING_BOARD = 3  # this many boards take as much time as one where F shift
_TRIES_PER_FIND, _DRAWN_AT_ONCE, _MAX_DRAWN = 15_000, 500, 20_000
# How many layers are played back, and how many possible ancestors are followed: first these, and
# for boards whose lines all end, more.
_HORIZON, _CROWDS = 30, (64,)
_HORIZON_OF_FREE, _CROWDS_OF_FREE = 60, (128, 1024)
_TRIES_TO_CHECK = 0.2  # of all tries, in expanded layers
# This many layers on, some boards are played back by a crowd of this size, which misses a few of
# those that come up. Their share falls for at most this many layers.
_FAR, _N_FAR, _CROWD_FROM_FAR, _FOUND_FROM_FAR, _MAX_FALL = 40, 120, 512, 0.93, 80
_MIN_FAR = 10  # layers: closer, there is no effect to measure
_SOME_OF_A_LAYER = 12  # boards drawn from an expanded layer
_PLAYED_ON, _MIN_PLAYED_ON = 150, 30  # boards of all layers; least from either part

# A table of more layers has larger ones, and its boards are played on for longer: so there are
# fewer tries, by the square of this many layers to all. 4442ff to 4096 has 2,096 layers.
_DEFAULT_LAYERS = 600
_SHARE_TOLD, _MIN_OF_SMALL_PART = 0.1, 3  # of the boards; a smaller part says less

_SHARE_OF_BEGINNING = 0.6  # of the time, approximately

# The prior for a table counts like this many boards found, and half as many played on.
_EXPECTED, _FALL, _EXPECTED_WINS, BYTES_EACH = 2, 0.35, 0.75, 3.7
_N_GAMES = 4  # played from each board

# Measured over tables of locked and shifting F, targets 64 to 512.
_BYTES_BY_LAYERS_LEFT = (
    (2, 8, 16, 24, 32, 40, 48, 56, 72),
    (1.3, 2.2, 2.8, 3.05, 3.2, 3.5, 3.8, 3.9, 4.0),
)
# Measured over tables of locked F and of walls, targets 64 to 512.
_BYTES_BY_SHARE_LOST = ((0.0, 0.06, 0.13, 0.2, 0.43, 0.8), (0.2, 0.94, 1.95, 2.6, 3.15, 4.0))


@dataclass(frozen=True)
class Sampled:
    """The estimates for a table from samples."""

    images: float  # number of after-states, counting every image of a board
    stored: float  # number of those that have a chance
    bytes: float  # size of the stored ones, with rates as uint32
    n_found: int  # number of boards that the estimate is based on; 0 if everything was counted
    # uint64[n], float64[n]: some of the after-states, and how many each represents.
    some: U64 = field(repr=False, compare=False)
    weights: F64 = field(repr=False, compare=False)

    def share_within(self, limits: BoardLimits) -> float:
        return float(np.average(are_within(limits, self.some), weights=self.weights))


@dataclass(frozen=True)
class _ExpandedLayers:
    """The expanded layers."""

    images: list[int]  # number of after-states of each
    last: tuple[U64, U64]  # two of uint64[...]: the bitmaps of the last two
    # uint64[n], int64[n]: some after-states of all these layers, and their layers.
    some: U64
    some_layers: I64


@lru_cache(maxsize=64)
def sample(formation: Formation, target: Goal | int, tries: int = TRIES, seed: int = 1) -> Sampled:
    """Draw boards of a table at random and estimate its content.

    Takes 5 to 15 processor seconds. With three seeds, the estimates were 0.88, 0.99 and 1.04 of
    the boards that come up (4431 to 1024) and 0.90, 1.16 and 1.19 (444 to 256); stored boards are
    less sure.
    """
    return sample_watched(formation, target, tries, seed)


def sample_watched(
    formation: Formation,
    target: Goal | int,
    tries: int = TRIES,
    seed: int = 1,
    watch: Watch = unwatched,
) -> Sampled:
    rng = np.random.default_rng(seed)
    space = Space(formation, target, formation.n_layers(target))
    tries = round(tries * min(1.0, _DEFAULT_LAYERS / space.n_layers) ** 2)
    begin = _expand_first(space, tries * _BOARDS_PER_TRY, rng, watch)
    rules = rules_of(formation, target)
    first = (float(sum(begin.images)), begin.some, begin.some_layers)
    late = (0.0, begin.some[:0], begin.some_layers[:0])
    if len(begin.images) < space.n_layers:
        late = _sample_late(space, rules, begin, tries, rng, watch)
    stored = n_bytes = 0.0
    for images, some, some_layers in (first, late):
        share = images / (first[0] + late[0])
        n_min = _MIN_PLAYED_ON if share > _SHARE_TOLD else _MIN_OF_SMALL_PART
        n_some = max(n_min, round(_PLAYED_ON * share * min(1.0, tries / TRIES)))
        boards, layers = some[:n_some], some_layers[:n_some]
        wins = can_win(rules, boards, layers, space.n_layers, seed)
        n, n_wins = wins.size + _EXPECTED, wins.sum() + _EXPECTED * _EXPECTED_WINS
        each = BYTES_EACH
        if wins.any():
            good = boards[wins], layers[wins]
            won = share_won(rules, *good, space.n_layers, seed, _N_GAMES)
            each = bytes_each(space.n_layers - layers[wins], won)
        stored += images * float(n_wins / n)
        n_bytes += images * float(n_wins / n) * each
    weights = [
        np.full(boards.size, images / max(1, boards.size)) for images, boards, _ in (first, late)
    ]
    return Sampled(
        images=first[0] + late[0],
        stored=stored,
        bytes=n_bytes,
        n_found=late[1].size,
        some=np.concatenate((first[1], late[1])),
        weights=np.concatenate(weights),
    )


def bytes_each(layers_left: I64, won: float) -> float:
    """Return the average size of a rate and its key on disk, in bytes.

    Many rates are equal where few ways are left to reach the target, so many layers before the end
    of the table, and where it is hardly ever missed: `won` is the share of games that reach it.
    """
    late = float(np.interp(layers_left, *_BYTES_BY_LAYERS_LEFT).mean())
    return min(late, float(np.interp(1.0 - won, *_BYTES_BY_SHARE_LOST)))


def _sample_late(
    space: Space,
    rules: BoardRules,
    begin: _ExpandedLayers,
    tries: int,
    rng: np.random.Generator,
    watch: Watch,
) -> tuple[float, U64, I64]:
    first, seed_half_sum = len(begin.images), space.formation.seed_half_sum
    slots = [space.n_slots(seed_half_sum + i) for i in range(space.n_layers)]
    late, n_slots = range(first, space.n_layers), sum(slots[first:])
    if space.formation.is_generated:
        # Seeds are all boards full of twos: a board with ancestors far back comes up.
        draw = _Draw(space, rules, _HORIZON_OF_FREE, _CROWDS_OF_FREE, rng)
        right = np.ones(space.n_layers)
    else:
        draw = _Draw(space, rules, min(_HORIZON, first - 2), _CROWDS, rng)
        right = _shares_right(draw, begin, tries)
    samples: list[U64] = []
    found_layers: list[I64] = []
    n_drawn = n_found = n_tries = 0
    n_right = 0.0
    enough = tries // _TRIES_PER_FIND
    while n_tries < tries and n_found < enough and n_drawn < _MAX_DRAWN:
        done = max(n_tries / tries, n_found / enough, n_drawn / _MAX_DRAWN)
        watch(_SHARE_OF_BEGINNING + (1 - _SHARE_OF_BEGINNING) * done)
        drawn, of, has_ancestors, n = draw.some(late)
        samples.append(drawn[has_ancestors])
        found_layers.append(of[has_ancestors])
        n_drawn, n_found = n_drawn + drawn.size, n_found + int(has_ancestors.sum())
        n_right += float(right[of[has_ancestors]].sum())
        n_tries += n
    expected = _expected_share(begin, slots)
    weight = min(_EXPECTED / expected, _EXPECTED * n_drawn / (n_found + 1))
    share = (n_right + weight * expected) / (n_drawn + weight)
    order = rng.permutation(n_found)
    boards, layers = np.concatenate(samples)[order], np.concatenate(found_layers)[order]
    return n_slots * min(1.0, share), boards, layers


class _Draw:
    """Draws slots of layers and finds which hold boards with possible ancestors.

    `horizon` is the number of layers to play back, fewer in early layers; `crowds` the number of
    possible ancestors to follow, for each attempt.
    """

    def __init__(
        self,
        space: Space,
        rules: BoardRules,
        horizon: int,
        crowds: Sequence[int],
        rng: np.random.Generator,
    ) -> None:
        self.space, self.rules, self._rng = space, rules, rng
        self._horizon, self._crowds = horizon, crowds

    def some(self, layers: range) -> tuple[U64, I64, npt.NDArray[np.bool_], int]:
        """Return boards drawn by slots, their layers, which of them have ancestors, and tries."""
        first = self.space.formation.seed_half_sum
        slots = np.array([self.space.n_slots(first + i) for i in layers], np.int64)
        ends = np.cumsum(slots)
        # One from every stretch of slots: layers are represented exactly in proportion.
        at = (np.arange(_DRAWN_AT_ONCE) + self._rng.random(_DRAWN_AT_ONCE)) / _DRAWN_AT_ONCE
        which = np.searchsorted(ends, at * ends[-1], side="right").clip(max=len(layers) - 1)
        inside = self._rng.integers(slots[which])
        boards = np.array(
            [
                self.space.board(int(slot), first + layers[i])
                for slot, i in zip(inside, which, strict=True)
            ],
            np.uint64,
        )
        of = layers.start + which
        rows = np.minimum(of, self._horizon)
        has_ancestors, n_tries = np.zeros(boards.size, np.bool_), 0
        for size in self._crowds:
            left = np.flatnonzero(~has_ancestors)
            seed = int(self._rng.integers(1 << 30))
            found, _, n = ancestors(self.rules, boards[left], rows[left], size, seed)
            has_ancestors[left[found]] = True
            n_tries += n
        return boards, of, has_ancestors, n_tries


def _shares_right(draw: _Draw, begin: _ExpandedLayers, tries: int) -> F64:
    space, last = draw.space, len(begin.images) - 1
    tables = kernel_tables(space, slides=False, fours=False)
    near = _share_right_near(tables, draw, begin, int(tries * _TRIES_TO_CHECK))
    distance = min(_FAR, space.n_layers - 4 - last)
    shares = np.full(space.n_layers, near)
    if distance >= _MIN_FAR:
        n_boards = max(_MIN_PLAYED_ON, round(_N_FAR * tries / TRIES))
        far = _share_right_far(tables, draw, begin, last + distance, n_boards)
        on = np.clip(np.arange(space.n_layers) - last, 0, _MAX_FALL)
        shares *= min(1.0, far / near) ** (on / distance)
    return shares


def _share_right_near(
    tables: KernelTables, draw: _Draw, begin: _ExpandedLayers, tries: int
) -> float:
    n_known = n_seeming = n_drawn = 0
    layers = range(len(begin.images) - 2, len(begin.images))
    while tries > 0 and n_drawn < _MAX_DRAWN:
        boards, of, has_ancestors, n_tries = draw.some(layers)
        n_known += int(_is_known(draw.space, tables, begin, boards, of).sum())
        n_seeming += int(has_ancestors.sum())
        n_drawn += boards.size
        tries -= n_tries
    return (n_known + _EXPECTED) / (n_seeming + _EXPECTED)


def _share_right_far(
    tables: KernelTables, draw: _Draw, begin: _ExpandedLayers, layer: int, n_boards: int
) -> float:
    first = len(begin.images) - 2
    n_known = n_seeming = n_drawn = 0
    while n_seeming < n_boards and n_drawn < _MAX_DRAWN:
        drawn, of, has_ancestors, _ = draw.some(range(layer - 1, layer + 2))
        boards, rows = drawn[has_ancestors], of[has_ancestors] - first
        _, crowds, _ = ancestors(draw.rules, boards, rows, _CROWD_FROM_FAR, n_drawn)
        at = np.broadcast_to(np.array([[first], [first + 1]]), crowds.shape)
        is_known = _is_known(draw.space, tables, begin, crowds.ravel(), at.ravel())
        n_known += int(is_known.reshape(crowds.shape).any(axis=(1, 2)).sum())
        n_seeming, n_drawn = n_seeming + boards.size, n_drawn + drawn.size
    return (n_known + _EXPECTED) / (n_seeming + _EXPECTED) / _FOUND_FROM_FAR


def _is_known(
    space: Space, tables: KernelTables, begin: _ExpandedLayers, boards: U64, layers: I64
) -> npt.NDArray[np.bool_]:
    is_known = np.zeros(boards.size, np.bool_)
    for row, words in enumerate(begin.last):
        layer = len(begin.images) - 2 + row
        here = np.flatnonzero((layers == layer) & (boards != 0))
        blocks = space.blocks(space.formation.seed_half_sum + layer)
        slots = slots_of_boards(tables, blocks, boards[here])
        at = np.maximum(slots, 0)
        is_set = words[at >> 6] >> (at & 63).astype(np.uint64) & np.uint64(1) != 0
        is_known[here] = is_set & (slots >= 0)
    return is_known


def _expected_share(begin: _ExpandedLayers, slots: list[int]) -> float:
    first = len(begin.images)
    last = max(0, first - 8)
    share = sum(begin.images[last:]) / max(1, sum(slots[last:first]))
    later = np.arange(first, len(slots)) / first
    fall = np.average(later**-_FALL, weights=np.array(slots[first:], np.float64))
    return max(1e-6, share * float(fall))


def _expand_first(
    space: Space, most_boards: int, rng: np.random.Generator, watch: Watch
) -> _ExpandedLayers:
    images: list[int] = []
    boards: list[int] = []
    at: list[int] = []
    weight = _BOARDS_PER_SHIFTING_BOARD if len(space.formation.arrangements) > 1 else 1
    work = 0
    last: list[U64] = []
    with LayerPool(2, lambda: False) as pool:
        layers = Layers(space, 0.1, pool, all_images=True)
        for layer in range(space.n_layers):
            watch(_SHARE_OF_BEGINNING * min(1.0, work / max(1, most_boards)))
            if layer == 0:
                now = layers.seeds()
            else:
                # As in a build: what follows the last layer but one comes too late.
                one_before = last[-1] if layer < space.n_layers - 1 else None
                two_before = last[-2] if layer > 1 else None
                now = layers.move(layer, layers.spawn(layer, [one_before, two_before]))
            last = [*last[-1:], now]
            images.append(int(count_ones(now)))
            work += weight * images[-1] + layers.n_slots(layer) // _SLOTS_PER_BOARD
            some = _draw_among(space, layer, now, rng) if images[-1] else []
            boards, at = boards + some, at + [layer] * len(some)
            if layer > 2 and work > most_boards:
                break
    layers_of = np.array(at, np.int64)
    weights = np.array(images, np.float64)[layers_of]  # more from layers that hold more
    n = min(_PLAYED_ON, layers_of.size)
    order = rng.choice(layers_of.size, n, replace=False, p=weights / weights.sum())
    return _ExpandedLayers(
        images, (last[0], last[1]), np.array(boards, np.uint64)[order], layers_of[order]
    )


def _draw_among(space: Space, layer: int, words: U64, rng: np.random.Generator) -> list[int]:
    half_sum = space.formation.seed_half_sum + layer
    slots = rng.integers(space.n_slots(half_sum), size=100 * _SOME_OF_A_LAYER)
    is_set = words[slots >> 6] >> (slots & 63).astype(np.uint64) & np.uint64(1) != 0
    drawn = slots[is_set][:_SOME_OF_A_LAYER]
    if drawn.size == 0:  # few slots are set: take one each of some words that have any
        some = rng.permutation(np.flatnonzero(words != 0))[:_SOME_OF_A_LAYER]
        lowest = words[some] & (~words[some] + np.uint64(1))
        drawn = some * 64 + np.log2(lowest).astype(np.int64)  # exact: powers of two
    return [space.board(int(slot), half_sum) for slot in drawn]
