"""``user.db`` is made from the files of earlier versions: all of them, or none on an error.

Everything happens in the folder ``user.db.reading``, under a lock: copies of the old databases are
read into a new one there, every row is compared with the old one, and in the last step the new
database gets its name. Whatever interrupts this, even a power cut, it begins anew the next time.
Old files are only ever read, and not by SQLite, which would write a log beside them; so an earlier
version of the program finds them as it left them.

An old file that is damaged is left out, and said to be. It is not looked at again: if a copy of it
turns up, put that in its place and move ``user.db`` away, and everything is read again.
"""

import errno
import json
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol

from coach.record.database import (
    BESIDES,
    DamagedDatabaseError,
    DatabaseError,
    check_database,
    decoded,
    explained,
    open_database,
    set_aside,
    transaction,
)
from coach.record.schema import MIGRATIONS, SOUND
from coach.record.user_database import LOCK_NAME, NAME, OLD_NAMES, WORK_NAME, has_old_files
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import behind_links, rename, sync_file, sync_folder, unlink
from engine.platform.files.file_lock import FileLock
from engine.platform.files.input_file import open_regular
from engine.platform.language import mark, tr

_log = logging.getLogger(__name__)
_CHUNK, _LOT = 1 << 20, 1000  # bytes, rows
_ATTEMPTS = 5  # at copying a file to which another program writes
_PAUSE_S = 0.2


class ReadingError(DatabaseError):
    """The old files were not read in; they are as they were, and no ``user.db`` was made."""


class ReadingCancelledError(ReadingError):
    """The program is closing: the reading begins anew the next time."""

    is_transient = True


@dataclass(frozen=True)
class Watch:
    """Callbacks of a reading."""

    show: Callable[[float], object] = lambda _: None  # the fraction done; 1 at the end
    is_cancelled: Callable[[], bool] = lambda: False
    step: Callable[[str], object] = lambda _: None  # called before each step, with its name
    warn: Callable[[str], object] = lambda _: None  # called at the end with what was left out

    def check(self) -> None:
        """Raise ReadingCancelledError if the program is closing."""
        if self.is_cancelled():
            raise ReadingCancelledError(tr("your earlier data will be imported at the next start"))


class Reader(Protocol):
    """Reads one kind of old files into the new database, within a transaction."""

    name: str  # the file or folder in the data folder

    def read(self, old: "OldFiles", new: sqlite3.Connection) -> Mapping[str, int]:
        """Return the counts by kind; DamagedDatabaseError, and nothing stored, if unreadable."""

    def check(self, old: "OldFiles", new: sqlite3.Connection) -> None:
        """Raise ReadingError if what was stored is not what is in the old files."""


@dataclass
class OldFiles:
    """The old files of a data folder, for the readers."""

    folder: Path
    work: Path  # for copies
    watch: Watch
    problems: list[str] = field(default_factory=list)  # of the reader at work
    show: Callable[[float], object] = lambda _: None  # its progress, as a fraction
    _open: dict[str, sqlite3.Connection] = field(default_factory=dict)

    def database(self, name: str, migrations: Sequence[str]) -> sqlite3.Connection | None:
        """Return a copy of an old database, upgraded to its last version; None if there is none.

        Its rows are plain tuples, of a snapshot: nobody else writes to it.
        """
        if name in self._open:
            return self._open[name]
        path = self.folder / name
        if not os.path.lexists(path):
            return None
        copy = self.work / name
        try:
            _copy_database(path, copy, self.watch)
            connection = open_database(copy, migrations)
        except DamagedDatabaseError as error:
            raise DamagedDatabaseError(str(error), path, error.why) from error
        connection.set_progress_handler(None, 0)  # no time limit: large tables are read as a whole
        connection.row_factory = None
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        self._open[name] = connection
        return connection

    def rows(self, name: str, sql: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query of a database opened by `database`."""
        path = self.folder / name
        with explained(path):
            cursor = self._open[name].execute(sql)
        while True:
            with explained(path):
                lot = cursor.fetchmany(_LOT)
            if not lot:
                return
            yield from lot

    def n_rows(self, name: str, migrations: Sequence[str], table: str) -> int:
        if self.database(name, migrations) is None:
            return 0
        return int(next(self.rows(name, f"SELECT count(*) FROM {table}"))[0])

    def close(self) -> None:
        for name, connection in self._open.items():
            connection.close()
            for path in self.work.glob(f"{name}*"):
                unlink(path)
        self._open.clear()


def read_old_files(folder: Path, readers: Sequence[Reader], watch: Watch | None = None) -> None:
    """Make ``user.db`` from the old files of a data folder, unless it exists.

    Another process that does the same is waited for. A later reader may use what an earlier one has
    stored. After a ReadingError nothing was read in; it begins anew the next time.
    """
    watch = watch or Watch()
    watch.show(0.0)
    try:
        with _locked(folder, watch):
            if not (folder / NAME).exists() and has_old_files(folder):
                _read(folder, readers, watch)
    except OSError as error:
        name = f" ({error.filename})" if error.filename else ""
        raise _not_read(f"{error.strerror or error}{name}") from error
    except ReadingError:
        raise
    except AppError as error:
        raise _not_read(str(error)) from error
    finally:
        watch.show(1.0)


def _not_read(reason: str) -> ReadingError:
    return ReadingError(
        "your data from earlier versions could not be imported: {reason}. Nothing was "
        "changed; it is tried again at the next start",
        reason=reason,
    )


@contextmanager
def _locked(folder: Path, watch: Watch) -> Iterator[None]:
    lock = FileLock(folder / LOCK_NAME)
    while not lock.take():
        watch.check()
        time.sleep(0.05)
    try:
        yield
    finally:
        lock.remove()


def _read(folder: Path, readers: Sequence[Reader], watch: Watch) -> None:
    work = folder / WORK_NAME
    _check_reachable(folder)
    watch.step("clear")  # no text
    _remove(work)
    work.mkdir()
    try:
        old = OldFiles(folder, work, watch)
        with closing(open_database(work / NAME, MIGRATIONS, SOUND)) as new:
            new.set_progress_handler(None, 0)
            new.row_factory = None
            problems = _read_all(old, new, readers)
            with explained(work / NAME):
                new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        watch.step("check")  # no text
        check_database(work / NAME, MIGRATIONS, SOUND)
        if os.path.lexists(work / f"{NAME}-wal"):  # what is in it would not come along
            raise _not_read(tr("its log could not be written to it"))
        watch.step("sync")  # no text
        sync_file(work / NAME)
        if any(os.path.lexists(folder / f"{NAME}{suffix}") for suffix in BESIDES):
            # SQLite would take logs of a former database for those of the new one.
            set_aside(folder / NAME, datetime.now(timezone.utc))
        watch.step("rename")  # no text
        rename(work / NAME, folder / NAME)
        watch.step("sync folder")  # no text
        sync_folder(folder)
    finally:
        with suppress(OSError):  # it takes up space until the next start
            _remove(work)
    for problem in problems:
        watch.warn(problem)


def _check_reachable(folder: Path) -> None:
    """Raise OSError if an old file is there, but not now: it would be left out for ever."""
    for name in OLD_NAMES:
        path = folder / name
        if os.path.lexists(path):
            path.stat()  # a link may lead to a drive that is away
            if path.is_dir():
                os.scandir(path).close()


def _read_all(old: OldFiles, new: sqlite3.Connection, readers: Sequence[Reader]) -> list[str]:
    problems: list[str] = []
    sizes = [1 + _size(old.folder / reader.name) for reader in readers]
    for i, reader in enumerate(readers):
        before, size, total = sum(sizes[:i]), sizes[i], sum(sizes)

        def show(share: float, before: int = before, size: int = size, total: int = total) -> None:
            old.watch.check()
            old.watch.show((before + size * min(1.0, share)) / total)

        old.show, old.problems = show, []
        old.watch.step(f"read {reader.name}")  # no text
        show(0.0)
        counts: Mapping[str, int] = {}
        try:
            with transaction(new), _understood(old.folder / reader.name):
                counts = reader.read(old, new)
                old.watch.step(f"compare {reader.name}")  # no text
                reader.check(old, new)
        except DamagedDatabaseError as error:
            if error.path == old.work / NAME:
                raise
            text = mark("{path} cannot be read: {why}; it was skipped and is unchanged")
            old.problems, counts = [tr(text, path=error.path, why=error.why)], {}
            _log.warning("%s", old.problems[0], exc_info=error)
        finally:
            old.close()
        if os.path.lexists(old.folder / reader.name):
            now = datetime.now(timezone.utc).isoformat(timespec="seconds")
            row = (reader.name, now, json.dumps(dict(counts)), "\n".join(old.problems))
            with transaction(new):
                new.execute("INSERT INTO old_file VALUES (?, ?, ?, ?)", row)
        problems += old.problems
    return problems


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    """Take rows for damage that are none of ours, such as the same twice."""
    try:
        with decoded(path):
            yield
    except sqlite3.IntegrityError as error:
        raise DamagedDatabaseError(str(error), path) from error


def _size(path: Path) -> int:
    try:
        if not path.is_dir():
            return path.stat().st_size
        return sum(entry.stat().st_size for entry in os.scandir(path))
    except OSError:
        return 0


def _copy_database(path: Path, to: Path, watch: Watch) -> None:
    """Copy a database with its log, as they were at one moment."""
    path = behind_links(path)  # as SQLite does: there is the log
    parts = [suffix for suffix in BESIDES if suffix != "-shm"]  # an index of the log
    for _ in range(_ATTEMPTS):
        before = _state_of(path, parts)
        if before[""] is None:  # a link to a drive that is away
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        for suffix in parts:
            _remove(Path(f"{to}{suffix}"))
            if before[suffix]:
                _copy(Path(f"{path}{suffix}"), Path(f"{to}{suffix}"), watch)
        if before == _state_of(path, parts):
            return
        watch.check()
        time.sleep(_PAUSE_S)
    text = mark("{path} is being written by another program; close that one and try again")
    raise DatabaseError(text, path=path)


def _state_of(path: Path, parts: Sequence[str]) -> dict[str, tuple[int, int] | None]:
    found: dict[str, tuple[int, int] | None] = {}
    for suffix in parts:
        try:
            status = os.stat(f"{path}{suffix}")
        except FileNotFoundError:
            found[suffix] = None
        else:
            found[suffix] = status.st_size, status.st_mtime_ns
    return found


def _copy(source: Path, to: Path, watch: Watch) -> None:
    try:
        file = open_regular(source)
    except OSError as error:
        if not source.exists() or source.is_file():
            raise
        why = tr("{path} is not a file", path=source)
        raise DamagedDatabaseError(why, source, why) from error
    with file, to.open("xb") as copy:
        while chunk := file.read(_CHUNK):
            watch.check()
            copy.write(chunk)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        unlink(path, missing_ok=True)
