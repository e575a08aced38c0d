"""Sliders go where they are clicked."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.style.stylesheet import stylesheet, write_arrows
from gui.widgets.slider import Slider
from tests.gui.practice_theme import plain_theme

WIDTH, HEIGHT = 216, 26
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def slider(qtbot: QtBot, tmp_path: Path) -> Slider:
    made = Slider()
    made.setRange(0, 100)
    made.setPageStep(10)
    theme = plain_theme()
    made.setStyleSheet(stylesheet(theme, write_arrows(theme, str(tmp_path))))
    qtbot.addWidget(made)
    made.setFixedSize(WIDTH, HEIGHT)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.mark.parametrize("y", [1, HEIGHT // 2, HEIGHT - 2])
@pytest.mark.parametrize(("x", "value"), [(WIDTH - 8, 100), (WIDTH // 2, 50), (58, 25)])
def test_a_click_anywhere_on_its_height_goes_there(slider, x, value, y):
    QTest.mouseClick(slider, LEFT, pos=QPoint(x, y))
    assert slider.value() == pytest.approx(value, abs=1)


def test_after_a_click_the_handle_is_dragged_on(slider):
    QTest.mousePress(slider, LEFT, pos=QPoint(WIDTH // 2, 1))
    QTest.mouseMove(slider, QPoint(WIDTH // 2 + 50, 1))
    QApplication.processEvents()
    assert slider.value() == pytest.approx(75, abs=1)
    QTest.mouseRelease(slider, LEFT, pos=QPoint(WIDTH // 2 + 50, 1))


def test_a_click_on_the_handle_leaves_it_where_it_is(slider):
    slider.setValue(50)
    QTest.mouseClick(slider, LEFT, pos=QPoint(WIDTH // 2 + 5, HEIGHT // 2))
    assert slider.value() == 50


def test_other_buttons_do_not_move_it(slider):
    QTest.mouseClick(slider, Qt.MouseButton.RightButton, pos=QPoint(WIDTH - 8, HEIGHT // 2))
    assert slider.value() == 0
