"""What the test page says, word for word."""

from datetime import datetime, timezone

import pytest

from coach.exam.history import summary_of
from coach.play.rules import End, Refusal
from coach.play.run import Run
from gui.exam.text import end_text, end_title, match_text, outcome_text, rival_text
from gui.play.run_page import refusal_text
from gui.text.reviews import describe_wrong
from tests.coach.made_sessions import setup

NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)
FORMED = (None, 0.6, 0.8, 0.4)


def taken(*directions: int, end: End | None = None, **changes: object) -> Run:
    session = Run(setup(**changes), NOW)
    for direction in directions:
        session.play(direction, FORMED)
    if end:
        session.finish(end, NOW)
    return session


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (1.0, "100 %"),
        (1 - 1e-12, "> 99.9 %"),
        (0.9731284, "97.3 %"),
        (0.00004, "< 0.1 %"),
        (4e-7, "< 0.1 %"),
        (1.6e-101, "< 0.1 %"),
        (0.0, "0 %"),
    ],
)
def test_a_match_rate_is_100_only_when_all_was_kept(rate, text):
    assert match_text(rate) == text


def test_the_two_ways_of_not_being_possible_differ():
    assert refusal_text(0, Refusal.ILLEGAL, "L3_256") == (
        "Left isn't possible: nothing slides that way."
    )
    assert refusal_text(2, Refusal.LEAVES, "L3_256") == (
        "Up breaks the formation, so the L3 \N{RIGHTWARDS ARROW} 256 table can't rate it. "
        "Try another move."
    )


@pytest.mark.parametrize(
    ("end", "title"),
    [
        (End.REACHED, "256 reached"),
        (End.NO_MOVE, "256 not reached"),
        (End.LOST, "256 not reached"),
        (End.OUTSIDE, "256 not reached"),
        (End.TIME, "256 not reached"),
        (None, "Test stopped early"),
    ],
)
def test_every_end_has_a_title(end, title):
    assert end_title(taken(end=end)) == title


def test_the_end_is_summed_up():
    assert end_text(taken(1, end=End.LOST)) == "The target is out of reach now."
    assert end_text(taken(2, 3, end=End.REACHED, allows_undo=True)) == ""
    session = taken(2, 3, allows_undo=True)
    session.undo()
    session.undo()
    session.play(2, FORMED)
    assert end_text(session) == "Moves taken back: 2."
    forced = taken(leaves_out_forced=True)
    forced.play(1, (None, 0.5, None, None))
    assert end_text(forced).endswith("Not counted: 1 move without a choice.")


def test_an_end_without_a_move_is_no_result():
    assert (
        end_text(taken(end=End.TIME, seconds_per_move=10))
        == "No move within 10\N{NO-BREAK SPACE}s."
    )
    assert "Start somewhere else" in end_text(taken(end=End.REACHED))


def test_moves_that_all_leave_the_formation_are_told():
    assert end_text(taken(1, end=End.NO_MOVE)).startswith("Every move left breaks the formation.")


def test_a_mistake_is_a_line():
    assert describe_wrong(taken(1).moves[0].judgement, 34) == "Move 34: right, \N{MINUS SIGN}20 pts"
    lost = taken()
    lost.play(1, (None, 0.0, 0.5, None))
    assert describe_wrong(lost.moves[0].judgement, 2) == "Move 2: right, \N{MINUS SIGN}50 pts"


def test_a_rematch_is_compared():
    before = summary_of(taken(1, end=End.LOST), "x", NOW)
    assert rival_text(taken(2), before) == (
        "New best with this start and these tiles. Before, you kept 75.0 % of the "
        "chance, in 1 move."
    )
    assert rival_text(taken(3), before) == (
        "Your best with this start and these tiles kept 75.0 % of the chance, in 1 move."
    )
    assert outcome_text(before) == "target out of reach"
    assert outcome_text(summary_of(taken(1), "x", NOW)) == "stopped early"


def test_a_headline_tells_of_the_goal():
    """A test that seemed to end for nothing did not say what was missed."""
    assert end_title(taken(1, end=End.LOST)) == "256 not reached"
    assert end_title(taken(1, end=End.REACHED)) == "256 reached"
