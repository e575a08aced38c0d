"""Where to make two tiles beside large ones: every place once, and exact chances."""

from itertools import combinations
from pathlib import Path

import brute_force
import pytest
from child import assert_refused, json_lines, run

from tablebase.formation.drawing import Drawing
from tablebase.formation.formation import Formation
from tablebase.plan.best_places import Place, PlaceRates, best_places, places
from tests.small_formations import rules_of
from tests.tablebase.chained_rates import any_rate


def _cells(board: int) -> frozenset[tuple[int, int]]:
    return frozenset(divmod(i, 4) for i in range(16) if board >> (60 - 4 * i) & 15)


def _kind(large: frozenset[tuple[int, int]], first: tuple[int, int]) -> tuple[object, ...]:
    """Return what is the same for all images of a place."""
    images = []
    for turned in range(4):
        for flipped in (False, True):

            def image(cell: tuple[int, int]) -> tuple[int, int]:
                row, column = cell
                for _ in range(turned):  # noqa: B023
                    row, column = column, 3 - row
                return row, 3 - column if flipped else column  # noqa: B023

            images.append((tuple(sorted(map(image, large))), image(first)))
    return min(images)


@pytest.mark.parametrize("n_large", [3, 5, 7])
def test_each_kind_of_place_comes_once(n_large):
    rows = [(row, column) for row in (0, 1) for column in range(4)]
    expected = []
    for cells in combinations(rows, n_large + 1):
        for row, column in cells:
            near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            if any(0 <= r < 4 and 0 <= c < 4 and (r, c) not in cells for r, c in near):
                large = frozenset(cells) - {(row, column)}
                expected.append(_kind(large, (row, column)))
    found = [_kind(_cells(p.large), *_cells(p.first)) for p in places(n_large)]
    assert len(set(found)) == len(found)
    assert set(found) == set(expected)


def _rules(formation: Formation) -> brute_force.Rules:
    return rules_of(formation, 64)


@pytest.mark.thorough
def test_rates_are_those_of_brute_force(tmp_path: Path):
    large, first, second = 0xF00F_FFFF_FFFF, 0x000F_0000_0000, 0x000F_00F0_0000_0000
    place = Place(large & ~first, first)
    assert place.second == second
    twos = tuple(
        large | 0x1111_1111_1111_1111 & 0xF << i for i in range(0, 64, 4) if not large >> i & 15
    )
    after = Drawing((large,), second, own_seeds=twos).formation("after")
    solution = brute_force.solve(_rules(after))
    rate = any_rate(_rules(after), solution)

    def with_first(board: int) -> float:
        return rate(board | first) if board >> 32 & 15 == 6 else 0.0

    before = Drawing((place.large,), first).formation("before")
    both = brute_force.solve(_rules(before), with_first)
    rates = PlaceRates(tmp_path, 0.1, 1)
    assert rates.of_second(place, 64) == pytest.approx(max(solution.rates[0].values()), abs=1e-12)
    assert rates.of_both(place, 64) == pytest.approx(max(both.rates[0].values()), abs=1e-12)
    assert 0 < max(both.rates[0].values()) < max(solution.rates[0].values()) < 1
    assert not [*tmp_path.iterdir()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("large", "first", "games"),
    [(0xF0FF_F0FF, 0x0F00_0000, 1_300_000), (0x00FF_FFFF, 0xF000_0000, 930)],
)
def test_the_figures_of_the_help_are_true(tmp_path: Path, large: int, first: int, games: int):
    rate = PlaceRates(tmp_path, 0.1, 2).of_both(Place(large, first), 64)
    assert 1 / (1 - rate) == pytest.approx(games, rel=0.02)


class MadeUpRates:
    """Rates by number: a place does no better in both than in the second."""

    def __init__(self) -> None:
        self.n_asked: dict[tuple[str, int], int] = {}

    def of_second(self, place: Place, tile: int) -> float:
        self._count("second", tile)
        return 1 - place.first % 1009 / 1e4

    def of_both(self, place: Place, tile: int) -> float:
        self._count("both", tile)
        return self.of_second(place, tile) - place.large % 1013 / 1e4 * (tile // 64)

    def _count(self, kind: str, tile: int) -> None:
        self.n_asked[kind, tile] = self.n_asked.get((kind, tile), 0) + 1


def test_the_best_places_are_found_without_rating_all():
    rates = MadeUpRates()
    best = best_places(4, rates, 128)
    asked = dict(rates.n_asked)
    by_64 = sorted(places(4), key=lambda place: -rates.of_both(place, 64))[:12]
    expected = sorted(by_64, key=lambda place: -rates.of_both(place, 128))
    assert [rated.place for rated in best] == expected
    assert asked["both", 128] == 12 <= asked["both", 64] < len(places(4))
    assert all([*rated.rates] == [64, 128] for rated in best)


def test_without_time_the_smallest_tile_decides():
    best = best_places(4, MadeUpRates(), 1024, seconds=0.0)
    assert {tile for rated in best for tile in rated.rates} == {64}


@pytest.mark.thorough
def test_the_command_draws_places_and_tells_them_as_json(tmp_path: Path):
    options = ("advise", "--chain", 128, "--beside", 7, "--data-dir", tmp_path)
    result = run(*options)
    assert result.returncode == 0, result.stderr
    lines = json_lines(run(*options, "--json").stdout)
    assert len(lines) == len(places(7))
    first = lines[0]
    large, cell = int(first["large"], 16), int(first["first"], 16)
    assert any((p.large, p.first) == (large, cell) for p in places(7))
    assert [line["rates"]["64"] for line in lines] == sorted(
        (line["rates"]["64"] for line in lines), reverse=True
    )
    drawn = ["F" if large >> shift & 15 else "1" for shift in range(28, -1, -4)]
    assert all(" ".join(row) in result.stdout for row in (drawn[:4], drawn[4:]))
    assert not [*tmp_path.glob("advise-*")]


@pytest.mark.parametrize("tile", [64, 100, 65536])
def test_a_tile_without_tables_for_its_half_is_refused(tile):
    assert_refused(run("advise", "--chain", tile), "128")


@pytest.mark.parametrize("option", ["--for=ai", "--disk=1GB", "--sparse=4"])
def test_options_of_tables_do_not_go_with_it(option):
    assert_refused(run("advise", "--chain", 128, option), "--chain")
