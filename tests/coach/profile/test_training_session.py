"""Ten minutes: never more, nothing twice, the same for the same day, and about what costs most."""

from contextlib import closing
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.days import today_of
from coach.mistakes.drill import Drill
from coach.profile.advice import Advice
from coach.profile.filing import file_game, filed_of_test
from coach.profile.judged_moves import judged_moves
from coach.profile.profile import Cut, Share
from coach.profile.session import (
    LOOKING_S,
    POSITION_S,
    PUZZLE_S,
    Candidates,
    mistake_candidates,
    session_of,
    with_puzzles,
)
from coach.profile.words import session_text
from coach.puzzles.puzzles import FROM_TABLE, Puzzles
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of
from tests.coach.games import random_game
from tests.coach.mistake_stage import START, after, noted
from tests.coach.test_puzzle_store import made

ids = st.lists(st.integers(1, 60), max_size=40)
candidates = st.builds(Candidates, ids, ids, ids, ids, st.floats(1, 80), st.floats(1, 80))
TODAY = today_of(START + timedelta(days=2), 0)


@given(candidates)
def test_a_session_is_never_longer_and_asks_nothing_twice(found):
    session = session_of(found)
    spent = len(session.mistakes) * found.position_s + len(session.puzzles) * found.puzzle_s
    assert session.seconds == pytest.approx(spent)
    assert spent <= 600 + 1e-6
    assert len(set(session.mistakes)) == len(session.mistakes)
    assert len(set(session.puzzles)) == len(session.puzzles)
    assert set(session.game) <= set(found.game)
    assert set(session.due) <= set(found.due)
    assert set(session.worst) <= set(found.worst)
    assert set(session.puzzles) <= set(found.puzzles)
    assert session == session_of(found)


@given(candidates)
def test_nothing_is_left_out_that_there_is_time_for(found):
    session = session_of(found)
    left = 600 - session.seconds - 1e-6
    if set(found.game) | set(found.due) | set(found.worst) != set(session.mistakes):
        assert left < found.position_s
    if set(found.puzzles) != set(session.puzzles):
        assert left < found.puzzle_s


def test_each_kind_gets_its_part_the_most_wanted_first():
    many = list(range(1, 200))
    found = Candidates((), many, many[::-1], many, 10.0, 20.0)
    session = session_of(found)
    assert session.due == tuple(range(1, 25))  # 240 of 600 seconds
    assert session.worst == tuple(range(199, 175, -1))
    assert session.puzzles == tuple(range(1, 7))
    after_a_game = session_of(Candidates(tuple(many), many, (), (), 10.0, 20.0))
    assert after_a_game.game[:36] == tuple(range(1, 37))
    assert session_text(session) == "24 due, 24 that cost you most, 6 puzzles"


def test_what_is_due_today_and_what_was_not_answered_today(mistakes):
    boards = [0x1230_0000_0000_0000 + i for i in range(1, 31)]
    found = [noted(mistakes, board=board) for board in boards]
    drill = Drill(mistakes, new_per_day=4)
    first = mistake_candidates(mistakes, TODAY, drill, None)
    assert len(first.due) == len(set(first.due)) == drill.count_due(TODAY) == 4
    assert sorted(first.worst) == sorted(found)
    drill.answer(found[3], 0, TODAY.now, 5.0)
    second = mistake_candidates(mistakes, TODAY, drill, None)
    assert found[3] not in second.worst
    assert len(second.due) == 4, "three of the day's four new ones, and the wrong answer again"
    assert second.due[-1] == found[3]


def test_only_mistakes_of_the_kind_that_costs_most(mistakes):
    noted(mistakes, board=0x1230_0000_0000_0000, table="442_512")
    other = noted(mistakes, board=0x1230_0000_0000_0001, table="L3_512")
    late = noted(mistakes, board=0xFFFF_FFFF_0000_0078, table="t_512")
    rest = Share()

    def about(cut: Cut, key: str) -> list[int]:
        advice = Advice(cut, Share(key), rest, 0.0, is_sure=True)
        return list(mistake_candidates(mistakes, TODAY, Drill(mistakes), advice).worst)

    assert about(Cut.FORMATION, "L3") == [other]
    assert about(Cut.PHASE, "last quarter") == [late]


def test_pace_is_the_middle_of_the_latest_answers(mistakes, tmp_path):
    one, drill = noted(mistakes), Drill(mistakes)
    usual = mistake_candidates(mistakes, TODAY, drill, None)
    assert usual.position_s == POSITION_S + LOOKING_S
    for i in range(11):
        drill.answer(one, 0, after(0.01 * i), 3.0 if i < 6 else 900.0)
    known = mistake_candidates(mistakes, TODAY, drill, None)
    assert known.position_s == 3.0 + LOOKING_S
    with closing(Puzzles(UserDatabase(tmp_path))) as puzzles:
        puzzles.add([made(i) for i in range(5)], FROM_TABLE, START)
        found = with_puzzles(known, puzzles, TODAY)
        assert sorted(found.puzzles) == puzzles.ids()
        assert found.puzzle_s == PUZZLE_S + LOOKING_S
        puzzles.answer(found.puzzles[0], 0, TODAY.now, 4.0)
        again = with_puzzles(known, puzzles, TODAY)
        assert list(again.puzzles) == [i for i in again.puzzles if i != found.puzzles[0]]
        assert len(again.puzzles) == 4


def test_a_game_is_filed_once_and_comes_the_costliest_first(mistakes):
    recording = recording_of(random_game(60), "my game", table="L3_512")
    moves = list(judged_moves(recording, {}))
    found = file_game(mistakes, moves, 0.1, "my game", START)
    wrong = [one for one in moves if one.judgement.ratio < 0.99]
    assert len(found) == mistakes.count() == len({one.position.board for one in wrong})
    worst = max(wrong, key=lambda one: one.lost)
    assert found[0] in mistakes.ids_of_board("L3_512", worst.position.board, "full")
    attempts = sum(one.count for one in mistakes.get(found).values())
    assert attempts == len(wrong)
    assert file_game(mistakes, moves, 0.1, "my game", START) == found
    assert sum(one.count for one in mistakes.get(found).values()) == attempts
    assert sorted(filed_of_test(mistakes, moves)) == sorted(found)
