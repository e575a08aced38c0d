"""The mark of a played move: one shape per grade, so that colour is never the only sign.

`draw_grade` draws it anywhere: beside a sentence, under a slider, in a chart.
"""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from coach.grading.grade import Grade
from gui.board.board_paint import mixed
from gui.style.glyphs import draw_star
from gui.style.theme import Theme

SIZE = 20  # the shapes are drawn on a grid of so many units
_CHECK = ((3.5, 10.8), (8.0, 15.6), (16.5, 5.0))
_TRIANGLE = ((10.0, 2.8), (17.4, 16.4), (2.6, 16.4))
_DIAMOND = ((10.0, 0.6), (19.4, 10.0), (10.0, 19.4), (0.6, 10.0))


def grade_color(theme: Theme, grade: Grade) -> QColor:
    """Return the colour of a grade: from best to good, over a warning, to bad."""
    return {
        Grade.PERFECT: theme.best_move,
        Grade.EXCELLENT: theme.good,
        Grade.GOOD: mixed(theme.good, theme.warning, 0.5),
        Grade.INACCURATE: theme.warning,
        Grade.MISTAKE: mixed(theme.warning, theme.bad, 0.5),
        Grade.BLUNDER: theme.bad,
        Grade.DISASTER: mixed(theme.bad, theme.text, 0.35),
    }[grade]


def draw_grade(
    painter: QPainter, rect: QRectF, grade: Grade, theme: Theme, color: QColor | None = None
) -> None:
    """Draw the shape of a grade as large as fits into the middle of `rect`.

    Perfect is a star, excellent a check, good a dot, inaccurate a triangle, a mistake a square, a
    blunder a cross, a disaster a diamond with a bar. Legible from 9 px on.

    Parameters
    ----------
    color : QColor, optional
        Another one than `grade_color` gives.
    """
    side = min(rect.width(), rect.height())
    color = color or grade_color(theme, grade)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center() - QPointF(side / 2, side / 2))
    painter.scale(side / SIZE, side / SIZE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    if grade is Grade.PERFECT:
        draw_star(painter, QPointF(10, 10.8), 9.6, color)
    elif grade is Grade.EXCELLENT:
        painter.setPen(_stroke(color))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_polygon(_CHECK))
    elif grade is Grade.GOOD:
        painter.drawEllipse(QPointF(10, 10), 5, 5)
    elif grade is Grade.INACCURATE:
        painter.drawPolygon(_polygon(_TRIANGLE))
    elif grade is Grade.MISTAKE:
        painter.drawRoundedRect(QRectF(3.4, 3.4, 13.2, 13.2), 1.5, 1.5)
    elif grade is Grade.BLUNDER:
        painter.setPen(_stroke(color))
        painter.drawLine(QPointF(4, 4), QPointF(16, 16))
        painter.drawLine(QPointF(16, 4), QPointF(4, 16))
    else:
        painter.drawPath(_barred_diamond())
    painter.restore()


class GradeMark(QWidget):
    """The shape of one grade; nothing while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grade: Grade | None = None
        self.setFixedSize(SIZE, SIZE)

    @property
    def grade(self) -> Grade | None:
        """The grade shown."""
        return self._grade

    def show_grade(self, grade: Grade | None) -> None:
        """Show the mark of a grade; None shows nothing."""
        self._grade = grade
        self.setAccessibleName(grade.value if grade else "")
        self.setToolTip(grade.value.capitalize() if grade else "")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the fixed size."""
        return QSize(SIZE, SIZE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the shape."""
        if self._grade is not None:
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            draw_grade(QPainter(self), inside, self._grade, self._theme)


def _stroke(color: QColor) -> QPen:
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    return QPen(color, 3.2, Qt.PenStyle.SolidLine, cap, join)


def _polygon(points: tuple[tuple[float, float], ...]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _barred_diamond() -> QPainterPath:
    """Return a diamond out of which a level bar is cut."""
    diamond, bar = QPainterPath(), QPainterPath()
    diamond.addPolygon(_polygon(_DIAMOND))
    diamond.closeSubpath()
    bar.addRect(QRectF(4.6, 8.4, 10.8, 3.2))
    return diamond.subtracted(bar)
