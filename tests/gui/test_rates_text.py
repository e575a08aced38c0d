import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coach.grading.grade import MIN_RATIOS, UINT32, Grade, judge
from engine.platform.quantities import short_rate_text
from gui.text.rates import (
    CHANCE_SCALE,
    POINT_SCALE,
    VALUE_SCALE,
    bar_fraction,
    describe_loss,
    describe_move,
    describe_rates,
    format_beside,
    format_points,
    format_rate,
    margin_of_best,
    relative_loss,
    without_unit,
)


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.99378, "99.38 %"),
        (1 - 3.2e-9, "99.99999968 %"),
        (1 - 2.5e-10, "99.999999975 %"),
        (0.99998, "99.998 %"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (4.1e-7, "0.000041 %"),
        (4.1e-12, "4.1e-10 %"),
        (0.00002, "0.002 %"),
        (0.5, "50.00 %"),
        (None, ""),
    ],
)
def test_a_rate_is_precise_where_it_matters(rate, text):
    assert format_rate(rate) == text


def test_neighboring_stored_rates_near_one_look_different():
    """uint32 rates differ by 2.5e-10: the figure must not hide that."""
    step = 1 / 4e9
    texts = {format_rate(1 - k * step) for k in range(1, 40)}
    assert len(texts) > 30


def test_two_courses_that_differ_read_differently():
    figure = format_beside([(0.999684, 0.999707), (0.5, 0.5), (0.7, None)])
    assert [figure(one) for one in (0.999684, 0.999707)] == ["99.968 %", "99.971 %"]
    assert [figure(one) for one in (0.5, 0.7, 0.6)] == ["50.00 %", "70.00 %", "60.00 %"]


def test_a_rate_in_running_text_is_short():
    assert short_rate_text(0.993780433) == "99.38 %"
    assert short_rate_text(1 - 3.2e-9) == "more than 99.99 %"


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (0.0121, "1.2 points"),
        (0.00068, "0.068 points"),
        (0.29378, "29 points"),
        (1.0, "100 points"),
        (3e-9, "under 0.001 points"),
        (0.01, "1.0 point"),
    ],
)
def test_points_have_two_significant_digits(difference, text):
    assert format_points(difference) == text


def test_the_bar_is_visible_at_a_hundredth_and_full_at_ten_percent():
    assert bar_fraction(0) == 0
    assert bar_fraction(1e-4) == pytest.approx(0.25)
    assert bar_fraction(0.1) == bar_fraction(0.5) == 1
    assert 0 < bar_fraction(1e-9) < bar_fraction(2e-5)


def test_the_loss_is_relative_and_never_negative():
    assert relative_loss(0.4, 0.5) == pytest.approx(0.2)
    assert relative_loss(0.5, 0.4) == 0
    assert relative_loss(None, 0.5) == relative_loss(0.0, 0.0) == 0


def test_the_lead_of_an_only_move_is_full_and_that_of_a_tie_none():
    assert margin_of_best((None, 0.5, None, None)) == 1
    assert margin_of_best((0.5, 0.5, None, None)) == 0
    assert 0 < margin_of_best((0.5, 0.499, None, None)) < 1
    assert margin_of_best((None,) * 4) == 0


@pytest.mark.parametrize(
    ("rates", "text"),
    [
        ((0.99378, None, 0.98178, 0.5), ""),
        ((None, None, None, 0.25), "There is only one move."),
        ((0.0, None, 0.0, None), "The table knows no way to the target from here."),
        ((None,) * 4, "No moves left."),
    ],
)
def test_a_sentence_says_what_the_figures_do_not(rates, text):
    assert describe_rates(rates) == text


@pytest.mark.parametrize(
    ("direction", "rates", "text"),
    [
        (2, (0.99378, None, 0.98178, None), "Up lost 1.2 points. Left was best."),
        (0, (0.99378, None, 0.98178, None), "Left was the best move."),
        (3, (None, None, None, 0.3), "Down was the only move."),
        (1, (0.5, 0.5, None, 0.1), "Right was one of the best moves."),
        (3, (0.5, 0.5, None, 0.1), "Down lost 40 points. Left and right were best."),
        (1, (0.5, 0.0, None, None), "Right lost everything. Left was best."),
        (0, (0.0, 0.0, None, None), "Left: nothing was left to lose."),
        (2, (0.5, 0.5, None, None), "Up broke the formation."),
    ],
)
def test_a_played_move_is_judged(direction, rates, text):
    assert describe_move(direction, rates, UINT32) == text


def test_words_and_grade_agree_on_what_is_equal():
    """Rates apart by less than means something are equal in both."""
    rates = (0.5, 0.5 + 9e-6, None, None)
    assert judge(rates, 0, UINT32).grade is Grade.PERFECT  # type: ignore[union-attr]
    assert describe_move(0, rates, UINT32) == "Left was one of the best moves."


def test_a_caption_marks_the_best_by_a_word():
    assert describe_loss(0.5, 0.5) == "best"
    assert describe_loss(0.488, 0.5) == "\N{MINUS SIGN}1.2 pts"
    assert describe_loss(0.0, 0.5) == "\N{MINUS SIGN}50 pts"
    assert describe_loss(0.0, 4e-7) == "all lost"
    assert describe_loss(4e-8, 4e-7) == "<0.001 pts"


@pytest.mark.parametrize(
    ("chance", "text"),
    [(None, ""), (0.0, "0"), (0.38717, "38.7 %"), (0.0004, "< 0.1 %"), (1, "> 99.9 %")],
)
def test_an_estimated_chance_has_one_decimal(chance, text):
    assert CHANCE_SCALE.figure(chance) == text


def test_the_bar_of_a_value_grows_with_what_is_lost_up_to_10_000():
    best = 50_000.0
    bars = [VALUE_SCALE.bar(best - loss, best) for loss in (0, 0.5, 1, 2, 10, 100, 10_000, 30_000)]
    assert bars[0] == 0
    assert 0 < bars[1] == bars[2] < 0.05, "the least that is seen"
    assert bars[2:7] == sorted(set(bars[2:7])), "more for more"
    assert bars[4:] == pytest.approx([0.25, 0.5, 1, 1])
    assert VALUE_SCALE.bar(None, best) == VALUE_SCALE.bar(best, None) == 0


def test_moves_rated_in_points_of_the_score_show_those_they_lose():
    values = (2000.2, None, 1999.6, 700.9)
    assert POINT_SCALE.figures(values, UINT32) == [""] * 4, "no sum beside a player's mean score"
    losses = ["best", "", "", "\N{MINUS SIGN}1,299 points"]
    assert POINT_SCALE.losses(values, UINT32) == losses
    assert without_unit(losses[3]) == "\N{MINUS SIGN}1,299"


def test_what_separates_two_grades_is_seen_in_the_points_lost():
    """A mistake of 9.96 points and a blunder of 10.04 do not both read 10."""
    mistake, blunder = 0.9004, 0.8996
    assert [judge((1.0, rate, None, None), 1, UINT32).grade for rate in (mistake, blunder)] == [
        Grade.MISTAKE,
        Grade.BLUNDER,
    ]
    assert [describe_loss(rate, 1.0) for rate in (mistake, blunder)] == [
        "\N{MINUS SIGN}10 pts",
        "\N{MINUS SIGN}10.04 pts",
    ]


@given(st.floats(0.01, 1), st.sampled_from([ratio for ratio, _ in MIN_RATIOS[1:-1]]), st.data())
def test_a_loss_reads_as_one_of_its_grade(best, ratio, data):
    """Where the figures of the rates are that far apart, near the limit of a grade."""
    rate = round(best * ratio + data.draw(st.floats(-0.002, 0.002)), 4)
    best = round(best, 4)
    assume(0 < rate < best and all(abs(rate - one * best) > 1e-9 for one, _ in MIN_RATIOS))
    figure = describe_loss(rate, best).strip("\N{MINUS SIGN}").removesuffix(" pts")
    assume(not figure.startswith("<"))
    read = judge((best, best - float(figure) / 100 + 1e-12, None, None), 1, UINT32)
    real = judge((best, rate, None, None), 1, UINT32)
    assert read
    assert real
    assert read.grade is real.grade
