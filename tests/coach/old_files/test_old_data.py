"""Data folders and logs of tests of the last version, read, and read again from a backup."""

import gzip
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from coach.analysis.analyses import Analyses
from coach.backup.opening import read_backup
from coach.backup.restoring import finish, stage
from coach.exam.history import History, MissingTestError
from coach.exam.session_file import SessionFileError, move_to_json, session_to_json
from coach.grading import grade
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from coach.old_files.reading import Watch
from coach.old_files.tests import read_session_log
from coach.play.run import Run
from coach.profile.facts import JudgedMoves
from coach.puzzles.puzzles import Puzzles
from coach.record.user_database import UserDatabase
from coach.routes.results import RouteResults
from coach.situations.situations import Situations
from tablebase.formation.patterns_file import load_formations
from tests.coach.made_sessions import played
from tests.coach.old_files.contents import (
    NOW,
    contents_of_analyses,
    contents_of_mistakes,
    contents_of_profile,
    contents_of_puzzles,
    contents_of_routes,
    contents_of_run,
    contents_of_situations,
    contents_of_tests,
    differences,
)
from tests.coach.old_files.stage import state_of

GOLDEN = Path(__file__).parents[2] / "golden" / "old_data"
BACKUP = GOLDEN / "backup.zip"
BROKEN_TEST = "442_128_20260101-000000-000.json"
GONE_TEST = "442_128_20260914-091503-386.json"


@pytest.fixture(autouse=True)
def grades_of_that_version(monkeypatch):
    """It counted every loss that its tables knew, however small."""
    monkeypatch.setattr(grade, "as_good_within", lambda _best: 0.0)


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((GOLDEN / "expected.json.gz").read_bytes()))
    del found["mistakes"]["sorts"]["count"]  # wrong answers of drills count no more
    for statistics in found["mistakes"]["statistics"]:
        del statistics["n_attempts"]
    found["routes"]["best_first"] = {
        code: sorted(lines) for code, lines in found["routes"]["best_first"].items()
    }
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data folder, under a name that an address would have to escape."""
    place = tmp_path / "Daten ä 谜 #%25? x"
    with zipfile.ZipFile(BACKUP) as archive:
        archive.extractall(place)
    (place / "backup.json").unlink()
    return place


def contents(database: UserDatabase) -> dict[str, Any]:
    formations = load_formations(own=database.folder / "patterns_config.json")
    found: dict[str, Any] = {}
    with closing(Mistakes(database)) as mistakes:
        found["mistakes"] = contents_of_mistakes(mistakes)
    with closing(Puzzles(database)) as puzzles:
        found["puzzles"] = contents_of_puzzles(puzzles)
    with closing(Situations(database)) as situations:
        found["situations"] = contents_of_situations(situations)
    with closing(RouteResults(database)) as results:
        found["routes"] = contents_of_routes(results, formations)
    with closing(Analyses(database)) as analyses:
        found["analyses"] = contents_of_analyses(analyses)
    with closing(History(database)) as history:
        found["tests"] = contents_of_tests(history)
        names = [one.name for one in history.tests()]
        found["runs"] = {
            name: contents_of_run(history.session(name)) for name in names if name != GONE_TEST
        }
        in_play = history.interrupted(NOW)
        found["in_play"] = contents_of_run(in_play.session) if in_play else None
    with closing(JudgedMoves(database)) as facts:
        facts.judge_new(formations)
        found["profile"] = contents_of_profile(facts)
    return found


@pytest.mark.thorough
def test_all_that_an_earlier_version_told_is_told_now(folder, expected):
    before, problems = state_of(folder), list[str]()
    found = contents(open_user_database(folder, Watch(warn=problems.append)))
    assert list(differences(expected, found)) == []
    (problem,) = problems
    assert BROKEN_TEST in problem, "a file that was no test before either"
    assert state_of(folder) == before


@pytest.mark.thorough
def test_its_backup_is_restored_over_what_is_there_now(tmp_path, expected):
    there = tmp_path / "there"
    there.mkdir()
    with closing(Mistakes(open_user_database(there))) as mistakes:
        assert mistakes.count() == 0
    stage(read_backup(BACKUP), there)
    restored = finish(there, datetime(2026, 12, 1))
    assert restored is not None
    assert not restored.problem
    assert list(differences(expected, contents(open_user_database(there)))) == []


def test_a_test_whose_file_is_gone_stays_on_the_list(folder):
    with closing(History(open_user_database(folder))) as history:
        assert GONE_TEST in [one.name for one in history.tests()]
        with pytest.raises(MissingTestError):
            history.session(GONE_TEST)


def test_a_test_listed_under_two_folders_is_one(folder, expected):
    with closing(sqlite3.connect(folder / "tests.db")) as db:
        db.execute("CREATE TABLE moved AS SELECT * FROM tests")
        db.execute("UPDATE moved SET path = '/elsewhere' || path, id = id + 100")
        db.execute("INSERT INTO tests SELECT * FROM moved")
        db.execute("DROP TABLE moved")
        db.commit()
    problems = list[str]()
    found = contents(open_user_database(folder, Watch(warn=problems.append)))
    assert list(differences(expected, found)) == []
    assert len(problems) == 1, "of the file that was no test before either"


DATABASES = {
    "mistakes.db": "mistakes",
    "puzzles.db": "puzzles",
    "situations.db": "situations",
    "routes.db": "routes",
    "analyses.db": "analyses",
    "tests.db": "tests",
    "profile.db": "profile",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DATABASES)
def test_of_a_damaged_database_only_its_own_is_missing(folder, name, expected):
    damaged = folder / name
    damaged.write_bytes(damaged.read_bytes()[:20_000] + b"\xff" * 20_000)
    before, problems = state_of(folder), list[str]()
    found = contents(open_user_database(folder, Watch(warn=problems.append)))
    assert any(str(damaged) in problem for problem in problems)
    missing = {re.findall(r"\w+", line)[0] for line in differences(expected, found)}
    # A profile is made of tests, routes and situations, too.
    assert DATABASES[name] in missing <= {DATABASES[name], "profile"}
    assert state_of(folder) == before


NOON = datetime(2030, 1, 2, 12, tzinfo=timezone.utc)


def line_of(session: Run, number: int) -> str:
    """Return the line of a move, counted from 1."""
    move = session.moves[number - 1]
    entry = dict(move_to_json(move))
    if not move.judgement.is_perfect:
        entry["at"] = (NOON + timedelta(seconds=number)).isoformat()
    return json.dumps(entry)


def write_log(path: Path, session: Run, n_first: int = 0, more: tuple[str, ...] = ()) -> None:
    """Write the log of a test that had `n_first` moves when it was begun, and more lines."""
    head = json.loads(session_to_json(session))
    lines = [line_of(session, number) for number in range(1, session.n_moves + 1)]
    head["moves"] = [json.loads(line) for line in lines[:n_first]]
    path.write_text("\n".join([json.dumps(head), *lines[n_first:], *more]) + "\n")


def test_all_of_a_test_comes_back(tmp_path):
    session, path = played(30, allows_undo=True), tmp_path / "x.log"
    last = json.loads(line_of(session, session.n_moves)) | {"retry": True}
    write_log(path, session, more=("u", json.dumps(last)))
    found, again = read_session_log(path), replace(session.moves[-1], is_retry=True)
    assert found.session.moves == (*session.moves[:-1], again)
    assert (found.session.n_undos, found.session.score) == (1, session.score)
    wrong = [n for n, one in enumerate(session.moves, 1) if not one.judgement.is_perfect]
    for n in wrong:
        write_log(path, session)
        path.write_text("".join(path.read_text().splitlines(keepends=True)[: n + 1]))
        assert read_session_log(path).moved == NOON + timedelta(seconds=n)


def test_a_log_may_begin_in_the_middle_of_a_test(tmp_path):
    session, path = played(10, allows_undo=True), tmp_path / "x.log"
    write_log(path, session, n_first=10, more=("u",))
    assert read_session_log(path).session.moves == session.moves[:9]


def test_whatever_is_left_of_the_last_line_costs_that_line_only(tmp_path):
    session, path = played(6, allows_undo=True), tmp_path / "x.log"
    write_log(path, session)
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert read_session_log(path).session.moves == session.moves[:5]
    for damage in (b"{}\n", b"[]\n", b"7\n", b"\xff\n", b'{"move": "left"}\n', b"u u\n"):
        path.write_bytes(whole + damage + b"u\n")
        assert read_session_log(path).session.moves == session.moves


@pytest.mark.parametrize("text", [b"", b"{\n", b"[]\n", b"7\n", b"\xff\n", b'{"moves": []}\n'])
def test_what_is_no_log_is_refused(tmp_path, text):
    path = tmp_path / "x.log"
    path.write_bytes(text)
    with pytest.raises(SessionFileError, match=r"x\.log"):
        read_session_log(path)
    with pytest.raises(SessionFileError, match="cannot read"):
        read_session_log(tmp_path / "none.log")
