"""Moves by grade: a stacked bar, with the shape, number and name of each grade there is below."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from coach.grading.grade import GRADES
from coach.grading.names import grade_count
from engine.platform.language import tr
from engine.platform.quantities import count_text
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade, grade_color
from gui.style.theme import (
    CAPTION,
    app_theme,
    resized,
    smooth_painter,
    theme_source,
    with_tabular_figures,
)
from gui.text.lists import fact_list

_BAR_PX, _GAP_PX, _MARK_PX, _MIN_PX = 10, 8, 14, 4
_BESIDE_TEXT_PX = _MARK_PX + 4 + 8
_N_ROWS, _MAX_SPARE_PX = 2, 16
_EXACT_BELOW = 10_000  # larger numbers have three digits


class GradeBar(QWidget):
    """The grade mix of a game, from perfect on the left to disasters on the right.

    A grade that occurs at all has a sliver of the bar, however rare it is.
    """

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.counts: tuple[int, ...] = (0,) * len(GRADES)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Grades of the moves"))
        self.show_counts(self.counts)

    def show_counts(self, counts: Sequence[int]) -> None:
        """Show the number of moves by grade, in the order of `GRADES`."""
        self.counts = tuple(counts)
        text = describe_counts(counts)
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        line = max(_MARK_PX, self.fontMetrics().height()) + 4
        return QSize(320, _BAR_PX + _GAP_PX + _N_ROWS * line)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(300, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        self._draw_bar(painter, QRectF(0, 0, self.width(), _BAR_PX))
        top = _BAR_PX + _GAP_PX
        self._draw_numbers(painter, QRectF(0, top, self.width(), self.height() - top))

    def _draw_bar(self, painter: QPainter, bar: QRectF) -> None:
        theme = app_theme()
        outline = QPainterPath()
        outline.addRoundedRect(bar, bar.height() / 2, bar.height() / 2)
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(bar, mixed(theme.raised, theme.text, 0.12))
        left = bar.left()
        for grade, width in zip(GRADES, segment_widths(self.counts, bar.width()), strict=True):
            if width:
                painter.fillRect(QRectF(left, bar.top(), width, bar.height()), theme.background)
                inside = QRectF(left, bar.top(), max(1.0, width - 1), bar.height())
                painter.fillRect(inside, grade_color(theme, grade))
                left += width
        painter.restore()

    def _draw_numbers(self, painter: QPainter, row: QRectF) -> None:
        theme = app_theme()
        font = with_tabular_figures(resized(painter.font(), CAPTION))
        grades = [grade for grade, n in zip(GRADES, self.counts, strict=True) if n]
        texts = [
            grade_count(grade, n, f"{n:,}" if n < _EXACT_BELOW else count_text(n))
            for grade, n in zip(GRADES, self.counts, strict=True)
            if n
        ]
        needed = _column_widths(texts, QFontMetricsF(font), len(texts))
        if sum(needed) > row.width():
            needed = _column_widths(texts, QFontMetricsF(font), -(-len(texts) // _N_ROWS))
        per_row, spare = len(needed), row.width() - sum(needed)
        if spare < 0:  # numbers of a long game, in a language of long words
            room = row.width() - per_row * _BESIDE_TEXT_PX
            font.setStretch(int(100 * room / (room - spare)))
            needed, spare = _column_widths(texts, QFontMetricsF(font), per_row), 0.0
        gap = min(spare / max(1, per_row), _MAX_SPARE_PX)
        lefts = [sum(needed[:i]) + i * gap for i in range(per_row)]
        painter.setFont(font)
        line = row.height() / _N_ROWS
        for i, (grade, text) in enumerate(zip(grades, texts, strict=True)):
            down, right = divmod(i, per_row)
            top, left = row.top() + down * line, row.left() + lefts[right]
            mark = QRectF(left, top + (line - _MARK_PX) / 2, _MARK_PX, _MARK_PX)
            draw_grade(painter, mark, grade, theme)
            painter.setPen(theme.text)
            place = QRectF(left + _MARK_PX + 4, top, row.right() - left, line)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)


def _column_widths(texts: Sequence[str], metrics: QFontMetricsF, per_row: int) -> list[float]:
    widths = [metrics.horizontalAdvance(text) + _BESIDE_TEXT_PX for text in texts]
    return [max(widths[i::per_row]) for i in range(per_row)]


def describe_counts(counts: Sequence[int]) -> str:
    """Return the grade mix in words: `34 perfect, 3 good, 1 blunder`.

    >>> describe_counts((34, 0, 3, 0, 0, 1, 0))
    '34 perfect, 3 good, 1 blunder'
    """
    parts = [grade_count(grade, n, f"{n:,}") for grade, n in zip(GRADES, counts, strict=True) if n]
    return fact_list(parts) or tr("No move yet")


def segment_widths(counts: Sequence[int], room: float) -> list[float]:
    """Return the widths of a stacked bar's parts; their sum is `room`, or 0 without counts.

    Rare grades get at least 4 px, which the others give up in proportion.
    """
    total = sum(counts)
    if not total:
        return [0.0] * len(counts)
    is_rare = [0 < n * room / total < _MIN_PX for n in counts]
    left = room - _MIN_PX * sum(is_rare)
    frequent = sum(n for n, rare in zip(counts, is_rare, strict=True) if not rare)
    return [
        float(_MIN_PX) if rare else n * left / frequent if n else 0.0
        for n, rare in zip(counts, is_rare, strict=True)
    ]
