"""Where tests are kept: the one in play, those that are over, and the list of them. No Qt.

DATA/tests/current.json   the test in play, written again and again while it goes on
DATA/tests/NAME.json      a test that is over, or was broken off: L3_512_20260501-120000-123.json
DATA/tests.db             a row for each of those, see `tablebase.coach.test_history`

All of it is done by one worker, in order; `close` waits for what is not done yet.
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

from engine.errors import AppError, InvalidBoardError
from engine.formats.rpl import write_rpl
from gui.lookup import Tasks
from gui.test.log import log_of
from tablebase.coach.database import DamagedDatabaseError, set_aside
from tablebase.coach.session import Session
from tablebase.coach.session_file import (
    SessionFileError,
    file_name,
    read_session,
    write_session,
    write_whole,
)
from tablebase.coach.test_history import FinishedTest, History, summary_of
from tablebase.coach.test_query import TestQuery

T = TypeVar("T")
CURRENT = "current.json"
_MOST_LISTED = 3_000  # a list that is there within a frame
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Listed:
    """The history as it is now: the tables that have tests, and the tests, the newest first."""

    tables: tuple[tuple[str, int], ...]
    tests: tuple[FinishedTest, ...]


@dataclass(frozen=True)
class Kept:
    """A test that was written, and the best one before it with the same start and tiles."""

    test: FinishedTest
    rival: FinishedTest | None


class SessionKeeper:
    """Keeps tests on disk, off the GUI thread.

    Parameters
    ----------
    folder : Path or None
        DATA; None keeps nothing.
    tasks : Tasks
        One worker, so that all is done in the order in which it is asked for.
    failed : callable
        Hears what could not be done, as a sentence.
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
        self._remarks: list[str] = []  # of the worker, to be told with its next answer
        self._futures: list[Future[object]] = []

    # Asked for by the page ------------------------------------------------------------------

    def load(self, loaded: Callable[[Session | None], None]) -> None:
        """Call `loaded` with the test that was in play when the program ended, if there is one."""

        def work() -> tuple[Session | None, str]:
            return self._read_current()

        def done(found: tuple[Session | None, str]) -> None:
            session, problem = found
            if problem:
                self._failed(problem)
            loaded(session)

        self._run(work, done)

    def save_current(
        self, session: Session, saved: Callable[[Path], None] = lambda _: None
    ) -> None:
        """Write the test in play, as it is now, and call `saved` with its file."""
        copy = session.copy()

        def done(_: None) -> None:
            if self._folder:
                saved(self._folder / CURRENT)

        self._run(lambda: self._write_current(copy), done)

    def keep(self, session: Session, kept: Callable[["Kept"], None]) -> None:
        """Write a test that is over or broken off, and call `kept` when that is done.

        There is no test in play any more then.
        """
        copy = session.copy()
        self._run(lambda: self._keep(copy), lambda found: kept(found) if found else None)

    def list(
        self,
        query: TestQuery,
        listed: Callable[[Listed], None],
        refused: Callable[[InvalidBoardError], None],
    ) -> None:
        """Call `listed` with the tests of a query, or `refused` when it has no position."""

        def done(found: Listed | InvalidBoardError) -> None:
            if isinstance(found, InvalidBoardError):
                refused(found)
            else:
                listed(found)

        self._run(lambda: self._list(query), done)

    def remove(self, path: Path, removed: Callable[[FinishedTest | None], None]) -> None:
        """Take a test out of the list; its file stays, for `restore`."""
        self._run(lambda: self._open().remove(path) if self._database else None, removed)

    def restore(self, test: FinishedTest, restored: Callable[[], None]) -> None:
        """Bring a test back into the list."""
        self._run(lambda: self._open().add(test), lambda _: restored())

    def read(self, path: Path, read: Callable[[Session], None]) -> None:
        """Call `read` with the test in a file."""
        self._run(lambda: read_session(path), read)

    def export(self, session: Session, path: Path, done: Callable[[], None]) -> None:
        """Write a test and call `done`: as `.rpl`, which other programs read, or as `.txt`."""
        copy = session.copy()

        def work() -> None:
            is_text = path.suffix == ".txt"
            write_whole(path, log_of(copy).encode() if is_text else write_rpl(copy.replay()))

        self._run(work, lambda _: done())

    def close(self, session: Session | None) -> None:
        """Wait for what is not done yet, write the test in play, let go of the files."""
        for future in self._futures:
            with suppress(Exception):
                future.result()
        if session:
            try:
                self._write_current(session)
            except OSError:
                _log.exception("the test in play is not saved")
        if self._history:
            self._history.close()

    # Done by the worker ---------------------------------------------------------------------

    def _read_current(self) -> tuple[Session | None, str]:
        if self._folder is None or not (self._folder / CURRENT).exists():
            return None, ""
        path = self._folder / CURRENT
        try:
            return read_session(path), ""
        except SessionFileError as error:
            _log.warning("%s", error)
        kept = path.with_name(f"damaged-{self._now():%Y%m%d-%H%M%S}.json")
        with suppress(OSError):
            os.replace(path, kept)
        return None, f"The test of last time cannot be read. Its file is kept as {kept}."

    def _write_current(self, session: Session) -> None:
        if self._folder:
            write_session(self._folder / CURRENT, session)

    def _remove_current(self) -> None:
        if self._folder:
            (self._folder / CURRENT).unlink(missing_ok=True)

    def _keep(self, session: Session) -> "Kept | None":
        if self._folder is None:
            return None
        path = self._folder / file_name(session)
        write_session(path, session)
        self._remove_current()
        test = summary_of(session, path, session.ended or self._now())
        history = self._open()
        history.remove(path)  # as it was before a move was taken back
        rival = history.best(test.table, test.seed, test.start)
        history.add(test)
        return Kept(test, rival)

    def _list(self, query: TestQuery) -> Listed | InvalidBoardError:
        if self._database is None:
            return Listed((), ())
        history = self._open()
        try:
            tests = history.tests(query, _MOST_LISTED)
        except InvalidBoardError as error:
            return error
        return Listed(tuple(history.tables()), tuple(tests))

    def _open(self) -> History:
        assert self._database
        if self._history is None:
            try:
                self._history = History(self._database)
            except DamagedDatabaseError as error:
                kept = set_aside(self._database, self._now())
                _log.warning("%s; kept as %s", error, kept)
                self._remarks.append(
                    f"The list of tests cannot be read; a new one begins. The old one is {kept}."
                )
                self._history = History(self._database)
        return self._history

    def _run(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._futures = [one for one in self._futures if not one.done()]

        def finished(result: T) -> None:
            while self._remarks:
                self._failed(self._remarks.pop(0))
            done(result)

        future = self._tasks.run(work, finished, self._report)
        if isinstance(future, Future):
            self._futures.append(future)

    def _report(self, error: BaseException) -> None:
        _log.error("tests are not kept", exc_info=error)
        if isinstance(error, OSError):
            place = error.filename or self._folder
            text = f"{place} cannot be written: {error.strerror or error}."
        else:
            text = str(error) if isinstance(error, AppError) else f"A bug: {error}."
        self._failed(text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))


def _ignore(_: object) -> None:
    pass
