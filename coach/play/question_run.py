"""A run of questions: positions with known rates, each answered once.

The verdict is known at once; the answer is stored in the background, which also finds the next
question. Of several requests the latest wins.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from coach.grading.grade import Grade, Rates, worth_of_answer
from coach.grading.rated import breaking_moves
from engine.moves import move
from engine.platform.tasks import OnError

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
T = TypeVar("T")
A = TypeVar("A")
O_contra = TypeVar("O_contra", contravariant=True)


@dataclass(frozen=True)
class Tally:
    """The results of a run so far."""

    right: int = 0
    wrong: int = 0
    streak: int = 0
    left: int | None = None  # to be answered right, with the one shown; None if unknown

    def after(self, is_right: bool) -> "Tally":
        if is_right:
            left = self.left and self.left - 1
            return replace(self, right=self.right + 1, streak=self.streak + 1, left=left)
        return replace(self, wrong=self.wrong + 1, streak=0)


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer; loss and grade are None for a move without a rate."""

    direction: int
    is_right: bool
    loss: float | None
    grade: Grade | None


@dataclass(frozen=True)
class Question(Generic[T]):
    """A position as shown, possibly turned, with what is asked: a mistake, a puzzle."""

    item: T
    id: int  # of the item in its store
    board: int
    rates: Rates  # all None if unknown
    best: tuple[int, ...]
    walls: bool  # whether F is a wall
    # The directions as shown of the stored position's LEFT, RIGHT, UP and DOWN.
    directions: tuple[int, ...] = (0, 1, 2, 3)
    number: int = 0  # its index in the item's line; 0 is the item itself
    counts: bool = True  # whether the answer is stored and counted
    right: tuple[int, ...] = ()  # accepted moves, if others than the best are

    @property
    def has_rates(self) -> bool:
        return any(rate is not None for rate in self.rates)

    @property
    def breaking(self) -> tuple[int, ...]:
        """The moves that break the formation, as far as known from rates."""
        return breaking_moves(self.board, self.rates, self.walls) if self.has_rates else ()

    def can_move(self, direction: int) -> bool:
        return move(self.board, direction, self.walls) != self.board

    def verdict(self, direction: int) -> Verdict:
        loss, grade = worth_of_answer(self.rates, self.best, direction)
        return Verdict(direction, direction in (self.right or self.best), loss, grade)


class Background(Protocol[S_co]):
    """A store of questions, used on a thread of its own; it answers on the thread of the run."""

    def ask(
        self, work: Callable[[S_co], A], done: Callable[[A], None], failed: OnError | None = None
    ) -> None: ...

    def change(
        self,
        work: Callable[[S_co], A],
        done: Callable[[A], None] = ...,
        failed: OnError | None = None,
    ) -> None: ...


class Source(Protocol[S_contra, T]):
    """Chooses the questions of a run and stores the answers; all methods are called by the run.

    `find` and `store` return the work for the thread of the store.
    """

    def find(self, before: Question[T] | None) -> Callable[[S_contra], Any]:
        """Return what finds the next question; `before` is the current one."""

    def take(self, found: Any) -> tuple[Question[T] | None, int | None]:
        """Return what was found, None for nothing, and how many are left including it."""

    def store(
        self, question: Question[T], direction: int, seconds: float
    ) -> Callable[[S_contra], Any]:
        """Return what stores an answer; the direction is that of the stored position."""

    def take_outcome(self, outcome: Any) -> None: ...


class Listener(Protocol[T, O_contra]):
    """Shows a run."""

    def show_question(self, question: Question[T] | None) -> object:
        """Show a question; None if nothing is left."""

    def show_verdict(self, question: Question[T], verdict: Verdict) -> object: ...

    def show_outcome(self, outcome: O_contra) -> object:
        """Show what storing the answer to the current question has changed."""

    def show_tally(self, tally: Tally) -> object: ...

    def show_failure(self, error: BaseException) -> object: ...


class QuestionRun(Generic[S, T]):
    """Asks one question after the other; `seconds` is a monotonic clock."""

    def __init__(
        self,
        store: Background[S],
        listener: Listener[T, Any],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._listener, self._seconds = store, listener, seconds
        self.source: Source[S, T] | None = None
        self._n_requests = 0
        self._asked_s = 0.0
        self._is_closed = False
        self.question: Question[T] | None = None
        self.verdict: Verdict | None = None
        self.tally = Tally()
        self.is_waiting = False  # while the next question is being found

    def start(self, source: Source[S, T]) -> None:
        self.source = source
        self._show_tally(Tally())
        self.next()

    def next(self) -> None:
        source = self.source
        if source is None:
            return
        self._n_requests += 1
        request, self.is_waiting = self._n_requests, True

        def take(found: Any) -> None:
            if request == self._n_requests:
                question, left = source.take(found)
                self._show_tally(replace(self.tally, left=left))
                self.ask(question)

        def failed(error: BaseException) -> None:
            if request == self._n_requests:
                self.is_waiting = False
                self._listener.show_failure(error)

        self._store.ask(source.find(self.question), take, failed)

    def ask(self, question: Question[T] | None) -> None:
        self._n_requests += 1
        self.is_waiting = False
        self.question, self.verdict = question, None
        self._asked_s = self._seconds()
        self._listener.show_question(question)

    def answer(self, direction: int) -> bool:
        """Record an answer and return whether it counts: only the first legal move does."""
        question = self.question
        if question is None or self.verdict or self.is_waiting or not question.can_move(direction):
            return False
        self.verdict = verdict = question.verdict(direction)
        if question.counts:
            self._show_tally(self.tally.after(verdict.is_right))
            self._record(question, direction)
        self._listener.show_verdict(question, verdict)
        return True

    @property
    def can_answer(self) -> bool:
        return self.question is not None and self.verdict is None and not self.is_waiting

    def close(self) -> None:
        """Tell the listener nothing more: it is going away. Answers are stored nevertheless."""
        self._n_requests += 1
        self._is_closed = True

    def _record(self, question: Question[T], direction: int) -> None:
        source = self.source
        assert source is not None
        stored = question.directions.index(direction)

        def done(outcome: Any) -> None:
            source.take_outcome(outcome)
            if not self._is_closed:
                self._show_tally(self.tally)
                if self.question and self.question.id == question.id:
                    self._listener.show_outcome(outcome)

        def failed(error: BaseException) -> None:
            if not self._is_closed:
                self._listener.show_failure(error)

        took = self._seconds() - self._asked_s
        self._store.change(source.store(question, stored, took), done, failed)

    def _show_tally(self, tally: Tally) -> None:
        self.tally = tally
        self._listener.show_tally(tally)
