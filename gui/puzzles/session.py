"""A session of puzzles: the current one, the answers and the line. No widgets.

The verdict is known at once, as a puzzle has its rates; the answer is stored in the background.
Only the first answer to a puzzle counts. If the whole line is to be solved, the next position of
the line follows a correct answer, as long as it has one right move.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from coach.grading.grade import Grade, grade_of
from coach.grading.rated import breaking_moves
from coach.mistakes.mistake import TableKey
from coach.play.judge import Lookup
from coach.puzzles.puzzle import Puzzle, is_sharp
from coach.puzzles.puzzles import Outcome, Puzzles, StoredPuzzle
from coach.puzzles.rating import Rating
from coach.puzzles.solution import SolutionStep, solution
from engine.moves import move
from engine.platform.tasks import Tasks
from engine.spawn import Rng
from gui.work.store_service import StoreService
from tablebase.probe.table import Table

Steps = tuple[SolutionStep, ...]


class Solver:
    """Queries the table of a puzzle, if it is here.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    """

    def __init__(self, open_table: Callable[[Path], Table], tasks: Tasks) -> None:
        self._lookup = Lookup(open_table, tasks)
        self._paths: dict[TableKey, Path] = {}
        self._open: Path | None = None
        self._question = 0

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Set the usable tables (each a `tablebase.library.table_info.TableInfo`)."""
        self._paths = {TableKey(info.name, info.spawn4): Path(info.path) for info in tables}

    def path_of(self, key: TableKey) -> Path | None:
        """Return the folder of a table; None if it isn't here."""
        return self._paths.get(key)

    def solve(self, puzzle: Puzzle, done: Callable[[Steps], None]) -> None:
        """Call `done` with the line of a puzzle; not called if its table isn't here.

        The latest request wins.
        """
        self._question += 1
        question, path = self._question, self.path_of(puzzle.key)
        if path is None:
            return

        def answer(steps: Steps) -> None:
            if question == self._question:
                done(steps)

        def ask(_: object = None) -> None:
            if question == self._question:
                self._lookup.run(lambda table: solution(table, puzzle), answer, _ignore)

        if self._lookup.table and path == self._open:
            ask()
        else:
            self._open = path
            self._lookup.open(path, ask, _ignore)

    def close_table(self, path: Path) -> None:
        """Close a table that was deleted, or whose files change."""
        if path == self._open:
            self.close()

    def close(self) -> None:
        """Close the open table."""
        self._open = None
        self._lookup.close()


def _ignore(_: BaseException) -> None:
    """Do without a line: the table can't be read now, and the puzzle has its rates."""


@dataclass(frozen=True)
class Question:
    """A position to solve."""

    stored: StoredPuzzle
    step: SolutionStep
    number: int = 0  # its index in the line; 0 is the puzzle itself

    @property
    def walls(self) -> bool:
        """Whether F is a wall there."""
        return self.stored.puzzle.walls

    @property
    def breaking(self) -> tuple[int, ...]:
        """The moves that break the formation."""
        return breaking_moves(self.step.board, self.step.rates, self.walls)

    def can_move(self, direction: int) -> bool:
        """Return whether a move changes the board."""
        return move(self.step.board, direction, self.walls) != self.step.board


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer: its direction, and its loss; None for a move without a rate."""

    direction: int
    is_right: bool
    loss: float | None
    grade: Grade | None


@dataclass(frozen=True)
class Tally:
    """The results so far, and the person's rating; None until known."""

    right: int = 0
    wrong: int = 0
    rating: Rating | None = None


class PuzzleSession(QObject):
    """Shows one puzzle after the other.

    Signals
    -------
    asked : Question (as object) or None
        The question to show; None if there is no puzzle.
    judged : Verdict (as object)
    rated : Outcome (as object)
        The change by the answer.
    lined : tuple of SolutionStep (as object)
        The continuation of the current puzzle.
    tallied : Tally (as object)
    ended : int, int
        All puzzles of `start_with` were asked: the numbers correct and in total.
    failed : Exception (as object)
    """

    asked = Signal(object)
    judged = Signal(object)
    rated = Signal(object)
    lined = Signal(object)
    tallied = Signal(object)
    ended = Signal(int, int)
    failed = Signal(object)

    def __init__(
        self,
        puzzles: StoreService[Puzzles],
        solver: Solver,
        rng: Rng,
        clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
        seconds: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._puzzles, self._solver, self._rng = puzzles, solver, rng
        self._clock, self._seconds = clock, seconds
        self._request = 0
        self._asked_s = 0.0
        self._queue: list[int] | None = None  # ids to come, of `start_with`
        self._before = Tally()
        self.key: TableKey | None = None
        self.question: Question | None = None
        self.verdict: Verdict | None = None
        self.line: Steps = ()
        self.tally = Tally()
        self.is_practice = False  # the puzzle was answered before, and only that answer counts
        self.is_waiting = False  # while the database finds the next one

    def start(self, key: TableKey | None) -> None:
        """Start with puzzles of a table, or of all."""
        self.key, self._queue = key, None
        self.next_puzzle()

    def start_with(self, ids: Sequence[int]) -> None:
        """Show these puzzles, in this order, then any."""
        self._queue, self._before = list(ids), self.tally
        self.next_puzzle()

    def next_puzzle(self) -> None:
        """Show the next puzzle."""
        if self._queue is not None and not self._queue:
            self._queue = None
            right = self.tally.right - self._before.right
            self.ended.emit(right, right + self.tally.wrong - self._before.wrong)
        now, seed, key = self._clock(), self._rng.next_u64(), self.key
        queued = self._queue.pop(0) if self._queue else None
        without = self.question.stored.id if self.question else None
        self._request += 1
        request, self.is_waiting = self._request, True

        def work(puzzles: Puzzles) -> tuple[StoredPuzzle | None, Rating]:
            puzzle = puzzles.get([queued]).get(queued) if queued is not None else None
            return puzzle or puzzles.next(now, Rng(seed), key, without), puzzles.person(now)

        def done(result: tuple[StoredPuzzle | None, Rating]) -> None:
            if request == self._request:
                stored, rating = result
                self._tally(Tally(self.tally.right, self.tally.wrong, rating))
                self.show(stored)

        def failed(error: BaseException) -> None:
            if request == self._request:
                self.is_waiting = False
                self.failed.emit(error)

        self._puzzles.ask(work, done, failed)

    def show(self, stored: StoredPuzzle | None, *, is_practice: bool = False) -> None:
        """Show a given puzzle; in practice, the answer doesn't count."""
        self._request += 1
        self.is_practice = is_practice
        self.is_waiting, self.line = False, ()
        if stored is None:
            self._ask(None)
            return
        puzzle = stored.puzzle
        self._ask(Question(stored, SolutionStep(puzzle.board, puzzle.rates, puzzle.best)))
        self._solver.solve(puzzle, lambda steps: self._take_line(stored.id, steps))

    def answer(self, direction: int) -> bool:
        """Record an answer and return whether it counts: only the first legal move does."""
        question = self.question
        if question is None or self.verdict or self.is_waiting or not question.can_move(direction):
            return False
        self.verdict = verdict = verdict_of(question.step, direction)
        if not question.number and not self.is_practice:
            right, wrong = self.tally.right, self.tally.wrong
            is_right = verdict.is_right
            self._tally(Tally(right + is_right, wrong + (not is_right), self.tally.rating))
            self._store(question.stored.id, direction)
        self.judged.emit(verdict)
        return True

    @property
    def next_step(self) -> Question | None:
        """Return the next position of the line after a correct answer, if it has one right move."""
        question, verdict = self.question, self.verdict
        if question is None or verdict is None or not verdict.is_right:
            return None
        number = question.number + 1
        if number >= len(self.line) or not is_sharp(self.line[number].rates):
            return None
        return Question(question.stored, self.line[number], number)

    def next_in_line(self) -> None:
        """Show the next position of the line, if there is one."""
        if question := self.next_step:
            self._ask(question)

    def _ask(self, question: Question | None) -> None:
        self.question, self.verdict = question, None
        self._asked_s = self._seconds()
        self.asked.emit(question)

    def _take_line(self, puzzle_id: int, steps: Steps) -> None:
        if self.question and self.question.stored.id == puzzle_id:
            self.line = steps
            self.lined.emit(steps)

    def _store(self, puzzle_id: int, direction: int) -> None:
        now, took = self._clock(), self._seconds() - self._asked_s

        def done(outcome: Outcome) -> None:
            self._tally(Tally(self.tally.right, self.tally.wrong, outcome.person))
            if self.question and self.question.stored.id == puzzle_id:
                self.rated.emit(outcome)

        self._puzzles.change(
            lambda puzzles: puzzles.answer(puzzle_id, direction, now, took),
            done,
            self.failed.emit,
        )

    def _tally(self, tally: Tally) -> None:
        self.tally = tally
        self.tallied.emit(tally)


def verdict_of(step: SolutionStep, direction: int) -> Verdict:
    """Return the verdict on an answer."""
    rate, best_rate = step.rates[direction], step.rates[step.best] or 0.0
    if direction == step.best:
        return Verdict(direction, True, 0.0, Grade.PERFECT)
    if rate is None:
        return Verdict(direction, False, None, None)
    ratio = rate / best_rate
    return Verdict(direction, False, 1.0 - ratio, grade_of(ratio))
