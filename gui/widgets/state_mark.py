"""Marks for states: each has its own shape, so that color is never the only cue."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.style.icons import draw_icon
from gui.widgets.labels import set_property

_ICON_OF = {
    "complete": "state_check",
    "good": "state_check",
    "partial": "state_half",
    "building": "state_half",
    "damaged": "state_triangle",
    "away": "state_triangle",
    "part": "state_info",
    "unread": "state_info",
    "warning": "state_triangle",
    "bad": "state_cross",
    "info": "state_info",
}
_TONE_OF = {
    "complete": "good",
    "good": "good",
    "partial": "warning",
    "building": "accent",
    "damaged": "bad",
    "away": "warning",
    "part": "accent",
    "unread": "accent",
    "warning": "warning",
    "bad": "bad",
    "info": "accent",
}


class StateMark(QWidget):
    """A 18-pixel mark: check, half disc, triangle, cross or i."""

    def __init__(self, state: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(18, 18)
        self.state = ""
        self.set_state(state)

    def set_state(self, state: str) -> None:
        self.state = state
        self.setAccessibleName(state)
        set_property(self, "tone", _TONE_OF[state])
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(18, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        # The style sheet gives each tone its color; it arrives here as the palette's.
        color = self.palette().color(self.foregroundRole())
        draw_icon(QPainter(self), _ICON_OF[self.state], QRectF(self.rect()), color)
