"""What each new tile after a move leaves, and how the question is cut short."""

import pytest

from coach.play.board_edits import put
from coach.play.judge import Lookup, answer_of
from engine.bitboard import cells
from gui.practice.tile_effects import Explainer, TileEffects, rate_effects, unrated_effects
from tests.gui.practice_fakes import TABLE_PATH, FakeTable, FakeTasks, board_of

LEFT, RIGHT, UP, DOWN = range(4)
# To the right: . . . 4 over full rows, so the tile comes into one of three cells.
BOARD = board_of("2 2 . .", "2 4 8 16", "4 8 16 32", "8 16 32 64")
AFTER = board_of(". . . 4", "2 4 8 16", "4 8 16 32", "8 16 32 64")
KEPT = {(0, 1): 0.9, (0, 2): 0.8, (1, 1): 0.7, (1, 2): 0.6, (2, 1): 0.5, (2, 2): 0.1}


@pytest.fixture
def table() -> FakeTable:
    rates = {put(AFTER, *spawn): (rate, None, rate - 0.05, None) for spawn, rate in KEPT.items()}
    return FakeTable(rates=rates)


def whole(table: FakeTable, plies: int = 1) -> TileEffects:
    effects = unrated_effects(BOARD, RIGHT, False, table.spawn4, plies)
    assert effects is not None
    *_, last = rate_effects(
        effects, False, table.spawn4, lambda bs: [answer_of(table, b) for b in bs]
    )
    return last


def test_every_tile_has_its_rate_its_reply_and_its_probability(table):
    effects = whole(table)
    assert effects.after == AFTER
    assert {(s.cell, s.exponent): s.rate for s in effects.spawns} == KEPT
    assert [s.probability for s in effects.of(1).values()] == pytest.approx([0.3] * 3)
    assert [s.probability for s in effects.of(2).values()] == pytest.approx([0.1 / 3] * 3)
    assert {s.reply for s in effects.spawns} == {LEFT}
    assert all(s.margin == pytest.approx(0.05) for s in effects.spawns)


def test_the_mean_is_what_the_move_keeps(table):
    # 0.9 (0.9 + 0.7 + 0.5) / 3 + 0.1 (0.8 + 0.6 + 0.1) / 3
    assert whole(table).expected == pytest.approx(0.68)


def test_the_worst_comes_first(table):
    assert [(s.cell, s.exponent) for s in whole(table).by_harm()[:2]] == [(2, 2), (2, 1)]


def test_an_illegal_move_has_no_why():
    assert unrated_effects(AFTER, RIGHT, False, 0.1) is None


def test_tiles_that_never_come_are_left_out():
    effects = unrated_effects(BOARD, RIGHT, False, 0.0)
    assert effects is not None
    assert effects.of(2) == {}
    assert len(effects.of(1)) == 3


def test_a_position_outside_the_table_is_unknown_and_so_is_the_mean(table):
    table.outside.add(put(AFTER, 0, 1))
    effects = whole(table)
    assert effects.of(1)[0].rate is None
    assert effects.expected is None
    assert len(effects.by_harm()) == 5


def test_two_tiles_ahead_the_worst_is_told(table):
    # After a 2 in cell 0 the best reply, left, gives 2 4 . . over the same rows: two cells are
    # empty, and the slow way round asks each.
    first = put(AFTER, 0, 1)
    second = board_of("2 4 . .", "2 4 8 16", "4 8 16 32", "8 16 32 64")
    rates = {(2, 1): 0.85, (2, 2): 0.33, (3, 1): 0.95, (3, 2): 0.6}
    for spawn, rate in rates.items():
        table.rates[put(second, *spawn)] = (None, rate, rate / 2, None)
    effects = whole(table, plies=2)
    assert cells(first)[0] == 1
    assert effects.of(1)[0].worst == 0.33
    assert effects.figure(effects.of(1)[0]) == 0.33
    assert effects.of(1)[0].rate == 0.9


def test_where_nothing_can_go_wrong_the_worst_is_certain(table):
    board = put(AFTER, 1, 1)
    table.rates[board] = (1.0, None, None, None)
    table.outside |= {
        put(board_of("2 4 . .", "2 4 8 16", "4 8 16 32", "8 16 32 64"), c, e)
        for c in (2, 3)
        for e in (1, 2)
    }
    assert whole(table, plies=2).of(1)[1].worst == 1.0


@pytest.fixture
def tasks() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def explainer(table: FakeTable, tasks: FakeTasks) -> Explainer:
    lookup = Lookup(lambda _: table, tasks)
    lookup.open(TABLE_PATH, lambda _: None, lambda _: None)
    tasks.at_once = False
    return Explainer(lookup)


def test_the_answer_comes_in_parts_and_is_kept(explainer, tasks, table):
    shown: list[TileEffects] = []
    assert explainer.ask(BOARD, RIGHT, 1, shown.append)
    assert shown == []
    tasks.work_off()
    assert shown[-1] == whole(table)
    n_probed = len(table.probed)
    explainer.ask(BOARD, RIGHT, 1, shown.append)
    assert shown[-1] == shown[-2]
    assert len(table.probed) == n_probed
    assert not tasks.waiting


def test_the_latest_question_wins(explainer, tasks):
    first: list[TileEffects] = []
    second: list[TileEffects] = []
    explainer.ask(BOARD, RIGHT, 2, first.append)
    tasks.work_off(1)
    assert [effects.n_known for effects in first] == [1]
    explainer.ask(BOARD, LEFT, 1, second.append)
    tasks.work_off()
    assert len(first) == 1
    assert second[-1].direction == LEFT
    assert second[-1].is_complete


def test_a_forgotten_question_stops_asking(explainer, tasks, table):
    explainer.ask(BOARD, RIGHT, 2, lambda _: pytest.fail("nobody asks any more"))
    explainer.forget()
    table.probed.clear()
    tasks.work_off()
    assert table.probed == []


def test_a_question_forgotten_in_the_middle_stops_at_the_next_board(explainer, tasks, table):
    explainer.ask(BOARD, RIGHT, 2, lambda _: pytest.fail("nobody asks any more"))
    probe = table.probe

    def probe_once(board: int, _comes_up: bool = False) -> object:
        explainer.forget()  # as the GUI thread may at any time
        return probe(board)

    table.probe = probe_once  # type: ignore[method-assign,assignment]
    table.probed.clear()
    tasks.work_off()
    assert len(table.probed) == 1


def test_what_was_asked_answers_the_next_position_at_once(table, tasks):
    lookup = Lookup(lambda _: table, tasks)
    lookup.open(TABLE_PATH, lambda _: None, lambda _: None)
    Explainer(lookup).ask(BOARD, RIGHT, 1, lambda _: None)
    answer = lookup.answer(put(AFTER, 2, 1))
    assert answer is not None
    assert answer.best_rate == 0.5
