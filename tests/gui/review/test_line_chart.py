"""The chart as a person uses it, and its ranges, ticks and thinning by slow twins."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from coach.grading.grade import Grade
from gui.charts.chart_scale import ValueScale, place_ticks, scale_of, spread, thin_out, thinned
from gui.charts.line_chart import ChartMark, LineChart, Series, mean_series
from gui.style.theme import theme_source
from tests.gui.counting import calls_of
from tests.gui.practice_theme import plain_theme

RED, BLUE = QColor("#ff0000"), QColor("#0000ff")
N = 101


@pytest.fixture
def chart(qtbot):
    chart = LineChart("Match rate")
    qtbot.addWidget(chart)
    chart.resize(500, 160)
    chart.show()
    chart.show_series([Series("Match", [1 - i / 1000 for i in range(N)], RED)])
    return chart


def x_of(chart: LineChart, index: int) -> QPoint:
    x = next(x for x in range(chart.width()) if chart.index_at(x) == index)
    return QPoint(x + 1, 80)


def test_only_needles_with_a_mark_are_not_quiet(chart):
    lost = [0.0] * N
    lost[20] = lost[60] = 0.5
    lines = [Series("Loss", lost, RED, is_bars=True, has_zero=True, quiet=BLUE)]
    chart.show_series(lines, [ChartMark(60, Grade.MISTAKE)])

    def seen(index: int) -> set[str]:
        picture, x = chart.grab().toImage(), x_of(chart, index).x()
        near = [picture.pixelColor(one, 100) for one in range(x - 3, x + 4)]
        reds = [one for one in near if one.red() > one.blue() + 60]
        return {
            "red" if one in reds else "blue" for one in near if abs(one.red() - one.blue()) > 60
        }

    assert (seen(20), seen(60)) == ({"blue"}, {"red"})
    chart.show_series(lines)
    assert seen(60) == {"blue"}


def picked_by(chart: LineChart) -> list[int]:
    picked: list[int] = []
    chart.picked.connect(picked.append)
    return picked


def test_a_click_picks_the_nearest_index(chart, qtbot):
    picked = picked_by(chart)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=x_of(chart, 37))
    assert picked == [37]
    assert chart.cursor_index == 37


def test_both_ends_can_be_reached(chart):
    assert chart.index_at(-50) == 0
    assert chart.index_at(9999) == N - 1


def test_a_drag_picks_on_the_way(chart, qtbot):
    picked = picked_by(chart)
    qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=x_of(chart, 10))
    for index in (20, 60):
        qtbot.mouseMove(chart, x_of(chart, index))
    qtbot.mouseRelease(chart, Qt.MouseButton.LeftButton)
    assert picked == [10, 20, 60]


def test_keys_move_the_cursor_and_stop_at_the_ends(chart, qtbot):
    picked = picked_by(chart)
    keys = Qt.Key
    for key in (keys.Key_Right, keys.Key_PageDown, keys.Key_Left, keys.Key_End, keys.Key_Right):
        qtbot.keyClick(chart, key)
    for key in (keys.Key_Home, keys.Key_Left):
        qtbot.keyClick(chart, key)
    assert picked == [1, 11, 10, 100, 0]


def test_setting_the_cursor_is_no_choice_of_the_person(chart):
    picked = picked_by(chart)
    chart.set_cursor(50)
    assert (chart.cursor_index, picked) == (50, [])
    chart.set_cursor(5000)
    assert chart.cursor_index == N - 1


def test_it_reads_out_what_is_known_at_an_index(chart):
    chart.show_series([Series("Match", [1.0, None], RED), Series("Luck", [-0.5, 2.0], BLUE)])
    assert chart.read_out(0) == "Move 0: Match 1, Luck \N{MINUS SIGN}0.5"
    assert chart.read_out(1) == "Move 1: Luck 2"


def test_screen_readers_get_name_cursor_and_summary(chart):
    chart.show_series([Series("Match", [1.0, 0.5, 0.75], RED)], [ChartMark(1, Grade.DISASTER)])
    chart.set_cursor(1)
    assert chart.accessibleName() == "Match rate"
    assert chart.accessibleDescription() == (
        "Move 1: Match 0.5. Match begins at 1 and ends at 0.75; lowest 0.5, highest 1. 1 marked."
    )


def test_nothing_to_show_is_said_and_takes_no_clicks(chart, qtbot):
    picked = picked_by(chart)
    chart.show_series([])
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    chart.grab()
    assert picked == []
    assert chart.cursor_index is None
    assert chart.accessibleDescription() == "Nothing to show yet."
    chart.show_series([Series("Loss", [None, None], RED)])
    before = chart.grab().toImage()
    chart.set_cursor(1)
    assert chart.grab().toImage() == before, "no line over the words"
    assert "not known" not in chart.accessibleDescription()


def test_fewer_moves_bring_the_cursor_back_inside(chart):
    chart.set_cursor(90)
    chart.show_series([Series("Match", [1.0, 0.9], RED)])
    assert chart.cursor_index == 1


def test_of_crowded_marks_the_worst_is_drawn(chart):
    values = [1.0] * 3000
    chart.show_series(
        [Series("Match", values, RED)],
        [ChartMark(i, Grade.INACCURATE) for i in range(3000)] + [ChartMark(1500, Grade.BLUNDER)],
    )
    grades = [drawn.grade for _, drawn in chart.drawn_marks]
    assert grades.count(Grade.BLUNDER) == 1
    assert 20 < len(grades) < 100
    places = [point.x() for point, _ in chart.drawn_marks]
    assert min(b - a for a, b in pairwise(places)) >= 11


def colors_in(chart: LineChart) -> set[str]:
    image = chart.grab().toImage()
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_a_single_value_and_a_lone_one_between_gaps_can_be_seen(chart):
    chart.show_series([Series("", [None] * 50 + [0.5] + [None] * 50, RED)])
    assert RED.name() in colors_in(chart)


def test_one_bad_move_among_thirty_thousand_can_be_seen(chart):
    losses: list[float | None] = [0.0] * 30_000
    losses[12_345] = 0.5
    chart.show_series([Series("", losses, RED, is_log=True, is_bars=True)])
    image = chart.grab().toImage()
    reds = [
        x
        for x in range(image.width())
        if any(
            image.pixelColor(x, y).red() > 200 > image.pixelColor(x, y).green() + 60
            for y in range(24, image.height() - 20)
        )
    ]
    assert reds
    assert chart.index_at(sum(reds) / len(reds)) == pytest.approx(12_345, abs=100)


def test_of_thirty_thousand_moves_only_the_cursor_is_drawn_anew(chart):
    n = 30_000
    chart.resize(1200, 200)
    chart.show_series(
        [Series("Loss", [(i * 7919 % 1000) / 1e4 for i in range(n)], RED, is_log=True)],
        [ChartMark(i, Grade.MISTAKE) for i in range(0, n, 10)],
    )
    whole = calls_of(chart.grab)
    chart.set_cursor(n // 2)
    cursor = calls_of(chart.grab)
    assert whole["drawPolyline"] == 1
    assert cursor["drawPolyline"] == 0, "the line is a picture that is kept"
    assert cursor["drawLine"] == 1
    assert sum(cursor.values()) < 6000, "as many as there are marks that fit, not moves"


@pytest.mark.parametrize("is_dark", [False, True])
def test_a_theme_changes_the_axes(chart, is_dark):
    theme = plain_theme(is_dark)
    theme_source().use(theme)
    assert theme.border.name() in colors_in(chart)


def test_the_numbers_below_are_round(chart):
    chart.show_series([Series("Match", [1.0] * 2829, RED)])
    assert [text for _, text in chart.place_ticks()] == [
        "0",
        "500",
        "1,000",
        "1,500",
        "2,000",
        "2,500",
    ]
    chart.resize(200, 160)
    assert [text for _, text in chart.place_ticks()] == ["0", "2,000"]


@pytest.mark.parametrize("height", [160, 44])
def test_a_click_beside_a_mark_goes_to_its_move_exactly(chart, qtbot, height):
    n = 30_000
    lost = [0.0] * n
    lost[12_345] = 0.5
    chart.setMinimumHeight(40)
    chart.resize(500, height)
    lines = [Series("Loss", lost, RED, is_log=True, is_bars=True)]
    chart.show_series(lines, [ChartMark(12_345, Grade.BLUNDER)])
    picked, ((place, _),) = picked_by(chart), chart.drawn_marks
    for beside in (4, 20):
        point = QPoint(round(place.x()) + beside, round(place.y()))
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=point)
    assert picked[0] == 12_345
    assert picked[1] > 12_345


def test_a_narrow_band_can_be_seen_and_hit(chart, qtbot):
    n, picked = 30_000, picked_by(chart)
    chart.show_series([Series("Chance", [0.5] * n, RED)], bands=[(15_000, 15_020)])
    x = next(x for x in range(chart.width()) if chart.index_at(x) == 15_000)
    assert [chart.index_at(x + i) for i in range(6)] == [15_000] * 6
    assert chart.index_at(x - 4) < 15_000 < chart.index_at(x + 16)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(x + 4, 80))
    assert picked == [15_000]
    tinted = chart.grab().toImage().pixelColor(x + 3, 40)
    assert tinted != chart.grab().toImage().pixelColor(x + 30, 40)


@given(st.lists(st.integers(0, 10**6), min_size=10, max_size=40), st.integers(1, 50))
def test_a_mean_of_ten_is_of_ten_values(values, n_shown):
    wanted = [sum(values[i - 9 : i + 1]) / 10 if i >= 9 else None for i in range(len(values))]
    (series,) = mean_series(values, QColor("red"), str, n_shown)
    assert series.name == "Mean of 10"
    assert list(series.values) == wanted[-n_shown:]


def test_nine_values_have_no_mean_of_ten():
    assert mean_series([0.5] * 9, QColor("red"), str) == []


finite = st.floats(-1e6, 1e6, allow_nan=False)


with_gaps = st.lists(st.one_of(finite, st.just(math.nan)), max_size=300)


def array(*values: float) -> np.ndarray:
    return np.array(values, np.float64)


def test_a_linear_scale_ends_at_round_values():
    scale = scale_of([array(0.913, 1.0), array(0.95)], is_log=False)
    assert (scale.low, scale.high) == pytest.approx((0.9, 1.0))
    assert scale.share(0.95) == pytest.approx(0.5)
    assert scale.ticks() == pytest.approx([0.9, 0.95, 1.0])


def test_a_log_scale_covers_whole_decades_and_keeps_small_values_in_sight():
    scale = scale_of([array(0.0, 0.002, 0.05)], is_log=True)
    assert (scale.low, scale.high) == pytest.approx((0.001, 0.1))
    assert scale.share(0.01) == pytest.approx(0.5)
    assert scale.share(0.0) == 0.0
    assert 0 < scale.share(1e-9) < 0.05
    assert scale.ticks() == pytest.approx([0.001, 0.01, 0.1])


def test_a_log_scale_never_covers_more_than_six_decades():
    scale = scale_of([array(1e-12, 1.0)], is_log=True)
    assert (scale.low, scale.high) == pytest.approx((1e-6, 1.0))


@pytest.mark.parametrize("values", [[], [math.nan], [1.0], [0.0, 0.0], [-3.0, -3.0]])
@pytest.mark.parametrize("is_log", [False, True])
def test_a_scale_has_a_height_whatever_the_values(values, is_log):
    scale = scale_of([array(*values)], is_log)
    assert scale.low < scale.high
    assert all(0 <= scale.share(v) <= 1 for v in values if v == v)


def test_nothing_lies_above_a_match_rate_of_one():
    assert scale_of([array(1.0, 1.0)], is_log=False).high == 1.0


@given(st.lists(finite, min_size=1))
def test_all_values_lie_inside_a_linear_scale(values):
    scale = scale_of([array(*values)], is_log=False)
    room = (scale.high - scale.low) * 1e-6
    assert scale.low - room <= min(values)
    assert max(values) <= scale.high + room
    assert 1 <= len(scale.ticks()) <= 8


@given(with_gaps, st.integers(1, 40))
def test_thinning_keeps_the_extremes_of_every_column(values, n_columns):
    places, kept = thinned(array(*values), n_columns)
    n = len(values)
    if n <= 2 * n_columns:
        np.testing.assert_array_equal(kept, array(*values))
        return
    assert len(kept) == 2 * n_columns
    assert list(places) == sorted(places)
    for column in range(n_columns):
        part = values[column * n // n_columns : (column + 1) * n // n_columns]
        known = [value for value in part if value == value]
        pair = sorted(float(v) for v in kept[2 * column : 2 * column + 2])
        if known:
            assert pair == [min(known), max(known)]
        else:
            assert all(math.isnan(value) for value in pair)


def test_a_falling_column_falls_in_the_thinned_line_too():
    _, kept = thinned(array(5, 4, 3, 2, 1, 0, 7, 8, 9, 10), 2)
    assert list(kept) == [5, 1, 0, 10]


marks = st.lists(st.tuples(st.floats(0, 500), st.integers(0, 6)), max_size=60)


@given(marks, st.floats(1, 50))
def test_of_marks_too_near_to_each_other_the_weightier_stay(marks, gap):
    places, weights = [p for p, _ in marks], [w for _, w in marks]
    kept = thin_out(places, weights, gap)
    drawn = [places[i] for i in kept]
    assert drawn == sorted(drawn)
    assert all(b - a >= gap for a, b in pairwise(drawn))
    for i in set(range(len(marks))) - set(kept):
        near = [k for k in kept if abs(places[i] - places[k]) < gap + 1]
        assert any(weights[k] >= weights[i] for k in near)


def test_labels_are_pushed_apart_and_stay_inside():
    assert spread([50, 50], 10, 0, 100) == pytest.approx([50, 60])
    assert spread([98, 99], 10, 0, 100) == pytest.approx([85, 95])
    assert spread([30, 10], 10, 0, 100) == pytest.approx([30, 10])
    assert spread([], 10, 0, 100) == []


@given(st.lists(st.floats(0, 100), max_size=12))
def test_labels_never_overlap_where_there_is_room(wanted):
    found = sorted(spread(wanted, 8, 0, 100))
    assert all(b - a >= 8 - 1e-9 for a, b in pairwise(found))
    assert all(4 - 1e-9 <= at <= 96 + 1e-9 for at in found)


def test_a_value_beyond_the_scale_stays_on_it():
    assert ValueScale(0, 1).share(7) == 1.0
    assert ValueScale(0, 1).share(-7) == 0.0


def is_round(number: float) -> bool:
    """Return whether a number is 1, 2 or 5 times a power of ten."""
    digits = f"{number:.6e}".split("e")[0].rstrip("0").rstrip(".")
    return digits in ("1", "2", "5")


@given(st.integers(0, 1), st.integers(0, 300_000), st.integers(0, 40))
def test_numbers_below_a_chart_are_round(first, more, most):
    ticks = place_ticks(first, first + more, most)
    assert ticks
    assert ticks[0] >= first
    assert ticks[-1] <= first + more
    assert len(ticks) <= max(2, most) + 2
    steps = {then - now for now, then in pairwise(ticks)}
    assert len(steps) <= 1
    assert all(is_round(step) and ticks[0] % step == 0 for step in steps)


def test_the_number_of_the_last_move_is_no_tick():
    assert place_ticks(1, 2829, 6) == [500, 1000, 1500, 2000, 2500]
