"""No text is cut off and nothing lies on something else, in longer words and in Chinese."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from engine.platform import language
from gui.widgets.elided import ElidedButton
from gui.widgets.labels import ElidedLabel
from tests.gui.furnished_window import Furnished, add_table

pytestmark = pytest.mark.thorough

SIZES = ((1280, 800), (800, 600))
SLACK_PX = 2


def is_cut(widget: QWidget) -> bool:
    """Return whether a text has less room than it takes."""
    if isinstance(widget, (ElidedLabel, ElidedButton)):
        return False  # it is shortened, and the tool tip has the full text
    if isinstance(widget, QLabel):
        return bool(widget.text()) and _is_label_cut(widget)
    is_button = isinstance(widget, (QPushButton, QToolButton, QCheckBox)) and widget.text()
    if isinstance(widget, QToolButton) and widget.toolButtonStyle() == _ICON_ONLY:
        return False
    return bool(is_button) and widget.sizeHint().width() > widget.width() + SLACK_PX


_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly


def _is_label_cut(label: QLabel) -> bool:
    room = label.contentsRect()
    if label.wordWrap():
        return label.heightForWidth(label.width()) > label.height() + SLACK_PX
    text = label.text()
    if "<" in text and ">" in text:
        document = QTextDocument()
        document.setDefaultFont(label.font())
        document.setDocumentMargin(0)
        document.setHtml(text)
        return document.idealWidth() > room.width() + SLACK_PX
    lines = text.split("\n")
    widest = max(label.fontMetrics().horizontalAdvance(line) for line in lines)
    return widest > room.width() + SLACK_PX


def is_wide(widget: QWidget) -> bool:
    """Return whether an area shows what is wider than it, and cannot be moved to the side."""
    if not isinstance(widget, QScrollArea) or not widget.widget():
        return False
    policy = widget.horizontalScrollBarPolicy()
    is_fixed = policy == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    return is_fixed and widget.widget().width() > widget.viewport().width() + SLACK_PX


def overlapping(parent: QWidget) -> Iterator[tuple[QWidget, QWidget]]:
    """Yield neighbors in a layout that lie on each other."""
    layout = parent.layout()
    if layout is None or isinstance(parent, (QStackedWidget, QAbstractScrollArea)):
        return
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    children = [
        one
        for one in parent.findChildren(QWidget, options=direct)
        if one.isVisible() and layout.indexOf(one) >= 0
    ]
    for one, other in combinations(children, 2):
        both = one.geometry().intersected(other.geometry())
        if both.width() > SLACK_PX and both.height() > SLACK_PX:
            yield one, other


def is_beside_page(widget: QWidget, page: QWidget) -> bool:
    """Return whether a part of the widget lies to the left or right of the page."""
    place = QRect(widget.mapTo(page, QPoint(0, 0)), widget.size())
    return place.left() < -SLACK_PX or place.right() > page.width() + SLACK_PX


def told(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    says = text() if callable(text) else widget.accessibleName()
    parent = type(widget.parent()).__name__
    return f"{type(widget).__name__} {says!r} {widget.width()} x {widget.height()} in {parent}"


@pytest.mark.parametrize("code", [language.PSEUDO, "zh_CN"])
def test_texts_have_room_on_every_page(program, qtbot, table, data_dir, code):
    own_table = add_table(table("44", 64), data_dir)
    running = program()
    running.services.settings.set("language", code)
    qtbot.waitUntil(lambda: language.in_force() == code)
    wrong: list[str] = []
    n_texts = 0
    for view, page in Furnished(running, qtbot, own_table).views():
        for width, height in SIZES:
            running.window.resize(width, height)
            for _ in range(12):  # layouts that follow from others
                QApplication.processEvents()
            where = f"{view}, {width} x {height}"
            parts = [page, *(one for one in page.findChildren(QWidget) if one.isVisible())]
            n_texts += len(parts)
            wrong += [f"{where}: cut off: {told(one)}" for one in parts if is_cut(one)]
            wrong += [
                f"{where}: {told(one)} on {told(other)}"
                for part in parts
                for one, other in overlapping(part)
            ]
            wrong += [f"{where}: wider than its room: {told(one)}" for one in parts if is_wide(one)]
            wrong += [
                f"{where}: beside the page: {told(one)}"
                for one in parts
                if isinstance(one, (QLabel, QPushButton, QToolButton)) and is_beside_page(one, page)
            ]
    assert n_texts > 1000
    assert "\n".join(wrong) == ""
