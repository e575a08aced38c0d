"""The store of tests: the one in play, finished ones, and the list of them. No Qt.

DATA/tests/NAME.log       the test in play, a line with every move: `coach.exam.session_log`
DATA/tests/current.json   the same, written when the program ends or Review wants to see it
DATA/tests/NAME.json      a finished or abandoned test: L3_512_20260501-120000-123.json
DATA/tests.db             a row for each of those, see `coach.exam.history`

Everything but the log is done by one worker, in order; `close` waits for pending work. A log is
deleted once its test is in a file and in the list, so none is lost in between. A file that can't be
read at the start, but may be intact, is left alone.
"""

import logging
import os
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar

from coach.exam.history import FinishedTest, History, summary_of
from coach.exam.query import ExamQuery
from coach.exam.session_file import (
    CURRENT,
    SessionFileError,
    file_name,
    read_session,
    write_session,
    write_whole,
)
from coach.exam.session_log import SUFFIX, SessionLog, log_path, read_session_log
from coach.play.rules import TARGET, ExamGoal
from coach.play.run import PlayedMove, Run
from coach.record.database import DamagedDatabaseError
from coach.record.database import set_aside as set_database_aside
from engine.formats.rpl import write_rpl
from engine.platform.errors import AppError, InvalidBoardError
from engine.platform.files.damaged_file import is_set_aside, is_transient, set_aside
from engine.platform.language import mark, sentences, tr
from engine.platform.tasks import Tasks
from gui.exam.text import log_of
from gui.text.messages import sentence
from gui.work.store_service import OnError

T = TypeVar("T")
_MAX_LISTED = 3_000  # a list that loads within a frame
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TestList:
    """The current history."""

    # tuple of (str, int): tables with tests, and the number of tests.
    tables: tuple[tuple[str, int], ...]
    tests: tuple[FinishedTest, ...]  # newest first
    # The allowances for perfect moves in the stored tests, in percentage points.
    allowances: tuple[float, ...] = (0.0,)
    goals: tuple[ExamGoal, ...] = (TARGET,)


@dataclass(frozen=True)
class InterruptedTest:
    """The test in play when the program ended."""

    session: Run | None = None
    # tuple of (int, datetime): number and time of its imperfect moves if the program was killed, as
    # they may not have been filed.
    mistakes: tuple[tuple[int, datetime], ...] = ()


@dataclass(frozen=True)
class StoredTest:
    """A stored test, and the best earlier one with the same start and tiles."""

    test: FinishedTest
    rival: FinishedTest | None


class SessionStore:
    """Stores tests on disk, off the GUI thread.

    Parameters
    ----------
    folder : Path or None
        DATA; None keeps nothing.
    tasks : Tasks
        One worker, so that everything is done in the requested order.
    failed : callable
        Called with a sentence on what failed.
    now : callable
        Date and time, with a time zone.
    """

    def __init__(
        self,
        folder: Path | None,
        tasks: Tasks,
        failed: Callable[[str], None],
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self._folder = folder / "tests" if folder else None
        self._database = folder / "tests.db" if folder else None
        self._tasks, self._failed, self._now = tasks, failed, now
        self._history: History | None = None
        self._remarks: list[str] = []  # from the worker, to be reported with its next answer
        self._is_current_unread = False  # it may be intact, so it must not be overwritten
        self._log = SessionLog(self._folder) if self._folder else None
        self._is_failing = False  # the log can't be written, and that was reported
        self._futures: list[Future[object]] = []

    # Asked for by the page ------------------------------------------------------------------

    def load(self, loaded: Callable[[InterruptedTest], None]) -> None:
        """Call `loaded` with the test that was in play when the program ended, if there is one."""

        def done(result: tuple[InterruptedTest, str]) -> None:
            test, problem = result
            if problem:
                self._failed(problem)
            loaded(test)

        self._run(self._load, done)

    def note_move(self, session: Run, move: PlayedMove, when: datetime) -> None:
        """Write the last move of the test in play, synchronously."""
        self._write_log(lambda log: log.move(session, move, when))

    def note_undo(self, session: Run) -> None:
        """Write that the last move of the test in play was taken back, synchronously."""
        self._write_log(lambda log: log.undo(session))

    def _write_log(self, write: Callable[[SessionLog], None]) -> None:
        if self._log is None:
            return
        try:
            write(self._log)
        except OSError as error:
            if not self._is_failing:
                self._is_failing = True
                self.report(error)
            return
        if self._is_failing:
            self._is_failing = False
            self._failed(tr("Your test is being saved again, with every move."))

    def save_current(self, session: Run, saved: Callable[[Path], None] = lambda _: None) -> None:
        """Write the test in play, as it is now, and call `saved` with its file."""
        copy = session.copy()

        def done(_: None) -> None:
            if self._folder:
                saved(self._folder / CURRENT)

        self._run(lambda: self._write_current(copy), done)

    def keep(self, session: Run, done: Callable[[StoredTest], None]) -> None:
        """Write a finished or abandoned test, and call `done`.

        There is no test in play then.
        """
        copy = session.copy()
        if self._log and self._log.is_of(session):
            self._log.close()  # Windows can't delete an open file; no move may go to a deleted one

        def finish(stored: StoredTest | None) -> None:
            if self._log and not self._log.is_of(session):  # else a move was taken back meanwhile
                self._remove_log(copy)
            if stored:
                done(stored)

        self._run(lambda: self._keep(copy), finish)

    def _remove_log(self, session: Run) -> None:
        """Remove the log of a test that is in a file and in the list."""
        assert self._folder
        try:
            log_path(self._folder, session).unlink(missing_ok=True)
        except OSError as error:  # the next start removes it
            _log.warning("the log of a test stays: %s", error)

    def list(
        self,
        query: ExamQuery,
        listed: Callable[[TestList], None],
        refused: Callable[[InvalidBoardError], None],
    ) -> None:
        """Call `listed` with the tests of a query, or `refused` if its position is invalid."""

        def done(result: TestList | InvalidBoardError) -> None:
            if isinstance(result, InvalidBoardError):
                refused(result)
            else:
                listed(result)

        self._run(lambda: self._list(query), done)

    def remove(self, path: Path, removed: Callable[[FinishedTest | None], None]) -> None:
        """Remove a test from the list; its file stays, for `restore`."""
        self._run(lambda: self._open().remove(path) if self._database else None, removed)

    def restore(self, test: FinishedTest, restored: Callable[[], None], failed: OnError) -> None:
        """Restore a test in the list, or call `failed`, which may `report` it."""
        self._run(lambda: self._open().add(test), lambda _: restored(), failed)

    def read(self, path: Path, read: Callable[[Run], None]) -> None:
        """Call `read` with the test in a file."""
        self._run(lambda: read_session(path), read)

    def export(self, session: Run, path: Path, done: Callable[[], None]) -> None:
        """Write a test and call `done`: as `.rpl`, which other programs read, or as `.txt`."""
        copy = session.copy()

        def work() -> None:
            is_text = path.suffix == ".txt"
            write_whole(path, log_of(copy).encode() if is_text else write_rpl(copy.replay()))

        self._run(work, lambda _: done())

    def close(self, session: Run | None) -> None:
        """Wait for pending work, write the test in play, close the files."""
        for future in self._futures:
            with suppress(Exception):
                future.result()
        if self._log:
            self._log.close()
        if session and self._folder:
            try:
                self._write_current(session)
                log_path(self._folder, session).unlink(missing_ok=True)
            except (OSError, AppError):  # its log stays for the next start
                _log.exception("the test in play is not saved")
        if self._history:
            self._history.close()

    # Done by the worker ---------------------------------------------------------------------

    def _load(self) -> tuple[InterruptedTest, str]:
        """Return the test in play; save earlier ones left by a crash."""
        session, problem = self._read_current()
        tests = [InterruptedTest(session)] if session else []
        logs = sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder else []
        logs = [path for path in logs if not is_set_aside(path)]
        for path in sorted(logs, key=lambda log: log.stat().st_mtime_ns):
            try:
                logged = read_session_log(path)
            except SessionFileError as error:
                text = mark("A test can't be read. Its file is kept as {path}.")
                problem = sentences(problem, self._put_aside(path, error, text))
                continue
            tests = [test for test in tests if not _is_same(test.session, logged.session)]
            tests.append(InterruptedTest(logged.session, logged.mistakes))
        last = tests[-1] if tests else InterruptedTest()
        try:
            for test in tests[:-1]:
                if test.session and not self._is_kept(test.session):
                    self._keep(test.session)
                    self._forget(test.session)
            is_kept = last.session is not None and self._is_kept(last.session)
        except (OSError, AppError) as error:  # their files stay for the next start
            _log.warning("tests of last time are not kept yet: %s", error)
            is_kept = False
        return (InterruptedTest() if is_kept else last), problem

    def _is_kept(self, session: Run) -> bool:
        """Return whether the whole test is already in a file of its own."""
        assert self._folder
        path = self._folder / file_name(session)
        try:
            stored = read_session(path)
        except SessionFileError:
            return False
        is_whole = stored.n_undos == session.n_undos and stored.n_moves >= session.n_moves
        if is_whole:
            self._add_to_list(stored, path)
            self._forget(session)
        return is_whole

    def _read_current(self) -> tuple[Run | None, str]:
        if self._folder is None:
            return None, ""
        path = self._folder / CURRENT
        try:
            return read_session(path), ""
        except SessionFileError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None, ""
            text = mark("Your last test can't be read. Its file is kept as {path}.")
            problem = self._put_aside(path, error, text)
            self._is_current_unread |= is_transient(error) or os.path.lexists(path)
            return None, problem

    def _put_aside(self, path: Path, error: SessionFileError, text: str) -> str:
        """Set a file aside unless it may be intact; return the message to show.

        Parameters
        ----------
        text : str
            Marked, with a placeholder for its new name.
        """
        _log.warning("%s", error)
        if not is_transient(error):
            with suppress(OSError):
                return tr(text, path=set_aside(path, self._now()))
        return sentences(sentence(str(error)), tr("It stays there for the next start."))

    def _write_current(self, session: Run) -> None:
        if self._folder:
            if self._is_current_unread:
                self._rescue_current(session)
            write_session(self._folder / CURRENT, session)

    def _rescue_current(self, session: Run) -> None:
        """Save the test that could not be read before; raise AppError if it still can't be."""
        self._is_current_unread = False
        before, problem = self._read_current()
        if self._is_current_unread:
            raise SessionFileError(problem)
        if before and not _is_same(before, session) and not self._is_kept(before):
            self._keep(before)

    def _remove_current(self) -> None:
        if self._folder:
            (self._folder / CURRENT).unlink(missing_ok=True)

    def _forget(self, session: Run) -> None:
        """Remove the file of an earlier run's test in play."""
        assert self._folder
        self._forget_current(session)
        log_path(self._folder, session).unlink(missing_ok=True)

    def _forget_current(self, session: Run) -> None:
        current, _ = self._read_current()
        if _is_same(current, session):
            self._remove_current()

    def _keep(self, session: Run) -> StoredTest | None:
        if self._folder is None:
            return None
        path = self._folder / file_name(session)
        write_session(path, session)
        stored = self._add_to_list(session, path)
        self._forget_current(session)  # last: until then a crash loses nothing
        return stored

    def _add_to_list(self, session: Run, path: Path) -> StoredTest:
        test = summary_of(session, path, session.ended or self._now())
        history = self._open()
        history.remove(path)  # in the state before a move was taken back
        rival = history.best_like(test)
        history.add(test)
        return StoredTest(test, rival)

    def _list(self, query: ExamQuery) -> TestList | InvalidBoardError:
        if self._database is None:
            return TestList((), ())
        history = self._open()
        try:
            tests = history.tests(query, _MAX_LISTED)
        except InvalidBoardError as error:
            return error
        allowances, goals = tuple(history.allowances()), tuple(history.goals())
        return TestList(tuple(history.tables()), tuple(tests), allowances, goals)

    def _open(self) -> History:
        assert self._database
        if self._history is None:
            try:
                self._history = History(self._database)
            except DamagedDatabaseError as error:
                old = set_database_aside(self._database, self._now())
                _log.warning("%s; kept as %s", error, old)
                self._remarks.append(
                    tr(
                        "The list of tests can't be read, so a new one begins. The old one: {path}",
                        path=old,
                    )
                )
                self._history = History(self._database)
        return self._history

    def _run(
        self, work: Callable[[], T], done: Callable[[T], None], failed: OnError | None = None
    ) -> None:
        self._futures = [future for future in self._futures if not future.done()]

        def finished(result: T) -> None:
            while self._remarks:
                self._failed(self._remarks.pop(0))
            done(result)

        future = self._tasks.run(work, finished, failed or self.report)
        if isinstance(future, Future):
            self._futures.append(future)

    def report(self, error: BaseException) -> None:
        """Report why something could not be stored."""
        _log.error("tests are not kept", exc_info=error)
        if isinstance(error, OSError):
            place = error.filename or self._folder
            text = tr(
                "{path} cannot be written: {reason}.", path=place, reason=error.strerror or error
            )
        else:
            text = str(error) if isinstance(error, AppError) else tr("A bug: {error}.", error=error)
        self._failed(sentence(text))


def _is_same(a: Run | None, b: Run | None) -> bool:
    return a is not None and b is not None and file_name(a) == file_name(b)
