"""Controls of our own: sliders go where they are clicked, long choices, clearable fields."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QStyle,
    QStyleFactory,
    QStyleOptionComboBox,
)
from pytestqt.qtbot import QtBot

from gui.style.color_schemes import load_color_schemes
from gui.style.stylesheet import stylesheet, write_arrows
from gui.style.theme import make_theme
from gui.widgets.clearable_edit import ClearableEdit
from gui.widgets.elided import SHORTER, ElidedCombo
from gui.widgets.labels import WrapLabel
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


_LONG, _SHORT = "today 22:56, 99 moves of a game", "today"


def looks(qtbot: QtBot, combo: QComboBox, text: str) -> object:
    combo.clear()
    combo.addItem(text)
    qtbot.addWidget(combo)
    combo.resize(160, 34)
    return combo.grab().toImage()


def test_a_long_choice_ends_in_an_ellipsis(qtbot):
    combo, plain = ElidedCombo(), QComboBox()
    seen, right = looks(qtbot, combo, _LONG), Qt.TextElideMode.ElideRight
    texts = {combo.fontMetrics().elidedText(_LONG, right, width) for width in range(160)}
    (same,) = (text for text in texts if looks(qtbot, plain, text) == seen)
    assert same.startswith("today 2")
    assert same.endswith("\u2026")
    assert combo.toolTip() == _LONG


def test_what_may_go_goes_before_anything_is_cut(qtbot):
    combo = ElidedCombo()
    looks(qtbot, combo, _LONG)
    combo.setItemData(0, "today 22:56", SHORTER)
    assert combo.grab().toImage() == looks(qtbot, QComboBox(), "today 22:56")


def test_a_list_opens_below_its_menu_with_all_its_rows(qtbot, tmp_path):
    """A list over the menu, as Fusion has it, leaves out the room of a row."""
    combo, theme, fusion = ElidedCombo(), plain_theme(), QStyleFactory.create("Fusion")
    qtbot.addWidget(combo)
    combo.setStyle(fusion)
    combo.setStyleSheet(stylesheet(theme, write_arrows(theme, str(tmp_path))))
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    assert not combo.style().styleHint(QStyle.StyleHint.SH_ComboBox_Popup, option, combo)


def test_a_short_choice_looks_as_in_any_menu(qtbot):
    assert looks(qtbot, ElidedCombo(), _SHORT) == looks(qtbot, QComboBox(), _SHORT)


def test_without_a_choice_it_says_so_as_any_menu(qtbot):
    seen = []
    for combo in (ElidedCombo(), QComboBox()):
        combo.setPlaceholderText("No tables yet")
        qtbot.addWidget(combo)
        combo.resize(160, 34)
        seen.append(combo.grab().toImage())
    assert seen[0] == seen[1]


def test_no_line_ends_inside_a_figure_or_the_name_of_a_table(qtbot):
    text = "442 \u2192 128: it keeps 5.0 % of 9 moves"
    shown = WrapLabel(text)
    qtbot.addWidget(shown)
    assert shown.text() == text
    assert QLabel.text(shown) == "442\u00a0\u2192\u00a0128: it keeps 5.0\u00a0% of 9 moves"
    shown.setText("Up \u2192 left")
    assert QLabel.text(shown) == "Up \u2192 left"


@pytest.fixture
def edit(qtbot: QtBot, tmp_path: Path) -> ClearableEdit:
    theme = make_theme(load_color_schemes(), is_dark=False, palette="")
    edit = ClearableEdit("Search")
    edit.setStyleSheet(stylesheet(theme, write_arrows(theme, str(tmp_path))))
    qtbot.addWidget(edit)
    edit.resize(240, 34)
    edit.show()
    edit.setFocus()
    return edit


def test_the_button_is_there_while_there_is_something_to_empty(edit, qtbot):
    assert not edit.clear_button.isVisible()
    qtbot.keyClicks(edit, "f")
    assert edit.clear_button.isVisible()
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    assert not edit.clear_button.isVisible()


@pytest.mark.parametrize("by_key", [True, False])
def test_it_is_emptied_and_says_so_and_keeps_the_keyboard(edit, qtbot, by_key):
    edit.setText("font")
    with qtbot.waitSignal(edit.emptied):
        if by_key:
            qtbot.keyClick(edit, Qt.Key.Key_Escape)
        else:
            qtbot.mouseClick(edit.clear_button, Qt.MouseButton.LeftButton)
    assert edit.text() == ""
    assert edit.hasFocus()
    with qtbot.assertNotEmitted(edit.emptied):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)


@pytest.mark.parametrize("size", [(240, 34), (150, 40)])
def test_the_button_is_in_the_middle_of_the_height(edit, size):
    edit.resize(*size)
    edit.setText("font")
    QApplication.processEvents()
    place, inside = edit.clear_button.geometry(), edit.rect().adjusted(2, 2, -2, -2)
    assert inside.contains(place), "the border goes around it"
    assert abs(place.center().y() - edit.rect().center().y()) <= 1
    assert place.left() > edit.width() / 2
