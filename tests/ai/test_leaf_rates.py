"""What tables tell a search of the positions ahead, against tables asked one by one."""

import random

import numpy as np
import pytest

from ai.dispatch.cached_table import CachedTable
from ai.dispatch.dispatcher import MIN_RATE, Dispatcher
from ai.dispatch.leaf_rates import LeafRates
from ai.dispatch.scale import network_values
from ai.dispatch.tile_profile import OWN_TARGET, TileProfile
from ai.search.search import SearchAnswer
from engine.bitboard import cells, from_cells
from engine.geometry import destinations, permute
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DamagedTableError
from tablebase.formation.patterns_file import load_formations
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions

GOAL = 11
ORIENTATIONS = destinations("full")
BESIDE_WALLS = (10, 9, 8, 7)  # the other four large tiles of 44


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "44_128"
    build(BuildPlan(load_formations()["44"], 128, path, TableOptions(), threads=1))
    return path


def afters_beside_walls(table, n, seed):
    """After-states of games in the formation, four F as walls, the others large tiles; and some
    that do not fit: a tile has come between the large ones, or two of them are alike."""
    rng, choice, found = Rng(seed), random.Random(seed), []
    board = table.start_board(rng)
    while len(found) < n:
        moves = [move(board, direction) for direction in range(4)]
        legal = [after for after in moves if after != board and table.formation.is_inside(after)]
        if not legal or any(7 <= tile < 15 for tile in cells(board)):
            board = table.start_board(rng)
            continue
        after = choice.choice(legal)
        tiles = [*BESIDE_WALLS, 15, 15, 15, 15]
        if choice.random() < 0.2:
            tiles[choice.randrange(4)] = choice.choice((6, 7, 8, 10))
        choice.shuffle(tiles)
        large = iter(tiles)
        exponents = [next(large) if tile == 15 else tile for tile in cells(after)]
        if choice.random() < 0.2:
            i, j = choice.sample(range(16), 2)
            exponents[i], exponents[j] = exponents[j], exponents[i]
        found.append(permute(from_cells(exponents), choice.choice(ORIENTATIONS)))
        board = spawn(after, rng)[0]
    return found


def slow_rate(table, after):
    """The best rate of any view of an after-state whose large tiles all differ; 0 when unknown."""
    exponents = cells(after)
    large = [tile for tile in exponents if tile >= 7]
    beside = [tile for tile in large if tile < 15]
    if len(large) != 8 or len(set(beside)) < len(beside):
        return 0.0
    masked = from_cells([15 if tile >= 7 else tile for tile in exponents])
    views = [permute(masked, destination) for destination in ORIENTATIONS]
    return max(rate or 0.0 for rate in table.rates_of(views))


def never(*_args):
    raise AssertionError("no table is damaged")


@pytest.mark.thorough
def test_known_values_are_those_of_the_table(folder):
    with Tablebase.open(folder) as table:
        afters = afters_beside_walls(table, 3000, 5)
        rates = np.array([slow_rate(table, after) for after in afters])
        known = LeafRates([CachedTable(table)], GOAL, MIN_RATE, never)
        values = known(np.array(afters, np.uint64))
    is_known = rates >= MIN_RATE
    assert 300 < is_known.sum() < 2700
    assert ((rates > 0) & ~is_known).any()
    assert (np.isnan(values) == ~is_known).all()
    assert values[is_known] == pytest.approx(network_values(rates[is_known], GOAL), abs=1e-6)


@pytest.mark.thorough
def test_of_several_tables_the_best_counts(folder):
    class Half(Tablebase):
        def many_rates(self, afters):
            return super().many_rates(afters) / 2

    with Tablebase.open(folder) as table, Half.open(folder) as half:
        afters = np.array(afters_beside_walls(table, 300, 6), np.uint64)
        asked, other = CachedTable(table), CachedTable(half)
        want = LeafRates([asked], 10, MIN_RATE, never)(afters)
        for tables in ([asked, other], [other, asked]):
            both = LeafRates(tables, 10, MIN_RATE, never)(afters)
            np.testing.assert_array_equal(both, want)


def test_a_table_that_cannot_be_read_is_dropped(folder):
    class Damaged(Tablebase):
        def many_rates(self, _afters):
            raise DamagedTableError("damaged")

    dropped = []
    with Damaged.open(folder) as table:
        asked = CachedTable(table)
        afters = np.array(afters_beside_walls(table, 50, 7), np.uint64)
        values = LeafRates([asked], GOAL, MIN_RATE, lambda *args: dropped.append(args))(afters)
    assert np.isnan(values).all()
    ((table, error),) = dropped
    assert table is asked
    assert str(error) == "damaged"


@pytest.mark.parametrize("goal", [10, 11])
def test_more_is_worth_more(goal):
    rates = np.linspace(0, 1, 1001)
    values = network_values(rates, goal)
    assert (np.diff(values) > 0).all()
    assert (values[0], values[-1]) == (0, 1)
    assert values.dtype == np.float32


@pytest.mark.parametrize(
    ("tiles", "may_fit"),
    [
        ((14, 13, 12, 11, 10, 9, 1), True),
        ((14, 13, 12, 11, 10, 8, 8, 1), True),  # a merge away
        ((14, 13, 12, 11, 10, 8, 7, 6, 6), True),
        ((14, 13, 12, 11, 10, 8, 7, 6, 5), False),  # not enough for another
        ((14, 13, 12, 11, 8, 8, 8, 8, 8, 8), False),  # two are missing
    ],
)
def test_a_table_may_fit_ahead_when_at_most_one_large_tile_is_missing(tiles, may_fit):
    board = [*tiles, *[0] * (16 - len(tiles))]
    assert TileProfile(board, OWN_TARGET).may_fit_ahead(6, 9) == may_fit


class Shelf:
    def __init__(self, *tables):
        self._tables = tables

    def tables(self):
        return self._tables

    def drop(self, *_args):
        raise AssertionError("no table is damaged")


def asked_search(answers):
    """A search that records its input."""

    def search(board, known):
        answers.append((board, known))
        return SearchAnswer(0, (1.0,) * 4, 1, 1, 0.0, is_chance=True)

    return search


class Walls:
    """What a search beside walls looks for."""

    def __init__(self, goal):
        self._goal = goal

    def goal(self, _cells):
        return self._goal

    def sees_whole_game(self, _cells):
        return False


def test_search_beside_walls_is_told_what_tables_know(folder):
    walls = [14, 13, 12, 11, 10, 9, 8, 6, 6, 1, 0, 0, 0, 0, 0, 0]
    with Tablebase.open(folder) as table:
        open_tables = Shelf(CachedTable(table))
        cases = (
            (11, walls, True),
            (0, walls, False),  # lines evaluate
            (11, [14, 13, 12, 11, 10, 9, *[1, 2] * 5], False),  # no table is near
        )
        for goal, board, is_told in cases:
            dispatcher, answers = Dispatcher(open_tables, Walls(goal)), []
            dispatcher.choose(board, asked_search(answers))
            ((asked, known),) = answers
            assert (asked, known is not None) == (board, is_told)
            assert dispatcher.may_apply(board) == is_told


def test_a_table_that_takes_its_time_is_not_asked_ahead(folder):
    walls = [14, 13, 12, 11, 10, 9, 8, 6, 6, 1, 0, 0, 0, 0, 0, 0]
    with Tablebase.open(folder) as table:
        table.is_quick = False
        answers = []
        Dispatcher(Shelf(CachedTable(table)), Walls(GOAL)).choose(walls, asked_search(answers))
    assert answers == [(walls, None)]
