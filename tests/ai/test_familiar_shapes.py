"""Where a network for whole games is at home, and what evaluates elsewhere."""

import json
from pathlib import Path

import numpy as np
import pytest

from ai.dispatch.dispatcher import Dispatcher
from ai.errors import WeightsError
from ai.evaluation.evaluation import Evaluation, load_evaluation, read_weights
from ai.evaluation.familiar_shapes import FamiliarShapes, shapes_beside
from ai.evaluation.game_net import N_STAGES
from ai.evaluation.game_net_file import DEFAULT_NETWORK
from ai.evaluation.stage_file import StageWeights
from ai.evaluation.staged_net import StagedNet
from ai.match.players import MainPlayer
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, Settings

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
        ([*ROW[:3], 11, *ROW[4:]], True),  # the first three count
        ([*CORNER[:3], 11, *CORNER[4:]], False),
        ([*ROW[:3], 12, *ROW[4:]], True),  # of two alike either may be meant
        ([13, 14, E, E, 12, *ROW[5:]], False),
        ([E, 14, E, E, E, *ROW[5:]], True),  # one may stand anywhere
        ([E, 14, 13, E, E, *ROW[5:]], False),
        ([14] * 16, True),  # all are one
        ([14, 13, 12] * 5 + [1], False),
    ],
)
def test_a_shape_is_known_in_all_its_images(cells: list[int], is_known: bool) -> None:
    shapes = FamiliarShapes([(1, 0, 2)])
    assert shapes.has(cells) == is_known
    assert shapes.has(np.array(cells, np.uint8)) == is_known


def test_no_file_is_no_shapes_and_a_bad_one_says_what_was_expected(tmp_path: Path) -> None:
    net, beside = tmp_path / "a.net", tmp_path / "a.shapes.json"
    assert shapes_beside(net) is None
    for data in (
        {"version": 2, "shapes": ["10"]},
        {"version": 1},
        {"version": 1, "shapes": "10"},
        {"version": 1, "shapes": [10]},
        {"version": 1, "shapes": ["1"]},
        {"version": 1, "shapes": ["0123"]},
        {"version": 1, "shapes": ["0g"]},
        {"version": 1, "shapes": ["00"]},
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


@pytest.fixture(scope="module")
def lines() -> Evaluation:
    return load_evaluation()


@pytest.fixture(scope="module")
def mixed(lines: Evaluation) -> Evaluation:
    stages = [StageWeights(np.zeros(0, np.uint32), np.zeros(0, np.int16))] * N_STAGES
    return Evaluation.of_network(StagedNet(stages, 1.0), 0.1, (FamiliarShapes([(1, 0, 2)]), lines))


WALLED = [14, 13, E, E, 12, 11, E, E, 2, 10, 1, E, 1, E, E, E]


def test_other_positions_are_left_to_lines(mixed: Evaluation, lines: Evaluation) -> None:
    assert mixed.look(np.array(ROW, np.uint8))[0].is_network
    for cells in (CORNER, WALLED):
        array = np.array(cells, np.uint8)
        for look in ("look", "look_without_walls"):
            phase, board = getattr(mixed, look)(array)
            want, want_board = getattr(lines, look)(array)
            assert phase is want
            assert board == want_board
            assert not phase.is_network
        assert mixed.goal(cells) == lines.goal(cells)
    assert lines.goal(WALLED) == 11
    assert mixed.has_net
    assert not Evaluation.of_network(StagedNet([], 1.0)).has_net
    assert not Evaluation(read_weights()).has_net


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_changes_its_way_with_the_evaluation(
    mixed: Evaluation, lines: Evaluation, threads: int
) -> None:
    """What was found by one evaluation must never answer for the other."""
    search = Search(mixed) if threads == 1 else ParallelSearch(mixed, 2, least_nodes=1)
    for _ in range(2):
        answer = search.by_nodes(ROW, 2_000)
        assert answer.are_points
        assert not answer.is_chance
        assert search.settings == Settings.of(mixed.look(np.array(ROW, np.uint8))[0])
        for cells in (CORNER, WALLED):
            fresh = Search(lines) if threads == 1 else ParallelSearch(lines, 2, least_nodes=1)
            if cells is WALLED:
                fresh.by_nodes(CORNER, 2_000)
            got, want = search.by_nodes(cells, 2_000), fresh.by_nodes(cells, 2_000)
            assert not got.are_points
            assert got.values == want.values
            assert got.is_chance == (cells is WALLED)
        assert search.settings == Settings()
    given = Search(mixed, Settings(max_depth=2))
    given.by_nodes(ROW, 100)
    assert given.settings == Settings(max_depth=2)


class NoTables:
    """A player without tables."""

    def tables(self) -> list:
        return []

    def drop(self, table: object, error: Exception) -> None:
        raise AssertionError(table, error)


def test_a_decision_says_that_its_values_are_points(mixed: Evaluation) -> None:
    search, dispatcher = Search(mixed), Dispatcher(NoTables(), mixed.goal)
    for cells, are_points in ((ROW, True), (CORNER, False)):
        found = dispatcher.choose(cells, lambda one, known: search.by_nodes(one, 300, known))
        assert found.are_points == are_points


def test_the_network_of_the_program_knows_its_games_and_no_others() -> None:
    shapes = shapes_beside(DEFAULT_NETWORK)
    assert shapes is not None
    assert shapes.has(ROW)  # see docs/how-the-ai-plays.md
    assert not shapes.has(CORNER)


@pytest.mark.parametrize("start", [WALLED, CORNER, ROW])
def test_games_end_whoever_evaluates(start: list[int]) -> None:
    player = MainPlayer(DEFAULT_NETWORK)
    assert player.play(3, nodes=10, start=start).moves > 100
