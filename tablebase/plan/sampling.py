"""A table too large to try, told from samples.

Its first layers are expanded: they are small. Of the later ones, slots are drawn at random until
enough boards were found that come up, which playing backwards to the layers that were expanded
tells (tablebase.kernels.backward_reach); whether those have a chance is found by playing forward
(tablebase.kernels.forward_reach).
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tablebase.build.passes import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.bits import U64, count_ones
from tablebase.kernels.board_limits import Limits, are_within
from tablebase.kernels.forward_reach import can_win, share_won
from tablebase.kernels.single_boards import I64, Rules, rules_of
from tablebase.kernels.unrank import slots_of_boards
from tablebase.plan.exact_count import Watch, unwatched
from tablebase.rank.kernel_tables import KernelTables
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

F64 = npt.NDArray[np.float64]

TRIES = 20_000_000  # ways back from all boards together: about four seconds of a processor
_SLOTS_PER_TRY = 0.5  # of the layers that are expanded
_TRIES_PER_FIND, _DRAWN_AT_ONCE, _MOST_DRAWN = 100_000, 200, 20_000
_CROWDS = (64, 512)  # possible ancestors; for whom the first are too few, more are tried
_CROWDS_OF_FREE = (128, 1024)
_MOST_UNSURE = 5  # times as many as come up for sure
_SOME_OF_A_LAYER, _SOME = 12, 120  # boards drawn of one that was expanded, of all of them

_SHARE_OF_BEGINNING = 0.2  # of the time, about

# What is expected of a table counts like so many boards found, and half as many played on.
_EXPECTED, _FALL, _EXPECTED_WINS, BYTES_EACH = 2, 0.35, 0.75, 3.7
_N_GAMES = 4  # played from each board

# Measured over tables of locked and shifting F, targets 64 to 512.
_BYTES_BY_LAYERS_LEFT = (
    (2, 8, 16, 24, 32, 40, 48, 56, 72),
    (1.3, 2.2, 2.8, 3.05, 3.2, 3.5, 3.8, 3.9, 4.0),
)
# Measured over tables of locked F and of walls, targets 64 to 512.
_BYTES_BY_SHARE_LOST = (
    (0.0, 0.06, 0.13, 0.2, 0.43, 0.8),
    (0.2, 0.94, 1.95, 2.6, 3.15, 4.0),
)


@dataclass(frozen=True)
class Sampled:
    """What samples tell of a table.

    Attributes
    ----------
    images : float
        After-states, every image of a board counted.
    stored : float
        Of those, the ones that have a chance.
    bytes : float
        What these take, rates as uint32.
    n_found : int
        So many boards this goes by; 0 when all was counted.
    some, weights : uint64[n], float64[n]
        Some of the after-states, and how many each stands for.
    """

    images: float
    stored: float
    bytes: float
    n_found: int
    some: U64 = field(repr=False, compare=False)
    weights: F64 = field(repr=False, compare=False)

    def share_within(self, limits: Limits) -> float:
        """Return which share of the after-states is within limits, about."""
        return float(np.average(are_within(limits, self.some), weights=self.weights))


@dataclass(frozen=True)
class _Beginning:
    """The expanded layers.

    Attributes
    ----------
    images : list of int
        After-states of each.
    last : two of uint64[...]
        The bitmaps of the last two.
    some, some_layers : uint64[n], int64[n]
        Some after-states of all these layers, and where they belong.
    """

    images: list[int]
    last: tuple[U64, U64]
    some: U64
    some_layers: I64


@lru_cache(maxsize=64)
def sample(formation: Formation, target: Goal | int, tries: int = TRIES, seed: int = 1) -> Sampled:
    """Draw boards of a table at random and tell what it holds.

    Takes some seconds, for a tenth of `tries` a tenth of them. With a hundred boards found the
    result is good to 10 %: twice as far off in one case of twenty.
    """
    return sample_watched(formation, target, tries, seed)


def sample_watched(
    formation: Formation,
    target: Goal | int,
    tries: int = TRIES,
    seed: int = 1,
    watch: Watch = unwatched,
) -> Sampled:
    """Do what `sample` does, anew at every call, and tell how far it is."""
    rng = np.random.default_rng(seed)
    space = Space(formation, target, formation.n_layers(target))
    begin = _expand_first(space, int(tries * _SLOTS_PER_TRY), rng, watch)
    rules = rules_of(formation, target)
    first = (float(sum(begin.images)), begin.some, begin.some_layers)
    late = (0.0, begin.some[:0], begin.some_layers[:0])
    if len(begin.images) < space.n_layers:
        late = _sample_late(space, rules, begin, tries, rng, watch)
    stored = n_bytes = 0.0
    for images, boards, layers in (first, late):
        wins = can_win(rules, boards, layers, space.n_layers, seed)
        n, n_wins = wins.size + _EXPECTED, wins.sum() + _EXPECTED * _EXPECTED_WINS
        each = BYTES_EACH
        if wins.any():
            some = boards[wins], layers[wins]
            won = share_won(rules, *some, space.n_layers, seed, _N_GAMES)
            each = bytes_each(space.n_layers - layers[wins], won)
        stored += images * float(n_wins / n)
        n_bytes += images * float(n_wins / n) * each
    weights = [
        np.full(boards.size, images / max(1, boards.size)) for images, boards, _ in (first, late)
    ]
    return Sampled(
        *(first[0] + late[0], stored, n_bytes, late[1].size),
        *(np.concatenate((first[1], late[1])), np.concatenate(weights)),
    )


def bytes_each(layers_left: I64, won: float) -> float:
    """Return what a rate and its key take on a disk, on average.

    Many rates are equal where few ways are left to reach the target, so many layers before the end
    of the table, and where it is hardly ever missed: such a share of games is `won`.
    """
    late = float(np.interp(layers_left, *_BYTES_BY_LAYERS_LEFT).mean())
    return min(late, float(np.interp(1.0 - won, *_BYTES_BY_SHARE_LOST)))


def _sample_late(
    space: Space,
    rules: Rules,
    begin: _Beginning,
    tries: int,
    rng: np.random.Generator,
    watch: Watch,
) -> tuple[float, U64, I64]:
    """Return how many boards the layers hold that were not expanded, and some of them."""
    first, seed_half_sum = len(begin.images), space.formation.seed_half_sum
    slots = [space.n_slots(seed_half_sum + i) for i in range(space.n_layers)]
    late = np.array(slots[first:], np.int64)
    found: list[U64] = []
    found_layers: list[I64] = []
    n_drawn = n_found = n_unsure = 0
    enough, all_tries = tries // _TRIES_PER_FIND, tries
    # Generated seeds are all boards full of twos: whoever has ancestors far back comes up, and of
    # these are too many for a crowd to meet one that is known.
    is_free = space.formation.is_generated
    tables = None if is_free else kernel_tables(space, slides=False)
    while tries > 0 and n_found < enough and n_drawn < _MOST_DRAWN:
        done = max(1 - tries / all_tries, n_found / enough, n_drawn / _MOST_DRAWN)
        watch(_SHARE_OF_BEGINNING + (1 - _SHARE_OF_BEGINNING) * done)
        layers = first + rng.choice(late.size, size=_DRAWN_AT_ONCE, p=late / late.sum())
        drawn = [space.board(int(rng.integers(slots[i])), seed_half_sum + int(i)) for i in layers]
        boards = np.array(drawn, np.uint64)
        comes_up, has_any = np.zeros((2, boards.size), np.bool_)
        for size in _CROWDS_OF_FREE if is_free else _CROWDS:
            left = np.flatnonzero(~comes_up)
            which, crowds, n_tries = ancestors(
                rules, boards[left], layers[left] - (first - 2), size, int(rng.integers(1 << 30))
            )
            has_any[left[which]] = True
            comes_up[left[which]] = tables is None or _any_known(space, tables, begin, crowds)
            tries -= n_tries
        found.append(boards[comes_up])
        found_layers.append(layers[comes_up])
        n_drawn, n_found = n_drawn + boards.size, n_found + int(comes_up.sum())
        n_unsure += int((has_any & ~comes_up).sum())
    # Of those that have ancestors of whom none is known, about half come up; but hardly any where
    # hardly any is known, as where the seeds hold large tiles.
    n_likely = n_found + (n_unsure / 2 if n_unsure < _MOST_UNSURE * n_found else 0.0)
    expected = min(_EXPECTED / _expected_share(begin, slots), _EXPECTED * n_drawn / (n_found + 1))
    share = (n_likely + expected * _expected_share(begin, slots)) / (n_drawn + expected)
    images = float(late.sum()) * min(1.0, float(share))
    return images, np.concatenate(found), np.concatenate(found_layers)


def _any_known(
    space: Space, tables: KernelTables, begin: _Beginning, crowds: U64
) -> npt.NDArray[np.bool_]:
    """Tell of which crowds, uint64[n, 2, m], a board is in one of the last expanded layers."""
    first = len(begin.images) - 2
    is_known = np.zeros(crowds.shape, np.bool_)
    for row, words in enumerate(begin.last):
        blocks = space.blocks(space.formation.seed_half_sum + first + row)
        slots = slots_of_boards(tables, blocks, crowds[:, row].ravel())
        at = np.maximum(slots, 0)
        is_set = (slots >= 0) & (words[at >> 6] >> (at & 63).astype(np.uint64) & np.uint64(1) != 0)
        is_known[:, row] = is_set.reshape(is_known[:, row].shape) & (crowds[:, row] != 0)
    return np.asarray(is_known.any(axis=(1, 2)))


def _expected_share(begin: _Beginning, slots: list[int]) -> float:
    """Return which share of the later slots to expect before any is drawn.

    That of the last layers expanded, and the later the less.
    """
    first = len(begin.images)
    last = max(0, first - 8)
    share = sum(begin.images[last:]) / max(1, sum(slots[last:first]))
    later = np.arange(first, len(slots)) / first
    fall = np.average(later**-_FALL, weights=np.array(slots[first:], np.float64))
    return max(1e-6, share * float(fall))


def _expand_first(
    space: Space, most_slots: int, rng: np.random.Generator, watch: Watch
) -> _Beginning:
    """Expand as many layers as have so many slots together, three at least."""
    images: list[int] = []
    boards: list[int] = []
    at: list[int] = []
    n_slots = 0
    last: list[U64] = []
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, 0.1, pool, all_images=True)
        for layer in range(space.n_layers):
            watch(_SHARE_OF_BEGINNING * min(1.0, n_slots / max(1, most_slots)))
            if layer == 0:
                now = layers.seeds()
            else:
                # As in a build: whatever follows the last layer but one comes too late.
                one_before = last[-1] if layer < space.n_layers - 1 else None
                two_before = last[-2] if layer > 1 else None
                now = layers.move(layer, layers.spawn(layer, [one_before, two_before]))
            last = [*last[-1:], now]
            images.append(int(count_ones(now)))
            n_slots += layers.n_slots(layer)
            some = _draw_among(space, layer, now, rng) if images[-1] else []
            boards, at = boards + some, at + [layer] * len(some)
            if layer > 1 and n_slots > most_slots:
                break
    layers_of = np.array(at, np.int64)
    weights = np.array(images, np.float64)[layers_of]  # more of the layers that hold more
    n = min(_SOME, layers_of.size)
    order = rng.choice(layers_of.size, n, replace=False, p=weights / weights.sum())
    return _Beginning(
        images, (last[0], last[1]), np.array(boards, np.uint64)[order], layers_of[order]
    )


def _draw_among(space: Space, layer: int, words: U64, rng: np.random.Generator) -> list[int]:
    """Return some boards of a bitmap, drawn at random."""
    half_sum = space.formation.seed_half_sum + layer
    slots = rng.integers(space.n_slots(half_sum), size=100 * _SOME_OF_A_LAYER)
    is_set = words[slots >> 6] >> (slots & 63).astype(np.uint64) & np.uint64(1) != 0
    return [space.board(int(slot), half_sum) for slot in slots[is_set][:_SOME_OF_A_LAYER]]
