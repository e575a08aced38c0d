"""Tests and their goals as files: what is written comes back, the rest is refused."""

import json
import random
from datetime import datetime, timedelta, timezone
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.exam.history import ExamQuery, FinishedTest, History, summary_of
from coach.exam.session_file import (
    SessionFileError,
    read_session,
    session_from_json,
    session_to_json,
)
from coach.play.rules import TARGET, End, ExamGoal
from coach.play.run import Run
from coach.record.user_database import UserDatabase
from tests.coach.made_sessions import STARTED, list_test, played, rates_of, setup, write_session

RIGHT = 1


def same(one: Run, other: Run) -> bool:
    def told(session: Run) -> tuple[object, ...]:
        return (
            session.setup,
            session.started,
            session.moves,
            session.board,
            session.score,
            session.match_rates,
            session.end,
            session.ended,
            session.n_undos,
        )

    return told(one) == told(other)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 60), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_what_is_written_comes_back(n_moves, by, allows_undo, leaves_out_forced):
    session = played(n_moves, by, allows_undo=allows_undo, leaves_out_forced=leaves_out_forced)
    if taken := session.undo():
        session.play(taken.direction, taken.rates)
    if by % 2:
        session.finish(End.LOST, STARTED)
    assert same(session_from_json(session_to_json(session)), session)


def test_moves_that_the_table_did_not_know_come_back():
    session = Run(setup(), STARTED)
    rates = rates_of(session.board)
    assert rates[RIGHT] is not None
    others = [d for d in range(4) if rates[d] is not None and d != RIGHT]
    known = tuple(None if d in others else rate for d, rate in enumerate(rates))
    move = session.play(RIGHT, known, unknown=others)
    assert move.unknown == tuple(others) != ()
    assert not move.judgement.is_forced
    text = session_to_json(session)
    (entry,) = json.loads(text)["moves"]
    assert entry["unknown"] == [("left", "right", "up", "down")[d] for d in others]
    assert same(session_from_json(text), session)


def test_a_move_that_is_played_cannot_be_unknown():
    session = Run(setup(), STARTED)
    with pytest.raises(ValueError, match="is not possible"):
        session.play(RIGHT, rates_of(session.board), unknown=[RIGHT])


def test_a_file_is_whole_or_the_one_before(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "test.json"
    write_session(path, played(10))
    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        write_session(path, played(20))
    assert same(read_session(path), played(10))


def test_a_test_in_play_goes_on_from_its_file():
    session = session_from_json(session_to_json(played(10, allows_undo=True)))
    whole = played(30, allows_undo=True)
    for move in whole.moves[10:]:
        session.play(move.direction, move.rates, move.ms)
    assert same(session, whole)


def changed(**fields: object) -> str:
    data = json.loads(session_to_json(played(3)))
    for name, value in fields.items():
        if value is ...:
            del data[name]
        else:
            data[name] = value
    return json.dumps(data)


def test_a_time_without_a_zone_is_in_utc():
    started = session_from_json(changed(started="2026-05-01T12:00:00")).started
    assert started == datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": "other"}, "it is not a test: expected .*endgame2048-test"),
        ({"version": 2}, "later version"),
        ({"version": "1"}, "'version' is '1'"),
        ({"table": ...}, "'table' is missing"),
        ({"table": ""}, "a name such as L3_512"),
        ({"target": 100}, "expected a tile"),
        ({"target": 1 << 40}, "expected a tile from 4 to 65536"),
        ({"spawn4": 1.5}, "expected a number from 0 to 1"),
        ({"rate": "uint8"}, "expected one of"),
        ({"seed": -1}, "'seed' is -1"),
        ({"seed": 1 << 64}, "expected a whole number from 0 to 18446744073709551615"),
        ({"seed": 1.5}, "'seed' is 1.5"),
        ({"start": "12"}, "expected 16 digits"),
        ({"start": "0" * 16}, "not a position"),
        ({"start": "g" * 16}, "not a position"),
        ({"symmetry": "sideways"}, "'symmetry' is 'sideways'"),
        ({"walls": 1}, "'walls' is 1"),
        ({"started": "yesterday"}, "expected a date"),
        ({"started": "0001-01-01T00:00:00+14:00"}, "expected a date"),
        ({"started": "9999-12-31T23:59:59-05:00"}, "expected a date"),
        ({"end": "tired"}, "'end' is 'tired'"),
        ({"end": "lost"}, "expected a date"),
        ({"n_undos": -1}, "'n_undos' is -1"),
        ({"moves": {}}, "'moves' is {}"),
        ({"moves": [1]}, "move 1 is 1; expected an object"),
    ],
)
def test_a_field_that_cannot_be_is_named(fields, reason):
    with pytest.raises(SessionFileError, match=reason.replace("{", r"\{")):
        session_from_json(changed(**fields))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"move": "sideways"}, "'move' is 'sideways'"),
        ({"cell": 16}, "'cell' is 16"),
        ({"tile": 8}, "expected 2 or 4"),
        ({"ms": -5}, "'ms' is -5"),
        ({"rates": [0.5]}, "'rates' is [0.5]; expected a list of 4"),
        ({"rates": [0.5, 0.5, 0.5, 1.5]}, "rate 4 is 1.5; expected a number from 0 to 1, or"),
        ({"rates": [0.5, 0.5, 0.5, "1"]}, "rate 4 is '1'"),
        ({"rates": [True, 0.5, 0.5, 0.5]}, "rate 1 is true"),
        ({"rates": [0, 0, 0, 0]}, "do not let it be judged"),
        ({"rates": [None, None, None, None]}, "do not let it be judged"),
        ({"retry": "no"}, "'retry' is 'no'"),
        ({"unknown": "up"}, "'unknown' is 'up'"),
        ({"unknown": ["sideways"]}, "'unknown': entry 1 is 'sideways'"),
        ({"unknown": [["up"]]}, "'unknown': entry 1 is ['up']"),
        ({"unknown": ["left", "right", "up", "down"]}, "names a move that has a rate"),
        ({"move": "left", "rates": [0.5, 0.5, 0.5, 0.5]}, "no tile slides that way"),
        ({"move": "right", "rates": [None, 0.5, 0.4, None], "cell": 15}, "lies on another"),
    ],
)
def test_a_move_that_cannot_be_is_named(change, reason):
    data = json.loads(session_to_json(played(3)))
    data["moves"][0] |= change
    with pytest.raises(SessionFileError, match="move 1") as caught:
        session_from_json(json.dumps(data))
    assert reason in str(caught.value)


def test_a_file_that_is_none_says_its_path(tmp_path):
    path = tmp_path / "not.json"
    with pytest.raises(SessionFileError, match=r"cannot read .*not\.json"):
        read_session(path)
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(SessionFileError, match=r"not\.json cannot be used: it is not UTF-8"):
        read_session(path)
    path.write_text("[" * 100_000)
    with pytest.raises(SessionFileError, match="it is not valid JSON"):
        read_session(path)
    path.write_text('{"format": NaN}')
    with pytest.raises(SessionFileError, match="NaN is not a JSON number"):
        read_session(path)


def test_damaged_files_are_refused_or_read_as_another_test():
    """No crash and no endless loop, whatever a bad drive makes of a file."""
    good = session_to_json(played(25)).encode()
    chance = random.Random(3)
    refused = 0
    for _ in range(1500):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice(b'0123456789"{}[],:.aeltrn- \xff')
        try:
            session_from_json(bytes(data)).replay().check()
        except SessionFileError:
            refused += 1
    assert refused > 500


STREAK = ExamGoal(ends_at_miss=True)


def play(session: Run, *, well: bool) -> None:
    """Play the best or the worst legal move."""
    rates = rates_of(session.board)
    legal = [d for d in range(4) if rates[d] is not None]
    choose = max if well else min
    session.play(choose(legal, key=lambda d: rates[d] or 0.0), rates)


def test_so_many_moves_end_a_test():
    session = Run(setup(goal=ExamGoal(moves=3)), STARTED)
    for _ in range(3):
        assert session.goal_end(is_target=False) is None
        play(session, well=False)
    assert session.goal_end(is_target=False) is End.MOVES
    assert session.goal_end(is_target=True) is End.REACHED


def test_a_streak_ends_at_the_first_move_that_is_not_perfect():
    session = Run(setup(goal=STREAK), STARTED)
    for _ in range(5):
        play(session, well=True)
        assert session.goal_end(is_target=False) is None
        assert session.goal_end(is_target=True) is End.REACHED
    while session.last and session.last.judgement.is_perfect:
        play(session, well=False)
    assert session.goal_end(is_target=False) is End.MISS
    assert session.goal_end(is_target=True) is End.MISS


def test_without_a_goal_of_its_own_a_test_goes_on():
    assert played(40).goal_end(is_target=False) is None
    assert played(40).goal_end(is_target=True) is End.REACHED


@pytest.mark.parametrize(("goal", "end"), [(ExamGoal(50), End.MOVES), (STREAK, End.MISS)])
def test_the_file_keeps_the_goal(goal, end):
    session = played(20, goal=goal)
    session.finish(end, STARTED)
    again = session_from_json(session_to_json(session))
    assert (again.setup, again.end) == (session.setup, end)
    assert again.setup.goal == goal


def test_a_file_without_a_goal_is_for_the_target():
    data = json.loads(session_to_json(played(20)))
    del data["goal_moves"], data["ends_at_miss"]
    assert session_from_json(json.dumps(data)).setup.goal == TARGET
    data["goal_moves"] = -1
    with pytest.raises(SessionFileError, match="'goal_moves' is -1"):
        session_from_json(json.dumps(data))


def finished(number: int, n_moves: int = 30, **changes: object) -> FinishedTest:
    session = played(n_moves, by=number, **changes)
    session.finish(End.LOST, STARTED)
    return summary_of(session, f"{number}.json", STARTED + timedelta(hours=number))


def test_the_history_compares_tests_with_the_same_goal(tmp_path):
    history = History(UserDatabase(tmp_path))
    to_target, fifty = finished(1), finished(2, goal=ExamGoal(50))
    short, long = finished(3, 2, goal=STREAK), finished(4, 9, goal=STREAK)
    assert short.match_rate > long.match_rate
    for test in (to_target, fifty, short, long):
        list_test(history, test)
    assert history.tests() == [long, short, fifty, to_target]
    assert history.goals() == [TARGET, STREAK, ExamGoal(50)]
    assert history.tests(ExamQuery(goal=TARGET)) == [to_target]
    assert history.tests(ExamQuery(goal=STREAK)) == [long, short]
    assert history.tests(ExamQuery(goal=ExamGoal(50))) == [fifty]
    assert history.best_like(finished(5)) == to_target
    assert history.best_like(finished(5, goal=ExamGoal(50))) == fifty
    assert history.best_like(finished(5, goal=ExamGoal(100))) is None
    assert history.best_like(finished(5, goal=STREAK)) == long, "the longest streak"
    history.close()
