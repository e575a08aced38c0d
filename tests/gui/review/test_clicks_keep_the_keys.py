"""Whatever is clicked on Review and Analysis, the keys still do what they did."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QPushButton,
    QScrollBar,
    QToolButton,
    QWidget,
)

from gui.charts.line_chart import LineChart

CONTROLS = (QAbstractButton, QAbstractSlider, QComboBox, LineChart)
OPENS_A_DIALOG = {"Open"}


def controls_of(page: QWidget) -> list[QWidget]:
    """Return the controls to click now, except those that open a dialog or a menu, or scroll."""
    found = page.findChildren(QWidget)
    return [
        one
        for one in found
        if isinstance(one, CONTROLS)
        and not isinstance(one, QScrollBar)
        and one.isVisibleTo(page)
        and one.isEnabled()
        and getattr(one, "text", str)() not in OPENS_A_DIALOG
        and not (isinstance(one, (QPushButton, QToolButton)) and one.menu())
    ]


def name_of(widget: QWidget) -> str:
    text = getattr(widget, "text", str)()
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.toolTip()}"


def click(widget: QWidget) -> None:
    """Click as a person does: the one under the pointer takes the focus that its policy allows."""
    if isinstance(widget, QComboBox):  # its list would take the pointer until it is closed
        if widget.focusPolicy() & Qt.FocusPolicy.ClickFocus:
            widget.setFocus()
        widget.activated.emit(widget.currentIndex())
        return
    middle = widget.rect().center()
    at = QPoint(8, middle.y()) if isinstance(widget, QAbstractButton) else middle
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)


def press(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


@pytest.mark.thorough
@pytest.mark.parametrize("is_rated", [True, False])
def test_after_a_click_on_any_control_of_review_an_arrow_walks_on(desk, qtbot, is_rated):
    page = desk.page
    page.files.open(desk.folder / ("L3_512_a.rpl" if is_rated else "verse.txt"))
    qtbot.waitUntil(page.isActiveWindow)
    page.board_view.setFocus()
    clicked = []
    for widget in controls_of(page):
        if not widget.isVisibleTo(page) or not widget.isEnabled():
            continue  # an earlier click has made it go
        page.go_to(3)
        name = name_of(widget)
        click(widget)
        QApplication.processEvents()
        page.go_to(3)
        press(Qt.Key.Key_Right)
        assert desk.position == 4, name
        press(Qt.Key.Key_Left)
        assert desk.position == 3, name
        clicked.append(name)
    assert len(clicked) > 6
    assert any(name.startswith("LineChart") for name in clicked)


def test_escape_gives_the_keys_back_to_the_board(game, qtbot):
    page = game.page
    qtbot.waitUntil(page.isActiveWindow)
    rows = page.panel.marked.list
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    assert rows.hasFocus()
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Right)
    assert game.position == 1


def test_dragging_in_the_chart_leaves_the_keys_to_the_board(game, qtbot):
    page = game.page
    qtbot.waitUntil(page.isActiveWindow)
    page.board_view.setFocus()
    chart = page.charts.charts["loss"]
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=chart.rect().center())
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton)
    before = game.position
    assert before > 0
    press(Qt.Key.Key_Right)
    assert game.position == before + 1


def test_a_click_in_the_list_goes_to_the_move_and_leaves_the_keys_to_the_board(game, qtbot):
    page = game.page
    qtbot.waitUntil(page.isActiveWindow)
    page.board_view.setFocus()
    rows = page.panel.marked.list
    place = rows.visualItemRect(rows.item(1)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert game.position == page.game.marks[1]
    press(Qt.Key.Key_Right)
    assert game.position == page.game.marks[1] + 1
