"""Tests without a window: what is judged against what, who is quick, and how it ends."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from coach.exam.starts import ExamRules
from coach.grading.grade import Grade
from coach.play.rules import End, Refusal
from engine.bitboard import cells
from engine.platform.errors import AppError, InvalidBoardError
from gui.play.run_page import refusal_text
from tablebase.errors import ProbeError
from tablebase.probe.probes import Probe
from tests.coach.games import probed
from tests.coach.play.player_stage import (
    DOWN,
    LEFT,
    NOW,
    RIGHT,
    UP,
    Screen,
    StagedPlayer,
    moves,
    new_player,
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
def player(table: FakeTable, tasks: FakeTasks, screen: Screen, clock: FakeClock) -> StagedPlayer:
    return new_player(table, tasks, screen, clock)


def test_a_test_begins_where_the_table_says(player, screen):
    assert playing(player).board == L3_START
    assert playing(player).setup.table == "L3_256"
    assert screen.told == ["start", "ready"]


def test_a_start_is_turned_unless_that_is_switched_off(player):
    player.starts.rules = ExamRules(is_turned=True)
    found = set()
    for _ in range(100):
        player.starts.new_start()
        found.add(tuple(cells(playing(player).board)))
    assert found == {tuple(image) for image in images(cells(L3_START), "full")}
    player.starts.rules = ExamRules(is_turned=False)
    player.starts.new_start()
    assert playing(player).board == L3_START


def test_walls_are_never_turned(tasks, screen):
    walled = FakeTable(formation=FakeFormation(walls=True), start=0x1000_0FFF_0FFF_FFFF)
    player = StagedPlayer(lambda _: walled, tasks, screen, FakeClock(100.0))
    for _ in range(20):
        player.starts.open(TABLE_PATH, "2x4_256")
        assert playing(player).board == walled.start


def test_a_move_is_judged_by_the_position_before_it(player, screen):
    player.press(RIGHT)
    move = moves(player)[0]
    assert move.rates == (None, 0.98, 0.9931, 0.7)
    assert move.judgement.grade is Grade.INACCURATE
    assert screen.told[-2:] == [move, "ready"]
    assert screen.mistakes == [(L3_START, Grade.INACCURATE, 1)]


def test_a_perfect_move_is_no_mistake(player, screen):
    player.press(UP)
    assert moves(player)[0].judgement.is_perfect
    assert screen.mistakes == []


def test_a_fast_typist_never_gets_a_stale_answer(player, table, tasks):
    """However late the answers come, each move is judged by those for its own position."""
    tasks.at_once = False
    for number in range(60):
        player.press((UP, RIGHT, DOWN, LEFT)[number % 4])
        player.press((LEFT, UP, RIGHT, DOWN)[number % 4])
        assert len(tasks.waiting) <= 1
        if number % 3 == 0:
            tasks.work_off(1)
        if not player.is_playing:
            break
    tasks.work_off()
    assert len(moves(player)) > 5
    for move in moves(player):
        assert move.rates == table.probe(move.board).rates


def test_a_held_move_that_leaves_the_formation_is_refused_when_that_is_known(
    player, table, tasks, screen
):
    tasks.at_once = False
    player.press(UP)
    board = playing(player).board
    legal = [d for d in range(4) if playing(player).is_legal(d)]
    rates = [0.5 if d in legal else None for d in range(4)]
    rates[legal[0]] = None
    table.rates[board] = tuple(rates)
    player.press(legal[0])
    tasks.work_off()
    assert screen.told[-1] == (legal[0], Refusal.LEAVES)
    player.press(legal[1])
    assert len(moves(player)) == 2


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


def test_a_move_of_which_a_pruned_table_knows_nothing_is_refused(tasks, screen, clock):
    player = new_player(Pruned(), tasks, screen, clock)
    player.press(RIGHT)
    assert screen.told[-1] == (RIGHT, Refusal.UNKNOWN)
    assert moves(player) == ()
    text = refusal_text(RIGHT, Refusal.UNKNOWN, "L3_256")
    assert "table can't rate right" in text
    player.press(UP)
    move = moves(player)[0]
    assert (move.rates[RIGHT], move.unknown) == (None, (RIGHT,))
    assert move.judgement.is_perfect
    assert not move.judgement.is_forced


def test_a_test_ends_where_even_the_best_move_is_not_known(tasks, screen, clock):
    table = Pruned()
    player = new_player(table, tasks, screen, clock)
    table.is_sure = False
    player.press(UP)
    assert screen.told[-1] is End.OUTSIDE


def test_an_illegal_move_is_told_at_once(player, tasks, screen):
    tasks.at_once = False
    player.press(LEFT)
    assert screen.told[-1] == (LEFT, Refusal.ILLEGAL)
    assert moves(player) == ()


def test_the_time_of_a_held_move_is_that_of_the_key(player, tasks, clock):
    clock.seconds += 1.5
    tasks.at_once = False
    player.press(UP)
    clock.seconds += 2
    player.press(RIGHT)
    clock.seconds += 60  # a slow drive must not count
    tasks.work_off()
    assert [move.ms for move in moves(player)] == [1500, 2000]


@pytest.mark.parametrize(("rates", "end"), [((0.0,) * 4, End.LOST), ((None,) * 4, End.NO_MOVE)])
def test_a_test_ends_when_nothing_is_left(tasks, screen, rates, end):
    class Dying(FakeTable):
        def probe(self, board: int, comes_up: bool = False):  # type: ignore[no-untyped-def]
            if board != L3_START:
                self.rates[board] = rates
            return super().probe(board, comes_up)

    player = StagedPlayer(lambda _: Dying(), tasks, screen, FakeClock(100.0))
    player.starts.rules = ExamRules(is_turned=False)
    player.starts.open(TABLE_PATH, "L3_256")
    player.press(UP)
    assert screen.told[-1] is end
    assert screen.kept == [playing(player)]
    assert (playing(player).end, playing(player).ended) == (end, NOW)
    player.press(UP)
    assert len(moves(player)) == 1


def test_reaching_the_target_ends_the_test(player, screen):
    player.start_at("10000077 1fff2fff")
    player.press(RIGHT)
    assert screen.told[-1] is End.REACHED
    assert len(screen.kept) == 1


def test_what_the_table_does_not_cover_ends_the_test(player, table, screen):
    probe = Mock(side_effect=ProbeError("its tiles add up to 300"))
    table.probe = probe  # type: ignore[method-assign,assignment]
    player.press(UP)
    assert screen.told[-1] is End.OUTSIDE


def test_a_drive_that_fails_does_not_end_the_test(player, table, screen):
    probe = Mock(side_effect=AppError("layer 17 is damaged"))
    usual, table.probe = table.probe, probe  # type: ignore[method-assign,assignment]
    player.press(UP)
    assert screen.told[-1] == "layer 17 is damaged"
    assert playing(player).end is None
    assert screen.kept == []
    player.press(RIGHT)
    assert len(moves(player)) == 1
    table.probe = usual  # type: ignore[method-assign]
    session = playing(player)
    player.starts.open(TABLE_PATH, "L3_256", session.copy())
    player.press(next(d for d in (UP, RIGHT, DOWN) if session.is_legal(d)))
    assert len(moves(player)) == 2


def test_a_test_that_is_left_is_kept_once(player, screen):
    player.starts.restart()
    assert screen.kept == []  # nothing was played
    player.press(UP)
    first = playing(player)
    player.starts.restart()
    assert screen.kept == [first]
    assert first.end is None
    assert playing(player) is not first
    assert playing(player).score.n_moves == 0
    player.close()
    assert screen.kept == [first]


def test_a_test_that_is_over_is_not_kept_again(player, screen):
    player.start_at("10000077 1fff2fff")
    player.press(RIGHT)
    player.starts.restart()
    assert len(screen.kept) == 1


def test_a_typed_start_is_where_the_next_test_begins_too(player):
    player.starts.rules = replace(player.starts.rules, is_turned=True)
    player.start_at("2000 0000 1fff 2fff")
    assert playing(player).board == 0x2000_0000_1FFF_2FFF
    seed = playing(player).setup.seed
    player.starts.restart()
    assert playing(player).board == 0x2000_0000_1FFF_2FFF
    assert playing(player).setup.seed != seed
    player.starts.new_start()
    assert not playing(player).setup.is_given


@pytest.mark.parametrize("text", ["", "12", "xyz", "0" * 16])
def test_what_is_no_position_is_refused(player, text):
    before = playing(player)
    with pytest.raises(InvalidBoardError):
        player.start_at(text)
    assert playing(player) is before


def test_a_start_outside_the_table_leaves_the_test_as_it_is(player, table, screen):
    before = playing(player)
    table.outside.add(0x1234_5678_1234_5678)
    player.start_at("1234567812345678")
    assert "the large tiles are not where L3 has them" in screen.told
    table.rates[0x2000_0000_1FFF_2FFF] = (0.0, 0.0, None, None)
    player.start_at("200000001fff2fff")
    assert "the table knows no way to the target from there" in screen.told
    assert playing(player) is before
    player.press(UP)
    assert len(moves(player)) == 1


def test_a_rematch_has_the_same_start_and_the_same_tiles(player):
    player.starts.rules = ExamRules(is_turned=True)
    player.starts.new_start()
    for direction in (UP, RIGHT, DOWN, LEFT) * 5:
        player.press(direction)
    first = playing(player)
    player.starts.rematch()
    second = playing(player)
    assert (second.setup.seed, second.board) == (first.setup.seed, first.setup.start)
    for move in first.moves:
        player.press(move.direction)
    assert [(m.cell, m.exponent) for m in second.moves] == [
        (m.cell, m.exponent) for m in first.moves
    ]


def test_undo_only_where_it_is_allowed(player, screen):
    player.press(RIGHT)
    player.undo()
    assert len(moves(player)) == 1
    assert not player.can_undo
    player.starts.rules = ExamRules(is_turned=False, allows_undo=True)
    player.starts.restart()
    player.press(RIGHT)
    assert player.can_undo
    player.undo()
    assert screen.told[-2:] == ["undo", "ready"]
    assert playing(player).board == L3_START
    player.press(UP)
    assert moves(player)[0].is_retry
    assert playing(player).n_undos == 1


def test_a_test_goes_on_where_it_was_left(player):
    for direction in (UP, RIGHT, DOWN):
        player.press(direction)
    left = playing(player).copy()
    player.starts.open(TABLE_PATH, "L3_256", left)
    assert playing(player) is left
    legal = next(d for d in range(4) if left.is_legal(d))
    player.press(legal)
    assert len(moves(player)) == left.n_moves >= 4


def test_the_time_for_a_move_runs_out(player, screen, clock):
    player.starts.rules = ExamRules(is_turned=False, allows_undo=True, seconds_per_move=10)
    player.starts.restart()
    clock.seconds += 9.9
    player.check_clock()
    player.press(UP)
    assert player.clock.left == 1
    clock.seconds += 5
    assert player.clock.left == 0.5
    player.check_clock()
    assert player.is_playing
    clock.seconds += 5.1
    player.check_clock()
    assert screen.told[-1] is End.TIME
    assert screen.kept == [playing(player)]
    assert not player.can_undo
    player.undo()
    assert len(moves(player)) == 1


def test_the_clock_stands_still_while_the_page_is_hidden(player, clock):
    player.starts.rules = ExamRules(is_turned=False, seconds_per_move=10)
    player.starts.restart()
    clock.seconds += 4
    player.clock.pause()
    clock.seconds += 1000
    player.check_clock()
    assert player.is_playing
    player.clock.resume(player.is_playing)
    clock.seconds += 2
    player.press(UP)
    assert moves(player)[0].ms == 6000


def test_without_a_limit_there_is_no_hurry(player, clock):
    clock.seconds += 1e6
    player.check_clock()
    assert player.is_playing
    assert player.clock.left == 1


def test_a_table_that_does_not_open_is_reported(table, tasks, screen, clock):
    opener = FakeOpener(table)
    player = new_player(opener, tasks, screen, clock)
    opener.gives = AppError("the table in x is not finished")
    player.starts.open(TABLE_PATH, "L3_256")
    assert screen.told[-1] == "the table in x is not finished"
    player.press(UP)
    assert player.run is None
