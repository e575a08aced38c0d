"""The mark of a played move: one shape per grade, so that colour is never the only sign."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gui.rates_text import Grade
from gui.theme import Theme
from gui.widgets.glyphs import draw_star

SIZE = 20


class GradeMark(QWidget):
    """A star, a check, a dot, a triangle or a cross; nothing while there is no grade."""

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
        if self._grade is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._color(self._grade)
        if self._grade is Grade.BEST:
            draw_star(painter, QPointF(10, 10.5), 8.5, color)
            return
        painter.setPen(
            QPen(
                color,
                2.4,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        if self._grade is Grade.GOOD:
            painter.drawPolyline([QPointF(4, 10.5), QPointF(8.2, 15), QPointF(16, 5.5)])
        elif self._grade is Grade.INACCURATE:
            painter.setBrush(color)
            painter.drawEllipse(QRectF(6, 6, 8, 8))
        elif self._grade is Grade.MISTAKE:
            painter.setBrush(color)
            painter.drawPolygon(QPolygonF([QPointF(10, 4.5), QPointF(16, 15), QPointF(4, 15)]))
        else:
            painter.drawLine(QPointF(5, 5), QPointF(15, 15))
            painter.drawLine(QPointF(15, 5), QPointF(5, 15))

    def _color(self, grade: Grade) -> QColor:
        theme = self._theme
        return {
            Grade.BEST: theme.best_move,
            Grade.GOOD: theme.good,
            Grade.INACCURATE: theme.warning,
            Grade.MISTAKE: theme.warning,
            Grade.BLUNDER: theme.bad,
        }[grade]
