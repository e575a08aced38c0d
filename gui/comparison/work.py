"""Background work of the comparison, off the GUI thread; the latest request wins. No Qt."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from coach.explanations.course import Course, begin, extended, play
from coach.explanations.explanation import Explanation, explain
from coach.explanations.outcomes import Cancelled, ExplanationCancelledError
from coach.explanations.source import EstimateChances, SearchSource, Source, TableSource
from coach.grading.formation_cells import locked_cells, wall_cells
from coach.play.judge import Lookup
from engine.formats.replay import Cells, bitboard
from engine.platform.tasks import OnError, Tasks
from gui.comparison.request import ComparisonRequest
from tablebase.probe.table import Table

T = TypeVar("T")
N_MOVES = 6
"""So many moves of both courses are there at once."""


@dataclass(frozen=True)
class ComparisonStart:
    """The initial content of a comparison."""

    explanation: Explanation
    courses: tuple[Course, Course]  # (Course, Course): of the move, and of the best one
    source: Source  # the source, for figures that need no lookup, such as tolerances


class ComparisonWork:
    """Queries one table at a time, or search.

    Tables are opened, and the search is made once, on the worker thread.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        make_search: Callable[[], EstimateChances],
    ) -> None:
        self._lookup, self._tasks, self._make_search = Lookup(open_table, tasks), tasks, make_search
        self._search: EstimateChances | None = None
        self._source: Source | None = None
        self._path: Path | None = None
        self._question = 0

    def start(
        self,
        request: ComparisonRequest,
        seed: int,
        done: Callable[[ComparisonStart], None],
        failed: OnError,
    ) -> None:
        self._question += 1
        question, path = self._question, request.table
        self._source = None

        def work(source: Source, cancelled: Cancelled) -> ComparisonStart:
            self._source = source
            cells, follows = request.cells, request.follows
            explanation = explain(source, cells, request.played, None, cancelled, follows)
            pair = explanation.pair
            played, best = (
                begun(source, request, move.direction, N_MOVES, seed)
                for move in (pair.played, pair.best)
            )
            return ComparisonStart(explanation, (played, best), source)

        if path is None:
            self._close_table()
            self._run(lambda: self._searching(request), work, done, failed)
        elif path == self._path and (table := self._lookup.table):
            self._run(lambda: TableSource(table), work, done, failed)
        else:
            self._path = path

            def opened(table: Table) -> None:
                if question == self._question:
                    self._run(lambda: TableSource(table), work, done, failed)

            def not_opened(error: BaseException) -> None:
                self._path = None
                if question == self._question:
                    failed(error)

            self._lookup.open(path, opened, not_opened)

    def change(
        self, work: Callable[[Source], T], done: Callable[[T], None], failed: OnError
    ) -> bool:
        """Run more work with the last source; return whether there is one."""
        source = self._source
        if source is not None:
            self._question += 1
            self._run(lambda: source, lambda s, _: work(s), done, failed)
        return source is not None

    def stop(self) -> None:
        self._question += 1
        self._source = None
        self._close_table()

    @property
    def walls(self) -> bool:
        table = self._table
        return bool(table and table.formation.walls)

    def locked(self, cells: Cells) -> Collection[int]:
        table = self._table
        return locked_cells(bitboard(cells), table.target, table.formation) if table else ()

    def walled(self, cells: Cells) -> Collection[int]:
        return wall_cells(bitboard(cells), self.walls)

    @property
    def _table(self) -> Table | None:
        return self._lookup.table if self._path else None

    def _close_table(self) -> None:
        if self._path is not None:
            self._path = None
            self._lookup.close()

    def _searching(self, request: ComparisonRequest) -> Source:
        if self._search is None:
            self._search = self._make_search()
        return SearchSource(self._search, request.cells, known=request.chances)

    def _run(
        self,
        source: Callable[[], Source],
        work: Callable[[Source, Cancelled], T],
        done: Callable[[T], None],
        failed: OnError,
    ) -> None:
        question = self._question

        def is_stale() -> bool:  # read on the worker thread; an old value is fine
            return question != self._question

        def explained() -> T | None:
            try:
                return None if is_stale() else work(source(), is_stale)
            except ExplanationCancelledError:
                return None

        def answered(answer: T | None) -> None:
            if answer is not None and not is_stale():
                done(answer)

        self._tasks.run(explained, answered, lambda error: None if is_stale() else failed(error))


def begun(
    source: Source, request: ComparisonRequest, first: int, n_moves: int, seed: int
) -> Course:
    """Return a course that begins with a move and goes on with best ones."""
    start = begin(source, request.cells, request.follows)
    return extended(source, play(source, start, first, seed), n_moves, seed)
