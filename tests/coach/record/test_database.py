"""The database file: made, upgraded, copied before, refused when foreign, damaged or newer."""

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.record import database
from coach.record.database import (
    DamagedDatabaseError,
    DatabaseError,
    NewerDatabaseError,
    decoded,
    explained,
    open_database,
    set_aside,
    transaction,
)

FIRST = "CREATE TABLE fruit (name TEXT); INSERT INTO fruit VALUES ('a;b');"
SECOND = "ALTER TABLE fruit ADD COLUMN color TEXT;"
WHEN = datetime(2026, 3, 4, 5, 6, 7, tzinfo=timezone.utc)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inner" / "fruit.db"


def names(connection: sqlite3.Connection) -> list[str]:
    return [row["name"] for row in connection.execute("SELECT name FROM fruit ORDER BY 1")]


def version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def add_and_fail(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO fruit VALUES ('pear')")
    connection.execute("nonsense")


def test_a_new_file_sees_all_migrations(path):
    with closing(open_database(path, [FIRST, SECOND])) as db:
        assert names(db) == ["a;b"]
        assert version(db) == 2
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert list(path.parent.glob("*.bak")) == []


def test_what_was_written_is_there_again(path):
    with closing(open_database(path, [FIRST])) as db, transaction(db):
        db.execute("INSERT INTO fruit VALUES ('pear')")
    with closing(open_database(path, [FIRST])) as db:
        assert names(db) == ["a;b", "pear"]


def test_an_upgrade_leaves_a_copy_of_the_version_before(path):
    with closing(open_database(path, [FIRST])) as db:
        db.execute("INSERT INTO fruit VALUES ('pear')")
    with closing(open_database(path, [FIRST, SECOND])) as db:
        db.execute("UPDATE fruit SET color = 'green'")
    with closing(sqlite3.connect(path.with_name("fruit.db.v1.bak"))) as copy:
        assert copy.execute("SELECT * FROM fruit").fetchall() == [("a;b",), ("pear",)]
        assert version(copy) == 1
    assert not list(path.parent.glob("*.part"))


def test_a_migration_that_fails_changes_nothing(path):
    open_database(path, [FIRST]).close()
    broken = "INSERT INTO fruit VALUES ('half'); INSERT INTO nowhere VALUES (1);"
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        open_database(path, [FIRST, broken])
    with closing(open_database(path, [FIRST])) as db:
        assert (names(db), version(db)) == (["a;b"], 1)


def test_a_trigger_counts_as_one_statement(path):
    trigger = (
        "CREATE TRIGGER t AFTER INSERT ON fruit BEGIN "
        "UPDATE fruit SET name = 'x' WHERE name = 'y'; DELETE FROM fruit WHERE name = 'z'; END;"
    )
    with closing(open_database(path, [FIRST, trigger])) as db:
        db.execute("INSERT INTO fruit VALUES ('y')")
        assert names(db) == ["a;b", "x"]


def test_a_transaction_is_undone_by_an_error(path):
    with closing(open_database(path, [FIRST])) as db:
        with pytest.raises(sqlite3.OperationalError), transaction(db):
            add_and_fail(db)
        assert names(db) == ["a;b"]
        with transaction(db):
            db.execute("INSERT INTO fruit VALUES ('fig')")
        assert names(db) == ["a;b", "fig"]


def test_a_newer_file_is_left_alone(path):
    open_database(path, [FIRST, SECOND]).close()
    before = path.read_bytes()
    with pytest.raises(NewerDatabaseError, match=r"its format is 2.*knows up to 1.*install"):
        open_database(path, [FIRST])
    assert path.read_bytes() == before


def test_what_is_no_database_is_left_alone_until_set_aside(path):
    path.parent.mkdir()
    path.write_bytes(b"dear diary " * 1000)
    with pytest.raises(DamagedDatabaseError, match="set it aside") as caught:
        open_database(path, [FIRST])
    assert caught.value.path == path
    assert str(caught.value).startswith(f"{path} ")
    assert path.read_bytes() == b"dear diary " * 1000
    kept = set_aside(path, WHEN)
    assert kept.name == "fruit.damaged-20260304-050607.db"
    assert kept.read_bytes() == b"dear diary " * 1000
    with closing(open_database(path, [FIRST])) as db:
        assert names(db) == ["a;b"]


def test_a_second_file_of_the_same_second_is_set_aside_too(path):
    path.parent.mkdir()
    path.write_bytes(b"one")
    set_aside(path, WHEN)
    path.write_bytes(b"two")
    path.with_name("fruit.db-wal").write_bytes(b"log")
    kept = set_aside(path, WHEN)
    assert kept.read_bytes() == b"two"
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"log"
    assert sorted(p.read_bytes() for p in path.parent.iterdir()) == [b"log", b"one", b"two"]


def test_pages_overwritten_with_noise_are_noticed(path):
    with closing(open_database(path, [FIRST])) as db, transaction(db):
        rows = [(f"fruit number {i}" * 20,) for i in range(500)]
        db.executemany("INSERT INTO fruit VALUES (?)", rows)
    data = bytearray(path.read_bytes())
    data[8192:24576] = bytes(range(256)) * 64
    path.write_bytes(data)
    with pytest.raises(DamagedDatabaseError):
        open_database(path, [FIRST])
    assert path.read_bytes() == bytes(data)


def test_tables_of_another_program_are_not_taken_over(path):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(DamagedDatabaseError, match="another program"):
        open_database(path, [FIRST])


def test_a_locked_file_says_who_is_in_the_way(path):
    with closing(open_database(path, [FIRST])) as db, closing(open_database(path, [FIRST])) as too:
        too.execute("PRAGMA busy_timeout = 1")
        with transaction(db):
            db.execute("INSERT INTO fruit VALUES ('pear')")
            with pytest.raises(DatabaseError, match="another program"), transaction(too):
                pass


@pytest.mark.thorough
def test_many_may_make_open_and_close_it_at_once(tmp_path):
    def use(path: Path) -> None:
        start.wait()
        with closing(open_database(path, [FIRST])) as db, transaction(db):
            db.execute("INSERT INTO fruit VALUES ('pear')")

    start = threading.Barrier(6)
    with ThreadPoolExecutor(6) as many:
        for k in range(60):
            path = tmp_path / f"{k}.db"
            for one in [many.submit(use, path) for _ in range(6)]:
                one.result()
            with closing(open_database(path, [FIRST])) as db:
                assert names(db).count("pear") == 6


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="cannot make the folder"):
        open_database(tmp_path / "file" / "fruit.db", [FIRST])


def test_a_folder_in_its_place_says_so(path):
    path.mkdir(parents=True)
    with pytest.raises(DamagedDatabaseError, match="is not a file; set it aside"):
        open_database(path, [FIRST])
    assert set_aside(path, WHEN).is_dir()
    open_database(path, [FIRST]).close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("suffix", ["", "-wal", "-journal"])
def test_a_pipe_in_its_place_is_not_waited_for(path, suffix):
    path.parent.mkdir()
    if suffix:
        open_database(path, [FIRST]).close()
    os.mkfifo(path.with_name(path.name + suffix))
    with pytest.raises(DamagedDatabaseError, match="is not a file"):
        open_database(path, [FIRST])
    set_aside(path, WHEN)
    open_database(path, [FIRST]).close()


HOSTILE = {
    "other tables": "DROP TABLE fruit; CREATE TABLE veg (name TEXT);",
    "other columns": "ALTER TABLE fruit ADD COLUMN more TEXT;",
    "a view in its place": "DROP TABLE fruit; CREATE VIEW fruit AS SELECT 'x' AS name;",
    "a view without end": "DROP TABLE fruit; CREATE VIEW fruit (name) AS "
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;",
    "a view more": "CREATE VIEW more AS SELECT * FROM nowhere;",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON fruit BEGIN DELETE FROM fruit; END;",
    "a computed column": "DROP TABLE fruit; "
    "CREATE TABLE fruit (name TEXT GENERATED ALWAYS AS ('x') STORED, b TEXT);",
    "a negative version": "PRAGMA user_version = -1;",
    "a blob for a text": "INSERT INTO fruit VALUES (x'00ff');",
    "a number for a text": "DROP TABLE fruit; CREATE TABLE fruit (name); "
    "INSERT INTO fruit VALUES (3);",
    "an unsound row": "INSERT INTO fruit VALUES ('poison');",
    "no schema that can be read": "PRAGMA writable_schema = ON; "
    "UPDATE sqlite_master SET sql = 'CREATE TABLE fruit (name TEXT';",
    "a module that is not there": "PRAGMA writable_schema = ON; "
    "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE fruit USING nowhere(x)', rootpage = 0;",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_database_that_is_not_ours_can_be_set_aside(path, what):
    sound = {"fruit": "name <> 'poison'"}
    open_database(path, [FIRST], sound).close()
    with closing(sqlite3.connect(path)) as other:
        other.executescript(HOSTILE[what])
        other.commit()
    with pytest.raises(DamagedDatabaseError, match="set it aside"):
        open_database(path, [FIRST], sound)
    set_aside(path, WHEN)
    with closing(open_database(path, [FIRST], sound)) as db:
        assert names(db) == ["a;b"]


def test_tables_that_sqlite_or_a_person_adds_do_no_harm(path):
    with closing(open_database(path, [FIRST])) as db:
        db.execute("CREATE INDEX by_name ON fruit (name)")
        db.execute("CREATE TABLE notes (text)")
        db.execute("INSERT INTO notes VALUES (x'00')")
        db.execute("ANALYZE")
    with closing(open_database(path, [FIRST])) as db:
        assert names(db) == ["a;b"]


def test_a_newer_file_can_be_set_aside_too(path):
    open_database(path, [FIRST, SECOND]).close()
    with pytest.raises(DamagedDatabaseError, match="or set the file aside"):
        open_database(path, [FIRST])


def test_no_statement_runs_for_ever(path, monkeypatch):
    monkeypatch.setattr(database, "MAX_S", 0.05)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    with closing(open_database(path, [FIRST])) as db:
        for ask in (db.execute, db.cursor().execute):
            with pytest.raises(DatabaseError, match="takes longer than"), explained(path):
                ask(endless)
        assert names(db) == ["a;b"], "the next one has its own time"


def test_a_row_that_makes_no_sense_is_damage_not_a_bug(path):
    with pytest.raises(DamagedDatabaseError, match="a row cannot be understood"), decoded(path):
        datetime.fromisoformat("yesterday")


def test_names_that_are_not_text_are_damage(path):
    open_database(path, [FIRST]).close()
    data = path.read_bytes()
    assert data.count(b"TABLE fruit") == 1
    path.write_bytes(data.replace(b"TABLE fruit", b"TABLE fr\xa2\xffi"))
    with pytest.raises(DamagedDatabaseError, match="set it aside"):
        open_database(path, [FIRST])


def test_a_large_file_is_looked_through_when_it_was_not_closed(path):
    """A small one always is; a large one that was closed would take too long at each start."""
    with closing(open_database(path, [FIRST])) as db, transaction(db):
        rows = [(f"fruit number {i}" * 20,) for i in range(30_000)]
        db.executemany("INSERT INTO fruit VALUES (?)", rows)
    data = bytearray(path.read_bytes())
    assert len(data) > 5 << 20
    middle = len(data) // 2
    data[middle : middle + 32768] = bytes(range(256)) * 128
    path.write_bytes(data)
    open_database(path, [FIRST]).close()
    path.with_name("fruit.db-wal").touch()  # left by a program that had it open
    with pytest.raises(DamagedDatabaseError):
        open_database(path, [FIRST])
