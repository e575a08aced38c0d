"""Announcements for screen readers; they cost nothing if none is running."""

from typing import Any

from PySide6 import QtGui
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from coach.grading.grade import Grade
from coach.grading.names import grade_word
from engine.platform.language import tr

_EVENT: Any = getattr(QtGui, "QAccessibleAnnouncementEvent", None)  # from Qt 6.8 on


def announce(widget: QWidget, text: str, urgent: bool = False, event_type: Any = _EVENT) -> None:
    """Announce a text; an urgent one interrupts the current one."""
    if not text or not QAccessible.isActive():
        return
    if event_type is None:
        widget.setAccessibleDescription(text)  # most screen readers announce its changes
        return
    event = event_type(widget, text)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def announce_verdict(widget: QWidget, grade: Grade | None, text: str) -> None:
    if grade is not None and text and QAccessible.isActive():
        text = tr("{grade}: {text}", grade=grade_word(grade), text=text)
    announce(widget, text)
