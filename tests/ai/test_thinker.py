"""Tables and search step by step: budgets, ends, and the reported line."""

from collections.abc import Sequence

import pytest

from ai.dispatch.thinker import Budget, Thinker
from ai.search.search import FIRST_NODES, Search, SearchAnswer, answers
from engine.game import Game

OPEN = (1, 2, 3, 4, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0)
FORCED = (1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)  # only to the right


class Script(Search):
    """A search whose answers are written down: depths, and the share of the budget it uses."""

    def __init__(self, depths: Sequence[int], share: float = 1.0) -> None:
        self.depths, self.share = list(depths), share
        self.budgets: list[int] = []

    def by_nodes(self, _cells: object, nodes: int, *_more: object) -> SearchAnswer:
        self.budgets.append(nodes)
        depth = self.depths[min(len(self.budgets), len(self.depths)) - 1]
        return SearchAnswer(depth % 4, (float(depth),) * 4, depth, int(nodes * self.share), 1.0)


@pytest.fixture(scope="module")
def thinker() -> Thinker:
    return Thinker([])


def run(search: Search, nodes: int | None) -> list[SearchAnswer]:
    return list(answers(search, OPEN, nodes, None, lambda: False))


def test_each_step_has_twice_the_budget_until_the_nodes_are_used():
    search = Script([3, 4, 5, 6])
    told = run(search, 5 * FIRST_NODES)
    assert search.budgets == [FIRST_NODES, 2 * FIRST_NODES, 2 * FIRST_NODES]
    assert [one.nodes for one in told] == [FIRST_NODES, 3 * FIRST_NODES, 5 * FIRST_NODES]
    assert [one.depth for one in told] == [3, 4, 5]
    assert told[-1].ms == 3.0


def test_a_step_that_saw_less_does_not_count():
    told = run(Script([3, 7, 2, 7]), 15 * FIRST_NODES)
    assert [one.depth for one in told] == [3, 7, 7, 7]
    assert told[2].values == (7.0,) * 4


def test_it_ends_when_there_is_no_more_to_find_out():
    search = Script([3], share=0.5)
    assert len(run(search, None)) == 1


def test_who_does_not_want_it_any_more_gets_one_answer():
    search = Script([3])
    assert len(list(answers(search, OPEN, None, None, lambda: True))) == 1


@pytest.mark.thorough
def test_a_forced_move_is_not_thought_about_for_long(thinker):
    (*_, last) = thinker.think(FORCED, Budget())
    assert last.decision.direction == 1
    assert last.decision.depth == 1


def test_a_search_that_nobody_wants_answers_all_the_same(thinker):
    (only,) = thinker.think(OPEN, Budget(), lambda: True)
    assert only.decision.direction in Game(OPEN).legal_moves()


def test_without_a_move_there_is_none(thinker):
    (only,) = thinker.think((1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1), Budget())
    assert only.decision.direction is None


@pytest.mark.parametrize("seed", range(5))
def test_a_line_is_legal_and_of_twos(thinker, seed):
    game = Game.new(seed)
    for _ in range(30):
        game.move(game.legal_moves()[0])
    (*_, found) = thinker.think(game.cells, Budget(nodes=3000))
    assert found.decision.direction is not None
    variation = thinker.variation(game.cells, found.decision.direction)
    assert variation[0].direction == found.decision.direction
    assert 1 < len(variation) <= 4
    for ply in variation:
        assert ply.spawned is None or ply.spawned[1] == 1
        assert game.move(ply.direction, ply.spawned)
    assert variation[-1].spawned is None


@pytest.mark.parametrize("large", [15, 16])
def test_a_line_begins_with_the_merge_of_two_large_tiles(thinker, large):
    cells = (large, large, 3, 4, 1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2)
    (*_, found) = thinker.think(cells, Budget(nodes=1000))
    assert found.decision.direction in (0, 1)
    first, *_ = thinker.variation(cells, found.decision.direction)
    assert first.spawned == (3 if found.decision.direction == 0 else 0, 1)


@pytest.mark.thorough
def test_a_folder_without_tables_is_no_trouble(tmp_path):
    found = list(Thinker([tmp_path, tmp_path / "nothing"]).think(OPEN, Budget(nodes=100)))
    assert found[-1].decision.source == "search"
