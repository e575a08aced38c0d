"""One drill session: the current mistake, the answers, the tally. No widgets.

The verdict is known at once, as the mistake knows its best moves; the answer is stored in the
background, which returns the next mistake. Answers of an abandoned run are dropped.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from coach.grading.grade import Grade, Rates
from coach.grading.position import Turn, turns
from coach.grading.rated import breaking_moves
from coach.mistakes.drill import Outcome, Weighting, load_scheduler, worth
from coach.mistakes.mistake import Mistake, TableKey
from coach.mistakes.mistakes import Deleted, Mistakes
from engine.moves import move
from engine.spawn import Rng
from gui.work.drill_rules import DrillRules
from gui.work.mistake_service import MistakeService
from gui.work.store_service import nothing

DUE = "due"
MODES = (DUE, *(weighting.value for weighting in Weighting))
MORE_NEW = 20


@dataclass(frozen=True)
class Tally:
    """The results of a session so far."""

    right: int = 0
    wrong: int = 0
    combo: int = 0
    left: int | None = None  # number left, including the current one; None while unknown

    def after(self, is_right: bool) -> "Tally":
        """Return the tally after one more answer."""
        if is_right:
            return replace(self, right=self.right + 1, combo=self.combo + 1)
        return replace(self, wrong=self.wrong + 1, combo=0)


@dataclass(frozen=True)
class Question:
    """A mistake as shown, possibly turned."""

    mistake: Mistake
    board: int
    rates: Rates
    best: tuple[int, ...]  # in the orientation of `board`
    turn: Turn

    @classmethod
    def of(cls, mistake: Mistake, turn: Turn) -> "Question":
        """Return a mistake turned."""
        best = tuple(sorted(turn.directions[direction] for direction in mistake.best))
        return cls(mistake, turn.board, turn.moved(mistake.rates), best, turn)

    @property
    def walls(self) -> bool:
        """Whether F is a wall there."""
        return self.mistake.symmetry != "full"

    @property
    def breaking(self) -> tuple[int, ...]:
        """The moves that break the formation, as far as known from rates."""
        has_rates = self.mistake.has_rates
        return breaking_moves(self.board, self.rates, self.walls) if has_rates else ()

    def can_move(self, direction: int) -> bool:
        """Return whether a move changes the board."""
        return move(self.board, direction, self.walls) != self.board


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer: its direction as shown, and its loss."""

    direction: int
    is_right: bool
    loss: float | None
    grade: Grade | None


class _Next(NamedTuple):
    """The database's answer: the next mistake and the number left, or what comes later."""

    mistake: Mistake | None
    left: int
    more_new: int = 0
    n_new: int = 0
    next_review: datetime | None = None


class DrillRun(QObject):
    """Requests one mistake after the other from the database.

    Parameters
    ----------
    rules : callable
        Returns the rules in force.
    clock : callable
        Returns the time in UTC.
    seconds : callable
        A monotonic clock.

    Attributes
    ----------
    n_new : int
        At the end of a run: number of mistakes never drilled, to continue with.
    next_review : datetime or None
        At the end of a run of due mistakes: when the next one is due.

    Signals
    -------
    question_changed : Question (as object) or None
        The question to show; None if nothing is left.
    judged : Verdict (as object)
    stored : Outcome (as object)
        The change by the answer.
    tallied : Tally (as object)
    failed : Exception (as object)
    """

    question_changed = Signal(object)
    judged = Signal(object)
    stored = Signal(object)
    tallied = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        store: MistakeService,
        rules: Callable[[], DrillRules],
        rng: Rng,
        clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
        seconds: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._rules, self._rng = store, rules, rng
        self._clock, self._seconds = clock, seconds
        self._era = 0
        self._queue: list[int] = []
        self._skipped: set[int] = set()
        self._due: frozenset[int] = frozenset()  # of a queue, those chosen by the schedule
        self._more_new = 0
        self._asked_s = 0.0
        self.mode, self.key = DUE, None  # type: str, TableKey | None
        self.turns_boards = False
        self.question: Question | None = None
        self.verdict: Verdict | None = None
        self.tally = Tally()
        self.n_new = 0
        self.next_review: datetime | None = None
        self.is_waiting = False  # while the database finds the next one

    def start(self, mode: str, key: TableKey | None = None) -> None:
        """Start with due mistakes, or with a weighted random queue."""
        self._era += 1
        self.mode, self.key, self._queue, self._more_new = mode, key, [], 0
        self._skipped, self._due = set(), frozenset()
        self._tally(Tally())
        if mode == DUE:
            self._ask_next()
            self._store.ask(lambda _: load_scheduler(), nothing)
            return
        seed = self._rng.next_u64()
        weighting, rules = Weighting(mode), self._rules()

        def work(mistakes: Mistakes) -> list[int]:
            drill = rules.drill(mistakes)
            return drill.queue(weighting, np.random.default_rng(seed), key)

        self._ask(work, self._begin_queue)

    def start_with(self, ids: list[int], due: Collection[int] = ()) -> None:
        """Start with these mistakes, in this order; those in `due` count for the schedule."""
        self._era += 1
        self.mode, self._due = "", frozenset(due)
        self._tally(Tally())
        self._begin_queue(list(ids))

    def ask_more_new(self) -> None:
        """Continue with more new mistakes than the daily limit."""
        self._ask_next(wants_more=True)

    def look_again(self) -> None:
        """At the end of a run of due mistakes: continue if another one is due by now."""
        if self.mode == DUE and self.question is None and not self.is_waiting:
            self._ask_next()

    def answer(self, direction: int) -> bool:
        """Record an answer and return whether it counts: only the first legal move does."""
        question = self.question
        if question is None or self.verdict or self.is_waiting or not question.can_move(direction):
            return False
        direction_stored = question.turn.directions.index(direction)
        loss, grade = worth(question.mistake, direction_stored)
        self.verdict = Verdict(direction, direction in question.best, loss, grade)
        self._tally(self.tally.after(self.verdict.is_right))
        self._record(question.mistake.id, direction_stored)
        self.judged.emit(self.verdict)
        return True

    def next_question(self) -> None:
        """Ask the next one; an unanswered one is skipped for this session."""
        if not self.is_waiting and self.question:
            if self.verdict is None:
                self._skipped.add(self.question.mistake.id)
            self._ask_next()

    def delete(self, done: Callable[[Deleted], None]) -> None:
        """Delete the current mistake, call `done`, and continue."""
        if self.question is None or self.is_waiting:
            return
        mistake_id = self.question.mistake.id
        self._store.change(lambda mistakes: mistakes.delete([mistake_id]), done, self.failed.emit)
        self._ask_next()

    def leave(self, ids: Collection[int]) -> None:
        """Continue if the current mistake is one of these, which were deleted elsewhere."""
        if self.question and self.question.mistake.id in ids and not self.is_waiting:
            self._ask_next()

    def _record(self, mistake_id: int, direction: int) -> None:
        now, rules = self._clock(), self._rules()
        is_scheduled = self.mode == DUE or mistake_id in self._due
        took = self._seconds() - self._asked_s

        def work(mistakes: Mistakes) -> Outcome:
            drill = rules.drill(mistakes)
            return drill.answer(mistake_id, direction, now, took, is_scheduled=is_scheduled)

        def done(outcome: Outcome) -> None:
            if self.question and self.question.mistake.id == mistake_id:
                self.stored.emit(outcome)

        self._store.change(work, done, self.failed.emit)

    def _begin_queue(self, ids: list[int]) -> None:
        self._queue = ids[::-1]
        self._ask_next()

    def _ask_next(self, wants_more: bool = False) -> None:
        now, rules, more = self._clock(), self._rules(), self._more_new
        today, key = rules.today(now), self.key
        is_due, queue, skipped = self.mode == DUE, self._queue, set(self._skipped)

        def work(mistakes: Mistakes) -> _Next:
            drill = rules.drill(mistakes)
            if is_due:
                allowed = drill.more_for(MORE_NEW, today) if wants_more else more
                mistake_id = drill.next_due(today, key, allowed, skipped)
                if mistake_id is None:
                    n_new = drill.count_new(key, skipped)
                    return _Next(None, 0, allowed, n_new, drill.next_review(today, key))
                left = max(0, drill.count_due(today, key, allowed) - len(skipped))
                return _Next(mistakes.get([mistake_id])[mistake_id], left, allowed)
            while queue:  # mistakes deleted in the meantime are skipped
                mistake_id = queue.pop()
                if mistakes_by_id := mistakes.get([mistake_id]):
                    return _Next(mistakes_by_id[mistake_id], len(queue) + 1)
            return _Next(None, 0, n_new=drill.count_new())

        self._ask(work, self._show)

    def _show(self, step: _Next) -> None:
        mistake, left, self._more_new, self.n_new, self.next_review = step
        self.verdict = None
        self.question = None if mistake is None else self._question(mistake)
        self._asked_s = self._seconds()
        self._tally(replace(self.tally, left=left))
        self.question_changed.emit(self.question)

    def _question(self, mistake: Mistake) -> Question:
        images = turns(mistake.board, mistake.symmetry)
        at = self._rng.below(len(images)) if self.turns_boards else 0
        return Question.of(mistake, images[at])

    def _tally(self, tally: Tally) -> None:
        self.tally = tally
        self.tallied.emit(tally)

    def _ask(self, work: Callable[[Mistakes], Any], done: Callable[[Any], None]) -> None:
        era, self.is_waiting = self._era, True

        def answered(result: Any) -> None:
            if era == self._era:
                self.is_waiting = False
                done(result)

        def failed(error: BaseException) -> None:
            if era == self._era:
                self.is_waiting = False
                self.failed.emit(error)

        self._store.ask(work, answered, failed)
