"""Databases with values that no program of ours wrote: damage to set aside, never a bug."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from coach.analysis.analyses import Analyses
from coach.days import today_of
from coach.exam.history import History, summary_of
from coach.mistakes.mistakes import Mistakes
from coach.play.rules import End
from coach.play.run import Run
from coach.profile.facts import JudgedMoves
from coach.profile.judged_moves import judged_moves
from coach.puzzles.puzzles import Puzzles
from coach.puzzles.rating import first_rating
from coach.puzzles.text_line import to_line
from coach.record import database
from coach.record.database import DamagedDatabaseError
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of
from coach.routes.results import RouteResults, StoredRun
from coach.situations.situation import find_situation
from coach.situations.situations import Situations
from engine.spawn import Rng
from tests.coach.games import random_game
from tests.coach.made_sessions import STARTED, list_test, played
from tests.coach.mistake_stage import noted
from tests.coach.routes.test_route_results import RESULT
from tests.coach.situations.stage import BESIDE_LARGE, made_up
from tests.coach.test_analyses import EVENT, NOON, analysis_of
from tests.coach.test_puzzle_store import made as made_puzzle


def read_tests(path: Path) -> object:
    with closing(History(UserDatabase(path.parent))) as history:
        return history.tests(), history.tables()


def read_mistakes(path: Path) -> object:
    with closing(Mistakes(UserDatabase(path.parent))) as mistakes:
        found = mistakes.get(mistakes.ids())
        return found, [mistakes.attempts(one) for one in found], mistakes.tables()


def read_analyses(path: Path) -> object:
    with closing(Analyses(UserDatabase(path.parent))) as analyses:
        return analyses.latest()


def read_routes(path: Path) -> object:
    with closing(RouteResults(UserDatabase(path.parent))) as results:
        return results.runs()


def read_puzzles(path: Path) -> object:
    with closing(Puzzles(UserDatabase(path.parent))) as puzzles:
        found = list(puzzles.get(puzzles.ids()).values())
        told = [(first_rating(p.puzzle), to_line(p.puzzle), p.puzzle.gap) for p in found]
        daily = puzzles.daily(today_of(NOON, 0))
        return told, daily, puzzles.tables(), puzzles.person(NOON), puzzles.next(NOON, Rng(1))


def read_profile(path: Path) -> object:
    with closing(JudgedMoves(UserDatabase(path.parent))) as facts:
        facts.judge_new({})
        return facts.all(), facts.unasked(100)


def read_situations(path: Path) -> object:
    with closing(Situations(UserDatabase(path.parent))) as situations:
        found = situations.all()
        return found, [one.statistics for one in found], situations.session(1)


@pytest.fixture(
    params=["tests", "mistakes", "analyses", "puzzles", "routes", "profile", "situations"]
)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def path(kind: str, tmp_path: Path) -> Path:
    path = tmp_path / "user.db"
    if kind == "tests":
        session = played(30)
        session.finish(End.LOST, STARTED)
        with closing(History(UserDatabase(path.parent))) as history:
            list_test(history, summary_of(session, "1.json", STARTED + timedelta(hours=1)))
    elif kind == "mistakes":
        with closing(Mistakes(UserDatabase(path.parent))) as mistakes:
            noted(mistakes)
    elif kind == "profile":
        with closing(JudgedMoves(UserDatabase(path.parent))) as facts:
            recording = recording_of(random_game(5), "game", table="L3_512")
            facts.put_game(recording, judged_moves(recording, {}), STARTED)
    elif kind == "routes":
        with closing(RouteResults(UserDatabase(path.parent))) as results:
            results.keep(StoredRun(0, STARTED, RESULT))
    elif kind == "puzzles":
        with closing(Puzzles(UserDatabase(path.parent))) as puzzles:
            kept = puzzles.keep_daily(NOON.date(), made_puzzle(), NOON)
            puzzles.answer(kept.id, 0, NOON, 3.0)
    elif kind == "situations":
        with closing(Situations(UserDatabase(path.parent))) as situations:
            asked = situations.ask(find_situation(BESIDE_LARGE, [], lambda: made_up, 1), NOON)
            session = Run(asked.situation.attempt(1), NOON)
            session.play(1, made_up(BESIDE_LARGE, 1).chances)
            situations.keep(asked.number, session)
    else:
        with closing(Analyses(UserDatabase(path.parent))) as analyses:
            analyses.keep(analysis_of(EVENT, NOON))
    return path


READ: dict[str, Callable[[Path], object]] = {
    "tests": read_tests,
    "mistakes": read_mistakes,
    "analyses": read_analyses,
    "routes": read_routes,
    "puzzles": read_puzzles,
    "profile": read_profile,
    "situations": read_situations,
}
VALUES: tuple[Any, ...] = (b"\x00\xff", "garbage", 1 << 62, -1, 9e999, -9e999, "", "\x00", None)


def columns_of(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return [
            (table, column[1])
            for (table,) in tables
            if db.execute(f"SELECT 1 FROM {table}").fetchone()
            for column in db.execute(f"PRAGMA table_info({table})")
        ]


@pytest.mark.thorough
@pytest.mark.parametrize("is_small", [True, False])
def test_any_value_in_any_column_is_read_or_refused(path, kind, is_small, monkeypatch):
    """Large files are not looked through when they are opened: reading them has to notice."""
    if not is_small:
        monkeypatch.setattr(database, "_QUICKLY_READ_BYTES", -1)
    whole = path.read_bytes()
    n_refused = 0
    for table, column in columns_of(path):
        for value in VALUES:
            path.write_bytes(whole)
            with closing(sqlite3.connect(path)) as db:
                try:
                    db.execute(f"UPDATE {table} SET {column} = ?", (value,))
                    db.commit()
                except sqlite3.IntegrityError:
                    continue
            try:
                READ[kind](path)
            except DamagedDatabaseError as error:
                n_refused += str(path) in str(error) and "set it aside" in str(error)
    assert n_refused > 20


@pytest.mark.parametrize("value", [b"\x00\xff", "yesterday", 9e999])
def test_a_date_that_is_none_is_noticed_when_the_file_is_opened(path, kind, value):
    column = {
        "tests": "ended",
        "mistakes": "due",
        "analyses": "at",
        "puzzles": "found",
        "routes": "played",
        "profile": "played",
        "situations": "asked",
    }[kind]
    names = {
        "mistakes": "mistake",
        "puzzles": "puzzle",
        "analyses": "analysis",
        "tests": "run",
        "routes": "run",
        "profile": "run",
        "situations": "situation",
    }
    table = names.get(kind, kind)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"UPDATE {table} SET {column} = ?", (value,))
        db.commit()
    with pytest.raises(DamagedDatabaseError, match="a row of its table"):
        READ[kind](path)


def test_what_we_write_is_sound(path, kind):
    assert READ[kind](path)
