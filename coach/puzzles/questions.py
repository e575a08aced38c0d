"""Puzzles as the questions of a run: given ones, then any near the person's rating; their lines."""

from collections.abc import Callable, Sequence
from datetime import datetime

from coach.mistakes.mistake import TableKey
from coach.play.question_run import Question, Verdict
from coach.puzzles.puzzle import is_sharp
from coach.puzzles.puzzles import Outcome, Puzzles, StoredPuzzle
from coach.puzzles.rating import Rating
from coach.puzzles.solution import SolutionStep
from engine.spawn import Rng

PuzzleQuestion = Question[StoredPuzzle]


def question_of(stored: StoredPuzzle, *, counts: bool = True) -> PuzzleQuestion:
    puzzle = stored.puzzle
    best = (puzzle.best,)
    return Question(
        stored, stored.id, puzzle.board, puzzle.rates, best, puzzle.walls, counts=counts
    )


def next_in_line(
    question: PuzzleQuestion | None, verdict: Verdict | None, line: Sequence[SolutionStep]
) -> PuzzleQuestion | None:
    """Return the next position of a line after a correct answer, if it has one right move."""
    if question is None or verdict is None or not verdict.is_right:
        return None
    number, stored = question.number + 1, question.item
    if number >= len(line) or not is_sharp(line[number].rates):
        return None
    step, walls = line[number], stored.puzzle.walls
    return Question(
        stored, stored.id, step.board, step.rates, (step.best,), walls, number=number, counts=False
    )


class PuzzleSource:
    """Puzzles of a table, or of all.

    `clock` returns the time in UTC; `ended` is called when all given puzzles have been asked.
    `rating`, the person's, is None until known.
    """

    def __init__(
        self, clock: Callable[[], datetime], rng: Rng, ended: Callable[[], object]
    ) -> None:
        self._clock, self._rng, self._ended = clock, rng, ended
        self._key: TableKey | None = None
        self._given: list[int] | None = None  # those to come
        self.rating: Rating | None = None

    def choose_table(self, key: TableKey | None) -> None:
        self._key, self._given = key, None

    def give(self, ids: Sequence[int]) -> None:
        """Begin with these puzzles; a deleted one makes room for any other."""
        self._given = list(ids)

    def find(
        self, before: PuzzleQuestion | None
    ) -> Callable[[Puzzles], tuple[StoredPuzzle | None, Rating]]:
        if self._given is not None and not self._given:
            self._given = None
            self._ended()
        now, seed, key = self._clock(), self._rng.next_u64(), self._key
        given = self._given.pop(0) if self._given else None
        without = before.id if before else None

        def work(puzzles: Puzzles) -> tuple[StoredPuzzle | None, Rating]:
            puzzle = puzzles.get([given]).get(given) if given is not None else None
            return puzzle or puzzles.next(now, Rng(seed), key, without), puzzles.person(now)

        return work

    def take(
        self, found: tuple[StoredPuzzle | None, Rating]
    ) -> tuple[PuzzleQuestion | None, int | None]:
        """Return the puzzle found; there is no end of them."""
        stored, self.rating = found
        return question_of(stored) if stored else None, None

    def store(
        self, question: PuzzleQuestion, direction: int, seconds: float
    ) -> Callable[[Puzzles], Outcome]:
        now = self._clock()
        return lambda puzzles: puzzles.answer(question.id, direction, now, seconds)

    def take_outcome(self, outcome: Outcome) -> None:
        self.rating = outcome.person
