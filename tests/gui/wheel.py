"""Turns of the mouse wheel."""

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget


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
