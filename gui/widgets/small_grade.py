"""Grades as marks of a few pixels, in charts and on the slider: seven shapes, seven tones."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.theme import Theme
from gui.widgets.board_paint import mixed
from gui.widgets.glyphs import draw_star
from tablebase.coach.grade import Grade


def draw_small_grade(
    painter: QPainter, center: QPointF, radius: float, grade: Grade, theme: Theme
) -> None:
    """Draw the mark of a grade into a circle of `radius` pixels around `center`."""
    color, r = grade_color(grade, theme), radius
    if grade is Grade.PERFECT:
        draw_star(painter, center, r, color)
        return
    pen = QPen(color, max(1.4, r * 0.4))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.translate(center)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if grade is Grade.EXCELLENT:
        painter.drawPolyline([QPointF(-r, 0), QPointF(-r * 0.3, r * 0.7), QPointF(r, -r * 0.7)])
    elif grade is Grade.GOOD:
        painter.drawEllipse(QRectF(-r * 0.6, -r * 0.6, r * 1.2, r * 1.2))
    elif grade is Grade.DISASTER:
        painter.drawLine(QPointF(-r * 0.8, -r * 0.8), QPointF(r * 0.8, r * 0.8))
        painter.drawLine(QPointF(r * 0.8, -r * 0.8), QPointF(-r * 0.8, r * 0.8))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(_polygon(grade, r))
    painter.restore()


def grade_color(grade: Grade, theme: Theme) -> QColor:
    """Return the tone of a grade."""
    tones = {
        Grade.PERFECT: theme.best_move,
        Grade.EXCELLENT: theme.good,
        Grade.GOOD: theme.good,
        Grade.INACCURATE: theme.warning,
        Grade.MISTAKE: mixed(theme.warning, theme.bad, 0.4),
        Grade.BLUNDER: theme.bad,
        Grade.DISASTER: theme.bad,
    }
    return tones[grade]


def _polygon(grade: Grade, r: float) -> QPolygonF:
    if grade is Grade.INACCURATE:  # a diamond
        points = [(0, -r), (r, 0), (0, r), (-r, 0)]
    elif grade is Grade.MISTAKE:
        points = [(0, -r), (r, r * 0.85), (-r, r * 0.85)]
    else:
        points = [(-r * 0.85, -r * 0.85), (r * 0.85, -r * 0.85), (r * 0.85, r * 0.85)]
        points.append((-r * 0.85, r * 0.85))
    return QPolygonF([QPointF(x, y) for x, y in points])
