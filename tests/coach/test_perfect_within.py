"""How much a perfect move may lose is a rule of a test: grades, files and history go by it."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from coach.database import open_database
from coach.exam.history import MIGRATIONS, FinishedTest, History, summary_of
from coach.exam.query import ExamQuery
from coach.exam.session import End, Session
from coach.exam.session_file import (
    SessionFileError,
    session_from_json,
    session_to_json,
    write_session,
)
from coach.grading.grade import Grade, Tolerance, judge
from coach.recordings.recording import open_recording
from tests.coach.made_sessions import STARTED, played, rates_of, setup

LEFT, RIGHT, UP, DOWN = range(4)


@pytest.mark.parametrize(("lower", "is_perfect"), [(0.0001, True), (0.00011, False)])
@pytest.mark.parametrize("best", [0.9932, 0.5, 0.0007])
def test_what_loses_no_more_than_allowed_is_perfect(
    best: float, lower: float, is_perfect: bool
) -> None:
    tolerance = Tolerance.of_type("uint32").allowing(0.0001)
    judgement = judge((best, best - lower, 0.0, None), RIGHT, tolerance)
    assert judgement
    assert judgement.is_perfect == is_perfect
    assert judgement.best == ((LEFT, RIGHT) if is_perfect else (LEFT,))
    assert (judgement.ratio == 1.0) == (judgement.points_lost == 0.0) == is_perfect


def test_nothing_is_equal_to_a_chance_whatever_is_allowed() -> None:
    judgement = judge((0.00001, 0.0, None, None), RIGHT, Tolerance.of_type("uint32").allowing(0.5))
    assert judgement
    assert judgement.grade is Grade.DISASTER


def test_streak_match_rate_and_counts_go_by_it() -> None:
    def taken(perfect_within: float) -> Session:
        session = Session(setup(perfect_within=perfect_within), STARTED)
        for _ in range(6):
            rates = [None if rate is None else 0.9 for rate in rates_of(session.board)]
            direction = next(d for d in range(4) if rates[d] is not None)
            rates[direction] = 0.8999  # 0.01 points less than the others
            if rates.count(0.9):
                session.play(direction, rates)
        return session

    exact, lenient = taken(0.0), taken(0.01)
    assert exact.score.longest_combo == 0
    assert exact.score.match_rate < 1
    assert exact.score.count(Grade.PERFECT) == 0
    assert lenient.score.longest_combo == lenient.n_moves == exact.n_moves > 3
    assert lenient.score.match_rate == 1
    assert lenient.worst(9) == []


def test_the_file_keeps_it_and_one_without_it_is_exact() -> None:
    text = session_to_json(played(20, perfect_within=0.1))
    session = session_from_json(text)
    assert session.setup.perfect_within == 0.1
    assert session.score == played(20, perfect_within=0.1).score
    data = json.loads(session_to_json(played(20)))
    del data["perfect_within"]
    assert session_from_json(json.dumps(data)).setup == played(20).setup
    data["perfect_within"] = -1
    with pytest.raises(SessionFileError, match="'perfect_within' is -1"):
        session_from_json(json.dumps(data))


def test_review_grades_a_test_as_the_test_did(tmp_path: Path) -> None:
    session = played(60, by=3, perfect_within=0.1)
    assert session.score.counts != played(60, by=3).score.counts
    write_session(tmp_path / "L3_256_x.json", session)
    recording = open_recording(tmp_path / "L3_256_x.json")
    assert recording.score == session.score
    assert list(recording.judgements) == [move.judgement for move in session.moves]


def finished(number: int, **changes: object) -> FinishedTest:
    session = played(30, by=number, **changes)
    session.finish(End.LOST, STARTED)
    return summary_of(session, Path(f"/{number}.json"), STARTED + timedelta(hours=number))


def test_the_history_compares_like_with_like(tmp_path: Path) -> None:
    history = History(tmp_path / "tests.db")
    exact, lenient = finished(1), finished(2, perfect_within=100.0)
    assert lenient.match_rate > exact.match_rate
    for test in (exact, lenient):
        history.add(test)
    assert history.tests() == [lenient, exact]
    assert history.allowances() == [0.0, 100.0]
    assert history.best_like(finished(3)) == exact
    assert history.best_like(finished(3, perfect_within=100.0)) == lenient
    assert history.best_like(finished(3, perfect_within=0.1)) is None
    assert history.tests(ExamQuery(perfect_within=0.0)) == [exact]
    assert history.tests(ExamQuery(perfect_within=100.0)) == [lenient]
    history.close()


def test_a_history_of_before_is_upgraded_and_its_tests_are_exact(tmp_path: Path) -> None:
    path, test = tmp_path / "tests.db", finished(1)
    history = History(tmp_path / "other.db")
    history.add(test)
    history.close()
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.row_factory = sqlite3.Row
        row = other.execute("SELECT * FROM tests").fetchone()
    with closing(open_database(path, MIGRATIONS[:1])) as old:
        names = [r[1] for r in old.execute("PRAGMA table_info(tests)").fetchall()]
        marks = ", ".join("?" * len(names))
        values = [row[name] for name in names]
        old.execute(f"INSERT INTO tests ({', '.join(names)}) VALUES ({marks})", values)
    upgraded = History(path)
    assert upgraded.tests() == [test]
    upgraded.close()
    assert path.with_name("tests.db.v1.bak").exists()
