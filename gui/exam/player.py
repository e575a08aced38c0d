"""The player of tests: a table, a test and the lookups between them. No Qt.

Every move is judged by the table's rates for the position before it, so a move waits for that
answer, usually a few milliseconds. Keys pressed in the meantime are queued and played one by one,
each as soon as its position is answered: the result does not depend on the speed of the drive. So
judgements come in the order of the moves, each from its own position, however fast the user types.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Protocol

from coach.grading.formation_cells import (
    has_reached,
    locked_cells,
    masked_board,
    small_sum,
    wall_cells,
)
from coach.grading.rated import LowerBoundsError, Rated, check_exact
from coach.play.board_edits import check_playable
from coach.play.judge import Lookup
from coach.play.move_clock import MoveClock
from coach.play.rules import TARGET, End, ExamGoal, Refusal
from coach.play.run import PlayedMove, Run
from coach.play.setup import Setup, turned_start
from engine.bitboard import cells
from engine.formats.board_text import read_board
from engine.platform.language import mark, tr
from engine.platform.tasks import Tasks
from engine.spawn import Rng
from tablebase.errors import ProbeError
from tablebase.formation.goal import goal_of
from tablebase.probe.table import Table


class ExamView(Protocol):
    """The view that shows and stores the test."""

    def show_start(self) -> None:
        """Show the position at which the test begins or resumes."""

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and its verdict."""

    def show_undo(self) -> None:
        """Show the position before the move that was taken back."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show why a move is not accepted."""

    def show_ready(self) -> None:
        """Show that the table has answered for the current position."""

    def show_end(self, end: End) -> None:
        """Show that the test is over."""

    def show_failure(self, error: BaseException) -> None:
        """Show that the table can't be opened or read."""

    def show_bad_start(self, reason: str) -> None:
        """Show why a typed position can't be a start."""

    def keep(self, session: Run) -> None:
        """Save a finished or abandoned test that has moves."""

    def note(self, session: Run, move: PlayedMove, number: int) -> None:
        """Record an imperfect move: the `number`-th of the test, from 1."""


MAX_AHEAD = 16
"""Half a second of the fastest typing; by then the page has said that it waits for the drive."""


class KeysAhead:
    """Moves and undos in the order they were requested."""

    def __init__(self) -> None:
        self._keys: deque[tuple[int | None, int]] = deque()

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def first(self) -> tuple[int | None, int]:
        """The first direction (None for an undo) and its time in ms."""
        return self._keys[0]

    def add(self, direction: int | None, ms: int) -> bool:
        """Append an entry and return whether there was room.

        The length is limited so that a held arrow key doesn't play a whole test once the drive
        wakes up.
        """
        has_room = len(self._keys) < MAX_AHEAD
        if has_room:
            self._keys.append((direction, ms))
        return has_room

    def drop_first(self) -> None:
        """Remove the first entry."""
        self._keys.popleft()

    def clear(self) -> None:
        """Clear the queue: it was meant for another test."""
        self._keys.clear()


_UNSURE_START = mark(
    "the position can't arise from the table's start, so the table doesn't know what all its moves "
    "are worth"
)


@dataclass(frozen=True)
class ExamRules:
    """The rules of the next test; see `Setup` for all but the first."""

    is_turned: bool = True
    allows_undo: bool = False
    leaves_out_forced: bool = False
    seconds_per_move: int = 0
    perfect_within: float = 0.0
    goal: ExamGoal = TARGET

    def of(self, setup: Setup) -> Setup:
        """Return the same setup with these rules."""
        return replace(
            setup,
            allows_undo=self.allows_undo,
            leaves_out_forced=self.leaves_out_forced,
            seconds_per_move=self.seconds_per_move,
            perfect_within=self.perfect_within,
            goal=self.goal,
        )


class ExamPlayer:
    """Runs tests, one after the other.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    rng : Rng
        Source of starts, turns and seeds.
    clock : callable
        Seconds, monotonic: how long moves take.
    now : callable
        Date and time, with a time zone.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        listener: ExamView,
        rng: Rng,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self._open_table, self._lookup = open_table, Lookup(open_table, tasks)
        self._listener, self._rng = listener, rng
        self._start_rng = Rng(rng.next_u64())  # used on the worker thread only
        self._now = now
        self.clock = MoveClock(clock)
        self.rules = ExamRules()
        self.session: Run | None = None
        self._name = ""
        self._resumed: Run | None = None
        self._ahead = KeysAhead()
        self._n_begun = 0  # counts start requests: only the latest takes effect
        self._stored: Run | None = None

    # What is there --------------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        """The open table."""
        return self._lookup.table

    @property
    def answer(self) -> Rated | None:
        """The table's answer for the position; None while unknown."""
        return self._lookup.answer(self.session.board) if self.session else None

    @property
    def is_playing(self) -> bool:
        """Whether a test goes on."""
        return self.session is not None and self.session.end is None

    @property
    def can_undo(self) -> bool:
        """Whether a move can be taken back."""
        session = self.session
        return bool(
            session
            and session.setup.allows_undo
            and (session.n_moves or self._ahead)
            and session.end is not End.TIME
        )

    def locked(self, board: int) -> frozenset[int]:
        """Return the cells of the large tiles that the table masks."""
        table = self.table
        if table is None:
            return frozenset()
        return locked_cells(board, table.target, table.formation)

    def masked(self, board: int) -> int:
        """Return a position with its large tiles as F, as the table stores it."""
        table = self.table
        return masked_board(board, table.target, table.formation) if table else board

    def walls(self, board: int) -> frozenset[int]:
        """Return the cells that are wall."""
        return wall_cells(board, bool(self.session and self.session.setup.walls))

    def made(self, board: int) -> int:
        """Return the progress: the largest tile that is neither locked nor a wall, or the sum; or
        0.
        """
        table = self.table
        if table is not None and not goal_of(table.target).tile:
            return small_sum(board, table.target, table.formation) or 0
        aside = self.locked(board) | self.walls(board)
        exponents = [
            exponent for cell, exponent in enumerate(cells(board)) if exponent and cell not in aside
        ]
        return 1 << max(exponents) if exponents else 0

    # Beginning ------------------------------------------------------------------------------

    def open(self, path: Path, name: str, resumed: Run | None = None) -> None:
        """Open the table in a folder and begin a test, or resume one."""
        self.open_by(partial(self._open_table, path), name, resumed)

    def open_by(self, opening: Callable[[], Table], name: str, resumed: Run | None = None) -> None:
        """Do the same as `open` with the table from `opening`, which runs on the worker thread."""
        self.leave()
        self._name, self._resumed = name, resumed
        self._lookup.open_by(partial(_exact, opening), self._begin, self._listener.show_failure)

    def begin(self, session: Run) -> None:
        """Begin or resume a given test on the open table."""
        self.leave()
        self._begin_session(session)

    def close(self) -> None:
        """Save the test and close the table."""
        self.leave()
        self._lookup.close()

    def reopen(self, path: Path) -> None:
        """Reopen the table after a drive has come back, and resume the test."""
        session = self.session or self._resumed
        self.session = self._resumed = None
        self.open(path, self._name, session if session and session.end is None else None)

    def leave(self) -> None:
        """Save the current test if it has moves, and leave it.

        Also one that was to be resumed on a table that could not be opened.
        """
        session = self.session or self._resumed
        self.session = self._resumed = None
        self._ahead.clear()
        self._n_begun += 1
        self.clock.stop()
        if session and session.n_moves and session is not self._stored:
            self._stored = session
            self._listener.keep(session)

    def new_start(self) -> None:
        """Begin a test at a position chosen by the table."""
        if self.table:
            self.leave()
            number = self._n_begun

            def begin(board: int) -> None:
                if number == self._n_begun:  # otherwise another test has begun in the meantime
                    self._start(self._setup(board, is_given=False))

            self._lookup.start_board(self._start_rng, begin, self._listener.show_failure)

    def restart(self) -> None:
        """Begin a new test at the typed position, or else at one chosen by the table."""
        setup = self.session.setup if self.session else None
        if setup and setup.is_given:
            self.leave()
            self._start(self._setup(setup.start, is_given=True))
        else:
            self.new_start()

    def start_at(self, text: str) -> None:
        """Begin a test at a typed position, if the table covers it.

        Raises
        ------
        InvalidBoardError
            It is not a position, or its walls are elsewhere.
        """
        board, table = read_board(text).board, self.table
        if table is None:
            return
        present = self.session.setup.start if self.session else board
        check_playable(board, present, table.formation.walls)
        number = self._n_begun

        def answered() -> None:
            if number != self._n_begun:
                return
            answer = self._lookup.answer(board)
            if answer is None or answer.error:
                reason = str(answer.error) if answer else ""
                self._listener.show_bad_start(reason)
                self._look()
            elif not answer.is_best_known:
                self._listener.show_bad_start(tr(_UNSURE_START))
                self._look()
            elif not answer.best_rate:
                self._listener.show_bad_start(tr("the table knows no way to the target from there"))
                self._look()
            else:
                self.leave()
                self._start(self._setup(board, is_given=True))

        self._ahead.clear()
        self._lookup.ask((board,), answered)

    def rematch(self) -> None:
        """Play the same start with the same new tiles again."""
        session = self.session
        if session and self.table:
            self.leave()
            self._begin_session(self.begun_like(session))

    def begun_like(self, session: Run) -> Run:
        """Return a new test with the start and tiles of another one, under the current rules."""
        return Run(self.rules.of(session.setup), self._now())

    def _begin(self, _table: Table) -> None:
        resumed, self._resumed = self._resumed, None
        if resumed is None:
            self.new_start()
        else:
            self._begin_session(resumed)

    def _setup(self, board: int, is_given: bool) -> Setup:
        table = self.table
        assert table is not None
        setup = Setup(
            table=self._name,
            target=table.target,
            spawn4=table.spawn4,
            rate=table.rate,
            seed=self._rng.next_u64() >> 1,
            start=board,
            walls=table.formation.walls,
            is_given=is_given,
        )
        setup = self.rules.of(setup)
        return turned_start(setup, self._rng) if self.rules.is_turned and not is_given else setup

    def _start(self, setup: Setup) -> None:
        self._begin_session(Run(setup, self._now()))

    def _begin_session(self, session: Run) -> None:
        self.session = session
        self._ahead.clear()
        self.clock.start(session.setup.seconds_per_move)
        self._listener.show_start()
        self._look()

    # Playing --------------------------------------------------------------------------------

    def press(self, direction: int) -> None:
        """Play a move: now, or as soon as the table has answered for the position."""
        session = self.session
        if session is None or session.end:
            return
        answer = self.answer
        is_known = answer is not None and answer.is_final
        if self._ahead or (not is_known and session.is_legal(direction)):
            self._hold(session, direction)
            if answer and not is_known:
                self._look()  # the drive may be back
        else:
            self._play(session, direction, self.clock.elapsed_ms)

    def undo(self) -> None:
        """Take a move back if allowed, which marks the test."""
        session = self.session
        if session is None:
            return
        if self._ahead:
            self._hold(session, None)
        else:
            self._take_back(session)

    def check_clock(self) -> None:
        """End the test if the time for a move is up; to be called periodically."""
        if self.is_playing and self.clock.is_over and not self._ahead:
            self._end(End.TIME)

    def _hold(self, session: Run, direction: int | None) -> None:
        """Queue a key; the time for the next one starts now."""
        if self._ahead.add(direction, self.clock.elapsed_ms):
            self.clock.start(session.setup.seconds_per_move)

    def _play_ahead(self, session: Run) -> None:
        """Process queued keys as far as the table has answered."""
        while self._ahead and session is self.session:
            direction, ms = self._ahead.first
            if direction is None:
                self._ahead.drop_first()
                self._take_back(session)
            elif session.end or self.answer or not session.is_legal(direction):
                self._ahead.drop_first()
                self._play(session, direction, ms)
            else:
                return

    def _play(self, session: Run, direction: int, ms: int) -> None:
        """Play a move in an answered position, if it is accepted."""
        if session.end:
            return
        if not session.is_legal(direction):
            self._listener.show_refusal(direction, Refusal.ILLEGAL)
            return
        answer = self.answer
        if answer is None or answer.error:
            return
        rates, unknown = answer.rates, answer.unknown
        refusal = session.refusal(direction, rates, unknown)
        if refusal:
            self._listener.show_refusal(direction, refusal)
            return
        move = session.play(direction, rates, ms, unknown)
        self.clock.start(session.setup.seconds_per_move)
        self._listener.show_move(move)
        if not move.judgement.is_perfect:
            self._listener.note(session, move, session.n_moves)
        self._look()

    def _take_back(self, session: Run) -> None:
        if session.undo():
            self._stored = None
            self.clock.start(session.setup.seconds_per_move)
            self._listener.show_undo()
            self._look()

    def _look(self) -> None:
        """Ask the table about the position on the board."""
        session = self.session
        if session is None or session.end:
            return
        board = session.board
        if end := session.goal_end(self._is_reached(board)):
            self._end(end)
            return

        def answered() -> None:
            if session is self.session and session.board == board and not session.end:
                self._take_answer(session)

        last = session.last
        if last is None:
            self._lookup.ask((board,), answered)
        else:
            self._lookup.ask((last.board, board), answered, last.direction)

    def _take_answer(self, session: Run) -> None:
        answer = self.answer
        assert answer is not None
        if answer.error and not isinstance(answer.error, ProbeError):
            self._ahead.clear()  # the drive, not the position: the test can be resumed later
            self._listener.show_failure(answer.error)
            return
        rates = None if answer.error else answer.rates
        if end := session.conclude(rates, answer.is_best_known):
            self._end(end)
        else:
            self._listener.show_ready()
        self._play_ahead(session)

    def _is_reached(self, board: int) -> bool:
        table = self.table
        return bool(table and has_reached(board, table.target, table.formation))

    def _end(self, end: End) -> None:
        session = self.session
        assert session is not None
        self.clock.stop()
        session.finish(end, self._now())
        self._listener.show_end(end)
        if session.n_moves:
            self._stored = session
            self._listener.keep(session)


def _exact(opening: Callable[[], Table]) -> Table:
    """Open a table with exact rates; raise LowerBoundsError for others."""
    table = opening()
    try:
        check_exact(table)
    except LowerBoundsError:
        table.close()
        raise
    return table
