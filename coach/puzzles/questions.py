"""Puzzles as the questions of a run: given ones, then any near the person's rating; their lines."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from coach.days import Today
from coach.mistakes.mistake import TableKey
from coach.play.question_run import Question, Verdict
from coach.puzzles.puzzle import is_sharp
from coach.puzzles.puzzles import SEEN_LATELY, Course, Outcome, Puzzles, StoredPuzzle, Wanted
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

    `ended` is called when all given puzzles have been asked. `rating`, the person's, is None until
    known.
    """

    def __init__(self, today: Callable[[], Today], rng: Rng, ended: Callable[[], object]) -> None:
        self._today, self._rng, self._ended = today, rng, ended
        self.has_run_out = False  # whether there was none that was not seen lately
        self._key: TableKey | None = None
        self._wanted: Wanted | None = None
        self._given: list[int] | None = None  # those to come
        self.rating: Rating | None = None
        self.course = Course()

    def choose(self, key: TableKey | None, wanted: Wanted | None = None) -> None:
        """Ask puzzles of a table only, and only wanted ones."""
        self._key, self._wanted, self._given = key, wanted, None

    def give(self, ids: Sequence[int]) -> None:
        """Begin with these puzzles; a deleted one makes room for any other."""
        self._given = list(ids)

    def find(
        self, before: PuzzleQuestion | None
    ) -> Callable[[Puzzles], tuple[StoredPuzzle | None, Rating, Course]]:
        if self._given is not None and not self._given:
            self._given = None
            self._ended()
        today, rng, key, wanted = self._today(), Rng(self._rng.next_u64()), self._key, self._wanted
        given = self._given.pop(0) if self._given else None
        without = before.id if before else None

        def work(puzzles: Puzzles) -> tuple[StoredPuzzle | None, Rating, Course]:
            puzzle = puzzles.get([given]).get(given) if given is not None else None
            puzzle = puzzle or puzzles.next(today.now, rng, key, without, wanted)
            return puzzle, puzzles.person(today.now), puzzles.course(today)

        return work

    def take(
        self, found: tuple[StoredPuzzle | None, Rating, Course]
    ) -> tuple[PuzzleQuestion | None, int | None]:
        """Return the puzzle found; there is no end of them."""
        stored, self.rating, self.course = found
        seen = stored.last_seen if stored else None
        is_old = seen is not None and self._today().now - seen < SEEN_LATELY
        self.has_run_out = stored is None or is_old
        return question_of(stored) if stored else None, None

    def store(
        self, question: PuzzleQuestion, direction: int, seconds: float
    ) -> Callable[[Puzzles], Outcome]:
        today = self._today()

        def work(puzzles: Puzzles) -> Outcome:
            outcome = puzzles.answer(question.id, direction, today.now, seconds)
            return replace(outcome, course=puzzles.course(today))

        return work

    def take_outcome(self, outcome: Outcome) -> None:
        self.rating, self.course = outcome.person, outcome.course
