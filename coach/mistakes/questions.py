"""Mistakes as the questions of a run: those that are due, drawn by weight, or given.

A wrong answer is due again within minutes, and is asked once more after all others.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from coach.grading.position import turns
from coach.mistakes.drill import Drill, DrillRules, Outcome, Weighting
from coach.mistakes.mistake import Mistake, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.play.question_run import Question
from engine.spawn import Rng

MORE_NEW = 20

Answered = Question[Mistake]


class DrillSetup(NamedTuple):
    """What the questions of a drill follow."""

    rules: Callable[[], DrillRules]  # returns those in force
    clock: Callable[[], datetime]  # returns the time in UTC
    rng: Rng  # turns the boards and draws by weight


@dataclass(frozen=True)
class NextMistake:
    """What the database answers: the next mistake and the number left, or what comes later."""

    mistake: Mistake | None
    left: int = 0
    queue: tuple[int, ...] = ()
    more_new: int = 0
    n_new: int = 0
    next_review: datetime | None = None


class _MistakeSource:
    """What all sources of mistakes have in common.

    At the end, `n_new` is the number of mistakes never drilled, to continue with, and `next_review`
    when the next one is due.
    """

    def __init__(self, setup: DrillSetup) -> None:
        self._setup = setup
        self.is_turned = False
        self.n_new = 0
        self.next_review: datetime | None = None

    def is_scheduled(self, _mistake_id: int) -> bool:
        """Return whether the schedule has chosen a mistake."""
        return False

    def pass_over(self, question: Answered) -> None:
        """Ask this one, which wasn't answered, after all others, if at all."""

    def take(self, found: NextMistake) -> tuple[Answered | None, int]:
        self.n_new, self.next_review = found.n_new, found.next_review
        mistake = found.mistake
        if mistake is None:
            return None, found.left
        images = turns(mistake.board, mistake.symmetry)
        turn = images[self._setup.rng.below(len(images)) if self.is_turned else 0]
        question = Question(
            mistake,
            mistake.id,
            turn.board,
            turn.moved(mistake.rates),
            tuple(sorted(turn.directions[direction] for direction in mistake.best)),
            mistake.symmetry != "full",
            turn.directions,
            right=tuple(turn.directions[direction] for direction in mistake.right),
        )
        return question, found.left

    def store(
        self, question: Answered, direction: int, seconds: float
    ) -> Callable[[Mistakes], Outcome]:
        now, rules = self._setup.clock(), self._setup.rules()
        is_scheduled = self.is_scheduled(question.id)
        return lambda mistakes: rules.drill(mistakes).answer(
            question.id, direction, now, seconds, is_scheduled=is_scheduled
        )

    def take_outcome(self, _outcome: Outcome) -> None:
        """Learn nothing: the next query finds what has changed."""


class DueMistakes(_MistakeSource):
    """Due mistakes of a table or of all, then a few new ones; see `Drill.next_due`."""

    def __init__(self, setup: DrillSetup, key: TableKey | None = None) -> None:
        super().__init__(setup)
        self._key = key
        self._skipped: set[int] = set()
        self._more_new = 0
        self._wants_more = False

    @property
    def is_daily(self) -> bool:
        """Whether the new ones are those of the day, and no more were asked for."""
        return not self._more_new

    def is_scheduled(self, _mistake_id: int) -> bool:
        return True

    def pass_over(self, question: Answered) -> None:
        self._skipped.add(question.id)

    def allow_more(self) -> None:
        self._wants_more = True

    def find(self, _before: Answered | None) -> Callable[[Mistakes], NextMistake]:
        rules, key, more = self._setup.rules(), self._key, self._more_new
        today, skipped = rules.today(self._setup.clock()), set(self._skipped)
        wants_more, self._wants_more = self._wants_more, False

        def work(mistakes: Mistakes) -> NextMistake:
            drill = rules.drill(mistakes)
            allowed = drill.more_for(MORE_NEW, today) if wants_more else more
            mistake_id = drill.next_due(today, key, allowed, skipped)
            if mistake_id is None and skipped:  # they come last
                mistake_id = drill.next_due(today, key, allowed)
            if mistake_id is None:
                n_new, review = drill.count_new(key), drill.next_review(today, key)
                return NextMistake(None, more_new=allowed, n_new=n_new, next_review=review)
            left = drill.count_due(today, key, allowed)
            return NextMistake(mistakes.get([mistake_id])[mistake_id], left, more_new=allowed)

        return work

    def take(self, found: NextMistake) -> tuple[Answered | None, int]:
        self._more_new = found.more_new
        if found.mistake and found.mistake.id in self._skipped:
            self._skipped.clear()
        return super().take(found)


class ListedMistakes(_MistakeSource):
    """Given mistakes, in this order; those deleted meanwhile are skipped.

    The schedule has chosen those in `due`. Wrong answers are asked again at the end, until they are
    right. `n_right` and `n_answered` count the first answers to each.
    """

    def __init__(
        self, setup: DrillSetup, ids: Sequence[int] = (), due: Collection[int] = ()
    ) -> None:
        super().__init__(setup)
        self._queue, self._due = tuple(ids), frozenset(due)
        self._again: tuple[int, ...] = ()
        self._answered: set[int] = set()
        self.n_right = self.n_answered = 0

    def is_scheduled(self, mistake_id: int) -> bool:
        """Return whether the schedule has chosen a mistake: one that comes back is due."""
        return mistake_id in self._due

    def find(self, _before: Answered | None) -> Callable[[Mistakes], NextMistake]:
        rules = self._setup.rules()
        today, queue, again = rules.today(self._setup.clock()), self._queue, self._again

        def work(mistakes: Mistakes) -> NextMistake:
            drill = rules.drill(mistakes)
            ids = (*self._ids(drill, queue), *again)
            for at, mistake_id in enumerate(ids):
                if stored := mistakes.get([mistake_id]):
                    return NextMistake(stored[mistake_id], len(ids) - at, ids[at + 1 :])
            n_new, review = drill.count_new(), drill.next_review(today)
            return NextMistake(None, n_new=n_new, next_review=review)

        return work

    def take(self, found: NextMistake) -> tuple[Answered | None, int]:
        self._queue, self._again = found.queue, ()
        return super().take(found)

    def store(
        self, question: Answered, direction: int, seconds: float
    ) -> Callable[[Mistakes], Outcome]:
        is_right = direction in question.item.right
        if question.id not in self._answered:
            self._answered.add(question.id)
            self.n_answered += 1
            self.n_right += is_right
        work = super().store(question, direction, seconds)
        if not is_right:
            self._again = (*self._again, question.id)
            self._due |= {question.id}
        return work

    def _ids(self, _drill: Drill, queue: tuple[int, ...]) -> tuple[int, ...]:
        return queue


class WeightedMistakes(ListedMistakes):
    """Mistakes of a table or of all, drawn by weight; see `Drill.queue`."""

    def __init__(
        self, setup: DrillSetup, weighting: Weighting, key: TableKey | None = None
    ) -> None:
        super().__init__(setup)
        self._weighting, self._key, self._seed = weighting, key, setup.rng.next_u64()
        self._is_drawn = False

    def take(self, found: NextMistake) -> tuple[Answered | None, int]:
        self._is_drawn = True
        return super().take(found)

    def _ids(self, drill: Drill, queue: tuple[int, ...]) -> tuple[int, ...]:
        if self._is_drawn:
            return queue
        rng = np.random.default_rng(self._seed)
        return tuple(drill.queue(self._weighting, rng, self._key))
