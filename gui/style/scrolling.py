"""Scrolling a widget into view."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QScrollArea, QWidget


def bring_into_sight(widget: QWidget) -> None:
    """Scroll the areas around a widget until it is visible at its upcoming position."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    parent = widget.parentWidget()
    while parent:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()
