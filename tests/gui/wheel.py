"""Turns of the mouse wheel."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def wait_until_watched(qtbot: QtBot, fields: Sequence[QWidget]) -> None:
    """Wait until the page has noticed the fields added to it, which takes a few milliseconds.

    It tells by menus and numbers: as Qt makes them, a turn of the wheel gives them the focus.
    """
    focus = Qt.FocusPolicy.WheelFocus
    qtbot.waitUntil(lambda: not any(field.focusPolicy() == focus for field in fields))


def turn_wheel(where: QWidget, by: int = -120) -> bool:
    """Turn the wheel over the middle of a widget and return whether the widget itself took that."""
    at, none = QPointF(where.rect().center()), Qt.MouseButton.NoButton
    event = QWheelEvent(
        at,
        where.mapToGlobal(at),
        QPoint(0, 0),
        QPoint(0, by),
        none,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    alone = Qt.WidgetAttribute.WA_NoMousePropagation  # or else a page that scrolls takes it
    where.setAttribute(alone)
    is_taken = QCoreApplication.sendEvent(where, event) and event.isAccepted()
    where.setAttribute(alone, False)
    return is_taken
