"""A run of questions without a window: requests that overtake each other, failures, the end."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from coach.grading.grade import Grade, worth_of_answer
from coach.play.question_run import Question, QuestionRun, Tally, Verdict
from engine.platform.errors import AppError
from tests.gui.practice_fakes import FakeTasks

LEFT, RIGHT, UP, DOWN = range(4)
BOARD = 0x0000_0000_0000_0123  # nothing slides to the right or down
RATES = (0.8, None, 0.4, None)


def question(number: int, **more: Any) -> Question[str]:
    return Question(f"item {number}", number, BOARD, RATES, (LEFT,), walls=False, **more)


class Source:
    """Questions 1, 2, ..., as many as there are; the store is a list of answers."""

    def __init__(self, n: int) -> None:
        self.n, self.learned = n, 0

    def find(self, before: Question[str] | None) -> Callable[[list], int]:
        last = before.id if before else 0
        return lambda _: last + 1

    def take(self, found: int) -> tuple[Question[str] | None, int]:
        return (question(found), self.n - found + 1) if found <= self.n else (None, 0)

    def store(
        self, asked: Question[str], direction: int, seconds: float
    ) -> Callable[[list], tuple[int, int, float]]:
        def work(answers: list) -> tuple[int, int, float]:
            if asked.id == 13:
                raise AppError("no luck")
            answers.append((asked.id, direction, seconds))
            return answers[-1]

        return work

    def take_outcome(self, outcome: tuple[int, int, float]) -> None:
        self.learned = outcome[0]


class Stage:
    """A run, what it has shown, a clock; work waits until it is done if told to."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.tally = Tally()
        self.answers: list = []
        self.seconds = 100.0
        self.tasks, self.held = FakeTasks(), None  # type: FakeTasks, list | None
        self.run: QuestionRun[list, str] = QuestionRun(self, self, lambda: self.seconds)

    def ask(self, work: Callable, done: Callable, failed: Any = None) -> None:
        if self.held is None:
            self.tasks.run(lambda: work(self.answers), done, failed)
        else:
            self.held.append(lambda: self.tasks.run(lambda: work(self.answers), done, failed))

    change = ask

    def let_go(self) -> None:
        held, self.held = self.held or [], None
        for work in held:
            work()

    def show_question(self, asked: Question[str] | None) -> None:
        self.shown.append(asked.id if asked else None)

    def show_verdict(self, _asked: Question[str], verdict: Verdict) -> None:
        self.shown.append(verdict.is_right)

    def show_outcome(self, outcome: tuple[int, int, float]) -> None:
        self.shown.append(outcome)

    def show_tally(self, tally: Tally) -> None:
        self.tally = tally

    def show_failure(self, error: BaseException) -> None:
        self.shown.append(str(error))


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_questions_are_asked_answered_and_stored_until_none_is_left(stage):
    stage.run.start(Source(2))
    stage.seconds += 2.5
    assert stage.run.answer(LEFT)
    assert not stage.run.answer(UP), "only the first answer counts"
    stage.run.next()
    assert not stage.run.answer(DOWN), "nothing moves that way"
    assert stage.run.can_answer
    assert stage.run.answer(UP)
    assert stage.tally == Tally(right=1, wrong=1, streak=0, left=1)
    stage.run.next()
    assert stage.shown == [1, (1, LEFT, 2.5), True, 2, (2, UP, 0.0), False, None]
    assert stage.tally == Tally(right=1, wrong=1, streak=0, left=0)
    assert not stage.run.answer(LEFT)


def test_of_two_requests_the_latest_wins(stage):
    stage.held = []
    first, second = Source(0), Source(5)
    stage.run.start(first)
    stage.run.start(second)
    assert not stage.run.answer(LEFT), "it waits for a question"
    stage.let_go()
    assert stage.shown == [1]
    stage.held = []
    stage.run.next()
    stage.run.ask(question(9))
    stage.let_go()
    assert stage.shown == [1, 9]
    assert stage.run.can_answer


def test_an_answer_is_stored_in_the_direction_of_the_stored_position(stage):
    stage.run.start(Source(1))
    stage.run.ask(question(4, directions=(UP, DOWN, LEFT, RIGHT)))
    stage.run.answer(LEFT)
    assert stage.answers == [(4, UP, 0.0)]


def test_what_does_not_count_is_judged_and_not_stored(stage):
    stage.run.start(Source(1))
    stage.run.ask(question(4, counts=False))
    assert stage.run.answer(UP)
    assert stage.shown == [1, 4, False]
    assert (stage.answers, stage.tally.wrong) == ([], 0)


def test_an_outcome_of_an_earlier_question_is_learned_and_not_shown(stage):
    source = Source(3)
    stage.run.start(source)
    stage.held = []
    stage.run.answer(LEFT)
    stage.run.ask(question(7))
    stage.let_go()
    assert stage.shown == [1, True, 7]
    assert source.learned == 1


def test_failures_are_shown_and_the_run_goes_on(stage):
    source = Source(3)
    stage.run.start(source)
    stage.run.ask(question(13))
    stage.run.answer(LEFT)
    assert stage.shown == [1, 13, "no luck", True]
    fail = Mock(side_effect=AppError("gone"))
    find, source.find = source.find, lambda _: fail  # type: ignore[method-assign]
    stage.run.next()
    assert stage.shown[-1] == "gone"
    assert not stage.run.is_waiting
    source.find = find  # type: ignore[method-assign]
    stage.run.ask(question(1))
    stage.run.next()
    assert stage.shown[-1] == 2


def test_a_closed_run_stores_its_answer_and_shows_nothing(stage):
    stage.run.start(Source(3))
    for number in (1, 13):
        stage.run.ask(question(number))
        stage.held, stage.shown = [], []
        stage.run.answer(LEFT)
        stage.run.next()
        stage.run.close()
        stage.let_go()
        assert stage.shown == [True]
    assert stage.answers == [(1, LEFT, 0.0)]


def test_the_worth_of_an_answer():
    rates = (0.9, 0.6, None, 0.0)
    worth = [worth_of_answer(rates, (LEFT,), direction) for direction in range(4)]
    assert [loss for loss, _ in worth] == [0.0, pytest.approx(1 / 3), None, 1.0]
    assert [grade for _, grade in worth] == [Grade.PERFECT, Grade.DISASTER, None, Grade.DISASTER]
    assert worth_of_answer((None,) * 4, (LEFT,), UP) == (None, None)
    assert worth_of_answer((0.0, 0.0, None, None), (UP,), LEFT) == (None, None)
    assert worth_of_answer((0.5, 0.6, None, None), (LEFT,), RIGHT) == (0.0, Grade.EXCELLENT)
    assert worth_of_answer((0.5, 0.6, None, None), (LEFT, RIGHT), RIGHT) == (0.0, Grade.PERFECT)
