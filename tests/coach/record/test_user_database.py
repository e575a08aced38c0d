"""user.db: several stores share it, each with a connection of its own."""

import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.analysis.analyses import Analyses
from coach.mistakes.mistakes import Mistakes
from coach.puzzles import rating
from coach.puzzles.puzzles import FROM_GAMES, FROM_TABLE, FROM_TEXT, Puzzles
from coach.record import database, schema, user_database
from coach.record.database import DamagedDatabaseError, DatabaseError, DatabaseFile, open_database
from coach.record.user_database import UserDatabase
from tests.coach.mistake_stage import noted
from tests.coach.test_analyses import EVENT, NOON, analysis_of

WHEN = datetime(2026, 3, 4, 5, 6, 7, tzinfo=timezone.utc)


@pytest.fixture
def file(tmp_path: Path) -> UserDatabase:
    return UserDatabase(tmp_path)


@pytest.fixture
def stores(file: UserDatabase) -> Iterator[tuple[Mistakes, Analyses]]:
    with closing(Mistakes(file)) as mistakes, closing(Analyses(file)) as analyses:
        yield mistakes, analyses


def test_the_schema_knows_the_limits_of_the_rooms():
    found = schema.SOUND["puzzle"]
    assert f"rating BETWEEN {rating.MIN_RATING:g} AND {rating.MAX_RATING:g}" in found
    assert f"deviation BETWEEN {rating.MIN_DEVIATION:g} AND {rating.MAX_DEVIATION:g}" in found
    assert f"origin IN {(FROM_TABLE, FROM_GAMES, FROM_TEXT)}" in found


def test_every_table_has_conditions_that_can_be_checked(tmp_path):
    path = tmp_path / "a.db"
    with closing(open_database(path, schema.MIGRATIONS, schema.SOUND)) as db:
        rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert set(schema.SOUND) <= {row["name"] for row in rows}
    database.check_database(path, schema.MIGRATIONS, schema.SOUND)


def test_the_file_is_checked_once_for_all_stores(file, monkeypatch):
    checked = []
    check = database.open_database
    monkeypatch.setattr(database, "open_database", lambda *a: checked.append(a) or check(*a))
    with closing(Mistakes(file)), closing(Puzzles(file)), closing(Analyses(file)):
        assert len(checked) == 1
    Puzzles(file).close()
    assert len(checked) == 2, "nobody had it open: it may be another one"


def test_a_long_query_holds_up_nobody(stores):
    mistakes, analyses = stores
    for n in range(3):
        noted(mistakes, board=0x1230_0000_0000_0000 + n)
    rows = mistakes.rows("SELECT * FROM mistake, mistake AS b, mistake AS c")
    assert rows.fetchone()
    number = analyses.keep(analysis_of(EVENT, NOON))
    assert [one.id for one in analyses.latest()] == [number]
    assert len(rows.fetchall()) == 26, "as it was when it began"


def test_writers_take_turns(file, monkeypatch):
    """However long the others take: SQLite alone would give up after a while."""
    monkeypatch.setattr(database, "BUSY_MS", 1)
    n, problems = 40, []

    def write(store: Mistakes) -> None:
        try:
            for i in range(n):
                noted(store, source=f"{id(store)} {i}")
        except BaseException as error:  # noqa: BLE001 - whatever it is
            problems.append(error)

    stores = [Mistakes(file) for _ in range(4)]
    threads = [threading.Thread(target=write, args=[store]) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    (mistake_id,) = stores[0].ids()
    assert stores[0].get([mistake_id])[mistake_id].count == 4 * n
    for store in stores:
        store.close()


def test_all_stores_leave_a_file_that_is_set_aside(file, stores):
    mistakes, analyses = stores
    noted(mistakes)
    analyses.keep(analysis_of(EVENT, NOON))
    kept = file.set_aside(WHEN)
    assert kept.name == "user.damaged-20260304-050607.db"
    noted(mistakes, board=0x4560 << 48)
    assert mistakes.count() == 1
    assert analyses.latest() == []
    with closing(Mistakes(DatabaseFile(kept, schema.MIGRATIONS, schema.SOUND))) as before:
        assert before.count() == 1
        assert before.get(before.ids()) != mistakes.get(mistakes.ids())


def test_one_that_is_being_read_can_be_set_aside(file, stores):
    mistakes, _ = stores
    noted(mistakes)
    with mistakes.reading():
        rows = mistakes.rows("SELECT * FROM mistake")
        file.set_aside(WHEN)
        assert len(rows.fetchall()) == 1
    assert mistakes.count() == 0


def test_a_damaged_one_can_be_set_aside_by_any_store(file):
    file.path.write_bytes(b"dear diary " * 500)
    for store in (Mistakes, Puzzles, Analyses):
        with pytest.raises(DamagedDatabaseError) as caught:
            store(file)
        assert caught.value.path == file.path
    file.set_aside(WHEN)
    with closing(Puzzles(file)) as puzzles:
        assert puzzles.ids() == []


def test_after_a_failure_old_files_are_tried_again_later(tmp_path, monkeypatch):
    """Not at once for each page that asks."""
    (tmp_path / "mistakes.db").touch()
    tried = []

    def fail(folder: Path) -> None:
        tried.append(folder)
        raise DatabaseError("the drive is full")

    file = UserDatabase(tmp_path, fail)
    for _ in range(3):
        with pytest.raises(DatabaseError, match="full"):
            Mistakes(file)
    assert tried == [tmp_path]
    assert file.is_there
    monkeypatch.setattr(user_database, "_AGAIN_S", 0)
    with pytest.raises(DatabaseError, match="full"):
        Mistakes(file)
    assert len(tried) == 2
    assert not file.path.exists()
