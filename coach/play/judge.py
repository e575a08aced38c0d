"""The judge: lookups in one open table, off the thread of the player; the latest request wins.

At most one lookup is running and at most one waits: at thirty moves per second, the answer is for
the board shown when the worker gets to it. Answers are cached, so undo is free.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from coach.grading.formation_cells import has_reached, locked_cells, masked_board, wall_cells
from coach.grading.grade import UINT32, Judgement, Tolerance, judge
from coach.grading.rated import LowerBoundsError, Rated, check_exact, read
from coach.play.tiles import adversary_spawn
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.tasks import OnError, Tasks
from engine.spawn import Rng
from tablebase.errors import UnreadableTableError
from tablebase.probe.table import Table

T = TypeVar("T")
_KEPT_ANSWERS = 20_000
_log = logging.getLogger(__name__)


class Lookup:
    """Lookups in one table at a time, on the worker thread.

    `open_table` raises an AppError on failure; `tasks` runs one job at a time, as a table allows
    one caller at a time.
    """

    def __init__(self, open_table: Callable[[Path], Table], tasks: Tasks) -> None:
        self._open_table, self._tasks = open_table, tasks
        self.table: Table | None = None
        self.tolerance = UINT32  # for equal rates of the open table
        self._answers: dict[int, Rated] = {}
        self._failures: dict[int, Rated] = {}  # of the last answered request
        self._waiting: _Question | None = None
        self._is_busy = False
        self._era = 0  # counts the tables opened; results of an earlier one are dropped

    def open(self, path: Path, opened: Callable[[Table], None], failed: OnError) -> None:
        """Open a table in place of the current one and call `opened` with it."""
        self.open_by(partial(self._open_table, path), opened, failed)

    def open_by(
        self, opening: Callable[[], Table], opened: Callable[[Table], None], failed: OnError
    ) -> None:
        """Do the same as `open` with the table from `opening`, which runs on the worker thread."""
        self._era += 1
        era, old = self._era, self.table
        self.table, self._waiting, self._is_busy = None, None, False
        self._answers, self._failures = {}, {}

        def work() -> Table:
            if old:
                old.close()  # here, after the lookups that still use it
            return opening()

        def done(table: Table) -> None:
            if era != self._era:
                self._tasks.release(table.close)
                return
            self.table, self.tolerance = table, Tolerance.of_type(table.rate)
            opened(table)

        self._tasks.run(work, done, lambda error: failed(error) if era == self._era else None)

    def close(self) -> None:
        self._era += 1
        old, self.table = self.table, None
        self._answers, self._failures, self._waiting, self._is_busy = {}, {}, None, False
        if old:
            self._tasks.release(old.close)

    def answer(self, board: int) -> Rated | None:
        """Return the cached answer for a board, or the recent read error."""
        return self._answers.get(board) or self._failures.get(board)

    def judge(self, board: int, direction: int) -> Judgement | None:
        """Return the judgement of a move by the cached answer; None if it can't be judged."""
        answer = self.answer(board)
        if answer is None or answer.error:
            return None
        return judge(answer.rates, direction, self.tolerance, answer.unknown_rates)

    def locked(self, board: int) -> frozenset[int]:
        table = self.table
        return locked_cells(board, table.target, table.formation) if table else frozenset()

    def masked(self, board: int) -> int:
        table = self.table
        return masked_board(board, table.target, table.formation) if table else board

    def walls(self, board: int) -> frozenset[int]:
        return wall_cells(board, bool(self.table and self.table.formation.walls))

    def is_reached(self, board: int) -> bool:
        table = self.table
        return bool(table and has_reached(board, table.target, table.formation))

    def ask(
        self, boards: tuple[int, ...], answered: Callable[[], None], move: int | None = None
    ) -> None:
        """Call `answered` once all boards have answers, unless another request comes first.

        `move` led from the first board to the second and last one.
        """
        if move is not None and self._may_be_surer_now(boards[0], move, boards[1]):
            del self._answers[boards[1]]
        self._failures = {}  # the drive may be back: retry what could not be read
        missing = tuple([board for board in boards if board not in self._answers])
        self._waiting = None
        if not missing:
            answered()
            return
        before = self._answers.get(boards[0])
        self._waiting = _Question(missing, answered, before, move)
        if not self._is_busy:
            self._start()

    def start_board(self, rng: Rng, done: Callable[[int], None], failed: OnError) -> None:
        self.run(lambda table: table.start_board(rng), done, failed)

    def choose_spawn(
        self, after: int, best: bool, done: Callable[[tuple[int, int] | None], None]
    ) -> None:
        """Call `done` with the tile that helps or hurts most; None if the table knows nothing."""

        def work(table: Table) -> tuple[int, int] | None:
            return adversary_spawn(after, best, lambda board: rate_of(table, board))

        def rate_of(table: Table, board: int) -> float | None:
            answer = answer_of(table, board)
            if answer.error and not answer.is_final:
                raise answer.error  # not a rate of 0: unknown
            return 0.0 if answer.error else answer.certain_rate

        def failed(error: BaseException) -> None:
            _log_error(error)
            done(None)

        self.run(work, done, failed)

    def keep(self, answers: dict[int, Rated]) -> None:
        """Cache answers obtained with something else; the oldest are dropped.

        Read errors are not cached: those boards are read again when needed.
        """
        self._answers.update({board: one for board, one in answers.items() if one.is_final})
        if len(self._answers) > _KEPT_ANSWERS:
            kept = list(self._answers.items())[-_KEPT_ANSWERS // 2 :]
            self._answers = dict(kept)

    def run(self, work: Callable[[Table], T], done: Callable[[T], None], failed: OnError) -> None:
        """Run other work with the table; its result is dropped if another table is open by then."""
        era, table = self._era, self.table
        if table is None:
            return

        self._tasks.run(
            lambda: work(table),
            lambda result: done(result) if era == self._era else None,
            lambda error: failed(error) if era == self._era else None,
        )

    def _start(self) -> None:
        if self._waiting is None or self.table is None:
            return
        question, self._is_busy = self._waiting, True
        self.run(question.answers, self._store, lambda error: self._store_failure(question, error))

    def _store(self, answers: dict[int, Rated]) -> None:
        self.keep(answers)
        self._is_busy = False
        if self._waiting is None:
            return
        question = self._waiting
        failures = {board: one for board, one in answers.items() if not one.is_final}
        known = [one for one in question.boards if one in self._answers or one in failures]
        if len(known) == len(question.boards):
            self._waiting, self._failures = None, failures
            question.answered()
        else:
            self._start()

    def _store_failure(self, question: "_Question", error: BaseException) -> None:
        """Rated a lookup that failed by a bug, so that the page says so instead of waiting."""
        _log_error(error)
        reason = AppError(tr("the lookup failed unexpectedly; the log has the details"))
        self._store({board: Rated(error=reason) for board in question.boards})

    def _may_be_surer_now(self, before: int, move: int, board: int) -> bool:
        """Return whether a position in doubt may now be known to be reachable, by a move."""
        found, answer = self._answers.get(before), self._answers.get(board)
        is_in_doubt = answer is not None and answer.unknown_rates is not None
        return is_in_doubt and (found is None or found.is_followed(move))


@dataclass(frozen=True)
class _Question:
    """The requested boards; the last one may follow the one before by a move."""

    boards: tuple[int, ...]
    answered: Callable[[], None]
    before: Rated | None  # of the board before, if it is not requested
    move: int | None

    def answers(self, table: Table) -> dict[int, Rated]:
        found: dict[int, Rated] = {}
        before = self.before
        for board in self.boards:
            follows = before and self.move is not None and before.is_followed(self.move)
            found[board] = before = answer_of(table, board, bool(follows))
        return found


def answer_of(table: Table, board: int, follows: bool = False) -> Rated:
    """Return a table's answer, synchronously; `follows`: it followed a fully known position."""
    try:
        return read(table, board, follows)
    except AppError as error:
        return Rated(error=error)
    except OSError as error:
        return Rated(error=unreadable(table, error))


def exact(open_table: Callable[[Path], Table]) -> Callable[[Path], Table]:
    """Return a function that opens tables, and raises LowerBoundsError for inexact ones."""

    def opening(path: Path) -> Table:
        table = open_table(path)
        try:
            check_exact(table)
        except LowerBoundsError:
            table.close()
            raise
        return table

    return opening


def unreadable(table: Table, error: OSError) -> AppError:
    why = error.strerror or str(error)
    return UnreadableTableError(
        "cannot read {table}: {why}; is its drive connected?", table=table.name, why=why
    )


def _log_error(error: BaseException) -> None:
    _log.error("table lookup failed", exc_info=error)
