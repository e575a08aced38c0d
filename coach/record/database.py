"""A SQLite file that upgrades itself, backs itself up first, and reports what is wrong with it.

``PRAGMA user_version`` counts the migrations applied to a file. Each runs in a transaction of
its own together with the new count, so an interruption leaves the file at one version or the next.
A file with data in it is copied to ``NAME.vN.bak`` before an upgrade.

A connection may move between threads but serves one at a time. With the write-ahead log and
``synchronous = NORMAL`` a crash of the program loses nothing; a power cut may lose the last
transactions and never damages the file.

The path may hold anything: a folder, a pipe, another program's database, or one edited by hand. So
it must be a regular file; its tables must be those that our migrations make, with no foreign views
or triggers; and no statement may run for long.
"""

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import rename, replacing
from engine.platform.files.damaged_file import name_aside, renamed_by_it
from engine.platform.language import mark, tr

BUSY_MS = 5_000
"""Time to wait for another process that writes to the same file."""

_AGAIN_S = 0.01  # between attempts, where SQLite does not wait by itself

MAX_S = 10.0
"""Time limit of a statement: closing the program waits for the running one."""

_LOOK_EVERY = 100_000  # SQLite VM instructions, about a millisecond
_QUICKLY_READ_BYTES = 4 << 20
_PAGE_BYTES, _CACHE_KIB = 16384, 65536  # few reads, each page once: reading dominates
BESIDES = ("", "-wal", "-shm", "-journal")
"""Endings of the names of the files that SQLite keeps side by side."""


class DatabaseError(AppError):
    """A database can't be used now: it is locked or read-only, or the drive is full."""

    is_transient = False  # whether it may work a moment later


class DamagedDatabaseError(DatabaseError):
    """A file is damaged or not one of our databases; `set_aside` makes room for a new one."""

    def __init__(self, message: str, path: Path, why: str = "") -> None:
        super().__init__(message)
        self.path, self.why = path, why or message  # without and with what to do


class NewerDatabaseError(DamagedDatabaseError):
    """A later version of this program wrote the file; it can be set aside, too."""


def open_database(
    path: Path, migrations: Sequence[str], sound: Mapping[str, str] | None = None
) -> sqlite3.Connection:
    """Return a connection to the database at `path`, created or upgraded as needed.

    It is in autocommit mode, rows are `sqlite3.Row`, foreign keys enforced; see `transaction`.

    Parameters
    ----------
    migrations : sequence of str
        SQL scripts without BEGIN and COMMIT. The first creates the tables; only ever append to the
        list, since users' files have run the existing ones.
    sound : mapping of str to str, optional
        A condition in SQL for every row of a table; checked where that is quick, like the types of
        all values. Without it rows are not looked at.

    Raises
    ------
    DamagedDatabaseError
        It is not a database, not one of ours, or damaged. The file is left unchanged.
    NewerDatabaseError
        It has had more migrations than this version knows.
    DatabaseError
        It cannot be read or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(
            "cannot make the folder {folder}: {reason}; "
            "choose another data folder or change its permissions",
            folder=path.parent,
            reason=error.strerror or error,
        ) from error
    _check_files(path)
    is_suspect = _is_suspect(path)  # before a connection creates files of its own
    with explained(path):
        connection = _connected(path)
        try:
            is_old = 0 < _version(connection) < len(migrations)
            # `sound` may name columns that an older file only gets by the upgrade.
            types_only: Mapping[str, str] | None = None if sound is None else {}
            _check(connection, path, migrations, types_only if is_old else sound, is_suspect)
            _upgrade(connection, path, migrations)
            if is_old:
                _check(connection, path, migrations, sound, is_suspect)
            connection.limit_time()
        except BaseException:
            connection.close()
            raise
    return connection


def check_database(path: Path, migrations: Sequence[str], sound: Mapping[str, str]) -> None:
    """Check every page and row of a database, however large; see `open_database` for errors."""
    with explained(path), closing(_connected(path)) as connection:
        _check(connection, path, migrations, sound, is_suspect=True)


class DatabaseFile:
    """A database that several stores of this process share, each with a connection of its own.

    So a long query of one doesn't hold up another. Writers take turns by `lock`: SQLite itself
    would only let them wait for a while. The file is checked when the first of them opens it.
    For the arguments see `open_database`.
    """

    def __init__(
        self, path: Path, migrations: Sequence[str], sound: Mapping[str, str] | None = None
    ) -> None:
        self.path, self._migrations, self._sound = path, migrations, sound
        self.lock = threading.RLock()  # held while writing
        self._opening = threading.Lock()
        self._stores: set[Store] = set()

    def prepare(self) -> None:
        """Do what must be done before the file is opened."""

    def connect(self, store: "Store") -> sqlite3.Connection:
        with self._opening:
            connection: sqlite3.Connection
            if self._stores - {store}:
                connection = _connected(self.path, has_time_limit=True)
            else:
                self.prepare()
                connection = open_database(self.path, self._migrations, self._sound)
            self._stores.add(store)
        return connection

    def disconnect(self, store: "Store") -> None:
        with self._opening:
            self._stores.discard(store)

    def set_aside(self, when: datetime) -> Path:
        """Rename the file, see `set_aside`; the stores open a new one when next used.

        The connection of a store in use stays open meanwhile, which Windows does not allow.
        """
        with self.lock, self._opening:
            for store in self._stores:
                store.drop_connection()
            self._stores.clear()
            return set_aside(self.path, when)


class Store:
    """A part of one of our databases; writing is safe from any thread, with a lock.

    All methods raise DatabaseError, see `open_database`.
    """

    def __init__(self, file: DatabaseFile) -> None:
        self.file, self.path = file, file.path
        self._n_uses, self._counting = 0, threading.Lock()
        self._connection: sqlite3.Connection | None = file.connect(self)

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection; a new one if the file was set aside meanwhile."""
        if self._connection is None:
            self._connection = self.file.connect(self)
        return self._connection

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self.file.disconnect(self)

    def drop_connection(self) -> None:
        """Use another connection from now on, as the file is set aside."""
        with self._counting:
            if self._connection and not self._n_uses:
                self._connection.close()
            self._connection = None  # one in use is closed once nobody has it

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._counting:
            self._n_uses += 1
        try:
            yield
        finally:
            with self._counting:
                self._n_uses -= 1

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn errors of SQLite and of the conversion of rows into ours."""
        with self._in_use(), explained(self.path), decoded(self.path):
            yield

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction, with other writers locked out."""
        with self.file.lock, self._in_use():
            connection = self.connection
            if connection.in_transaction:  # part of a larger change
                yield connection
                return
            with transaction(connection):
                yield connection

    def rows(self, sql: str, values: Iterable[object] = ()) -> sqlite3.Cursor:
        return self.connection.execute(sql, tuple(values))

    def insert(self, table: str, row: Mapping[str, object], how: str = "INSERT") -> int:
        """Store a row, given by its columns, and return its id; call within `writing`."""
        return insert_row(self.connection, table, row, how)


def insert_row(
    connection: sqlite3.Connection, table: str, row: Mapping[str, object], how: str = "INSERT"
) -> int:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"{how} INTO {table} ({names}) VALUES ({marks})"  # no text
    return int(connection.execute(sql, tuple(row.values())).lastrowid or 0)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction, all of it or nothing; DatabaseError if the file fails."""
    with explained(path_of(connection)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the first error is the one to report
                connection.execute("ROLLBACK")
            raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file into ours; errors in our own SQL remain bugs."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise
    except sqlite3.OperationalError as error:
        if str(error) == "interrupted":
            raise DatabaseError(
                "{path} takes longer than {seconds:.0f} s to answer: it is damaged, or its "
                "drive does not respond; close the program and put a copy in its place",
                path=path,
                seconds=MAX_S,
            ) from error
        if "locked" in str(error) or "busy" in str(error):
            raise DatabaseError(
                "{path} is being written by another program; close that one and try again",
                path=path,
            ) from error
        if _is_bug(error):
            raise
        raise DatabaseError(
            "cannot use {path}: {reason}; "
            "check that the drive has space and that you may write the file",
            path=path,
            reason=error,
        ) from error
    except UnicodeDecodeError as error:  # in a name from the file, which SQLite repeats
        raise _damaged(path, tr("its names are not text")) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error


@contextmanager
def decoded(path: Path) -> Iterator[None]:
    """Turn errors about values in rows into ours; use only around code that converts rows."""
    try:
        yield
    except AppError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        raise _damaged(path, tr("a row cannot be understood ({problem})", problem=error)) from error


def set_aside(path: Path, when: datetime) -> Path:
    """Rename a database that cannot be read, with the files beside it, and return its new name.

    No connection to it may be open. Raises DatabaseError if it cannot be renamed.
    """
    path = renamed_by_it(path)
    kept = name_aside(path, when)
    try:
        for suffix in BESIDES:
            beside = path.with_name(path.name + suffix)
            if os.path.lexists(beside):
                rename(beside, kept.with_name(kept.name + suffix))
    except OSError as error:
        raise DatabaseError(
            "cannot rename {path}: {reason}; move it away by hand",
            path=path,
            reason=error.strerror or error,
        ) from error
    return kept


def path_of(connection: sqlite3.Connection) -> Path:
    return Path(connection.execute("PRAGMA database_list").fetchone()[2])


def _is_suspect(path: Path) -> bool:
    """Return whether to check every page of a file before use.

    A small file is always checked, a larger one only if it was not closed properly: half a second
    for a full check is too long for opening a page. Damage in a large file shows up when it is
    read.
    """
    try:
        log = path.with_name(path.name + "-wal")
        return path.stat().st_size <= _QUICKLY_READ_BYTES or log.exists()
    except OSError:
        return True


def _check_files(path: Path) -> None:
    """Raise DamagedDatabaseError if the path holds something other than a regular file.

    SQLite would wait forever for data from a pipe.
    """
    for suffix in BESIDES:
        beside = path.with_name(path.name + suffix)
        try:
            is_file = stat.S_ISREG(beside.stat().st_mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            text = mark("cannot use {path}: {reason}")
            raise DatabaseError(text, path=beside, reason=error.strerror or error) from error
        if not is_file:
            raise _damaged(path, tr("{path} is not a file", path=beside))


class _Cursor(sqlite3.Cursor):
    def execute(self, *arguments: Any) -> "_Cursor":
        cast("_Connection", self.connection).begin_statement()
        return super().execute(*arguments)


class _Connection(sqlite3.Connection):
    """A connection whose statements fail if they take too long."""

    _until_s = float("inf")

    def limit_time(self) -> None:
        """Limit each statement to MAX_S from now on; several together may take longer."""
        self.set_progress_handler(lambda: time.monotonic() > self._until_s, _LOOK_EVERY)

    def begin_statement(self) -> None:
        self._until_s = time.monotonic() + MAX_S

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        self.begin_statement()
        return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        self._until_s = float("inf")  # none of these reads more than a few rows
        return super().executemany(*arguments)


def _connected(path: Path, *, has_time_limit: bool = False) -> "_Connection":
    with explained(path):
        connection = sqlite3.connect(
            path,
            timeout=BUSY_MS / 1000,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        try:
            _prepare(connection)
            if has_time_limit:
                connection.limit_time()
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # only takes effect in a new file
    connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA checkpoint_fullfsync = ON")  # macOS: flushes the drive's cache
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # for functions called by the file's schema


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging.

    SQLite waits for other connections almost everywhere, but not when one starts or ends a log at
    the same moment.
    """
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        time.sleep(_AGAIN_S)


def _check(
    connection: sqlite3.Connection,
    path: Path,
    migrations: Sequence[str],
    sound: Mapping[str, str] | None,
    is_suspect: bool,
) -> None:
    """Raise DamagedDatabaseError unless the tables are ours, and the content if that is suspect."""
    try:
        connection.execute("BEGIN")  # in one snapshot: another process may be creating the tables
        tables = _check_tables(connection, path, migrations)
        if is_suspect:
            problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise _damaged(path, str(problem).strip().replace("\n", " "))
            if sound is not None:
                _check_rows(connection, path, tables, sound)
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if _is_bug(error):  # an SQL error, but from the file's table names, not our statements
            raise _damaged(path, str(error)) from error
        raise


def _check_tables(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[str]
) -> "_Tables":
    """Return the columns of our tables; raise DamagedDatabaseError if they differ."""
    version = _version(connection)
    if version > len(migrations):
        raise NewerDatabaseError(
            tr(
                "{path} was written by a later version of this program (its format is {version}, "
                "this one knows up to {known}): install the later version again, or set the file "
                "aside to start with an empty one",
                path=path,
                version=version,
                known=len(migrations),
            ),
            path,
            tr("a later version of this program wrote it"),
        )
    if version < 0:
        raise _damaged(path, tr("its version is {version}", version=version))
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise _damaged(path, tr("it holds the tables of another program"))
    with closing(sqlite3.connect(":memory:")) as model:
        for migration in migrations[:version]:
            model.executescript(migration)
        wanted, ours = _tables(model), _programs(model)
    strange = sorted(_programs(connection) - ours)
    if strange:
        text = mark("it has {name!r}, a view or trigger that is not ours")
        raise _damaged(path, tr(text, name=strange[0][:40]))
    wrong = [name for name in wanted if _columns(connection, name) != wanted[name]]
    if wrong:
        raise _damaged(path, tr("its table {name!r} is not ours", name=wrong[0]))
    return wanted


def _tables(connection: sqlite3.Connection) -> "_Tables":
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {str(row[0]): _columns(connection, str(row[0])) for row in rows}


def _columns(connection: sqlite3.Connection, table: str) -> "_Columns":
    """Return each column's name, type, NOT NULL flag, place in the key and whether it is stored."""
    rows = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (table,)).fetchall()
    return tuple((row[1], row[2], row[3], row[5], row[6]) for row in rows)


def _programs(connection: sqlite3.Connection) -> set[str]:
    """Return the names of views and triggers, which could run any SQL."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger')")
    return {str(row[0]) for row in rows.fetchall()}


def _check_rows(
    connection: sqlite3.Connection, path: Path, tables: "_Tables", sound: Mapping[str, str]
) -> None:
    for table in tables:
        query = f'SELECT 1 FROM "{table}" WHERE NOT {sound_rows(connection, table, sound)} LIMIT 1'
        if connection.execute(query).fetchone():
            text = mark("a row of its table {name!r} is not what this program writes")
            raise _damaged(path, tr(text, name=table))


def sound_rows(connection: sqlite3.Connection, table: str, sound: Mapping[str, str]) -> str:
    """Return a condition for the rows of a table whose values have their types and are sound."""
    columns = _columns(connection, table)
    conditions = [
        f'typeof("{name}") IN ({_STORED_AS[str(kind)]})'
        for name, kind, *_ in columns
        if kind in _STORED_AS
    ]
    conditions += [f"({sound[table]})"] if table in sound else []
    return f"coalesce({' AND '.join(conditions) or 1}, 0)"


_Columns = tuple[tuple[object, ...], ...]
_Tables = Mapping[str, _Columns]
_STORED_AS = {
    "TEXT": "'text', 'null'",  # no text
    "INTEGER": "'integer', 'null'",  # no text
    "REAL": "'real', 'integer', 'null'",  # no text
}


def _upgrade(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    version = _version(connection)
    if 0 < version < len(migrations):
        _back_up(connection, path.with_name(f"{path.name}.v{version}.bak"))  # no text
    for number in range(version + 1, len(migrations) + 1):
        with transaction(connection):
            if _version(connection) >= number:  # another process was faster
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
            # Copied to a single file, so that no log has to be kept with it.
            copy.execute("PRAGMA journal_mode = DELETE")
    except OSError as error:
        raise DatabaseError(
            "cannot write {path}: {reason}; without that copy nothing is upgraded",
            path=to,
            reason=error.strerror or error,
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
        tr(
            "{path} cannot be read: {why}; set it aside to start with an empty one, or put a copy "
            "in its place",
            path=path,
            why=why,
        ),
        path,
        why,
    )
