"""The page's logic without a window: questions, late answers, adversaries."""

import pytest

from coach.grading.grade import Grade
from coach.grading.rated import Rated
from engine.platform.errors import AppError, InvalidBoardError
from engine.spawn import Rng
from gui.practice.game import PracticeGame
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tree import Step
from tablebase.errors import ProbeError
from tests.gui.practice_fakes import L3_START, TABLE_PATH, FakeOpener, FakeTable, FakeTasks

LEFT, RIGHT, UP, DOWN = range(4)


class Screen:
    def __init__(self) -> None:
        self.game: PracticeGame | None = None
        self.steps: list[tuple[Step, str]] = []
        self.answers = 0
        self.failures: list[BaseException] = []

    def show_step(self, how: str) -> None:
        assert self.game is not None
        assert self.game.step is not None
        self.steps.append((self.game.step, how))

    def show_answer(self) -> None:
        self.answers += 1

    def show_failure(self, error: BaseException) -> None:
        self.failures.append(error)


@pytest.fixture
def screen() -> Screen:
    return Screen()


@pytest.fixture
def game(opener: FakeOpener, tasks: FakeTasks, screen: Screen) -> PracticeGame:
    game = screen.game = PracticeGame(opener, tasks, screen, Rng(1))
    game.open(TABLE_PATH)
    return game


def board(game: PracticeGame) -> int:
    assert game.step is not None
    return game.step.board


def test_opening_shows_a_start_and_its_rates(game, screen):
    assert board(game) == L3_START
    assert game.answer is not None
    assert game.answer.best == UP
    assert screen.answers == 1


def test_a_table_goes_on_where_it_was_left(game):
    game.open(TABLE_PATH, "000000012fff1fff")
    assert board(game) == 0x1_2FFF_1FFF
    game.open(TABLE_PATH, "spoilt")
    assert board(game) == L3_START


def test_only_the_latest_position_is_asked_for(game, table, tasks, screen):
    tasks.at_once = False
    table.probed.clear()
    passed = [board(game)]
    for direction in (UP, RIGHT, DOWN, LEFT, UP):
        game.play(direction)
        passed.append(board(game))
        assert len(tasks.waiting) <= 1
    before, answers = passed[-2], screen.answers
    tasks.work_off(1)  # the answer to an earlier position
    assert screen.answers == answers
    assert game.answer is None
    tasks.work_off()
    assert screen.answers == answers + 1
    assert game.answer is not None
    assert set(table.probed) == {passed[1], before, passed[-1]}


def test_a_late_answer_does_not_show_after_undo(game, tasks, screen):
    tasks.at_once = False
    game.play(UP)
    game.walk(PracticeSession.undo)  # known already: answered at once
    answers = screen.answers
    tasks.work_off()
    assert screen.answers == answers
    assert board(game) == L3_START


def test_answers_of_another_table_are_dropped(game, tasks, opener):
    tasks.at_once = False
    game.play(UP)
    late = tasks.waiting[:]
    tasks.waiting.clear()
    tasks.at_once = True
    start = 0x1_2FFF_1FFF
    opener.gives = FakeTable(start=start, rates={start: (0.5, None, None, None)})
    game.open(TABLE_PATH)
    tasks.waiting[:] = late
    tasks.work_off()
    assert board(game) == 0x1_2FFF_1FFF
    assert game.answer is not None
    assert game.answer.rates == (0.5, None, None, None)


def test_the_table_before_is_closed(game, table, opener):
    opener.gives = FakeTable()
    game.open(TABLE_PATH)
    assert table.is_closed


def test_a_table_that_does_not_open_is_reported(game, screen, opener):
    opener.gives = AppError("layer 17 is damaged")
    game.open(TABLE_PATH)
    assert [str(error) for error in screen.failures] == ["layer 17 is damaged"]
    assert game.step is None
    assert not game.play(LEFT)


def test_the_last_move_is_judged_even_when_its_rates_come_late(game, tasks):
    game.play(RIGHT)
    assert game.last_move.grade is Grade.INACCURATE  # 0.98 of 0.9931: from 0.975 to 0.99
    assert game.last_move.verdict == "Right lost 1.3 points. Up was best."
    tasks.at_once = False
    game.play(LEFT)
    game.play(UP)
    game.play(RIGHT)
    tasks.work_off()
    assert game.last_move.grade is not None


def test_a_step_plays_the_best_move_as_soon_as_it_is_known(game, tasks):
    game.play_best()
    assert game.step is not None
    assert game.step.direction == UP
    tasks.at_once = False
    game.play(RIGHT)
    game.play_best()
    steps = game.session.place if game.session else None
    tasks.work_off()
    assert game.session is not None
    assert steps == (2, 2)
    assert game.session.place == (3, 3)


def test_a_failed_look_up_is_an_answer_too(game, table):
    outside = 0x1234_0000_0000_0000
    table.outside.add(outside)
    game.set_board(f"{outside:016x}")
    assert game.answer is not None
    assert "large tiles" in str(game.answer.error)
    assert game.play(DOWN)
    assert game.last_move is None


def test_a_bug_in_a_look_up_does_not_leave_the_page_waiting(game, table, screen):
    def probe(_board: int, _comes_up: bool = False) -> None:
        raise ZeroDivisionError

    table.probe = probe  # type: ignore[method-assign,assignment]
    answers = screen.answers
    game.play(UP)
    assert screen.answers == answers + 1
    assert game.answer is not None
    assert game.answer.error is not None


def test_a_cruel_tile_comes_from_the_table(game, table, tasks):
    game.set_spawn_mode(SpawnMode.WORST)
    tasks.at_once = False
    game.play(UP)
    assert game.step is not None
    assert game.step.needs_spawn
    assert not game.play(LEFT)  # the tile comes first
    after = board(game)
    table.rates.update(
        {
            after | exponent << shift: (0.9, None, None, None)
            for exponent in (1, 2)
            for shift in range(0, 64, 4)
        }
    )
    empty = next(shift for shift in range(0, 64, 4) if not after >> shift & 15)
    table.rates[after | 2 << empty] = (0.1, None, None, None)
    tasks.work_off()
    assert board(game) == after | 2 << empty


def test_undo_while_the_adversary_thinks_is_undone_for_good(game, tasks):
    game.set_spawn_mode(SpawnMode.BEST)
    tasks.at_once = False
    game.play(UP)
    game.walk(PracticeSession.undo)
    tasks.work_off()
    assert board(game) == L3_START
    game.walk(PracticeSession.redo)  # the tile that was awaited is asked for again
    tasks.work_off()
    assert game.step is not None
    assert not game.step.needs_spawn


def test_a_mode_chosen_while_a_tile_is_awaited_takes_effect(game):
    game.set_spawn_mode(SpawnMode.MANUAL)
    game.play(UP)
    assert game.awaits_hand
    game.set_spawn_mode(SpawnMode.RANDOM)
    assert not game.awaits_hand
    assert game.answer is not None


def test_a_position_that_is_none_is_refused(game):
    for text in ("", "12", "g000000000000000", "0" * 16):
        with pytest.raises(InvalidBoardError):
            game.set_board(text)
    assert board(game) == L3_START


def test_what_was_forgotten_is_asked_again(game):
    game.lookup.keep({board: Rated(error=ProbeError("x")) for board in range(30_000)})
    assert game.lookup.answer(L3_START) is None
    assert game.lookup.answer(29_999) is not None
    game.play_best()
    assert game.step is not None
    assert game.step.direction == UP
