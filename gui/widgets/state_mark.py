"""Marks for states: each has its own shape, so that color is never the only cue."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.style.icons import draw_icon
from gui.widgets.labels import set_property

_ICON_AND_TONE = {
    "complete": ("state_check", "good"),
    "good": ("state_check", "good"),
    "partial": ("state_half", "warning"),
    "building": ("state_half", "accent"),
    "damaged": ("state_triangle", "bad"),
    "away": ("state_triangle", "warning"),
    "part": ("state_info", "accent"),
    "unread": ("state_info", "accent"),
    "warning": ("state_triangle", "warning"),
    "bad": ("state_cross", "bad"),
    "info": ("state_info", "accent"),
}


class StateMark(QWidget):
    """A 18-pixel mark: check, half disc, triangle, cross or i."""

    def __init__(self, state: str) -> None:
        super().__init__()
        self.setFixedSize(18, 18)
        self.state = ""
        self.set_state(state)

    def set_state(self, state: str) -> None:
        self.state = state
        self.setAccessibleName(state)
        set_property(self, "tone", _ICON_AND_TONE[state][1])
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(18, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        # The style sheet gives each tone its color; it arrives here as the palette's.
        color = self.palette().color(self.foregroundRole())
        draw_icon(QPainter(self), _ICON_AND_TONE[self.state][0], QRectF(self.rect()), color)
