"""Tests without a window: what is judged against what, who is quick, and how it ends."""

from dataclasses import replace

import pytest

from coach.exam.session import End, Refusal
from coach.grading.grade import Grade
from engine.bitboard import cells
from engine.platform.errors import AppError, InvalidBoardError
from engine.spawn import Rng
from gui.exam.controller import ExamController, Rules
from gui.exam.text import refusal_text
from tablebase.errors import ProbeError
from tablebase.probe.probes import Probe
from tests.coach.games import probed
from tests.gui.exam.examiner_stage import (
    DOWN,
    LEFT,
    NOW,
    RIGHT,
    UP,
    Screen,
    moves,
    new_examiner,
    playing,
)
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    FakeClock,
    FakeFormation,
    FakeOpener,
    FakeTable,
    FakeTasks,
)
from tests.oracle import images

FULL = 0x1212_2121_1212_2121


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def tasks() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def screen() -> Screen:
    return Screen()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(100.0)


@pytest.fixture
def examiner(
    table: FakeTable, tasks: FakeTasks, screen: Screen, clock: FakeClock
) -> ExamController:
    return new_examiner(table, tasks, screen, clock)


def test_a_test_begins_where_the_table_says(examiner: ExamController, screen: Screen) -> None:
    assert playing(examiner).board == L3_START
    assert playing(examiner).setup.table == "L3_256"
    assert screen.told == ["start", "ready"]


def test_a_start_is_turned_unless_that_is_switched_off(examiner: ExamController) -> None:
    examiner.rules = Rules(is_turned=True)
    found = set()
    for _ in range(100):
        examiner.new_start()
        found.add(tuple(cells(playing(examiner).board)))
    assert found == {tuple(image) for image in images(cells(L3_START), "full")}
    examiner.rules = Rules(is_turned=False)
    examiner.new_start()
    assert playing(examiner).board == L3_START


def test_walls_are_never_turned(tasks: FakeTasks, screen: Screen) -> None:
    walled = FakeTable(formation=FakeFormation(walls=True), start=0x1000_0FFF_0FFF_FFFF)
    examiner = ExamController(lambda _: walled, tasks, screen, Rng(1))
    for _ in range(20):
        examiner.open(TABLE_PATH, "2x4_256")
        assert playing(examiner).board == walled.start


def test_a_move_is_judged_by_the_position_before_it(
    examiner: ExamController, screen: Screen
) -> None:
    examiner.press(RIGHT)
    move = moves(examiner)[0]
    assert move.rates == (None, 0.98, 0.9931, 0.7)
    assert move.judgement.grade is Grade.INACCURATE
    assert screen.told[-2:] == [move, "ready"]
    assert screen.mistakes == [(L3_START, Grade.INACCURATE, 1)]


def test_a_perfect_move_is_no_mistake(examiner: ExamController, screen: Screen) -> None:
    examiner.press(UP)
    assert moves(examiner)[0].judgement.is_perfect
    assert screen.mistakes == []


def test_a_fast_typist_never_gets_a_stale_answer(
    examiner: ExamController, table: FakeTable, tasks: FakeTasks
) -> None:
    """However late the answers come, each move is judged by those for its own position."""
    tasks.at_once = False
    for number in range(60):
        examiner.press((UP, RIGHT, DOWN, LEFT)[number % 4])
        examiner.press((LEFT, UP, RIGHT, DOWN)[number % 4])
        assert len(tasks.waiting) <= 1
        if number % 3 == 0:
            tasks.work_off(1)
        if not examiner.is_playing:
            break
    tasks.work_off()
    assert len(moves(examiner)) > 5
    for move in moves(examiner):
        assert move.rates == table.probe(move.board).rates


def test_a_held_move_that_leaves_the_formation_is_refused_when_that_is_known(
    examiner: ExamController, table: FakeTable, tasks: FakeTasks, screen: Screen
) -> None:
    tasks.at_once = False
    examiner.press(UP)
    board = playing(examiner).board
    legal = [d for d in range(4) if playing(examiner).is_legal(d)]
    rates = [0.5 if d in legal else None for d in range(4)]
    rates[legal[0]] = None
    table.rates[board] = tuple(rates)
    examiner.press(legal[0])
    tasks.work_off()
    assert screen.told[-1] == (legal[0], Refusal.LEAVES)
    examiner.press(legal[1])
    assert len(moves(examiner)) == 2


class Pruned(FakeTable):
    """Knows that up is best, and no rates after right."""

    is_thinned = True
    is_sure = True  # of the best move

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        rates = list(super().probe(board, comes_up).rates)
        rates[LEFT], rates[UP] = None, rates[UP] and 0.9931
        unknown = () if rates[RIGHT] is None else (RIGHT,)
        rates[RIGHT] = None
        return probed(board, tuple(rates), UP if self.is_sure or not unknown else None, unknown)


def test_a_move_of_which_a_pruned_table_knows_nothing_is_refused(
    tasks: FakeTasks, screen: Screen, clock: FakeClock
) -> None:
    examiner = new_examiner(Pruned(), tasks, screen, clock)
    examiner.press(RIGHT)
    assert screen.told[-1] == (RIGHT, Refusal.UNKNOWN)
    assert moves(examiner) == ()
    text = refusal_text(RIGHT, Refusal.UNKNOWN, "L3_256")
    assert "table can't rate right" in text
    examiner.press(UP)
    move = moves(examiner)[0]
    assert (move.rates[RIGHT], move.unknown) == (None, (RIGHT,))
    assert move.judgement.is_perfect
    assert not move.judgement.is_forced


def test_a_test_ends_where_even_the_best_move_is_not_known(
    tasks: FakeTasks, screen: Screen, clock: FakeClock
) -> None:
    table = Pruned()
    examiner = new_examiner(table, tasks, screen, clock)
    table.is_sure = False
    examiner.press(UP)
    assert screen.told[-1] is End.OUTSIDE


def test_an_illegal_move_is_told_at_once(
    examiner: ExamController, tasks: FakeTasks, screen: Screen
) -> None:
    tasks.at_once = False
    examiner.press(LEFT)
    assert screen.told[-1] == (LEFT, Refusal.ILLEGAL)
    assert moves(examiner) == ()


def test_the_time_of_a_held_move_is_that_of_the_key(
    examiner: ExamController, tasks: FakeTasks, clock: FakeClock
) -> None:
    clock.seconds += 1.5
    tasks.at_once = False
    examiner.press(UP)
    clock.seconds += 2
    examiner.press(RIGHT)
    clock.seconds += 60  # a slow drive must not count
    tasks.work_off()
    assert [move.ms for move in moves(examiner)] == [1500, 2000]


@pytest.mark.parametrize(
    ("rates", "end"),
    [((0.0,) * 4, End.LOST), ((None,) * 4, End.NO_MOVE)],
)
def test_a_test_ends_when_nothing_is_left(
    tasks: FakeTasks, screen: Screen, rates: tuple[float | None, ...], end: End
) -> None:
    class Dying(FakeTable):
        def probe(self, board: int, comes_up: bool = False):  # type: ignore[no-untyped-def]
            if board != L3_START:
                self.rates[board] = rates
            return super().probe(board, comes_up)

    examiner = ExamController(lambda _: Dying(), tasks, screen, Rng(1), now=lambda: NOW)
    examiner.rules = Rules(is_turned=False)
    examiner.open(TABLE_PATH, "L3_256")
    examiner.press(UP)
    assert screen.told[-1] is end
    assert screen.kept == [playing(examiner)]
    assert (playing(examiner).end, playing(examiner).ended) == (end, NOW)
    examiner.press(UP)
    assert len(moves(examiner)) == 1


def test_reaching_the_target_ends_the_test(examiner: ExamController, screen: Screen) -> None:
    examiner.start_at("10000077 1fff2fff")
    examiner.press(RIGHT)
    assert screen.told[-1] is End.REACHED
    assert len(screen.kept) == 1


def test_what_the_table_does_not_cover_ends_the_test(
    examiner: ExamController, table: FakeTable, screen: Screen
) -> None:
    def probe(_board: int, _comes_up: bool = False) -> None:
        raise ProbeError("its tiles add up to 300")

    table.probe = probe  # type: ignore[method-assign,assignment]
    examiner.press(UP)
    assert screen.told[-1] is End.OUTSIDE


def test_a_drive_that_fails_does_not_end_the_test(
    examiner: ExamController, table: FakeTable, screen: Screen
) -> None:
    def probe(_board: int, _comes_up: bool = False) -> None:
        raise AppError("layer 17 is damaged")

    usual, table.probe = table.probe, probe  # type: ignore[method-assign,assignment]
    examiner.press(UP)
    assert screen.told[-1] == "layer 17 is damaged"
    assert playing(examiner).end is None
    assert screen.kept == []
    examiner.press(RIGHT)
    assert len(moves(examiner)) == 1
    table.probe = usual  # type: ignore[method-assign]
    session = playing(examiner)
    examiner.open(TABLE_PATH, "L3_256", session.copy())
    examiner.press(next(d for d in (UP, RIGHT, DOWN) if session.is_legal(d)))
    assert len(moves(examiner)) == 2


def test_a_test_that_is_left_is_kept_once(examiner: ExamController, screen: Screen) -> None:
    examiner.restart()
    assert screen.kept == []  # nothing was played
    examiner.press(UP)
    first = playing(examiner)
    examiner.restart()
    assert screen.kept == [first]
    assert first.end is None
    assert playing(examiner) is not first
    assert playing(examiner).score.n_moves == 0
    examiner.close()
    assert screen.kept == [first]


def test_a_test_that_is_over_is_not_kept_again(examiner: ExamController, screen: Screen) -> None:
    examiner.start_at("10000077 1fff2fff")
    examiner.press(RIGHT)
    examiner.restart()
    assert len(screen.kept) == 1


def test_a_typed_start_is_where_the_next_test_begins_too(examiner: ExamController) -> None:
    examiner.rules = replace(examiner.rules, is_turned=True)
    examiner.start_at("2000 0000 1fff 2fff")
    assert playing(examiner).board == 0x2000_0000_1FFF_2FFF
    seed = playing(examiner).setup.seed
    examiner.restart()
    assert playing(examiner).board == 0x2000_0000_1FFF_2FFF
    assert playing(examiner).setup.seed != seed
    examiner.new_start()
    assert not playing(examiner).setup.is_given


@pytest.mark.parametrize("text", ["", "12", "xyz", "0" * 16])
def test_what_is_no_position_is_refused(examiner: ExamController, text: str) -> None:
    before = playing(examiner)
    with pytest.raises(InvalidBoardError):
        examiner.start_at(text)
    assert playing(examiner) is before


def test_a_start_outside_the_table_leaves_the_test_as_it_is(
    examiner: ExamController, table: FakeTable, screen: Screen
) -> None:
    before = playing(examiner)
    table.outside.add(0x1234_5678_1234_5678)
    examiner.start_at("1234567812345678")
    assert "the large tiles are not where L3 has them" in screen.told
    table.rates[0x2000_0000_1FFF_2FFF] = (0.0, 0.0, None, None)
    examiner.start_at("200000001fff2fff")
    assert "the table knows no way to the target from there" in screen.told
    assert playing(examiner) is before
    examiner.press(UP)
    assert len(moves(examiner)) == 1


def test_a_rematch_has_the_same_start_and_the_same_tiles(examiner: ExamController) -> None:
    examiner.rules = Rules(is_turned=True)
    examiner.new_start()
    for direction in (UP, RIGHT, DOWN, LEFT) * 5:
        examiner.press(direction)
    first = playing(examiner)
    examiner.rematch()
    second = playing(examiner)
    assert (second.setup.seed, second.board) == (first.setup.seed, first.setup.start)
    for move in first.moves:
        examiner.press(move.direction)
    assert [(m.cell, m.exponent) for m in second.moves] == [
        (m.cell, m.exponent) for m in first.moves
    ]


def test_undo_only_where_it_is_allowed(examiner: ExamController, screen: Screen) -> None:
    examiner.press(RIGHT)
    examiner.undo()
    assert len(moves(examiner)) == 1
    assert not examiner.can_undo
    examiner.rules = Rules(is_turned=False, allows_undo=True)
    examiner.restart()
    examiner.press(RIGHT)
    assert examiner.can_undo
    examiner.undo()
    assert screen.told[-2:] == ["undo", "ready"]
    assert playing(examiner).board == L3_START
    examiner.press(UP)
    assert moves(examiner)[0].is_retry
    assert playing(examiner).n_undos == 1


def test_a_test_goes_on_where_it_was_left(examiner: ExamController) -> None:
    for direction in (UP, RIGHT, DOWN):
        examiner.press(direction)
    left = playing(examiner).copy()
    examiner.open(TABLE_PATH, "L3_256", left)
    assert playing(examiner) is left
    legal = next(d for d in range(4) if left.is_legal(d))
    examiner.press(legal)
    assert len(moves(examiner)) == left.n_moves >= 4


def test_the_time_for_a_move_runs_out(
    examiner: ExamController, screen: Screen, clock: FakeClock
) -> None:
    examiner.rules = Rules(is_turned=False, allows_undo=True, seconds_per_move=10)
    examiner.restart()
    clock.seconds += 9.9
    examiner.check_clock()
    examiner.press(UP)
    assert examiner.clock.left == 1
    clock.seconds += 5
    assert examiner.clock.left == 0.5
    examiner.check_clock()
    assert examiner.is_playing
    clock.seconds += 5.1
    examiner.check_clock()
    assert screen.told[-1] is End.TIME
    assert screen.kept == [playing(examiner)]
    examiner.undo()
    assert len(moves(examiner)) == 1


def test_the_clock_stands_still_while_the_page_is_hidden(
    examiner: ExamController, clock: FakeClock
) -> None:
    examiner.rules = Rules(is_turned=False, seconds_per_move=10)
    examiner.restart()
    clock.seconds += 4
    examiner.clock.pause()
    clock.seconds += 1000
    examiner.check_clock()
    assert examiner.is_playing
    examiner.clock.resume(examiner.is_playing)
    clock.seconds += 2
    examiner.press(UP)
    assert moves(examiner)[0].ms == 6000


def test_without_a_limit_there_is_no_hurry(examiner: ExamController, clock: FakeClock) -> None:
    clock.seconds += 1e6
    examiner.check_clock()
    assert examiner.is_playing
    assert examiner.clock.left == 1


def test_a_table_that_does_not_open_is_reported(
    table: FakeTable, tasks: FakeTasks, screen: Screen, clock: FakeClock
) -> None:
    opener = FakeOpener(table)
    examiner = new_examiner(opener, tasks, screen, clock)
    opener.gives = AppError("the table in x is not finished")
    examiner.open(TABLE_PATH, "L3_256")
    assert screen.told[-1] == "the table in x is not finished"
    examiner.press(UP)
    assert examiner.session is None
