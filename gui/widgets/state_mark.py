"""Marks for states: each has a shape of its own, so color is never the only sign."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gui.widgets.labels import set_property

_SHAPE_OF = {
    "complete": "check",
    "good": "check",
    "partial": "half",
    "building": "half",
    "damaged": "triangle",
    "away": "triangle",
    "part": "info",
    "warning": "triangle",
    "bad": "cross",
    "info": "info",
}
_TONE_OF = {
    "complete": "good",
    "good": "good",
    "partial": "warning",
    "building": "accent",
    "damaged": "bad",
    "away": "warning",
    "part": "accent",
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
        """Show another state."""
        self.state = state
        self.setAccessibleName(state)
        set_property(self, "tone", _TONE_OF[state])
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return its fixed size."""
        return QSize(18, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the shape of the state in its tone."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # The style sheet gives each tone its color; it arrives here as the palette's.
        color = self.palette().color(self.foregroundRole())
        draw_mark(painter, self.state, QRectF(0, 0, 18, 18), color)


def draw_mark(painter: QPainter, state: str, rect: QRectF, color: QColor) -> None:
    """Draw the mark of a state into a square."""
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / 18, rect.height() / 18)
    pen = QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    _DRAW[_SHAPE_OF[state]](painter, color)
    painter.restore()


def _check(painter: QPainter, _color: QColor) -> None:
    points = [QPointF(3.5, 9.5), QPointF(7.5, 13.5), QPointF(14.5, 5)]
    painter.drawPolyline(QPolygonF(points))


def _half(painter: QPainter, color: QColor) -> None:
    painter.drawEllipse(QPointF(9, 9), 6, 6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPie(QRectF(3, 3, 12, 12), 90 * 16, 180 * 16)


def _triangle(painter: QPainter, _color: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(9, 3), QPointF(16, 15), QPointF(2, 15)]))
    painter.drawLine(QPointF(9, 7.5), QPointF(9, 10.5))
    painter.drawPoint(QPointF(9, 13))


def _cross(painter: QPainter, _color: QColor) -> None:
    painter.drawLine(QPointF(4.5, 4.5), QPointF(13.5, 13.5))
    painter.drawLine(QPointF(13.5, 4.5), QPointF(4.5, 13.5))


def _info(painter: QPainter, _color: QColor) -> None:
    painter.drawEllipse(QPointF(9, 9), 6.5, 6.5)
    painter.drawPoint(QPointF(9, 6))
    painter.drawLine(QPointF(9, 9), QPointF(9, 12))


_DRAW = {"check": _check, "half": _half, "triangle": _triangle, "cross": _cross, "info": _info}
