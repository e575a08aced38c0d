"""What Review says, worked out by hand."""

import re

import pytest

from coach.grading.grade import Grade
from coach.recordings.comparison import Comparison
from coach.recordings.recording import Recording, recording_of
from gui.review.charts import CHANCE, LOSS, ReviewCharts
from gui.text.numbers import NBSP
from gui.text.rates import format_rate
from gui.text.reviews import (
    describe_comparison,
    describe_end,
    describe_played,
    describe_tile,
    format_luck,
    format_point_tick,
    format_share,
    summary_lines,
)
from tests.coach.test_recording import three_moves

L3 = "L3 \N{RIGHTWARDS ARROW} 512"


@pytest.fixture
def recording() -> Recording:
    """Left keeps all, a 2 costs a fifth; up gives 20 % away, a 4 then adds a quarter."""
    return recording_of(
        three_moves((0.5, 0.4, None, None), (0.1, 0.4, 0.32, None), (0.3, 0.4, None, None))
    )


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.042, "4.2 %"), (0.00013, "0.013 %"), (0.25, "25 %"), (1.0, "100 %"), (0.0, "0 %")],
)
def test_shares_have_two_digits_that_matter(share, text):
    assert format_share(share).replace(NBSP, " ") == text


@pytest.mark.parametrize(
    ("points", "text"), [(0.012, "+1.2 pts"), (-0.1, "\N{MINUS SIGN}10 pts"), (1e-8, "0 pts")]
)
def test_luck_is_told_in_points_with_its_sign(points, text):
    assert format_luck(points).replace(NBSP, " ") == text


def test_ticks_below_zero_have_a_minus_sign():
    assert format_point_tick(-0.05).replace(NBSP, " ") == "\N{MINUS SIGN}5 pts"


def test_luck_too_small_for_points_is_no_luck():
    few = recording_of(three_moves((5e-8, 4e-8, None, None), (1e-8, 4e-8, 2e-8, None), None))
    assert describe_tile(few, 1) == ""


@pytest.mark.parametrize(
    ("left", "told", "of_tile", "has_luck"),
    [
        (0.1, "The last move left 10.00 %, and the new 2 ended it.", "The new 2 left", False),
        (0.9, "An unlucky tile ended it.", "Bad luck: the new 2 left", True),
    ],
)
def test_a_tile_that_was_likely_to_end_the_game_was_not_bad_luck(left, told, of_tile, has_luck):
    all_kept = (0.95, 0.9, 0.95, None)
    lost = recording_of(three_moves(all_kept, all_kept, (0.95, left, None, None)), end_rate=0.0)
    assert describe_end(lost) == told
    assert describe_tile(lost, 3) == f"{of_tile} no way to the target."
    assert ("Luck" in dict(summary_lines(lost))) is has_luck


def test_moves_and_tiles_in_words(recording):
    assert describe_played(recording, 0) == (Grade.PERFECT, "Left was the best move.")
    assert describe_played(recording, 1) == (Grade.BLUNDER, "Up lost 8.0 points. Right was best.")
    assert describe_played(recording, 3) == (None, "")
    assert describe_tile(recording, 0) == ""
    tiles = [describe_tile(recording, i).replace(NBSP, " ") for i in (1, 2)]
    assert tiles == [
        "Bad luck: the new 2 cost 10 points.",
        "Good luck: the new 4 added 8.0 points.",
    ]


def test_a_move_lost_the_same_wherever_it_is_told(recording, qtbot):
    charts = ReviewCharts()
    qtbot.addWidget(charts)
    charts.show_recording(recording, ())
    charts.show_chart(LOSS)
    told = [
        describe_played(recording, 1)[1],
        charts.charts[LOSS].read_out(1),
        dict(summary_lines(recording))["Largest loss"],
    ]
    assert [re.findall(r"\d+\.\d+ \w+", text) for text in told] == [["8.0 points"]] * 3


def test_the_chance_is_drawn_at_every_position(recording, qtbot):
    charts = ReviewCharts()
    qtbot.addWidget(charts)
    charts.show_recording(recording, ())
    charts.show_chart(CHANCE)
    for i in range(recording.n_moves):
        best = max(rate for rate in recording.rates[i] or () if rate is not None)
        assert format_rate(best) in charts.charts[CHANCE].read_out(i)


def test_where_nothing_is_known_only_the_move_is_told():
    bare = recording_of(three_moves(None, None, None))
    assert describe_played(bare, 1) == (None, "Up was played.")
    assert describe_tile(bare, 1) == ""
    assert summary_lines(bare) == [("Moves", "3")]


def test_the_summary_by_hand(recording):
    assert dict(summary_lines(recording)) == {
        "Moves": "3",
        "Perfect moves": "2 of 3",
        "Points lost": "8.0 points",
        "Largest loss": "8.0 points",
        "Longest streak": "1",
        "Chance kept": "80.0 %",
        "Luck": f"\N{MINUS SIGN}2.0{NBSP}pts",
    }
    assert describe_end(recording) == ""


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Comparison(0, (), 0.0, 0), f"The {L3} table covers no position in this game."),
        (Comparison(9, (), 0.0, 0), f"Checked: the {L3} table agrees on all 9 positions."),
        (
            Comparison(9, (2,), 0.03, 1),
            f"1 of 9 positions differs from the {L3} table by up to 3.0 points; 1 grade changed. "
            "The table's rates are shown.",
        ),
    ],
)
def test_what_a_check_found(found, text):
    assert describe_comparison(found, "L3_512").replace(NBSP, " ") == text


def test_a_new_tile_that_changed_next_to_nothing_is_not_worth_a_sentence():
    """Two hundredths of a point of nearly all: no luck."""
    for after, is_told in ((0.9998, False), (0.9988, True)):
        rates = ((1.0, 0.9, None, None), (0.5, after, 0.9, None), None)
        assert bool(describe_tile(recording_of(three_moves(*rates)), 1)) is is_told
