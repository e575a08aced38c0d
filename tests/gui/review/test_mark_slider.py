"""The slider of a game: clicks, drags, keys, marks that never overlap."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPoint, QPointF, Qt

from coach.grading.grade import Grade
from gui.charts.chart_series import ChartMark as Mark
from gui.review.mark_slider import MarkSlider

MARKS_Y = 29


@pytest.fixture
def slider(qtbot):
    slider = MarkSlider()
    qtbot.addWidget(slider)
    slider.resize(600, 40)
    slider.show()
    slider.show_game(100, [Mark(40, Grade.MISTAKE), Mark(90, Grade.BLUNDER)])
    slider.chosen = []
    slider.picked.connect(slider.chosen.append)
    return slider


def at(slider: MarkSlider, position: float, y: int = 10) -> QPoint:
    return QPoint(round(slider.x_of(position)), y)


def test_a_click_on_the_groove_jumps_there(slider, qtbot):
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 63))
    assert slider.chosen == [63]


def test_dragging_follows_the_pointer(slider, qtbot):
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at(slider, 10))
    qtbot.mouseMove(slider, at(slider, 30))
    qtbot.mouseMove(slider, at(slider, 70))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at(slider, 70))
    qtbot.mouseMove(slider, at(slider, 20))
    assert slider.chosen == [10, 30, 70]


def test_a_click_beside_a_mark_goes_to_its_move_exactly(slider, qtbot):
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 40, MARKS_Y) + QPoint(5, 0))
    assert slider.chosen == [40]


def test_a_click_between_marks_goes_to_the_place(slider, qtbot):
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 60, MARKS_Y))
    assert slider.chosen == [60]


def test_keys_step_by_one_by_ten_and_to_the_ends(slider, qtbot):
    keys = Qt.Key
    for key in (keys.Key_Right, keys.Key_PageDown, keys.Key_Left, keys.Key_PageUp, keys.Key_End):
        qtbot.keyClick(slider, key)
    qtbot.keyClick(slider, keys.Key_Home)
    assert slider.chosen == [1, 11, 10, 0, 100, 0]


def test_going_somewhere_by_program_is_no_choice(slider):
    slider.set_position(50)
    assert (slider.value(), slider.chosen) == (50, [])


def test_a_shorter_game_keeps_the_position_inside_without_a_signal(slider):
    slider.set_position(90)
    slider.show_game(20, [])
    assert (slider.value(), slider.chosen) == (20, [])


def test_thousands_of_marks_stay_apart_and_the_worst_are_seen(slider):
    n = 30_000
    marks = [Mark(i, Grade.INACCURATE) for i in range(0, n, 7)] + [Mark(15_001, Grade.DISASTER)]
    slider.show_game(n, sorted(marks, key=lambda mark: mark.index), lambda i: f"this is {i}")
    drawn = slider.drawn
    places = [one.x for one in drawn]
    assert all(b - a >= 12 for a, b in pairwise(places))
    assert [one.mark.index for one in drawn if one.mark.grade is Grade.DISASTER] == [15_001]
    assert sum(one.n_more + 1 for one in drawn) == len(range(0, n, 7)) + 1
    tip = slider.tip_at(QPointF(slider.x_of(15_001), MARKS_Y))
    assert tip.startswith("this is 15001\nand ")


def test_marks_are_told(slider):
    assert slider.tip_at(QPointF(at(slider, 40, MARKS_Y))) == "Move 41"
    assert slider.tip_at(QPointF(at(slider, 40, 5))) == ""
    assert slider.accessibleDescription() == "2 moves marked of 100"


def test_an_empty_game_takes_clicks_without_harm(slider, qtbot):
    slider.show_game(0, [])
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(300, 10))
    slider.grab()
    assert slider.value() == 0


def ends(sticks: list[QLineF]) -> list[tuple[float, float]]:
    """Return the x and length of each drawn loss, in pixels."""
    return [(line.x1(), line.dy()) for line in sticks]


def test_the_more_a_move_lost_the_longer_it_hangs(slider):
    losses = np.zeros(100)
    losses[[10, 40, 70, 90]] = 1e-5, 0.02, np.nan, 0.5
    slider.show_game(100, [Mark(40, Grade.MISTAKE), Mark(90, Grade.BLUNDER)], losses=losses)
    drawn = ends(slider.sticks)
    assert [x for x, _ in drawn] == [round(slider.x_of(i)) for i in (10, 40, 90)]
    assert [length for _, length in drawn] == sorted({length for _, length in drawn})
    assert drawn[1][0] == round(slider.drawn[0].x), "its mark is at its end"
    slider.grab()


def test_only_losses_of_marked_moves_are_not_in_a_quiet_color(slider):
    losses = np.zeros(100)
    losses[[10, 40, 90]] = 0.0029, 0.02, 0.5
    slider.show_game(100, [Mark(40, Grade.MISTAKE), Mark(90, Grade.BLUNDER)], losses=losses)
    assert [x for x, _ in ends(slider.marked_sticks)] == [round(slider.x_of(i)) for i in (40, 90)]
    slider.show_game(100, [], losses=losses)
    assert ends(slider.marked_sticks) == []
    assert len(ends(slider.sticks)) == 3


def test_the_longest_of_many_losses_in_a_pixel_is_drawn(slider):
    losses = np.full(30_000, 1e-4)
    losses[15_001] = 0.9
    slider.show_game(30_000, [], losses=losses)
    drawn = dict(ends(slider.sticks))
    assert len(drawn) <= slider.width()
    assert max(drawn, key=drawn.__getitem__) == round(slider.x_of(15_001))


def test_what_hangs_stays_inside(slider):
    losses = np.geomspace(1e-12, 1.0, 101)[:100]
    slider.show_game(100, [Mark(99, Grade.DISASTER)], losses=losses)
    assert all(0 < length <= slider.height() - 13 for _, length in ends(slider.sticks))
