"""Facts of guesses in Practice and of attempts at situations."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from coach.grading import grade
from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.play.run import Run
from coach.profile.facts import JudgedMoves
from coach.record.user_database import UserDatabase
from coach.recordings.recording import SEARCH
from coach.situations.situation import find_situation, situation_on
from coach.situations.situations import Situations
from engine.bitboard import cells
from engine.spawn import Rng
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tests.coach.situations.stage import BESIDE_LARGE, NOON, made_up, played
from tests.makers import TableMaker

LEFT, RIGHT, UP, DOWN = range(4)
BOARD = 0x0000_0000_1FFF_2FFF
RATES = (0.9, 0.8, None, 0.5)


def guess(direction: int = RIGHT, board: int = BOARD, days: int = 0) -> NotedMove:
    judgement = judge(RATES, direction, UINT32)
    assert judgement is not None
    when = NOON + timedelta(days=days)
    return NotedMove(TableKey("L3_256", 0.1), board, judgement, RATES, when, "practice", 0)


def losses(facts: JudgedMoves) -> list[float]:
    return [round(one.lost, 9) for one in facts.all()]


def test_the_first_guess_in_a_position_counts_and_those_of_a_day_are_a_game(facts):
    assert facts.add_guess(guess(), walls=False)
    assert not facts.add_guess(guess(LEFT), walls=False), "by now the rates are known"
    assert facts.add_guess(guess(DOWN, BOARD + 1), walls=False)
    found = facts.all()
    assert losses(facts) == [0.1, 0.4]
    assert {one.formation for one in found} == {"L3"}
    assert {one.played for one in found} == {NOON}
    assert len({one.game for one in found}) == 1


def test_a_guess_counts_with_its_time_and_its_luck(facts):
    facts.add_guess(replace(guess(), ms=1500, luck=-0.5), walls=False)
    facts.add_guess(guess(board=BOARD + 1), walls=False)
    assert [(one.ms, one.luck) for one in facts.all()] == [(1500, -0.5), (None, None)]


def test_another_day_or_another_table_is_another_game(facts):
    facts.add_guess(guess(), walls=False)
    assert facts.add_guess(guess(days=1), walls=False)
    other = replace(guess(), key=TableKey("442_256", 0.1))
    assert facts.add_guess(other, walls=False)
    assert facts.add_guess(replace(guess(), key=TableKey("L3_256", 0.2)), walls=False)
    assert len({one.game for one in facts.all()}) == 4


@pytest.fixture
def opened(table: TableMaker) -> Iterator[Tablebase]:
    with closing(open_table(table("2x4", 128))) as found:
        yield found


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Situations]:
    with closing(Situations(UserDatabase(tmp_path))) as found:
        yield found


def worst(rates) -> int:
    return min((one for one in range(4) if rates[one] is not None), key=lambda one: rates[one])


def test_attempts_on_tables_count_once_and_as_long_as_they_are_kept(
    facts, kept, opened, monkeypatch
):
    monkeypatch.setattr(grade, "as_good_within", lambda _best: 0.0)  # they lose very little here
    situation = situation_on(opened, tuple(cells(opened.start_board(Rng(5)))))
    number = kept.ask(situation, NOON).number
    session = played(situation, 7, opened, worst, most_moves=6)
    want = []
    for move in session.moves:
        known = [rate for rate in move.rates if rate is not None]
        if len(known) > 1:
            want.append(round(max(known) - move.rates[move.direction], 9))
    assert any(want)
    kept.keep(number, played(situation, 7, opened, worst, most_moves=3))
    told: list[tuple[int, int]] = []
    facts.judge_new({}, lambda done, n: told.append((done, n)))
    n = len(facts.all())
    assert 0 < n < len(want)
    facts.judge_new({}, lambda done, n: told.append((done, n)))
    assert told == [(0, 1)], "once"
    kept.keep(number, session)  # it went on
    facts.judge_new({})
    assert losses(facts) == want
    assert {one.formation for one in facts.all()} == {"2x4"}
    kept.remove(number)
    facts.judge_new({})
    assert facts.all() == []


def test_attempts_that_search_judges_count_with_time_and_luck(facts, kept):
    situation = find_situation(BESIDE_LARGE, [], lambda: made_up, 800)
    assert situation.setup.table == SEARCH
    session = Run(situation.attempt(7), NOON)
    session.play(DOWN, (None, 0.3, None, 0.1), ms=900)
    session.play(UP, (None, 0.1, 0.08, None), ms=400)
    kept.keep(kept.ask(situation, NOON).number, session)
    facts.judge_new({})
    found = facts.all()
    assert losses(facts) == [0.2, 0.02]
    assert [(one.formation, one.ms) for one in found] == [(SEARCH, 900), (SEARCH, 400)]
    assert [one.luck for one in found] == [None, 0.0], "10 % were left after the tile too"


def test_chances_that_search_cannot_tell_apart_lose_nothing(facts, kept):
    situation = find_situation(BESIDE_LARGE, [], lambda: made_up, 800)
    session = Run(situation.attempt(7), NOON)
    session.play(DOWN, (None, 0.1, None, 0.0985), ms=900)
    kept.keep(kept.ask(situation, NOON).number, session)
    facts.judge_new({})
    assert losses(facts) == [0.0], "as the attempt itself was told"
