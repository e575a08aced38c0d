"""Keys pressed before the table has answered: none is lost, and slowness changes nothing."""

import random
from collections.abc import Sequence

import pytest

from coach.exam.session import PlayedMove, Session
from gui.exam.controller import ExamController, Rules
from gui.exam.keys_ahead import MAX_AHEAD
from tests.gui.exam.examiner_stage import DOWN, RIGHT, UP, Screen, moves, new_examiner, playing
from tests.gui.practice_fakes import L3_START, FakeClock, FakeTable, FakeTasks

UNDO = None
WITH_UNDO = Rules(is_turned=False, allows_undo=True)


def test_keys_wait_in_line_for_a_slow_table() -> None:
    tasks, screen = FakeTasks(), Screen()
    examiner = new_examiner(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    for direction in (UP, RIGHT, DOWN, UP):  # of the first alone the answer is there
        examiner.press(direction)
    assert [move.direction for move in moves(examiner)] == [UP]
    tasks.work_off()
    assert [move.direction for move in moves(examiner)] == [UP, RIGHT, DOWN, UP]
    assert screen.told[-1] == "ready"


@pytest.mark.parametrize("seed", range(40))
def test_what_comes_of_keys_does_not_depend_on_how_fast_the_table_is(seed: int) -> None:
    chance = random.Random(seed)
    keys = chance.choices([*range(4), UNDO], [4, 4, 4, 4, 3], k=40)
    assert _typed(keys, chance, is_slow=True) == _typed(keys, chance, is_slow=False)


def test_the_time_of_each_key_is_its_own() -> None:
    tasks, clock = FakeTasks(), FakeClock(100.0)
    examiner = new_examiner(FakeTable(), tasks, Screen(), clock)
    tasks.at_once = False
    for direction, seconds in ((UP, 1.5), (RIGHT, 2.0), (DOWN, 0.25)):
        clock.seconds += seconds
        examiner.press(direction)
    clock.seconds += 60  # a slow drive must not count
    tasks.work_off()
    clock.seconds += 0.5
    examiner.press(UP)
    assert [move.ms for move in moves(examiner)] == [1500, 2000, 250, 500]


def test_an_undo_takes_back_the_last_key_even_if_that_still_waits() -> None:
    tasks, screen = FakeTasks(), Screen()
    examiner = new_examiner(FakeTable(), tasks, screen, FakeClock(100.0), WITH_UNDO)
    tasks.at_once = False
    examiner.press(UP)
    examiner.press(RIGHT)
    examiner.undo()
    assert examiner.can_undo
    tasks.work_off()
    assert [move.direction for move in moves(examiner)] == [UP]
    assert playing(examiner).n_undos == 1
    assert screen.told[-2:] == ["undo", "ready"]


def test_a_key_held_down_before_a_drive_that_sleeps_plays_no_whole_test() -> None:
    tasks = FakeTasks()
    examiner = new_examiner(FakeTable(), tasks, Screen(), FakeClock(100.0))
    tasks.at_once = False
    for number in range(300):
        examiner.press((UP, RIGHT)[number % 2])
    tasks.work_off()
    assert 0 < len(moves(examiner)) <= MAX_AHEAD + 1


def test_two_wishes_for_another_start_begin_one_test() -> None:
    tasks, screen = FakeTasks(), Screen()
    examiner = new_examiner(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    examiner.restart()
    examiner.restart()  # the key bounced
    tasks.work_off(1)
    assert examiner.session is None  # that one was for the first wish
    tasks.work_off()
    begun = playing(examiner)
    examiner.press(UP)
    tasks.work_off()
    assert examiner.session is begun
    assert screen.told.count("start") == 2


def test_a_start_that_comes_late_does_not_end_the_test_that_was_begun_meanwhile() -> None:
    tasks, screen = FakeTasks(), Screen()
    examiner = new_examiner(FakeTable(), tasks, screen, FakeClock(100.0))
    tasks.at_once = False
    examiner.new_start()
    examiner.start_at(f"{L3_START:016x}")  # its answer is there, so this one begins at once
    examiner.press(UP)
    begun = playing(examiner)
    tasks.work_off()
    assert examiner.session is begun
    assert begun.n_moves == 1


def _typed(keys: Sequence[int | None], chance: random.Random, is_slow: bool) -> list[object]:
    """Return the effects of keys: all moves, those taken back, and the resulting position."""
    tasks, screen = FakeTasks(), Screen()
    examiner = new_examiner(FakeTable(), tasks, screen, FakeClock(100.0), WITH_UNDO)
    tasks.at_once = not is_slow
    ahead = 0
    for key in keys:
        _press(examiner, key)
        ahead += 1
        if ahead == MAX_AHEAD or chance.random() < 0.2:
            tasks.work_off()
            ahead = 0
    tasks.work_off()
    done = [one for one in screen.told if one == "undo" or isinstance(one, PlayedMove)]
    return [*map(_plain, done), _summary(playing(examiner))]


def _press(examiner: ExamController, key: int | None) -> None:
    if key is UNDO:
        examiner.undo()
    else:
        examiner.press(key)


def _plain(told: object) -> object:
    return (told.board, told.direction, told.rates) if isinstance(told, PlayedMove) else told


def _summary(session: Session) -> object:
    return session.board, session.n_undos, session.end, [move.judgement for move in session.moves]
