"""A SQLite file that upgrades itself, keeps a copy from before, and says what is wrong with it.

``PRAGMA user_version`` counts the migrations that a file has seen. Each runs in a transaction of
its own together with the new count, so an interruption leaves the file at one version or the next.
A file with work in it is copied before it is upgraded, to ``NAME.vN.bak``.

A connection may go from thread to thread but serves one at a time. With the write-ahead log and
``synchronous = NORMAL`` a crash of the program loses nothing; a power cut may lose the last
transactions and never damages the file.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from engine.atomic_file import rename, replacing
from engine.errors import AppError

BUSY_MS = 5_000
"""How long to wait for another program that writes to the same file."""

_QUICKLY_READ_BYTES = 4 << 20
_PAGE_BYTES, _CACHE_KIB = 16384, 65536  # few reads, and each page once: reading is what takes time
_BESIDES = ("", "-wal", "-shm", "-journal")  # the files that SQLite keeps next to one another


class DatabaseError(AppError):
    """A database cannot be used now: it is locked, the drive is full, it may not be written."""


class DamagedDatabaseError(DatabaseError):
    """A file is no database of ours or damaged; `set_aside` makes room for a new one.

    Attributes
    ----------
    path : Path
    """

    def __init__(self, message: str, path: Path) -> None:
        super().__init__(message)
        self.path = path


class NewerDatabaseError(DatabaseError):
    """A later version of this program has written the file."""


def open_database(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """Return a connection to the database at `path`, created or upgraded as need be.

    Parameters
    ----------
    path : Path
        Its folder is made when it is missing.
    migrations : sequence of str
        SQL scripts without BEGIN and COMMIT. The first makes the tables; only ever append to it,
        for the files of others have seen what is there.

    Returns
    -------
    sqlite3.Connection
        In autocommit mode, rows as `sqlite3.Row`, foreign keys enforced; see `transaction`.

    Raises
    ------
    DamagedDatabaseError
        It is not a database, not one of ours, or damaged. The file is left as it is.
    NewerDatabaseError
        It has seen more migrations than there are here.
    DatabaseError
        It cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(
            f"cannot make the folder {path.parent}: {error.strerror or error}; "
            "choose another data folder or change its permissions"
        ) from error
    is_suspect = _is_suspect(path)  # before a connection makes files of its own
    with explained(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, path, is_suspect)
            _upgrade(connection, path, migrations)
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do what follows wholly or not at all.

    Raises
    ------
    DatabaseError
        The file could not be read or written.
    """
    with explained(path_of(connection)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the trouble to tell is the first one
                connection.execute("ROLLBACK")
            raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file into ours; errors in our own SQL stay bugs."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise DatabaseError(
                f"{path} is being written by another program; close that one and try again"
            ) from error
        if _is_bug(error):
            raise
        raise DatabaseError(
            f"cannot use {path}: {error}; check that the drive has room and the file may be written"
        ) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


def set_aside(path: Path, when: datetime) -> Path:
    """Rename a database that cannot be read, with the files beside it, and return its new name.

    Parameters
    ----------
    path : Path
        No connection to it may be open.
    when : datetime
        Becomes part of the name.

    Raises
    ------
    DatabaseError
        It cannot be renamed.
    """
    kept = path.with_name(f"{path.name}.damaged-{when:%Y%m%d-%H%M%S}")
    while kept.exists():
        kept = kept.with_name(kept.name + "x")
    try:
        for suffix in _BESIDES:
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                rename(beside, kept.with_name(kept.name + suffix))
    except OSError as error:
        raise DatabaseError(
            f"cannot rename {path}: {error.strerror or error}; move it away by hand"
        ) from error
    return kept


def path_of(connection: sqlite3.Connection) -> Path:
    """Return the file behind a connection."""
    return Path(connection.execute("PRAGMA database_list").fetchone()[2])


def _is_suspect(path: Path) -> bool:
    """Tell whether a file is worth a look at every page before it is used.

    One that is quickly read always is, a larger one when it was not closed: half a second for a
    check of all is too long for a page to open. What is damaged in a large file comes to light
    when it is read.
    """
    try:
        log = path.with_name(path.name + "-wal")
        return path.stat().st_size <= _QUICKLY_READ_BYTES or log.exists()
    except OSError:
        return True


def _prepare(connection: sqlite3.Connection, path: Path, is_suspect: bool) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # heeded by a new file only
    connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA checkpoint_fullfsync = ON")  # macOS: what fsync leaves undone there
    connection.execute("PRAGMA foreign_keys = ON")
    if is_suspect:
        problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise _damaged(path, str(problem).strip().replace("\n", " "))


def _upgrade(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    version = _version(connection)
    if version > len(migrations):
        raise NewerDatabaseError(
            f"{path} was written by a later version of this program (its format is {version}, this "
            f"one knows up to {len(migrations)}): install the later version again"
        )
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise _damaged(path, "it holds the tables of another program")
    if 0 < version < len(migrations):
        _back_up(connection, path.with_name(f"{path.name}.v{version}.bak"))
    for number in range(version + 1, len(migrations) + 1):
        with transaction(connection):
            if _version(connection) >= number:  # another program was faster
                continue
            for statement in _statements(migrations[number - 1]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _back_up(connection: sqlite3.Connection, to: Path) -> None:
    try:
        with replacing(to) as part, closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
            # A copy of one file: nobody should have to know that a log belongs to it.
            copy.execute("PRAGMA journal_mode = DELETE")
    except OSError as error:
        raise DatabaseError(
            f"cannot write {to}: {error.strerror or error}; without that copy nothing is upgraded"
        ) from error


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; `executescript` would end the transaction."""
    statement = ""
    for piece in script.split(";"):
        statement += piece + ";"
        if sqlite3.complete_statement(statement):  # not inside a string or a trigger
            yield statement
            statement = ""


def _is_bug(error: sqlite3.OperationalError) -> bool:
    name = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
    return name == "SQLITE_ERROR" or (not name and str(error).startswith(("no such", "near ")))


def _damaged(path: Path, why: str) -> DamagedDatabaseError:
    return DamagedDatabaseError(
        f"{path} cannot be read: {why}; set it aside to begin with an empty one, or put a copy in "
        "its place",
        path,
    )
