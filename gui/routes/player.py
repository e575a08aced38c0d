"""The player of routes: a route, the run, and the lookups. No Qt.

A move waits for the table's answer for the position before it, usually a few milliseconds. The last
key pressed in the meantime is played as soon as the answer arrives.
"""

import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol

from coach.grading.formation_cells import has_reached, locked_cells, masked_board, wall_cells
from coach.grading.rated import Rated, check_exact
from coach.play.judge import Lookup
from coach.play.move_clock import MoveClock
from coach.play.rules import End, Refusal
from coach.play.run import PlayedMove, Run
from coach.routes.code import Route
from coach.routes.results import StoredRun, run_of
from coach.routes.setup import setup_of
from engine.platform.errors import AppError
from engine.platform.tasks import Tasks
from tablebase.errors import ProbeError
from tablebase.probe.table import Table


class RouteView(Protocol):
    """The view, notified of every change."""

    def show_start(self) -> None:
        """Show the position at which a run begins or resumes."""

    def show_move(self, move: PlayedMove) -> None:
        """Show a move."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show why a move is not accepted."""

    def show_end(self, end: End) -> None:
        """Show that the run is over."""

    def show_failure(self, error: BaseException) -> None:
        """Show that a table can't be read, or a route can't be played on it."""

    def keep(self, run: Run) -> None:
        """Save a finished or abandoned run."""


class RoutePlayer:
    """Runs routes, one after the other.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    clock : callable
        Seconds, monotonic: how long moves take.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        listener: RouteView,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self._now = now
        self._lookup, self._listener = Lookup(open_table, tasks), listener
        self.clock = MoveClock(clock)
        self.run: Run | None = None
        self.path: Path | None = None
        self._held: int | None = None

    @property
    def table(self) -> Table | None:
        """The open table."""
        return self._lookup.table

    @property
    def is_playing(self) -> bool:
        """Whether a run is in play."""
        return self.run is not None and self.run.end is None

    def locked(self, board: int) -> frozenset[int]:
        """Return the cells of the large tiles that the table masks."""
        table = self._table_of_run
        return locked_cells(board, table.target, table.formation) if table else frozenset()

    def masked(self, board: int) -> int:
        """Return a position with its large tiles as F, as the table stores it."""
        table = self._table_of_run
        return masked_board(board, table.target, table.formation) if table else board

    def walls(self, board: int) -> frozenset[int]:
        """Return the cells that are wall."""
        return wall_cells(board, bool(self.run and self.run.setup.walls))

    @property
    def _table_of_run(self) -> Table | None:
        return self.table if self.run and self.run.setup.is_judged else None

    # Beginning ------------------------------------------------------------------------------

    def with_table(self, path: Path, done: Callable[[Table], None]) -> None:
        """Call `done` with the table in a folder, opened if needed; the current run is saved."""
        self.leave()
        if self.path == path and self.table is not None:
            done(self.table)
            return
        self.path = path

        def opened(_table: object) -> None:
            table = self.table
            assert table is not None
            done(table)

        self._lookup.open(path, opened, self._listener.show_failure)

    def begin(self, route: Route, stored: StoredRun | None = None) -> None:
        """Begin or resume a run; its table is open.

        Problems with the route are reported to the listener.
        """
        self.leave()
        table = None if route.is_game else self.table
        try:
            if table and not (stored and stored.result.outcome):
                check_exact(table)
            self.run = run_of(stored, table) if stored else Run(setup_of(route, table), self._now())
        except AppError as error:
            self._listener.show_failure(error)
            return
        self.clock.start()
        self._listener.show_start()
        if self.run.end is None:
            self._look()

    def leave(self) -> None:
        """Save the current run if it has moves, and leave it."""
        run, self.run, self._held = self.run, None, None
        self.clock.stop()
        if run and run.n_moves and run.end is None:
            self._listener.keep(run)

    def close(self) -> None:
        """Save the run and close the table."""
        self.leave()
        self.path = None
        self._lookup.close()

    # Playing --------------------------------------------------------------------------------

    def press(self, direction: int) -> None:
        """Play a move: now, or as soon as the table has answered for the position."""
        run = self.run
        if run is None or run.end:
            return
        answer = self._answer
        if not run.setup.is_judged or (answer and answer.is_final) or not run.is_legal(direction):
            self._play(run, direction)
        else:
            self._held = direction
            if answer:
                self._look()  # the drive may be back

    @property
    def _answer(self) -> Rated | None:
        return self._lookup.answer(self.run.board) if self.run else None

    def _play(self, run: Run, direction: int) -> None:
        answer = None if not run.setup.is_judged else self._answer
        rates = answer.rates if answer else None
        unknown = answer.unknown if answer else frozenset[int]()
        refusal = run.refusal(direction, rates, unknown)
        if refusal:
            self._listener.show_refusal(direction, refusal)
            return
        move = run.play(direction, rates, self.clock.take_ms(), unknown)
        self._listener.show_move(move)
        self._look()

    def _look(self) -> None:
        """Ask the table about the position on the board, unless the run is over."""
        run = self.run
        if run is None or run.end:
            return
        table = self._table_of_run
        is_target = bool(table and has_reached(run.board, table.target, table.formation))
        end = run.goal_end(is_target) or (None if table else run.conclude())
        if end:
            self._end(run, end)
        if end or not table:
            return
        board, last = run.board, run.last

        def answered() -> None:
            if run is self.run and run.board == board and not run.end:
                self._take_answer(run)

        if last is None or last.unknown:
            self._lookup.ask((board,), answered)
        else:
            self._lookup.ask((last.board, board), answered, last.made)

    def _take_answer(self, run: Run) -> None:
        answer = self._answer
        assert answer is not None
        if answer.error and not isinstance(answer.error, ProbeError):
            self._held = None  # the drive, not the position: the run can be resumed later
            self._listener.show_failure(answer.error)
            return
        rates = None if answer.error else answer.rates
        if end := run.conclude(rates, answer.is_best_known):
            self._end(run, end)
            return
        held, self._held = self._held, None
        if held is not None:
            self._play(run, held)

    def _end(self, run: Run, end: End) -> None:
        run.finish(end, self._now())
        self._held = None
        self.clock.stop()
        self._listener.show_end(end)
        if run.n_moves:
            self._listener.keep(run)
