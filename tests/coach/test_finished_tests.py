"""The history of tests: what is added comes back, in order, and makes charts."""

from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from coach.exam.history import ExamQuery, History, summary_of
from coach.grading.grade import GRADES
from coach.play.rules import End
from coach.record.user_database import UserDatabase
from engine.bitboard import cells, format_board, from_cells
from engine.platform.errors import InvalidBoardError
from tests.coach.made_sessions import START, STARTED, finished, list_test, played
from tests.oracle import images


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(UserDatabase(tmp_path))


def test_a_test_comes_back_as_it_was_also_from_the_file(tmp_path, history):
    test = finished(1, seed=(1 << 64) - 1, leaves_out_forced=True, seconds_per_move=10)
    list_test(history, test)
    assert history.tests() == [test]
    history.close()
    assert History(UserDatabase(tmp_path)).tests() == [test]
    assert test.outcome == End.LOST.value
    assert sum(test.counts) + test.n_forced == test.n_moves


def test_the_summary_is_that_of_the_test():
    session = played(30)
    test = summary_of(session, "x", STARTED)
    kept = 1.0
    for move in session.moves:
        kept *= move.judgement.ratio
    assert test.match_rate == pytest.approx(kept)
    counts = [sum(m.judgement.grade is grade for m in session.moves) for grade in GRADES]
    assert list(test.counts) == counts
    assert test.perfect_share == counts[0] / len(session.moves)
    assert test.largest_loss == max(m.judgement.loss for m in session.moves)
    assert (test.start, test.seed, test.outcome) == (START, 7, "")
    assert not test.is_marked


def test_the_newest_comes_first_and_tables_apart(history):
    tests = [finished(n, table="t_512" if n % 3 == 0 else "L3_256") for n in range(9)]
    tests[3] = replace(tests[3], outcome="")
    for test in (tests[4], *tests[:4], *tests[5:]):
        list_test(history, test)
    assert history.tests() == tests[::-1]
    assert history.tests(ExamQuery("t_512")) == [tests[6], tests[3], tests[0]]
    assert history.tests(most=2) == [tests[8], tests[7]]
    assert history.tests(ExamQuery("442_512")) == []
    assert history.tests(ExamQuery("t_512", leaves_out_abandoned=True)) == [tests[6], tests[0]]
    assert history.tables() == [("L3_256", 6), ("t_512", 3)]


def test_tests_are_found_by_formation_date_and_start(history):
    names = ("L3_256", "L3_512", "l3_512", "L3_x_512", "442_512")
    tests = [finished(n, table=name) for n, name in enumerate(names)]
    for test in tests:
        list_test(history, test)
    assert history.tests(ExamQuery(formation="L3")) == [tests[1], tests[0]]
    assert history.tests(ExamQuery(formation="L3_x")) == [tests[3]]
    assert history.tests(ExamQuery(since=tests[3].ended)) == [tests[4], tests[3]]
    elsewhere = tests[3].ended.astimezone(timezone(timedelta(hours=5)))
    assert history.tests(ExamQuery(since=elsewhere)) == [tests[4], tests[3]]
    for image in images(cells(START), "full"):
        turned = format_board(from_cells(image))
        assert history.tests(ExamQuery("442_512", start=f"0x{turned}".upper())) == [tests[4]]
    part = format_board(START)[3:11]
    assert history.tests(ExamQuery("442_512", start=f"{part[:4]} {part[4:]}")) == [tests[4]]
    assert history.tests(ExamQuery(start="edcba")) == []
    with pytest.raises(InvalidBoardError, match="'xyz' is not a part of a position"):
        history.tests(ExamQuery(start="xyz"))


def test_a_test_is_there_once(history):
    test = finished(1)
    list_test(history, test)
    better = replace(test, match_rate=1.0)
    list_test(history, better)
    assert history.tests() == [better]


def test_a_removed_test_can_be_brought_back(history):
    test = finished(1)
    list_test(history, test)
    list_test(history, finished(2))
    assert history.remove(test.name) == test
    assert history.tests() == [finished(2)]
    assert history.remove(test.name) is None
    history.restore(test)
    assert history.tests() == [finished(2), test]


def test_the_best_of_a_start_is_what_a_rematch_is_for(history):
    tests = [
        replace(finished(n), match_rate=rate, n_undos=undos, outcome=outcome)
        for n, (rate, undos, outcome) in enumerate(
            [(0.5, 0, "lost"), (0.9, 1, "lost"), (0.8, 0, "lost"), (0.95, 0, "")]
        )
    ]
    for test in tests:
        list_test(history, test)
    list_test(history, replace(finished(10, seed=8), match_rate=1.0))
    assert history.best_like(tests[0]) == tests[2]
    assert history.best_like(replace(tests[0], seed=9)) is None
