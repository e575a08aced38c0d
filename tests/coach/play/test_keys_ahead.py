"""Keys pressed before the table has answered: none is lost, and slowness changes nothing."""

import random
from collections.abc import Sequence

import pytest

from coach.exam.starts import ExamRules
from coach.play.player import MAX_AHEAD
from coach.play.run import PlayedMove, Run
from tests.coach.play.player_stage import (
    DOWN,
    RIGHT,
    UP,
    Screen,
    StagedPlayer,
    moves,
    new_player,
    playing,
)
from tests.gui.practice_fakes import L3_START, FakeClock, FakeTable, FakeTasks

UNDO = None
WITH_UNDO = ExamRules(is_turned=False, allows_undo=True)


def test_keys_wait_in_line_for_a_slow_table():
    tasks, screen = FakeTasks(), Screen()
    player = new_player(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    for direction in (UP, RIGHT, DOWN, UP):  # of the first alone the answer is there
        player.press(direction)
    assert [move.direction for move in moves(player)] == [UP]
    tasks.work_off()
    assert [move.direction for move in moves(player)] == [UP, RIGHT, DOWN, UP]
    assert screen.told[-1] == "ready"


@pytest.mark.parametrize("seed", range(40))
def test_what_comes_of_keys_does_not_depend_on_how_fast_the_table_is(seed):
    chance = random.Random(seed)
    keys = chance.choices([*range(4), UNDO], [4, 4, 4, 4, 3], k=40)
    assert _typed(keys, chance, is_slow=True) == _typed(keys, chance, is_slow=False)


def test_the_time_of_each_key_is_its_own():
    tasks, clock = FakeTasks(), FakeClock(100.0)
    player = new_player(FakeTable(), tasks, Screen(), clock)
    tasks.at_once = False
    for direction, seconds in ((UP, 1.5), (RIGHT, 2.0), (DOWN, 0.25)):
        clock.seconds += seconds
        player.press(direction)
    clock.seconds += 60  # a slow drive must not count
    tasks.work_off()
    clock.seconds += 0.5
    player.press(UP)
    assert [move.ms for move in moves(player)] == [1500, 2000, 250, 500]


def test_an_undo_takes_back_the_last_key_even_if_that_still_waits():
    tasks, screen = FakeTasks(), Screen()
    player = new_player(FakeTable(), tasks, screen, FakeClock(100.0), WITH_UNDO)
    tasks.at_once = False
    player.press(UP)
    player.press(RIGHT)
    player.undo()
    assert player.can_undo
    tasks.work_off()
    assert [move.direction for move in moves(player)] == [UP]
    assert playing(player).n_undos == 1
    assert screen.told[-2:] == ["undo", "ready"]


def test_a_key_held_down_before_a_drive_that_sleeps_plays_no_whole_test():
    tasks = FakeTasks()
    player = new_player(FakeTable(), tasks, Screen(), FakeClock(100.0))
    player.starts.rules = WITH_UNDO
    player.starts.restart()
    tasks.at_once = False
    player.press(UP)  # of this position the answer is there
    for _ in range(150):  # by moves alone the test would soon be over
        player.press(RIGHT)
        player.undo()
    tasks.work_off()
    assert playing(player).n_undos == MAX_AHEAD // 2


def test_a_key_pressed_in_time_counts_however_long_the_drive_takes():
    tasks, clock, screen = FakeTasks(), FakeClock(100.0), Screen()
    player = new_player(FakeTable(), tasks, screen, clock)
    player.starts.rules = ExamRules(is_turned=False, seconds_per_move=10)
    player.starts.restart()
    tasks.at_once = False
    player.press(UP)  # of the position before the answer is there
    clock.seconds += 9
    player.press(RIGHT)
    clock.seconds += 60
    player.check_clock()
    assert player.is_playing
    tasks.work_off()
    assert [move.direction for move in moves(player)] == [UP, RIGHT]


def test_an_answer_that_was_asked_for_before_another_run_is_dropped():
    tasks, answers = FakeTasks(), []
    player = new_player(FakeTable(), tasks, Screen(), FakeClock(100.0))
    tasks.at_once = False
    board = playing(player).board
    player.ask(board, answers.append)
    tasks.work_off()
    assert len(answers) == 1
    player.ask(board ^ 0x1, answers.append)
    player.starts.restart()
    tasks.work_off()
    assert len(answers) == 1


def test_two_wishes_for_another_start_begin_one_test():
    tasks, screen = FakeTasks(), Screen()
    player = new_player(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    player.starts.restart()
    player.starts.restart()  # the key bounced
    tasks.work_off(1)
    assert player.run is None  # that one was for the first wish
    tasks.work_off()
    begun = playing(player)
    player.press(UP)
    tasks.work_off()
    assert player.run is begun
    assert screen.told.count("start") == 2


def test_a_start_that_comes_late_does_not_end_the_test_that_was_begun_meanwhile():
    tasks, screen = FakeTasks(), Screen()
    player = new_player(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    player.starts.new_start()
    player.start_at(f"{L3_START:016x}")  # its answer is there, so this one begins at once
    player.press(UP)
    begun = playing(player)
    tasks.work_off()
    assert player.run is begun
    assert begun.n_moves == 1


def _typed(keys: Sequence[int | None], chance: random.Random, is_slow: bool) -> list[object]:
    """Return the effects of keys: all moves, those taken back, and the resulting position."""
    tasks, screen = FakeTasks(), Screen()
    player = new_player(FakeTable(), tasks, screen, FakeClock(100.0), WITH_UNDO)
    tasks.at_once = not is_slow
    ahead = 0
    for key in keys:
        _press(player, key)
        assert len(tasks.waiting) <= 1
        ahead += 1
        if ahead == MAX_AHEAD or chance.random() < 0.2:
            tasks.work_off()
            ahead = 0
    tasks.work_off()
    done = [one for one in screen.told if one == "undo" or isinstance(one, PlayedMove)]
    return [*map(_plain, done), _summary(playing(player))]


def _press(player: StagedPlayer, key: int | None) -> None:
    if key is UNDO:
        player.undo()
    else:
        player.press(key)


def _plain(told: object) -> object:
    return (told.board, told.direction, told.rates) if isinstance(told, PlayedMove) else told


def _summary(session: Run) -> object:
    return session.board, session.n_undos, session.end, [move.judgement for move in session.moves]
