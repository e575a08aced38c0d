"""The mark of a played move: one shape per grade, so that color is never the only cue.

`draw_grade` draws it anywhere: beside a sentence, under a slider, in a chart.
"""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from coach.grading.grade import Grade
from coach.grading.names import grade_title, grade_word
from gui.board.board_paint import mixed
from gui.style.icons import draw_icon
from gui.style.theme import Theme, app_theme, theme_source

SIZE = 20


def grade_color(theme: Theme, grade: Grade) -> QColor:
    # On a dark ground a strong red: mixed with the text, it would be the pink of a blunder.
    red = QColor.fromHslF(theme.bad.hslHueF(), 0.95, 0.6)
    return {
        Grade.PERFECT: theme.best_move,
        Grade.EXCELLENT: theme.good,
        Grade.GOOD: mixed(theme.good, theme.warning, 0.5),
        Grade.INACCURATE: theme.warning,
        Grade.MISTAKE: mixed(theme.warning, theme.bad, 0.5),
        Grade.BLUNDER: theme.bad,
        Grade.DISASTER: red if theme.is_dark else mixed(theme.bad, theme.text, 0.35),
    }[grade]


def draw_grade(
    painter: QPainter, rect: QRectF, grade: Grade, theme: Theme, color: QColor | None = None
) -> None:
    """Draw the shape of a grade as large as fits into the middle of `rect`.

    Perfect is a star, excellent a check, good a dot, inaccurate a triangle, a mistake a square, a
    blunder a cross, a disaster a diamond with a bar. Legible from 9 px on.
    """
    draw_icon(painter, f"grade_{grade.value}", rect, color or grade_color(theme, grade))


def grade_pixmap(grade: Grade | None, side: int = 14) -> QPixmap:
    """Return the shape of a grade in the current theme, empty for none."""
    image = QPixmap(side * 2, side * 2)
    image.setDevicePixelRatio(2)
    image.fill(Qt.GlobalColor.transparent)
    if grade:
        painter = QPainter(image)
        draw_grade(painter, QRectF(0, 0, side, side), grade, app_theme())
        painter.end()
    return image


class GradeMark(QWidget):
    """A widget that shows the shape of a grade, or nothing."""

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.grade: Grade | None = None
        self.setFixedSize(SIZE, SIZE)

    def show_grade(self, grade: Grade | None) -> None:
        if grade is self.grade:
            return
        self.grade = grade
        self.setAccessibleName(grade_word(grade) if grade else "")
        self.setToolTip(grade_title(grade) if grade else "")
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(SIZE, SIZE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if self.grade is not None:
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            draw_grade(QPainter(self), inside, self.grade, app_theme())
