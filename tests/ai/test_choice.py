"""The players that the window offers."""

import threading

import psutil
import pytest

from ai.choice import CHOOSERS, LadderChooser, SearchChooser, TablesChooser, ValueKind
from engine.bitboard import LEFT, RIGHT, cells
from engine.game import Game
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.patterns_file import load_formations
from tablebase.store.options import TableOptions

OVER = cells(0x1212_2121_1212_2121)


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(CHOOSERS))
def test_each_plays_legal_moves_and_says_where_they_come_from(name):
    chooser, game = CHOOSERS[name].make([], 0.1), Game.new(seed=4)
    for _ in range(30):
        choice = chooser.choose(game.cells, 1)
        assert choice.direction in game.legal_moves()
        assert choice.source
        valued = [d for d in range(4) if choice.values[d] is not None]
        assert valued in (game.legal_moves(), [])
        if valued:
            assert choice.values[choice.direction] == max(choice.values[d] for d in valued)
        game.move(choice.direction)
    assert chooser.choose(OVER, 1).direction is None


def test_the_strongest_come_first_with_tables_and_without():
    scores = [kind.best_score for kind in CHOOSERS.values()]
    assert scores == sorted(scores, reverse=True)
    first, *others = CHOOSERS.values()
    assert first.mean_score > max(kind.best_score for kind in others), "on any machine"
    assert all(kind.mean_score <= kind.best_score for kind in CHOOSERS.values())


def test_a_network_asks_small_tables_only_where_they_are_hard():
    tables, network = CHOOSERS["tables"], CHOOSERS["network_search"]
    assert tables.uses(7, 10)
    assert [network.uses(exponent, 10) for exponent in (8, 9, 10)] == [False, True, True]
    assert not CHOOSERS["search"].uses(10, 10)


def test_chance_takes_every_legal_move():
    chooser = LadderChooser("random")
    board = cells(0x0100_0000_0000_0000)
    assert {chooser.choose(board, 1).direction for _ in range(60)} == {LEFT, RIGHT, 3}


@pytest.mark.thorough
def test_a_search_of_minutes_ends_when_stopped():
    chooser = SearchChooser()
    board = cells(0x0010_0120_1230_2431)
    chooser.choose(board, 1)
    thread = threading.Thread(target=chooser.choose, args=(board, 3_600_000), daemon=True)
    thread.start()
    thread.join(0.3)
    assert thread.is_alive(), "it has an hour"
    chooser.stop()
    thread.join(100)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Two tables: of the usual game, and of one with more fours."""
    folder = tmp_path_factory.mktemp("tables")
    for target, spawn4 in ((64, 0.1), (128, 0.3)):
        options = TableOptions(spawn4=spawn4)
        build(
            BuildPlan(load_formations()["44"], target, folder / f"44_{target}", options, threads=1)
        )
    return folder


IN_TABLE = (15, 14, 13, 12, 11, 10, 9, 8, 3, 1, 2, 0, 1, 0, 0, 0)  # eight large tiles above


@pytest.mark.thorough
@pytest.mark.parametrize(("spawn4", "source"), [(0.1, "44_64"), (0.3, "44_128"), (0.2, "Search")])
def test_only_tables_of_the_games_share_of_fours_are_asked(tables, spawn4, source):
    chooser = TablesChooser([tables], spawn4)
    choice = chooser.choose(IN_TABLE, 1)
    chooser.release()
    assert choice.source.split(",")[0] == source


@pytest.mark.thorough
def test_a_player_that_let_go_has_no_files_open_and_asks_what_is_there_then(tables):
    chooser = TablesChooser([tables])
    before = chooser.choose(IN_TABLE, 1)
    chooser.release()
    opened = [file.path for file in psutil.Process().open_files()]
    assert not [path for path in opened if str(tables) in path]
    kept = tables.parent / "44_64_away"
    (tables / "44_64").rename(kept)
    assert chooser.choose(IN_TABLE, 1).source.startswith("Search")
    chooser.release()
    kept.rename(tables / "44_64")
    assert chooser.choose(IN_TABLE, 1) == before
    chooser.release()


@pytest.mark.thorough
def test_search_reckons_with_the_share_of_fours():
    usual, many = SearchChooser(None, 0.1), SearchChooser(None, 1.0)
    board = cells(0x0000_0000_0100_1220)
    assert usual.choose(board, 20).values != many.choose(board, 20).values


@pytest.mark.parametrize("make", [SearchChooser, lambda: TablesChooser([])])
def test_beside_walls_the_values_are_told_as_chances(make):
    chooser = make()
    walls = [14, 13, 12, 1, 11, 10, 3, 2, 0, 0, 0, 0, 1, 0, 0, 0]
    choice = chooser.choose(walls, 5)
    assert choice.kind is ValueKind.CHANCES
    assert all(0 <= value <= 1 for value in choice.values if value is not None)
    assert chooser.choose([1, 2, 1, 3] + [0] * 12, 5).kind is ValueKind.VALUES
