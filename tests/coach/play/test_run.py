"""A test game: its moves, its luck, its score, and how it ends."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.grading.grade import Grade
from coach.play.rules import End, Refusal
from coach.play.run import Run
from coach.play.setup import symmetries, turned_start
from coach.play.tiles import new_tile
from engine.bitboard import cells
from engine.spawn import Rng
from tests.coach.made_sessions import START, STARTED, played, rates_of, setup
from tests.oracle import images, move

LEFT, RIGHT, UP, DOWN = range(4)
WALLED = 0x1000_0FFF_0FFF_FFFF


def test_every_position_follows_from_the_one_before():
    session = played(60)
    assert session.n_moves > 20
    before = [int(digit, 16) for digit in f"{START:016x}"]
    for one in session.moves:
        assert cells(one.board) == before
        after, _ = move(before, one.direction)
        assert after[one.cell] == 0
        assert one.exponent in (1, 2)
        after[one.cell] = one.exponent
        before = after
    assert cells(session.board) == before


def test_the_score_is_that_of_the_moves():
    session = played(60)
    kept = math.prod(
        one.rates[one.direction] / max(r or 0 for r in one.rates) for one in session.moves
    )
    assert session.score.match_rate == pytest.approx(kept)
    assert session.score.n_moves == session.n_moves
    rates = session.match_rates
    assert rates[-1] == session.score.match_rate
    assert rates == sorted(rates, reverse=True)
    assert session.played_ms == sum(one.ms for one in session.moves)


def test_the_worst_moves_come_worst_first_and_none_of_them_is_perfect():
    session = played(60)
    worst = session.worst(5)
    losses = [session.moves[i].judgement.loss for i in worst]
    assert losses == sorted((m.judgement.loss for m in session.moves), reverse=True)[:5]
    assert Run(setup(), STARTED).worst(5) == []


@pytest.mark.thorough
def test_there_is_no_limit_on_the_length():
    """Other programs stop recording after 4,000 moves, or fail."""
    session = Run(setup(start=0x1100_0000_0000_0000), STARTED)
    swings = 0
    while session.n_moves < 4100:
        # A test of the record, not of play: whatever is legal, and back to an open board when full.
        rates = tuple(0.5 if session.is_legal(d) else None for d in range(4))
        if not any(rates):
            session._positions[-1] = tuple(cells(0x1100_0000_0000_0000))  # noqa: SLF001
            swings += 1
            continue
        session.play(next(d for d in range(4) if rates[d]), rates)
    assert swings > 5
    assert len(session.moves) == len(session.match_rates) == session.score.n_moves == 4100


@given(st.integers(0, (1 << 64) - 1), st.integers(0, 10**6))
def test_a_new_tile_depends_on_seed_number_and_empty_cells_only(seed, n):
    board, cell, exponent = new_tile(0x1234_0000_0000_0001, seed, n, 0.1)
    assert board == 0x1234_0000_0000_0001 | exponent << (60 - 4 * cell)
    assert new_tile(0xABCD_0000_0000_0009, seed, n, 0.1)[1:] == (cell, exponent)


def test_new_tiles_are_as_frequent_as_they_should_be():
    drawn = [new_tile(0x1234_0000_0000_0001, 5, n, 0.25)[1:] for n in range(11_000)]
    fours = sum(exponent == 2 for _, exponent in drawn) / len(drawn)
    assert abs(fours - 0.25) < 0.02
    for cell in range(4, 15):
        assert abs(sum(c == cell for c, _ in drawn) - 1000) < 150


def test_a_rematch_meets_the_same_tiles():
    first = played(40, by=1)
    second = Run(first.setup, STARTED + timedelta(days=1))
    for one in first.moves:
        again = second.play(one.direction, rates_of(second.board))
        assert (again.cell, again.exponent, again.board) == (one.cell, one.exponent, one.board)
    assert second.board == first.board
    other = played(40, by=1, seed=8)
    assert [m.cell for m in other.moves] != [m.cell for m in first.moves]


def test_undo_marks_the_test_and_the_move_that_was_played_again():
    session = played(10, allows_undo=True)
    before, score = session.moves, session.match_rates
    taken = session.undo()
    assert taken == before[-1]
    assert session.board == before[-1].board
    assert session.match_rates == score[:-1]
    assert session.is_marked
    again = session.play(taken.direction, rates_of(session.board), taken.ms)
    assert again.is_retry
    assert (again.cell, again.exponent) == (taken.cell, taken.exponent)  # no other luck by undo
    following = [d for d in range(4) if rates_of(session.board)[d] is not None]
    assert not session.play(following[0], rates_of(session.board)).is_retry
    assert session.n_undos == 1


def test_undo_is_an_option():
    session = played(10)
    assert session.undo() is None
    assert session.n_moves == 10
    assert not session.is_marked
    assert Run(setup(allows_undo=True), STARTED).undo() is None


def test_an_end_can_be_taken_back_but_for_that_of_the_clock():
    for end, goes_on in ((End.LOST, True), (End.TIME, False)):
        session = played(5, allows_undo=True)
        session.finish(end, STARTED)
        assert (session.undo() is not None) is goes_on
        assert (session.end is None) is goes_on


def test_an_illegal_move_and_one_that_leaves_are_told_apart():
    session = Run(setup(), STARTED)
    rates = rates_of(START)
    assert rates[LEFT] is None
    assert session.refusal(LEFT, rates) is Refusal.ILLEGAL
    leaving = (None, rates[RIGHT], None, rates[DOWN])
    assert session.refusal(UP, leaving) is Refusal.LEAVES
    assert session.refusal(UP, leaving, unknown=[UP]) is Refusal.UNKNOWN
    assert session.refusal(RIGHT, leaving) is None
    for direction in (LEFT, UP):
        with pytest.raises(ValueError, match="not possible"):
            session.play(direction, leaving)
    with pytest.raises(ValueError, match="judged"):
        session.play(RIGHT)


def test_a_forced_move_is_marked_and_can_be_left_out():
    forced = (None, 0.5, None, None)
    for leaves_out in (False, True):
        session = Run(setup(leaves_out_forced=leaves_out), STARTED)
        assert session.play(RIGHT, forced).judgement.is_forced
        assert session.score.count(Grade.PERFECT) == (0 if leaves_out else 1)
        assert session.score.n_forced == (1 if leaves_out else 0)
        assert session.n_moves == 1


@pytest.mark.parametrize(
    ("board", "rates", "end"),
    [
        (START, (None, 0.5, 0.4, None), None),
        (START, (None, 0.0, 0.0, None), End.LOST),
        (START, (None, None, None, None), End.NO_MOVE),
        (START, None, End.OUTSIDE),
        (0x1212_2121_1212_2121, None, End.NO_MOVE),
    ],
)
def test_a_test_ends(board, rates, end):
    session = Run(setup(start=board), STARTED)
    assert session.conclude(rates) is end  # type: ignore[arg-type]


def test_after_the_end_nothing_is_played():
    session = Run(setup(), STARTED)
    session.finish(End.TIME, STARTED)
    with pytest.raises(ValueError, match="not possible"):
        session.play(RIGHT, rates_of(START))


def test_a_start_is_turned_in_all_eight_ways_but_not_with_walls():
    board = cells(START)
    found = set()
    for seed in range(200):
        turned = turned_start(setup(), Rng(seed))
        found.add(turned.start)
        assert turned.symmetry in symmetries(walls=False)
    assert sorted(cells(one) for one in found) == sorted(images(board, "full"))
    for seed in range(20):
        turned = turned_start(setup(start=WALLED, walls=True), Rng(seed))
        assert (turned.start, turned.symmetry) == (WALLED, "identity")


def test_walls_stay_where_they_are():
    session = Run(setup(start=WALLED, walls=True), STARTED)
    session.play(RIGHT, (None, 0.5, None, 0.4))
    assert session.board & WALLED & 0x0FFF_0FFF_0FFF_FFFF == WALLED & 0x0FFF_0FFF_0FFF_FFFF


def test_a_test_is_a_replay():
    session = played(30)
    replay = session.replay()
    replay.check()
    positions = [list(position) for position in replay.positions()]
    assert positions == [cells(m.board) for m in session.moves] + [cells(session.board)]
    assert [m.rates for m in replay.moves] == [m.rates for m in session.moves]
    assert [m.is_forced for m in replay.moves] == [
        sum(rate is not None for rate in m.rates) == 1 for m in session.moves
    ]


def test_a_copy_does_not_follow_what_it_was_copied_from():
    session = played(10, allows_undo=True)
    session.undo()
    copy, board = session.copy(), session.board
    session.undo()
    session.finish(End.LOST, STARTED)
    assert (copy.n_moves, copy.board, copy.n_undos, copy.end) == (9, board, 1, None)
    assert len(copy.match_rates) == 9
    rates = rates_of(board)
    assert copy.play(next(d for d in range(4) if rates[d] is not None), rates).is_retry
