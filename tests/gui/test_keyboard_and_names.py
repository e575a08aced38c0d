"""Everything on every page is reached by Tab, shows that it is, and says what it is."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from engine.platform import language
from gui.minigames.card import Card
from gui.style.icons import icon_names
from tests.gui.furnished_window import Furnished, add_table

pytestmark = pytest.mark.thorough

CONTROLS = (
    *(QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QAbstractSlider),
    *(QAbstractItemView, QPlainTextEdit, QTabBar),
)
WITH_PARTS = (QComboBox, QLineEdit, QAbstractSpinBox, QAbstractItemView)
MOUSE = {"mousePressEvent", "mouseReleaseEvent", "mouseDoubleClickEvent"}
NO_ROLE = (QAccessible.Role.NoRole, QAccessible.Role.StaticText, QAccessible.Role.Pane)
# Keys, programs, files and a language that is called by its own name.
NAMES = re.compile(r"Ctrl|Shift|Home|2048\w+|English|\.rpl|color_schemes\.txt|/\S+")
MAX_STOPS = 200


def hears_mouse(widget: QWidget) -> bool:
    """Return whether a class of ours does something about the mouse."""
    classes = (one for one in type(widget).__mro__ if one.__module__.startswith("gui."))
    return any(MOUSE & set(vars(one)) for one in classes)


def is_part(widget: QWidget) -> bool:
    """Return whether it is inside of a control, or of what only shows something."""
    deaf = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    parent = widget.parentWidget()
    while parent and not (isinstance(parent, WITH_PARTS) or parent.testAttribute(deaf)):
        parent = parent.parentWidget()
    return parent is not None or widget.testAttribute(deaf)


def controls(page: QWidget) -> Iterator[QWidget]:
    for widget in page.findChildren(QWidget):
        can_be = isinstance(widget, CONTROLS) or hears_mouse(widget)
        is_there = widget.isVisible() and widget.isEnabled()
        if can_be and is_there and not isinstance(widget, QScrollBar) and not is_part(widget):
            yield widget


def name_of(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):  # Qt calls it by what is chosen in it
        return widget.accessibleName()
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()


def told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {name_of(widget)!r} in {type(widget.parent()).__name__}"


def walk(page: QWidget, unseen: list[str]) -> list[QWidget]:
    """Press Tab until it comes back; note where nothing shows that the keyboard is there."""
    page.setFocus()
    window, reached = page.window(), []
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window), "else nothing shows where the keyboard is"
    for _ in range(MAX_STOPS):
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        focused = window.focusWidget()
        assert focused, f"Tab leads nowhere after {told(reached[-1])}"
        if isinstance(focused, (QTextBrowser, QLabel)) and reached[-1:] == [focused]:
            continue  # from link to link
        if focused in reached:
            return reached
        reached.append(focused)
        if page.isAncestorOf(focused):
            with_it = focused.grab().toImage()
            focused.clearFocus()
            if focused.grab().toImage() == with_it:
                unseen.append(told(focused))
            focused.setFocus()
    raise AssertionError("Tab never comes back")


def is_reached(widget: QWidget, reached: list[QWidget], page: QWidget) -> bool:
    if any(one in reached for one in (widget, widget.focusProxy(), *neighbors(widget))):
        return True
    action = widget.defaultAction() if isinstance(widget, QToolButton) else None
    return action in page.actions()


def neighbors(widget: QWidget) -> list[QWidget]:
    """Return those from which arrows lead to it: chips of one choice, cards of the gallery."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    if group and group.exclusive():
        return group.buttons()
    return widget.window().findChildren(Card) if isinstance(widget, Card) else []


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_every_control_of_every_page(program, qtbot, table, data_dir, code):
    running_table = add_table(table("44", 64), data_dir)
    running = program()
    running.window.resize(1280, 800)
    if code != "en":
        running.services.settings.set("language", code)
        qtbot.waitUntil(lambda: language.in_force() == code)
    wrong: list[str] = []
    n_controls = 0
    for view, page in Furnished(running, qtbot, running_table).views():
        unseen: list[str] = []
        found = list(controls(page))
        reached = walk(page, unseen) if code == "en" else []
        n_controls += len(found)
        wrong += [f"{view}: no sign of the focus on {text}" for text in unseen]
        for widget in found:
            name = name_of(widget)
            if code == "en" and not is_reached(widget, reached, page):
                wrong.append(f"{view}: Tab does not reach {told(widget)}")
            if not name or name in icon_names():
                wrong.append(f"{view}: no name: {told(widget)}")
            if code != "en" and re.search("[A-Za-z]{3,}", NAMES.sub("", name)):
                wrong.append(f"{view}: in English: {told(widget)}")
            role = QAccessible.queryAccessibleInterface(widget).role()
            if role in NO_ROLE or (role == QAccessible.Role.Client and not hears_mouse(widget)):
                wrong.append(f"{view}: {role}: {told(widget)}")
    assert n_controls > 250
    assert "\n".join(wrong) == ""
