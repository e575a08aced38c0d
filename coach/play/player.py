"""The player: a table, a run and the lookups between them. No Qt.

Every move on a table is judged by the table's rates for the position before it, so a move waits for
that answer, usually a few milliseconds. Keys pressed in the meantime are queued and played one by
one, each as soon as its position is answered: the result does not depend on the speed of the drive.
So judgements come in the order of the moves, each from its own position, however fast the user
types. In a whole game, which is not judged, nothing waits.
"""

import time
from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol

from coach.grading.formation_cells import small_sum, wall_cells
from coach.grading.grade import Rates
from coach.grading.rated import Rated
from coach.play.judge import Lookup
from coach.play.move_clock import MoveClock
from coach.play.rules import End, Refusal
from coach.play.run import PlayedMove, Run
from engine.bitboard import cells
from engine.platform.tasks import Tasks
from tablebase.errors import ProbeError
from tablebase.formation.goal import goal_of
from tablebase.probe.table import Table


class Listener(Protocol):
    """Whoever shows and stores the run."""

    def show_start(self) -> None:
        """Show the position at which a run begins or resumes, or the result of one that is over."""

    def show_move(self, move: PlayedMove) -> None: ...

    def show_undo(self) -> None: ...

    def show_refusal(self, direction: int, refusal: Refusal) -> None: ...

    def show_ready(self) -> None:
        """Show that the table has answered for the current position."""

    def show_end(self, end: End) -> None: ...

    def show_failure(self, error: BaseException) -> None:
        """Show that the table can't be opened or read."""

    def keep(self, run: Run) -> None:
        """Save a finished or abandoned run that has moves."""


MAX_AHEAD = 16
"""Half a second of the fastest typing; by then the page has said that it waits for the drive, and a
held arrow key must not play a whole run once that wakes up."""


class Player:
    """Plays runs, one after the other.

    `open_table` opens the table in a folder, on the worker thread. `clock` returns monotonic
    seconds, `now` a date and time with a time zone.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        listener: Listener,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self.lookup = Lookup(open_table, tasks)
        self._listener, self._now = listener, now
        self.clock = MoveClock(clock)
        self.run: Run | None = None
        self.path: Path | None = None  # of the table that is open, or being opened
        self.n_begun = 0  # requests to begin: only the latest takes effect
        self._resumed: Run | None = None  # as soon as the table is open
        # The moves (None: undos) in the order they were requested, and their times in ms.
        self._ahead: deque[tuple[int | None, int]] = deque()
        self._stored: Run | None = None

    @property
    def table(self) -> Table | None:
        return self.lookup.table

    @property
    def answer(self) -> Rated | None:
        return self.lookup.answer(self.run.board) if self.run else None

    @property
    def is_playing(self) -> bool:
        return self.run is not None and self.run.end is None

    @property
    def is_waiting(self) -> bool:
        """Whether the table has yet to answer for the position."""
        return self.run is not None and self.run.setup.is_judged and self.answer is None

    @property
    def can_undo(self) -> bool:
        run = self.run
        return bool(
            run
            and run.setup.allows_undo
            and (run.n_moves or self._ahead)
            and run.end is not End.TIME
        )

    @property
    def _is_judged(self) -> bool:
        """Whether the open table judges the run: not in a whole game."""
        return self.table is not None and (self.run is None or self.run.setup.is_judged)

    def locked(self, board: int) -> frozenset[int]:
        return self.lookup.locked(board) if self._is_judged else frozenset()

    def masked(self, board: int) -> int:
        return self.lookup.masked(board) if self._is_judged else board

    def walls(self, board: int) -> frozenset[int]:
        return wall_cells(board, bool(self.run and self.run.setup.walls))

    def made(self, board: int) -> int:
        """Return the progress: the largest tile that is neither locked nor a wall, or the sum; or
        0.
        """
        table = self.table
        if table and self._is_judged and not goal_of(table.target).tile:
            return small_sum(board, table.target, table.formation) or 0
        aside = self.locked(board) | self.walls(board)
        exponents = [
            exponent for cell, exponent in enumerate(cells(board)) if exponent and cell not in aside
        ]
        return 1 << max(exponents) if exponents else 0

    def open(
        self,
        path: Path | None,
        run: Run | None = None,
        opened: Callable[[Table], object] = lambda _: None,
        opening: Callable[[], Table] | None = None,
    ) -> None:
        """Open the table in a folder, then begin or resume a run, or call `opened` without one.

        Without a folder, `opening` returns the table, on the worker thread.
        """
        self.leave()
        self.path, self._resumed = path, run

        def begin(table: Table) -> None:
            resumed, self._resumed = self._resumed, None
            if resumed:
                self._begin(resumed)
            else:
                opened(table)

        failed = self._listener.show_failure
        if opening:
            self.lookup.open_by(opening, begin, failed)
        elif path:
            self.lookup.open(path, begin, failed)

    def with_table(self, path: Path, done: Callable[[Table], object]) -> None:
        """Call `done` with the table in a folder, opened if needed; the current run is saved."""
        if self.path == path and self.table is not None:
            self.leave()
            done(self.table)
        else:
            self.open(path, opened=done)

    def begin(self, run: Run) -> None:
        """Begin or resume a run on the open table, or show one that is over."""
        self.leave()
        self._begin(run)

    def leave(self) -> None:
        """Save the current run if it has moves, and leave it.

        Also one that was to be resumed on a table that could not be opened.
        """
        run = self.drop()
        self.n_begun += 1
        self.clock.stop()
        if run and run.n_moves and run is not self._stored:
            self._stored = run
            self._listener.keep(run)

    def drop(self) -> Run | None:
        """Leave the current run, or the one to be resumed, unsaved, and return it."""
        run = self.run or self._resumed
        self.run = self._resumed = None
        self._ahead.clear()
        return run

    def close(self) -> None:
        self.leave()
        self.path = None
        self.lookup.close()

    def ask(self, board: int, answered: Callable[[Rated], object]) -> None:
        """Ask the table about another position; `answered` is not called if a run has begun since.

        Call `look_again` if the run goes on.
        """
        number = self.n_begun

        def done() -> None:
            answer = self.lookup.answer(board)
            if answer and number == self.n_begun:
                answered(answer)

        self._ahead.clear()
        self.lookup.ask((board,), done)

    def _begin(self, run: Run) -> None:
        self.run = run
        self._ahead.clear()
        if run.end:
            self._stored = run
        else:
            self.clock.start(run.setup.seconds_per_move)
        self._listener.show_start()
        self.look_again()

    def press(self, direction: int) -> None:
        run = self.run
        if run is None or run.end:
            return
        answer = self.answer
        is_known = not run.setup.is_judged or (answer is not None and answer.is_final)
        if self._ahead or (not is_known and run.is_legal(direction)):
            self._hold(run, direction)
            if answer and not is_known:
                self.look_again()  # the drive may be back
        else:
            self._play(run, direction, self.clock.elapsed_ms)

    def undo(self) -> None:
        """Take a move back if allowed, which marks the run."""
        run = self.run
        if run is None:
            return
        if self._ahead:
            self._hold(run, None)
        else:
            self._take_back(run)

    def drop_keys(self) -> None:
        """Forget the keys pressed ahead: they were meant for another board than came."""
        self._ahead.clear()

    def check_clock(self) -> None:
        """End the run if the time for a move is up; to be called periodically."""
        if self.run and self.is_playing and self.clock.is_over and not self._ahead:
            self._end(self.run, End.TIME)

    def look_again(self) -> None:
        """Ask the table about the position on the board, unless the run is over."""
        run = self.run
        if run is None or run.end:
            return
        board = run.board
        if end := run.goal_end(self._is_judged and self.lookup.is_reached(board)):
            self._end(run, end)
            return
        if not run.setup.is_judged:
            self._conclude(run, None)
            return

        def answered() -> None:
            if run is self.run and run.board == board and not run.end:
                self._take_answer(run)

        last = run.last
        if last is None:
            self.lookup.ask((board,), answered)
        else:
            self.lookup.ask((last.board, board), answered, last.made)

    def _hold(self, run: Run, direction: int | None) -> None:
        """Queue a key; the time for the next one starts now."""
        if len(self._ahead) < MAX_AHEAD:
            self._ahead.append((direction, self.clock.elapsed_ms))
            self.clock.start(run.setup.seconds_per_move)

    def _play_ahead(self, run: Run) -> None:
        while self._ahead and run is self.run:
            direction, ms = self._ahead[0]
            is_ready = run.end or self.answer or direction is None or not run.is_legal(direction)
            if not is_ready:
                return
            self._ahead.popleft()
            if direction is None:
                self._take_back(run)
            else:
                self._play(run, direction, ms)

    def _play(self, run: Run, direction: int, ms: int) -> None:
        """Play a move in an answered position, if it is accepted."""
        if run.end:
            return
        if not run.is_legal(direction):
            self._listener.show_refusal(direction, Refusal.ILLEGAL)
            return
        rates: Rates | None = None
        unknown: Collection[int] = ()
        if run.setup.is_judged:
            answer = self.answer
            if answer is None or answer.error:
                return
            rates, unknown = answer.rates, answer.unknown
        refusal = run.refusal(direction, rates, unknown)
        if refusal:
            run.refuse(direction, refusal)
            self._listener.show_refusal(direction, refusal)
            return
        move = run.play(direction, rates, ms, unknown)
        self.clock.start(run.setup.seconds_per_move)
        self._listener.show_move(move)
        self.look_again()

    def _take_back(self, run: Run) -> None:
        if run.undo():
            self._stored = None
            self.clock.start(run.setup.seconds_per_move)
            self._listener.show_undo()
            self.look_again()

    def _take_answer(self, run: Run) -> None:
        answer = self.answer
        assert answer is not None
        if answer.error and not isinstance(answer.error, ProbeError):
            self._ahead.clear()  # the drive, not the position: the run can be resumed later
            self._listener.show_failure(answer.error)
            return
        self._conclude(run, answer)
        self._play_ahead(run)

    def _conclude(self, run: Run, answer: Rated | None) -> None:
        """End the run if the table's answer is the end, or wait for a move."""
        rates = answer.rates if answer and not answer.error else None
        if end := run.conclude(rates, answer is None or answer.is_best_known):
            self._end(run, end)
        else:
            self._listener.show_ready()

    def _end(self, run: Run, end: End) -> None:
        self.clock.stop()
        run.finish(end, self._now())
        self._listener.show_end(end)
        if run.n_moves:
            self._stored = run
            self._listener.keep(run)
