"""Marks of grades: told apart without color, and a mix of them that adds up."""

from dataclasses import replace
from itertools import combinations, groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from coach.grading.grade import GRADES, Grade
from gui.board.grade_mark import GradeMark, draw_grade, grade_color
from gui.style.color_schemes import CONTRAST, STANDARD, load_color_schemes
from gui.style.palette_check import distance
from gui.style.theme import make_theme, theme_source
from gui.widgets.grade_bar import GradeBar, describe_counts, segment_widths
from tests.gui.practice_theme import plain_theme

pytestmark = pytest.mark.usefixtures("qapp")


def ink(grade: Grade, size: int) -> np.ndarray:
    """Return the share of each pixel that the shape covers, in one color for all grades."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_grade(painter, QRectF(0, 0, size, size), grade, plain_theme(), QColor("black"))
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint8).reshape(size, size, 4)
    return bits[:, :, 3] / 255


@pytest.mark.parametrize("size", [9, 20, 48])
def test_shapes_differ_without_color(size):
    shapes = {grade: ink(grade, size) for grade in GRADES}
    for one, other in combinations(GRADES, 2):
        apart = np.abs(shapes[one] - shapes[other]).sum()
        together = np.maximum(shapes[one], shapes[other]).sum()
        assert apart / together > 0.2, (one, other)


@pytest.mark.parametrize("size", [9, 20, 48])
def test_shapes_stay_inside_and_are_seen(size):
    for grade in GRADES:
        covered = ink(grade, size)
        assert 0.12 < covered.mean() < 0.75, grade
        around = np.concatenate([covered[0], covered[-1], covered[:, 0], covered[:, -1]])
        assert around.mean() < 0.25, grade


@pytest.mark.parametrize("is_dark", [False, True])
def test_every_grade_has_a_color_that_is_seen(is_dark):
    theme = plain_theme(is_dark)
    for grade in GRADES:
        assert contrast(grade_color(theme, grade), theme.surface) >= 3, grade  # WCAG 1.4.11


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("scheme", [STANDARD, CONTRAST])
def test_a_blunder_and_a_disaster_have_colors_of_their_own(is_dark, scheme):
    theme = make_theme(load_color_schemes(), is_dark, "", scheme=scheme)
    blunder, disaster = (grade_color(theme, grade).name() for grade in GRADES[-2:])
    assert distance(blunder, disaster) >= 0.1


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_mark_is_read_aloud(qtbot):
    mark = GradeMark()
    qtbot.addWidget(mark)
    mark.show_grade(Grade.BLUNDER)
    assert mark.accessibleName() == "blunder"
    mark.show_grade(None)
    assert mark.accessibleName() == ""


def test_the_mix_is_read_aloud(qtbot):
    bar = GradeBar()
    qtbot.addWidget(bar)
    assert bar.accessibleDescription() == "No move yet"
    bar.show_counts((34, 0, 3, 0, 0, 1, 0))
    assert bar.accessibleDescription() == "34 perfect, 3 good, 1 blunder"


def test_the_bar_shows_each_color_once_counted(qtbot):
    theme = plain_theme()
    bar = GradeBar()
    qtbot.addWidget(bar)
    bar.resize(350, 40)
    bar.show_counts((1000, 0, 0, 0, 1, 0, 1))
    image = bar.grab().toImage()
    row = {image.pixelColor(x, 5).name() for x in range(image.width())}
    for grade in GRADES:
        is_there = grade_color(theme, grade).name() in row
        assert is_there is (grade in (Grade.PERFECT, Grade.MISTAKE, Grade.DISASTER)), grade
    theme_source().use(replace(theme, best_move=QColor("#123456")))
    assert bar.grab().toImage().pixelColor(100, 5).name() == "#123456"


@pytest.mark.parametrize("width", [300, 320, 480])
def test_numbers_of_a_long_game_keep_their_distance(qtbot, width):
    bar = GradeBar()
    qtbot.addWidget(bar)
    bar.resize(width, bar.sizeHint().height())
    bar.show_counts((23_500, 0, 1106, 9577, 9546, 9203, 9144))
    image = bar.grab().toImage()
    line = (image.height() - 18) / 2
    rows = range(18 + round(line) + 2, 18 + round(2 * line) - 2)  # the fullest one
    ground = image.pixelColor(image.width() - 1, 18)
    is_empty = [all(image.pixelColor(x, y) == ground for y in rows) for x in range(image.width())]
    gaps = [len(list(run)) for empty, run in groupby(is_empty) if empty]
    assert sum(gap >= 7 for gap in gaps[1:-1]) == 2, "of the three columns"
    assert gaps[-1] >= 1, "nothing is cut off"


@given(st.lists(st.integers(0, 5000), min_size=7, max_size=7), st.integers(100, 900))
def test_parts_of_the_bar_fill_it(counts, room):
    widths = segment_widths(counts, room)
    assert sum(widths) == pytest.approx(room if any(counts) else 0)
    for count, width in zip(counts, widths, strict=True):
        assert (width > 0) is (count > 0)
        assert not count or width >= 3
    assert describe_counts(counts).count(", ") == max(0, sum(map(bool, counts)) - 1)


def test_grades_that_did_not_occur_are_not_there(qtbot):
    bar = GradeBar()
    qtbot.addWidget(bar)
    bar.resize(350, bar.sizeHint().height())

    def ink(counts: tuple[int, ...], top: int) -> int:
        bar.show_counts(counts)
        image = bar.grab().toImage()
        ground = image.pixelColor(image.width() - 1, image.height() - 1)
        places = [(x, y) for x in range(image.width()) for y in range(top, image.height())]
        return sum(image.pixelColor(x, y) != ground for x, y in places)

    below, second = 18, 18 + (bar.height() - 18) // 2
    assert ink((0,) * 7, below) == 0, "no zeros"
    assert ink((3, 0, 0, 0, 0, 0, 1), below) > 0
    assert ink((3, 0, 0, 0, 0, 0, 1), second) == 0, "one row does"
    assert ink((3, 1, 1, 1, 1, 1, 1), second) > 0
