"""A choice longer than its menu."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QStyle, QStyleFactory, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from gui.style.stylesheet import stylesheet, write_arrows
from gui.widgets.elided import SHORTER, ElidedCombo
from gui.widgets.labels import WrapLabel
from tests.gui.practice_theme import plain_theme

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
