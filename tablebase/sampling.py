"""A table too large to try, told from samples.

Its first layers are expanded: they are small. Of the later ones, a few thousand slots are drawn at
random: whether their boards come up is found by playing backwards (tablebase.ancestry), and whether
those have a chance by playing forward (tablebase.outlook). Some boards of the layers that were
expanded are looked for as well: what is missed of them is missed of the others.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.geometry import destinations
from tablebase.ancestry import comes_up, play_forward
from tablebase.bits import U64, count_ones
from tablebase.crew import Crew
from tablebase.formation import Formation
from tablebase.free_seeds import permuted
from tablebase.layers import Layers
from tablebase.listing import boards_of_layer
from tablebase.outlook import can_win
from tablebase.row_facts import kernel_tables
from tablebase.single_boards import I64, Rules, rules_of
from tablebase.space import Space

F64 = npt.NDArray[np.float64]

TRIES = 36_000_000  # ways back from all boards together: about four seconds of a processor
_SLOTS_PER_TRY = 2.5  # of the layers that are expanded
_SEEN_PER_TRY = 0.25  # boards played forward
_N_DRAWN = 8_000
_N_TESTS, _TESTS_PER_LAYER = 200, 12
_TURNS_PER_TRY = 0.2  # in which boards are played to the end, for those of either half
_FIRST_BOARDS = 50_000  # so large are the layers from which on boards are found by playing

# What is expected of a table counts like so many boards found, and half as many played on.
_EXPECTED, _FALL, _EXPECTED_WINS, BYTES_EACH = 8, 0.35, 0.75, 3.7
# Measured over tables of locked and shifting F, targets 64 to 512.
_BYTES_BY_LAYERS_LEFT = (
    (2, 8, 16, 24, 32, 40, 48, 56, 72),
    (1.3, 2.2, 2.8, 3.05, 3.2, 3.5, 3.8, 3.9, 4.0),
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
    """

    images: float
    stored: float
    bytes: float
    n_found: int


@dataclass(frozen=True)
class _Beginning:
    """The expanded layers.

    Attributes
    ----------
    images : list of int
        After-states of each.
    row_0 : int
        The earlier of two neighbouring layers,
    rows : two of uint64[...]
        of which these are all after-states, with their images.
    some, some_layers : uint64[n], int64[n]
        Some after-states of all these layers, and where they belong.
    """

    images: list[int]
    row_0: int
    rows: tuple[U64, U64]
    some: U64
    some_layers: I64


@lru_cache(maxsize=64)
def sample(formation: Formation, target: int, tries: int = TRIES, seed: int = 1) -> Sampled:
    """Draw boards of a table at random and tell what it holds.

    Takes some seconds, for a tenth of `tries` a tenth of them. With a hundred boards found the
    result is good to 10 %: twice as far off in one case of twenty.
    """
    rng = np.random.default_rng(seed)
    space = Space(formation, target, formation.n_layers(target))
    begin = _expand_first(space, int(tries * _SLOTS_PER_TRY), rng)
    rules = rules_of(formation, target)
    first = (float(sum(begin.images)), begin.some, begin.some_layers)
    late = (0.0, begin.some[:0], begin.some_layers[:0])
    if len(begin.images) < space.n_layers:
        late = _sample_late(space, rules, begin, tries, rng)
    stored = n_bytes = 0.0
    for images, boards, layers in (first, late):
        most = int(tries * _TURNS_PER_TRY)
        wins = can_win(rules, boards, layers, space.n_layers, seed, most)
        left = space.n_layers - layers[: wins.size]
        n, n_wins = wins.size + _EXPECTED / 2, wins.sum() + _EXPECTED / 2 * _EXPECTED_WINS
        each = float(bytes_of(left)[wins].mean()) if wins.any() else BYTES_EACH
        stored += images * float(n_wins / n)
        n_bytes += images * float(n_wins / n) * each
    return Sampled(first[0] + late[0], stored, n_bytes, late[1].size)


def bytes_of(layers_left: I64) -> F64:
    """Return what a rate and its key take on a disk so many layers before the end.

    Where few ways are left to reach the target, many rates are equal.
    """
    return np.asarray(np.interp(layers_left, *_BYTES_BY_LAYERS_LEFT))


def _sample_late(
    space: Space, rules: Rules, begin: _Beginning, tries: int, rng: np.random.Generator
) -> tuple[float, U64, I64]:
    """Return how many boards the layers hold that were not expanded, and some of them."""
    n_rows = space.n_layers - begin.row_0
    size = 1 << max(8, int(tries * _SEEN_PER_TRY / n_rows).bit_length() - 1)
    seed = int(rng.integers(1 << 30))
    met = play_forward(rules, begin.rows, n_rows, size, seed)
    is_later = begin.some_layers > begin.row_0 + 1
    tests, rows = begin.some[is_later][:_N_TESTS], begin.some_layers[is_later][:_N_TESTS]
    recall = comes_up(rules, tests, rows - begin.row_0, met, seed, tries)
    first = len(begin.images)
    slots = [space.n_slots(space.formation.seed_half_sum + i) for i in range(space.n_layers)]
    late = np.array(slots[first:], np.int64)
    layers = first + rng.choice(late.size, size=_N_DRAWN, p=late / late.sum())
    boards = [
        space.board(int(rng.integers(slots[i])), space.formation.seed_half_sum + int(i))
        for i in layers
    ]
    drawn = np.array(boards, np.uint64)
    found = comes_up(rules, drawn, layers - begin.row_0, met, seed, tries)
    seen = found.size * float(recall.mean()) if recall.any() else float(found.size)
    share = (found.sum() + _EXPECTED) / (seen + _EXPECTED / _expected_share(begin, slots))
    images = float(late.sum()) * min(1.0, float(share))
    return images, drawn[: found.size][found], layers[: found.size][found]


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


def _expand_first(space: Space, most_slots: int, rng: np.random.Generator) -> _Beginning:
    """Expand as many layers as have so many slots together, three at least."""
    images: list[int] = []
    boards: list[int] = []
    at: list[int] = []
    rows: tuple[U64, U64] | None = None
    row_0 = n_slots = 0
    after: U64 | None = None
    before: U64 | None = None
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew, all_images=True)
        for layer in range(space.n_layers):
            now = layers.seeds()
            if layer > 0:
                # The last layer but one is not expanded: whatever follows comes too late.
                one_before = after if layer < space.n_layers - 1 else None
                now = layers.move(layer, layers.spawn(layer, [one_before, before]))
            after, before = now, after
            images.append(int(count_ones(now)))
            n_slots += layers.n_slots(layer)
            some = _draw_among(space, layer, now, rng) if images[-1] else []
            boards, at = boards + some, at + [layer] * len(some)
            is_many = images[-1] > _FIRST_BOARDS or 4 * n_slots > most_slots
            if rows is None and before is not None and is_many:
                rows, row_0 = _both(space, layer, before, now), layer - 1
            if rows is not None and n_slots > most_slots:
                break
    if rows is None:
        rows, row_0 = _both(space, layer, before, after), layer - 1
    layers_of = np.array(at, np.int64)
    weights = np.array(images, np.float64)[layers_of]  # more of the layers that hold more
    order = rng.choice(layers_of.size, layers_of.size, p=weights / weights.sum())
    some_boards = np.array(boards, np.uint64)[order]
    return _Beginning(images, row_0, rows, some_boards, layers_of[order])


def _draw_among(space: Space, layer: int, words: U64, rng: np.random.Generator) -> list[int]:
    """Return some boards of a bitmap, drawn at random."""
    half_sum = space.formation.seed_half_sum + layer
    slots = rng.integers(space.n_slots(half_sum), size=100 * _TESTS_PER_LAYER)
    is_set = words[slots >> 6] >> (slots & 63).astype(np.uint64) & np.uint64(1) != 0
    return [space.board(int(slot), half_sum) for slot in slots[is_set][:_TESTS_PER_LAYER]]


def _both(space: Space, layer: int, before: U64 | None, after: U64 | None) -> tuple[U64, U64]:
    return _with_images(space, layer - 1, before), _with_images(space, layer, after)


def _with_images(space: Space, layer: int, words: U64 | None) -> U64:
    """Return the boards of a bitmap and all their images, each once, ascending."""
    if words is None:
        return np.empty(0, np.uint64)
    half_sum = space.formation.seed_half_sum + layer
    boards = boards_of_layer(space, kernel_tables(space), half_sum, words)
    images = [permuted(boards, image) for image in destinations(space.formation.symmetry)]
    every = np.sort(np.concatenate(images))  # np.unique takes a hash table, ten times as long
    is_first = np.ones(every.size, np.bool_)
    is_first[1:] = every[1:] != every[:-1]
    return every[is_first]
