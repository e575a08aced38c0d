"""Lets a page scroll although the pointer happens to be over a number."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


class WheelFilter(QObject):
    """Fields that it watches take the wheel only while they have the focus."""

    def watch(self, field: QWidget) -> None:
        """Watch one more field."""
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    def watch_inside(self, area: QAbstractScrollArea) -> None:
        """Watch a list: the wheel turns over what is inside of it."""
        area.viewport().setFocusProxy(area)
        area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Hand a turn of the wheel on to the page."""
        is_turn = event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget)
        if not is_turn or watched.hasFocus():  # type: ignore[attr-defined]
            return False
        event.ignore()
        return True
