"""Where a network for whole games is at home, and what evaluates elsewhere."""

import json

import numpy as np
import pytest

from ai.dispatch.dispatcher import Dispatcher
from ai.errors import WeightsError
from ai.evaluation.evaluation import Evaluation, load_evaluation
from ai.evaluation.familiar_shapes import Familiarity, FamiliarShapes, shapes_beside
from ai.evaluation.game_net import N_STAGES
from ai.evaluation.game_net_file import DEFAULT_NETWORK
from ai.evaluation.stage_file import StageWeights
from ai.evaluation.staged_net import StagedNet
from ai.match.players import MainPlayer
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from engine.bitboard import cells as cells_of

E = 0
ROW = [13, 14, 12, E, 3, 2, 1, E, 1, E, E, E, E, E, E, E]
COLUMN = [2, 3, E, E, E, 1, E, 12, E, E, 1, 14, E, E, E, 13]  # the same, turned
CORNER = [14, 13, 12, E, 3, 2, 1, E, 1, E, E, E, E, E, E, E]
SMALL = [10, 9, 8, 7, 3, 2, 1, E, 1, E, E, E, E, E, E, E]


@pytest.mark.parametrize(
    ("cells", "is_known"),
    [
        (ROW, True),
        (COLUMN, True),
        (CORNER, False),
        (SMALL, True),
        ([16 if t == 14 else t for t in ROW], True),  # order matters, not size
        ([*ROW[:3], 11, *ROW[4:]], False),  # four have a shape of their own
        ([*ROW[:4], 11, *ROW[5:]], True),
        ([*ROW[:4], 11, *ROW[5:-1], 11], True),  # of two alike either may be meant
        ([*ROW[:4], 13, *ROW[5:-1], 12], True),
        ([15, 16, 14, 11, 13, *ROW[5:]], True),  # the first four count
        ([15, 16, 14, 13, 11, *ROW[5:]], False),
        ([*ROW[:3], 12, *ROW[4:]], True),  # of two alike either may be meant
        ([13, 14, E, E, 12, *ROW[5:]], False),
        ([E, 14, E, E, E, *ROW[5:]], True),  # one may stand anywhere
        ([E, 14, 13, E, E, *ROW[5:]], False),
        ([14] * 16, True),  # all are one
        ([14, 13, 12] * 5 + [1], False),
    ],
)
def test_a_shape_is_known_in_all_its_images(cells, is_known):
    shapes = FamiliarShapes([(1, 0, 2), (1, 0, 2, 4)])
    assert shapes.has(cells) == is_known
    assert shapes.has(np.array(cells, np.uint8)) == is_known


def test_no_file_is_no_shapes_and_a_bad_one_says_what_was_expected(tmp_path):
    net, beside = tmp_path / "a.net", tmp_path / "a.shapes.json"
    assert shapes_beside(net) is None
    for data in (
        {"version": 2, "shapes": ["10"]},
        {"version": 1},
        {"version": 1, "shapes": "10"},
        {"version": 1, "shapes": [10]},
        {"version": 1, "shapes": ["1"]},
        {"version": 1, "shapes": ["01234"]},
        {"version": 1, "shapes": ["0g"]},
        {"version": 1, "shapes": ["00"]},
        {"version": 1, "shapes": ["10"], "with_largest": ["10"]},
        {"version": 1, "shapes": ["10"], "with_largest": {"8191": ["10"]}},
        {"version": 1, "shapes": ["10"], "with_largest": {"8192": "10"}},
        {"version": 1, "shapes": ["10"], "with_largest": {"8192": ["1"]}},
        ["10"],
    ):
        beside.write_text(json.dumps(data))
        with pytest.raises(WeightsError, match="list of shapes, such as 01 or 120"):
            shapes_beside(net)
    beside.write_text("{")
    with pytest.raises(WeightsError, match="not valid JSON"):
        shapes_beside(net)
    beside.write_text(json.dumps({"version": 1, "shapes": ["102", "f0"]}))
    found = shapes_beside(net)
    assert found is not None
    assert found.has(ROW)
    assert not found.has(CORNER)


def test_some_shapes_are_known_beside_one_largest_tile_only(tmp_path):
    net, beside = tmp_path / "a.net", tmp_path / "a.shapes.json"
    listed = {"version": 1, "shapes": ["102"], "with_largest": {"8192": ["f0"], "16384": ["012"]}}
    beside.write_text(json.dumps(listed))
    found = shapes_beside(net)
    assert found is not None
    assert found.has(ROW)
    assert found.has(CORNER)
    assert not found.has([15 if t == 14 else t for t in CORNER])
    assert not found.has([t - 1 if t > 11 else t for t in CORNER])
    assert not found.has_four([*CORNER[:4], 11, *CORNER[5:]])


@pytest.fixture(scope="module")
def lines() -> Evaluation:
    return load_evaluation()


@pytest.fixture(scope="module")
def mixed(lines: Evaluation) -> Evaluation:
    stages = [StageWeights(np.zeros(0, np.uint32), np.zeros(0, np.int16))] * N_STAGES
    return Evaluation.of_network(StagedNet(stages, 1.0), 0.1, (FamiliarShapes([(1, 0, 2)]), lines))


FAR = [E, 9, E, E, E, E, 8, E, E, E, 7, E, E, E, E, E]  # of another game than all others here
WALLED = [14, 13, E, E, 12, 11, E, E, 2, 10, 1, E, 1, E, E, E]


@pytest.mark.thorough
def test_other_positions_are_left_to_lines(mixed, lines):
    search = Search(mixed)
    for cells, want in ((CORNER, lines), (WALLED, lines), (ROW, mixed)):
        assert search.evaluation_of(np.array(cells, np.uint8)) is want
        assert search.goal(cells) == want.goal(cells)
    assert lines.goal(WALLED) == 11
    assert Search(lines).evaluation_of(ROW) is lines
    pure = Evaluation.of_network(StagedNet([], 1.0))
    assert Search(pure).evaluation_of(CORNER) is pure


def plus(cells: list[int], more: int) -> list[int]:
    """Return a position whose tiles add up to so much more: 4s, or a 4 less."""
    found = list(cells)
    for cell in (12, 13, 14, 15):
        if more > 0:
            found[cell] = more.bit_length() - 1
            more -= 1 << found[cell]
    if more < 0:
        assert found[5] == 2
        found[5] = 0
    return found


def test_a_game_that_was_at_home_goes_on_there():
    home, away = ROW, CORNER
    assert sum(1 << t for t in home if t) == sum(1 << t for t in away if t)
    followed = Familiarity(FamiliarShapes([(1, 0, 2)]))
    assert not followed.is_at_home(away)
    assert followed.is_at_home(home)
    assert followed.is_at_home(plus(away, 4))
    assert followed.is_at_home(plus(away, 4)), "asked twice"
    assert followed.is_at_home(plus(away, 4 + 128))
    assert followed.is_at_home(away) is False, "another game"
    assert followed.is_at_home(plus(away, 4)) is False, "and on in that"
    for more, is_home in ((128, True), (128 + 2, False), (-4, True)):
        followed.forget()
        assert followed.is_at_home(home)
        assert followed.is_at_home(plus(away, more)) is is_home
    followed.forget()
    assert not followed.is_at_home(away)


@pytest.mark.thorough
def test_a_search_forgets_what_the_last_game_was(mixed):
    for search in (Search(mixed), ParallelSearch(mixed, 2)):
        assert search.by_nodes(ROW, 100).are_points
        assert search.by_nodes(CORNER, 100).are_points
        search.forget()
        assert not search.by_nodes(CORNER, 100).are_points


@pytest.mark.thorough
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_changes_its_way_with_the_evaluation(mixed, lines, threads):
    """What was found by one evaluation must never answer for the other."""
    search = Search(mixed) if threads == 1 else ParallelSearch(mixed, 2, least_nodes=1)
    for _ in range(2):
        search.by_nodes(FAR, 10)
        answer = search.by_nodes(ROW, 2_000)
        assert answer.are_points
        assert not answer.is_chance
        assert search.settings == SearchSettings.of(mixed.look(np.array(ROW, np.uint8))[0])
        for cells in (CORNER, WALLED):
            search.by_nodes(FAR, 10)
            fresh = Search(lines) if threads == 1 else ParallelSearch(lines, 2, least_nodes=1)
            if cells is WALLED:
                fresh.by_nodes(CORNER, 2_000)
            got, want = search.by_nodes(cells, 2_000), fresh.by_nodes(cells, 2_000)
            assert not got.are_points
            assert got.values == want.values
            assert got.is_chance == (cells is WALLED)
        assert search.settings == SearchSettings()
    given = Search(mixed, SearchSettings(max_depth=2))
    given.by_nodes(ROW, 100)
    assert given.settings == SearchSettings(max_depth=2)


class NoTables:
    """A player without tables."""

    def tables(self) -> list:
        return []

    def drop(self, table: object, error: Exception) -> None:
        raise AssertionError(table, error)


@pytest.mark.thorough
def test_a_decision_says_that_its_values_are_points(mixed):
    search = Search(mixed)
    dispatcher = Dispatcher(NoTables(), search)
    for cells, are_points in ((CORNER, False), (ROW, True)):
        found = dispatcher.choose(cells, lambda one, known: search.by_nodes(one, 300, known))
        assert found.are_points == search.sees_whole_game(cells) == are_points


def test_the_network_of_the_program_knows_its_games_and_no_others():
    shapes = shapes_beside(DEFAULT_NETWORK)
    assert shapes is not None
    assert shapes.has(ROW)  # see docs/how-the-ai-plays.md
    assert not shapes.has(CORNER)
    split = cells_of(0xD2BC_1022_0023_0002)  # of a game of its own
    assert shapes.has(split)
    assert not shapes.has([tile + (tile >= 11) for tile in split])


@pytest.mark.thorough
@pytest.mark.parametrize("start", [WALLED, CORNER, ROW])
def test_games_end_whoever_evaluates(start):
    player = MainPlayer(DEFAULT_NETWORK)
    assert player.play(3, nodes=10, start=start).moves > 30
