"""Situations: offered, found, played with fair tiles, kept, and added up."""

import math
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from ai.chances.goal import goal_of
from ai.match.report import Z_95
from coach.grading.formation_cells import has_reached
from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.play.rules import End
from coach.play.run import Run
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of_run
from coach.situations.offers import OfferKind, offers_on
from coach.situations.situation import (
    SearchedTable,
    Situation,
    SituationError,
    find_situation,
    situation_on,
)
from coach.situations.situations import AttemptOutcome, Situations, statistics_of
from coach.situations.text import chance_text, interval_text, lost_text, reached_text
from engine.bitboard import cells, from_cells
from engine.formats.replay import Rates
from engine.formats.sliding import slide
from engine.spawn import Rng
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tests.coach.situations.stage import BESIDE_LARGE, NOON, made_up, played
from tests.makers import TableMaker

NODES = 800


@pytest.fixture
def opened(table: TableMaker):
    with closing(open_table(table("2x4", 128))) as found:
        yield found


@pytest.fixture
def start(opened: Tablebase) -> tuple[int, ...]:
    return tuple(cells(opened.start_board(Rng(5))))


@pytest.fixture
def situation(opened: Tablebase, start: tuple[int, ...]) -> Situation:
    return situation_on(opened, start)


@pytest.fixture
def kept(tmp_path: Path):
    with closing(Situations(UserDatabase(tmp_path))) as found:
        yield found


def searched() -> Situation:
    return find_situation(BESIDE_LARGE, [], lambda: made_up, NODES)


def test_on_a_table_the_chance_is_exact(opened, start, situation):
    rates = opened.probe(from_cells(start)).rates
    assert situation.chance == max(rate for rate in rates if rate is not None)
    assert situation.is_exact
    assert situation.setup.target == 128
    assert situation.setup.table == "2x4_128"
    assert situation.setup.walls


def test_any_table_that_knows_the_position_is_found(opened, start, situation):
    assert find_situation(start, [opened], _no_search, NODES) == situation


def test_where_no_table_helps_search_says_how_likely_the_next_large_tile_is(opened):
    found = find_situation(BESIDE_LARGE, [opened], lambda: made_up, NODES)
    assert not found.is_exact
    assert found.setup.target == 2048
    assert found.chance == pytest.approx(0.3), "left is no move there"
    assert found.nodes == NODES
    assert found.setup.tolerance.same(0.4 - 0.0019, 0.4)
    assert not found.setup.tolerance.same(0.4 - 0.0025, 0.4)


@pytest.mark.parametrize(
    ("position", "problem"),
    [
        ([16, *[0] * 14, 1], "65536"),
        ([1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1], "no move is left"),
        ([15, 15, *[0] * 13, 1], "large tiles without values"),
    ],
)
def test_a_position_to_play_for_nothing_is_refused(position, problem):
    with pytest.raises(SituationError, match=problem):
        find_situation(tuple(position), [], lambda: made_up, NODES)


def test_a_table_that_does_not_know_the_position_is_named(opened):
    with pytest.raises(SituationError, match="2x4_128"):
        situation_on(opened, BESIDE_LARGE)


def test_what_is_reached_already_is_refused(opened, start):
    board = list(start)
    free = next(cell for cell in range(16) if board[cell] < 15)
    board[free] = 7
    with pytest.raises(SituationError, match="128"):
        situation_on(opened, tuple(board))


def _no_search():
    raise AssertionError("a table knows the position")


def test_the_goal_of_search_is_reached_when_its_tile_is_made():
    """Twin: `Goal.is_made`, from what the tiles add up to, over random games of random boards."""
    rng, n_made = Rng(3), 0
    for _ in range(300):
        large = sorted({11 + rng.below(4) for _ in range(rng.below(4))}, reverse=True)
        small = [10, 10, 9, 9] + [rng.below(9) for _ in range(16 - len(large) - 4)]
        start = [*large, *small]
        for i in range(15, 0, -1):
            j = rng.below(i + 1)
            start[i], start[j] = start[j], start[i]
        goal = goal_of(start)
        table = SearchedTable(goal, made_up, NODES)
        position = tuple(start)
        for _ in range(6):
            position = slide(position, rng.below(4))
            reached = has_reached(from_cells(position), table.target, table.formation)
            assert reached == goal.is_made(start, position)
            n_made += reached
            if reached:
                break
    assert n_made > 20


def test_search_answers_like_a_table():
    table = SearchedTable(goal_of(BESIDE_LARGE), made_up, NODES)
    answer = table.probe(from_cells(BESIDE_LARGE))
    assert answer.rates == (None, pytest.approx(0.3), None, pytest.approx(0.1))
    assert answer.best == 1
    assert not answer.unknown


@pytest.mark.thorough
def test_with_best_play_the_goal_is_reached_as_often_as_the_table_says(opened, situation):
    """The tiles are fair: over many seeds the share is the exact rate, but for chance."""
    uncertain = _uncertain(opened, situation)
    n = 200
    ends = [played(uncertain, Rng(seed).next_u64() >> 1, opened).end for seed in range(n)]
    share = sum(end is End.REACHED for end in ends) / n
    deviation = math.sqrt(uncertain.chance * (1 - uncertain.chance) / n)
    assert abs(share - uncertain.chance) < 3 * deviation
    assert set(ends) <= {End.REACHED, End.NO_MOVE, End.LOST}


def _uncertain(opened: Tablebase, situation: Situation) -> Situation:
    """Return the first situation from careless play whose outcome is uncertain."""
    for seed in range(100):
        careless = played(situation, seed, opened, _careless)
        for move in careless.moves:
            if 0.25 < max(rate or 0.0 for rate in move.rates) < 0.75:
                return situation_on(opened, tuple(cells(move.board)))
    raise AssertionError("no position in between")


def _careless(rates: Rates) -> int:
    return next(one for one in (0, 3, 1, 2) if rates[one] is not None)


def test_attempts_add_up():
    attempts = [
        AttemptOutcome("reached", 40, 0.02),
        AttemptOutcome("lost", 10, 0.5),
        AttemptOutcome("no move", 20, 0.08),
        AttemptOutcome("reached", 30, 0.0),
        AttemptOutcome("", 5, 0.3),  # under way
        AttemptOutcome("outside", 5, 0.3),  # the table could not follow it
    ]
    found = statistics_of(attempts)
    assert (found.n, found.n_reached, found.n_moves) == (4, 2, 100)
    assert found.share == 0.5
    assert found.lost_per_move == pytest.approx(0.006)
    for bound in (found.low, found.high):  # Wilson's definition
        assert abs(bound - 0.5) == pytest.approx(Z_95 * math.sqrt(bound * (1 - bound) / 4))
    assert reached_text(found) == "2 of 4"
    assert interval_text(found) == "15 to 85 %"
    assert lost_text(found) == "0.60 points"


def test_nothing_is_said_before_the_first_attempt():
    found = statistics_of([])
    assert found.share is None
    assert found.lost_per_move is None
    assert interval_text(found) == lost_text(found) == ""


def test_an_estimate_is_told_to_be_one(situation):
    assert chance_text(searched()) == "about 30 %"
    assert chance_text(situation).endswith(" %")
    assert "about" not in chance_text(situation)


def test_what_is_kept_comes_back(opened, situation, kept):
    first = kept.ask(situation, NOON)
    assert (first.situation, first.wanted, first.n_left, first.attempts) == (situation, 10, 10, ())
    sessions = [played(situation, seed, opened) for seed in (11, 22, 33)]
    for session in sessions:
        first = kept.keep(first.number, session)
    assert [one.seed for one in first.attempts] == [11, 22, 33]
    assert [one.outcome for one in first.attempts] == [one.end.value for one in sessions]
    assert [one.n_moves for one in first.attempts] == [one.n_moves for one in sessions]
    assert first.n_left == 7
    assert kept.all() == [first]
    again = kept.session(first.attempts[1].number)
    assert again.moves == sessions[1].moves
    assert again.end is sessions[1].end


def test_what_search_rates_comes_back_with_its_tolerance(kept):
    situation = searched()
    kept.ask(situation, NOON)
    assert kept.all()[0].situation == situation


def test_an_attempt_that_was_broken_off_goes_on(opened, situation, kept):
    number = kept.ask(situation, NOON).number
    begun = played(situation, 11, opened, most_moves=3)
    found = kept.keep(number, begun)
    assert found.open_attempt.n_moves == 3
    assert found.n_left == 10
    assert found.statistics.n == 0
    resumed = kept.session(found.open_attempt.number)
    whole = played(situation, 11, opened)
    while resumed.end is None and resumed.n_moves < whole.n_moves:
        move = whole.moves[resumed.n_moves]
        resumed.play(move.direction, move.rates, move.ms)
    assert resumed.moves == whole.moves, "the same seed, the same tiles"
    resumed.finish(whole.end, NOON)
    found = kept.keep(number, resumed)
    assert found.open_attempt is None
    assert len(found.attempts) == 1


def test_asking_again_goes_on_and_ten_more_come_when_all_were_made(opened, situation, kept):
    number = kept.ask(situation, NOON, more=2).number
    for seed in (1, 2):
        kept.keep(number, played(situation, seed, opened))
    assert kept.get(number).n_left == 0
    later = kept.ask(situation, NOON + timedelta(days=1))
    assert (later.number, later.wanted, later.n_left) == (number, 12, 10)
    assert later.asked == NOON + timedelta(days=1)
    assert kept.with_attempts_left(number).wanted == 12, "there are some left"


def test_the_last_asked_for_comes_first_and_what_is_removed_is_gone(situation, kept):
    old, new = kept.ask(situation, NOON), kept.ask(searched(), NOON + timedelta(hours=1))
    assert [one.number for one in kept.all()] == [new.number, old.number]
    kept.remove(new.number)
    assert [one.number for one in kept.all()] == [old.number]
    assert kept.keep(new.number, Run(searched().attempt(1), NOON)) is None
    assert kept.remove(new.number) is None


def test_what_was_removed_comes_back_with_its_attempts(opened, situation, kept):
    one = kept.ask(situation, NOON, more=4)
    for seed in (1, 2):
        kept.keep(one.number, played(situation, seed, opened))
    before = kept.get(one.number)
    removed = kept.remove(one.number)
    assert removed
    other = kept.ask(searched(), NOON)  # it may have got the number
    kept.restore(removed)
    (found,) = [again for again in kept.all() if again.number != other.number]
    assert (found.situation, found.asked, found.wanted) == (situation, NOON, 4)
    assert before
    assert found.statistics == before.statistics
    assert [again.seed for again in found.attempts] == [1, 2]
    session = kept.session(found.attempts[1].number)
    assert session == played(situation, 2, opened) or (
        session and session.moves == played(situation, 2, opened).moves
    )


def test_what_was_asked_for_again_meanwhile_gets_its_old_attempts_too(opened, situation, kept):
    number = kept.ask(situation, NOON, more=4).number
    for seed in (1, 2):
        kept.keep(number, played(situation, seed, opened))
    removed = kept.remove(number)
    assert removed
    again = kept.ask(situation, NOON, more=10)
    kept.keep(again.number, played(situation, 3, opened))
    for _ in range(2):  # who restores twice has everything once
        kept.restore(removed)
    (found,) = kept.all()
    assert sorted(one.seed for one in found.attempts) == [1, 2, 3]
    assert found.n_left >= 9


def test_an_attempt_is_a_recording_that_ends_with_its_goal(opened, situation):
    session = next(
        one
        for one in (played(situation, seed, opened) for seed in range(100))
        if one.end is End.REACHED
    )
    recording = recording_of_run(session, "first")
    assert recording.n_moves == recording.n_judged == session.n_moves
    assert recording.table == "2x4_128"
    assert recording.end_rate == 1.0


def test_a_recording_of_what_search_rates_names_no_table():
    session = Run(searched().attempt(7), NOON)
    rates = made_up(BESIDE_LARGE, NODES).chances
    session.play(1, rates)
    assert recording_of_run(session, "second").table is None


def test_offers_are_the_start_then_harder_positions_easiest_first(table):
    opened = open_table(table("2x4", 128))
    start, *harder = offers_on(opened, Rng(1), 3, lambda: False)
    assert start.kind is OfferKind.START
    assert start.chance > 0.9
    assert len(harder) == 3
    chances = [offer.chance for offer in harder]
    assert chances == sorted(chances, reverse=True)
    assert all(0.4 <= chance <= 0.85 for chance in chances)
    for offer in (start, *harder):
        rates = opened.probe(offer.board).rates
        assert max(rate for rate in rates if rate is not None) == offer.chance
        assert offer is start or sum(rate is not None for rate in rates) > 1, "there is a choice"
    opened.close()


def test_latest_mistakes_come_first_but_no_sure_wins(tmp_path):
    database = UserDatabase(tmp_path)
    mistakes, situations = Mistakes(database), Situations(database)
    for number, chance in enumerate((0.9, 0.8, 0.7, 1.0, 0.9998)):
        rates = (chance, 0.1, None, None)
        mistakes.note(
            NotedMove(
                key=TableKey("2x4_128", 0.1),
                board=0x1200 + number,
                symmetry="identity",
                rates=rates,
                judgement=judge(rates, 1, UINT32),
                when=NOON + timedelta(days=number),
                source="",
                number=1,
            )
        )
    found = situations.latest_mistakes(2)
    assert [round(offer.chance, 1) for offer in found] == [0.7, 0.8]
    assert {offer.kind for offer in found} == {OfferKind.MISTAKE}
    for store in (mistakes, situations):
        store.close()


def test_the_start_alone_is_wanted_or_there_is_time_for(table, monkeypatch):
    opened = open_table(table("2x4", 128))
    probe, probed = opened.probe, []
    monkeypatch.setattr(
        opened, "probe", lambda *args, **more: probed.append(1) or probe(*args, **more)
    )
    for n_harder, is_over in ((0, False), (-1, False), (3, True)):
        (start,) = offers_on(opened, Rng(1), n_harder, lambda is_over=is_over: is_over)
        assert start.kind is OfferKind.START
    assert len(probed) < 10
    opened.close()
