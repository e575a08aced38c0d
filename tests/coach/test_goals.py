"""A goal ends a test: after so many moves or at the first that is not perfect; files keep it."""

import json
from datetime import timedelta

import pytest

from coach.exam.history import ExamQuery, FinishedTest, History, summary_of
from coach.exam.session_file import SessionFileError, session_from_json, session_to_json
from coach.play.rules import TARGET, End, ExamGoal
from coach.play.run import Run
from coach.record.user_database import UserDatabase
from tests.coach.made_sessions import STARTED, list_test, played, rates_of, setup

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
