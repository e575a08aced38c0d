"""Where to make the next two tiles beside large ones: all places compared by exact rates.

Beside n large tiles, a player makes a tile T and then a second one that meets it: the two merge
into the next large tile. Where the first one stands decides how often the second succeeds. So every
arrangement of the large tiles, and every cell for the first T, is rated by chained tables: one that
makes T in that cell and goes on in one beside n + 1 large tiles, which makes T in a cell next to
it. For a T of 1024 these take gigabytes, so smaller T stand for it: all places are rated with the
smallest, and those that do best with the next ones.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from math import inf
from pathlib import Path
from shutil import rmtree

import numpy as np

from engine.geometry import SQUARE, permute, square_destination
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.drawing import CELLS, Drawing
from tablebase.formation.formation import Formation
from tablebase.formation.goal import TARGETS
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions

_N_KEPT = 12  # places that are also rated with the next tile
_GROWTH = 10  # how many times as long a place takes with the next tile
_TWOS = 0x1111_1111_1111_1111
_IMAGES = tuple(map(square_destination, SQUARE))


@dataclass(frozen=True, order=True)
class Place:
    """Large tiles, and the cell of the first new one beside them: boards with F there."""

    large: int
    first: int

    @property
    def second(self) -> int:
        """Return the free cells next to the first tile, where the second one meets it."""
        near = sum(CELLS[cell] for cell in _neighbors(CELLS.index(self.first)))
        return near & ~(self.large | self.first)


@dataclass(frozen=True)
class RatedPlace:
    """A place, and the chance to make both tiles there, by tile: that of the best start board."""

    place: Place
    rates: dict[int, float]


def formations_at(place: Place, formations: Iterable[Formation]) -> tuple[list[str], list[str]]:
    """Return the names of formations for the first tile at a place, and of those for the second.

    Their large tiles stand there, in one of the eight images, and stay.
    """

    def standing(large: int) -> list[str]:
        images = {permute(large, turn) for turn in _IMAGES}
        return [f.name for f in formations if not f.walls and images.issuperset(f.arrangements)]

    formations = list(formations)
    return standing(place.large), standing(place.large | place.first)


def places(n_large: int) -> list[Place]:
    """Return one place of each kind, ascending; its eight images are the same place.

    The large tiles and the first new one stand anywhere in the two rows along an edge.
    """
    kinds = {
        min(Place(permute(large, turn), permute(first, turn)) for turn in _IMAGES)
        for cells in combinations(CELLS[8:], n_large + 1)
        for first in cells
        for large in (sum(cells) - first,)
    }
    return sorted(place for place in kinds if place.second)


class PlaceRates:
    """Builds the two tables of a place in a folder, and deletes them again."""

    def __init__(
        self,
        folder: Path,
        spawn4: float,
        threads: int,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> None:
        self._folder, self._threads = folder, threads
        self._options = TableOptions(rate="float64", spawn4=spawn4)  # losses of 1e-7 count
        self._is_cancelled = is_cancelled

    def of_second(self, place: Place, tile: int) -> float:
        """Return the chance to make the second tile alone, of the best start beside the first."""
        with self._second(place, tile) as folder:
            return _best_start(folder)

    def of_both(self, place: Place, tile: int) -> float:
        """Return the chance to make both, of the best start beside the large tiles alone."""
        with self._second(place, tile) as second:
            first = Drawing((place.large,), place.first).formation("first")
            folder = self._build(first, tile, second)
            try:
                return _best_start(folder)
            finally:
                rmtree(folder)

    @contextmanager
    def _second(self, place: Place, tile: int) -> Iterator[Path]:
        large = place.large | place.first
        # A board may be left nearly empty: these start boards lead to nearly all that may be.
        lone_twos = tuple(large | _TWOS & cell for cell in CELLS if not large & cell)
        drawing = Drawing((large,), place.second, own_seeds=lone_twos)
        folder = self._build(drawing.formation("second"), tile)
        try:
            yield folder
        finally:
            rmtree(folder)

    def _build(self, formation: Formation, tile: int, then: Path | None = None) -> Path:
        folder = self._folder / f"{formation.name}_{tile}"
        plan = BuildPlan(formation, tile, folder, self._options, self._threads, then=then)
        build(plan, is_cancelled=self._is_cancelled)
        return folder


def best_places(
    n_large: int,
    rates: PlaceRates,
    largest: int,
    seconds: float = inf,
    on_progress: Callable[[int, float], None] = ignore_progress,
) -> list[RatedPlace]:
    """Return the places beside `n_large` large tiles that do best, the best first.

    Parameters
    ----------
    largest : int
        The largest tile to rate places with: a target of tables, the smallest of which always is.
    seconds : float
        The next tile is only begun if the places are likely to be rated within this time.
    on_progress : callable
        Called with the tile, and the share of its places that are done.
    """
    begin = time.monotonic()
    smallest, *larger = (tile for tile in TARGETS if tile <= largest)
    rated = _rated_with_smallest(places(n_large), smallest, rates, on_progress)
    of_one = (time.monotonic() - begin) / max(1, len(rated))
    for tile in larger:
        rated, of_one = rated[:_N_KEPT], of_one * _GROWTH
        start = time.monotonic()
        if start - begin + of_one * len(rated) > seconds:
            break
        for i, (place, known) in enumerate([(r.place, r.rates) for r in rated]):
            rated[i] = RatedPlace(place, {**known, tile: rates.of_both(place, tile)})
            on_progress(tile, (i + 1) / len(rated))
        rated.sort(key=lambda r: -r.rates[tile])
        of_one = (time.monotonic() - start) / len(rated)
    return rated


def _rated_with_smallest(
    all_places: Sequence[Place],
    tile: int,
    rates: PlaceRates,
    on_progress: Callable[[int, float], None],
) -> list[RatedPlace]:
    """Return places by their rates, the best first: all that may be among those to go on with.

    Both tiles do no better than the second one alone, which takes less time to rate.
    """
    alone = []
    for i, place in enumerate(all_places):
        alone.append((rates.of_second(place, tile), place))
        on_progress(tile, (i + 1) / len(all_places) / 2)
    alone.sort(key=lambda pair: -pair[0])
    rated: list[RatedPlace] = []
    for i, (second, place) in enumerate(alone):
        if len(rated) >= _N_KEPT and second < rated[_N_KEPT - 1].rates[tile]:
            break
        rated.append(RatedPlace(place, {tile: rates.of_both(place, tile)}))
        rated.sort(key=lambda r: -r.rates[tile])
        on_progress(tile, 0.5 + (i + 1) / len(alone) / 2)
    return rated


def _best_start(folder: Path) -> float:
    with Tablebase.open(folder) as table:
        found = table.computed_rates(np.array(table.formation.seeds, np.uint64))
    return float(np.nan_to_num(found).max())


def _neighbors(cell: int) -> list[int]:
    row, column = divmod(cell, 4)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [4 * r + c for r, c in near if 0 <= r < 4 and 0 <= c < 4]
