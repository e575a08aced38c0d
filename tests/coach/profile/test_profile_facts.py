"""Facts: taken from tests, games, guesses and attempts, kept once, forgotten with their files."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ai.evaluation.large_tiles import search_board
from coach.exam.history import History
from coach.grading import grade
from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.play.run import Run
from coach.profile.ai_answers import ask_ai, distinct_large, search_look
from coach.profile.facts import JudgedMoves
from coach.profile.judged_moves import judged_moves
from coach.profile.position import MoveKind, Phase, Position
from coach.record.user_database import UserDatabase
from coach.recordings.recording import (
    SEARCH,
    open_recording,
    recording_of,
    recording_of_run,
    written_at,
)
from coach.situations.situation import find_situation, situation_on
from coach.situations.situations import Situations
from engine.bitboard import LARGEST_NIBBLE, cells, format_board
from engine.spawn import Rng
from tablebase.formation.patterns_file import load_formations
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tests.coach.games import random_game
from tests.coach.made_sessions import STARTED, played, write_session
from tests.coach.situations.stage import BESIDE_LARGE, NOON, made_up
from tests.coach.situations.stage import played as attempted
from tests.makers import TableMaker

LEFT, RIGHT, UP, DOWN = range(4)


@pytest.fixture
def tests(tmp_path: Path) -> Iterator[History]:
    with closing(History(UserDatabase(tmp_path))) as found:
        yield found


def expected(session) -> list[tuple[float, int]]:
    """Return loss and time of the moves with a choice, worked out by hand."""
    found = []
    for one in session.moves:
        known = [rate for rate in one.rates if rate is not None]
        if len(known) > 1:
            found.append((round(max(known) - one.rates[one.direction], 9), one.ms))
    return found


def test_each_move_with_a_choice_is_a_fact(facts, tests):
    session = played(60)
    tests.add_file("a.json", session, STARTED)
    facts.judge_new({})
    found = facts.all()
    told = [(round(one.lost, 9), one.ms or 0) for one in found]
    assert told == expected(session)
    assert {one.played for one in found} == {STARTED}
    assert {one.formation for one in found} == {"L3"}
    assert {one.ai_lost for one in found} == {None}


def test_moves_are_judged_once_and_those_of_a_test_when_it_is_over(facts, tests):
    tests.add_file("a.json", played(40), STARTED)
    tests.add_file("b.json", played(50, by=1), STARTED)
    tests.write(in_play := played(20, by=2, allows_undo=True))
    told: list[tuple[int, int]] = []
    facts.judge_new({}, lambda done, n: told.append((done, n)))
    assert told == [(0, 2), (1, 2)]
    n = len(facts.all())
    facts.judge_new({}, lambda done, n: told.append((done, n)))
    assert len(told) == 2
    tests.keep(in_play, STARTED)
    facts.judge_new({})
    assert len(facts.all()) == n + len(expected(in_play))
    in_play.undo()
    tests.keep(in_play, STARTED)
    facts.judge_new({})
    assert len(facts.all()) == n + len(expected(in_play))
    tests.remove("a.json")
    facts.judge_new({})
    assert len({one.game for one in facts.all()}) == 3, "it is only off the list"


def test_judging_can_be_cancelled_and_goes_on(facts, tests):
    for name in "abc":
        tests.add_file(name, played(20, by=ord(name)), STARTED)
    stops = iter([False, True])
    facts.judge_new({}, is_cancelled=lambda: next(stops))
    assert len({one.game for one in facts.all()}) == 1
    facts.judge_new({})
    assert len({one.game for one in facts.all()}) == 3


def test_the_state_is_another_when_something_was_judged(facts, tests):
    states = [facts.state]
    facts.judge_new({})
    assert facts.state == states[0]
    tests.add_file("a.json", played(20), STARTED)
    facts.judge_new({})
    states.append(facts.state)
    tests.write(played(9, by=3, seed=8))  # in play
    facts.judge_new({})
    assert facts.state == states[1]
    recording = recording_of(random_game(40), "game", table="L3_512")
    with closing(JudgedMoves(UserDatabase(facts.path.parent))) as other:
        moves = list(judged_moves(recording, {}))
        other.put_game(recording, moves, STARTED)
        states.append(facts.state)
        lost = [one.lost for one in moves]
        rejudged = [replace(one, judgement=two.judgement) for one, two in pairwise(moves)]
        other.put_game(recording, [*rejudged, moves[-1]], STARTED)  # as many, judged by other rates
        assert [one.lost for one in rejudged] != lost[:-1]
        states.append(facts.state)
        other.keep_ai((one, 0.25) for one in other.unasked(1))
        states.append(facts.state)
    assert len(set(states)) == 5


def test_a_whole_game_is_kept_once_whatever_is_said_of_it(facts):
    recording = recording_of(random_game(40), "game", table="L3_512")
    moves = list(judged_moves(recording, {}))
    facts.put_game(recording, moves, STARTED)
    facts.put_game(recording, moves[:10], STARTED + timedelta(days=1))
    assert len(facts.all()) == 10


@pytest.mark.parametrize("seconds", [-11_644_473_600.0, 300_000_000_000.0])
def test_a_file_of_a_year_that_nobody_knows_leaves_the_profile_readable(
    tmp_path, monkeypatch, seconds
):
    recording = recording_of_run(played(3))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", lambda _: SimpleNamespace(st_mtime=seconds))
        when = written_at(tmp_path / "a.json")
    assert when is not None
    assert 1970 <= when.year < 3000, "the years that Windows can tell the local time of"
    for _ in range(2):
        with closing(JudgedMoves(UserDatabase(tmp_path))) as another:
            another.put_game(recording, judged_moves(recording, {}), when)


def test_the_worst_of_three_tiles_counts():
    recording = recording_of(random_game(60), "game", table="L3_512")
    for one in judged_moves(recording, {}):
        before = recording.luck[max(0, one.number - 4) : one.number - 1]
        known = [luck for luck in before if luck is not None]
        assert one.luck == (min(known) if known else None)


def test_moves_that_nobody_knows_the_table_of_tell_nothing():
    assert list(judged_moves(recording_of(random_game(20), "game"), {})) == []


def test_a_game_is_masked_as_its_mistakes_are():
    """The six largest tiles of a 442 game become F; those of a test are so already."""
    start = (14, 13, 12, 11, 10, 9, 0, 0, 0, 0, 1, 2, 3, 1, 2, 4)
    replay = replace(random_game(30), start=start, moves=())
    rates = (0.5, 0.25, None, None)
    move = replace(random_game(1).moves[0], direction=LEFT, cell=11, exponent=1, rates=rates)
    once = recording_of(replace(replay, moves=(move,)), "game", table="442_512")
    (found,) = judged_moves(once, load_formations())
    assert format_board(found.position.board) == "ffffff0000123124"


@pytest.mark.parametrize(
    ("table", "board", "phase"),
    [
        ("L3_512", 0xFFFF_FFFF_0000_0172, Phase.FIRST_HALF),  # 2 + 128 + 4
        ("L3_512", 0xFFFF_FFFF_0000_0078, Phase.LAST_QUARTER),  # 384 of 512: just so much
        ("L3_512", 0xFFFF_FFFF_0000_0068, Phase.THIRD_QUARTER),  # 320
        ("L3_512", 0xFFFF_FFFF_0000_0008, Phase.THIRD_QUARTER),  # 256 of 512
        ("L3_512", 0xFFFF_FFFF_0000_0001, Phase.FIRST_HALF),
        ("3x3_sum1800", 0x999_0999_0FFF_FFFF, Phase.LAST_QUARTER),
        (SEARCH, 0xEDCB_0000_0000_0001, Phase.FIRST_HALF),
    ],
)
def test_the_phase_is_what_the_tiles_below_the_goal_add_up_to(table, board, phase):
    assert Position(table, board, (None,) * 4, (0,)).phase is phase


def test_the_kind_is_what_speaks_for_the_best_move():
    # Two 256 side by side: left merges them, up does not.
    board = 0xFFFF_FFF0_8810_0021
    assert Position("L3_512", board, (0.9, 0.5, 0.8, None), (LEFT,)).kind is MoveKind.MERGE
    assert Position("L3_512", board, (0.9, 0.9, 0.5, None), (LEFT, RIGHT)).kind is MoveKind.CHOICE
    walls = Position("2x4_64", board, (0.9, 0.8, 0.5, None), (LEFT,), walls=True)
    assert walls.kind is MoveKind.DEEP


def test_the_ai_is_asked_once_about_each_move(facts, tests):
    session = played(30)
    tests.add_file("a.json", session, STARTED)
    facts.judge_new({})
    n = len(facts.all())
    asked: list[tuple[int, ...]] = []

    def look(cells):
        asked.append(tuple(cells))
        return (0.1, 0.2, 0.3, 0.4)  # it likes down best, then up, right, left

    assert ask_ai(facts, look, 5) == 5
    assert ask_ai(facts, look, 1000) == n - 5
    assert ask_ai(facts, look, 1000) == 0
    assert len(asked) == n
    with_choice = [m for m in session.moves if sum(r is not None for r in m.rates) > 1]
    for one, move in zip(facts.all(), with_choice, strict=True):
        known = {d: rate for d, rate in enumerate(move.rates) if rate is not None}
        assert one.ai_lost == pytest.approx(max(known.values()) - known[max(known)], abs=1e-6)


def test_large_tiles_stand_on_a_snake_from_the_corner():
    found = distinct_large(0xFFFF_1FFF_0000_0001, 9)
    assert found == [15, 14, 13, 12, 1, 9, 10, 11, *[0] * 7, 1]
    found = distinct_large(0xFFFF_FFFF_FFFF_FF01, 9)
    assert sorted(found) == [0, 1, *range(9, 23)]
    seen = cells(int(search_board(np.array(found, np.uint8), LARGEST_NIBBLE)))
    large = [tile for tile in seen if tile not in (0, 1, 15)]
    assert len(set(large)) == len(large), "search must not see two that merge"


def test_the_ai_is_asked_about_more_large_tiles_than_a_game_has():
    chances = search_look()(distinct_large(0xFFFF_FFFF_0000_0012, 12))
    assert [chance is not None for chance in chances] == [True, False, True, True]


def test_a_test_is_read_as_review_reads_it(tmp_path):
    write_session(tmp_path / "a.json", played(40))
    recording = open_recording(tmp_path / "a.json")
    found = list(judged_moves(recording, {}))
    assert [one.judgement for one in found] == [
        one for one in recording.judgements if one and not one.is_forced
    ]


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
    session = attempted(situation, 7, opened, worst, most_moves=6)
    want = []
    for move in session.moves:
        known = [rate for rate in move.rates if rate is not None]
        if len(known) > 1:
            want.append(round(max(known) - move.rates[move.direction], 9))
    assert any(want)
    kept.keep(number, attempted(situation, 7, opened, worst, most_moves=3))
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
