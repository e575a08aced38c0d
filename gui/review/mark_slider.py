"""A slider for the position in a game, with losses drawn below it and bad moves marked. Losses
without a mark, below the user's threshold, are in a muted color. So the course of a game is visible
across the width of the board, even in a small window.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from engine.platform.language import tr, trn
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade
from gui.charts.chart_scale import Floats, thin_out
from gui.charts.chart_series import ChartMark, Marks
from gui.style.theme import app_theme, smooth_painter, theme_source
from gui.text.numbers import format_whole

PAGE = 10
_HEIGHT, _GROOVE_Y, _GROOVE_PX, _HANDLE_PX = 40, 10, 4, 16
_STICKS_Y, _MIN_Y, _MAX_Y = 13, 20, 31  # y: start of a loss, end of the least and of the worst
_MARK_PX, _MARK_GAP, _REACH_PX = 11, 12.0, 6
_MIN_LOSS, _MAX_LOSS = 1e-6, 1.0  # losses at the ends of the logarithmic scale
_STICK_PX, _STICK_TINT, _QUIET_TINT = 1.5, 0.5, 0.25
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -PAGE,
    Qt.Key.Key_PageDown: PAGE,
}


@dataclass(frozen=True)
class DrawnMark:
    """A drawn mark, and the number of hidden ones near it."""

    x: float
    y: float
    mark: ChartMark
    n_more: int


class MarkSlider(QAbstractSlider):
    """A position in a game. A click on the groove goes there, one on a mark to its move.

    Where marks would overlap, the worst is drawn, and its tooltip counts the others.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme_source().changed.connect(self.update)
        self._marks = Marks.of(())
        self.drawn: list[DrawnMark] = []
        self._losses = np.zeros(0)
        self.sticks: list[QLineF] = []
        self.marked_sticks: list[QLineF] = []
        self._tip_of: Callable[[int], str] = lambda index: tr(
            "Move {number}", number=format_whole(index + 1)
        )
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setPageStep(PAGE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Position in the game"))
        self.valueChanged.connect(self.picked)
        self.show_game(0, ())

    def show_game(
        self,
        n_moves: int,
        marks: Sequence[ChartMark],
        tip_of: Callable[[int], str] | None = None,
        losses: Floats | None = None,
    ) -> None:
        """Show another game, or other marks (ascending); the position is kept if possible.

        `losses` are differences of two rates, one a move; NaN if unknown.
        """
        if tip_of:
            self._tip_of = tip_of
        with QSignalBlocker(self):
            self.setRange(0, n_moves)
        self._marks = Marks.of(marks)
        self._losses = np.zeros(n_moves) if losses is None else np.nan_to_num(losses)
        n = len(self._marks)
        text = trn("{n} move marked of {all}", "{n} moves marked of {all}", n, all=n_moves)
        self.setAccessibleDescription(text)
        self._place_marks()

    def set_position(self, position: int) -> None:
        with QSignalBlocker(self):
            self.setValue(position)
        self.update()

    def x_of(self, position: float) -> float:
        """Return the x of a position, in pixels from the left."""
        groove = self._groove()
        return groove.left() + groove.width() * position / max(1, self.maximum())

    def position_at(self, x: float) -> int:
        groove = self._groove()
        share = (x - groove.left()) / max(1.0, groove.width())
        return max(0, min(self.maximum(), round(share * self.maximum())))

    def mark_at(self, point: QPointF) -> ChartMark | None:
        if point.y() < _MIN_Y - 2 or not self.drawn:
            return None
        near = min(self._near(point.x()), key=lambda drawn: abs(drawn.x - point.x()))
        return near.mark if abs(near.x - point.x()) <= _REACH_PX else None

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(320, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, _HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() != Qt.MouseButton.LeftButton:
            return
        mark = self.mark_at(event.position())
        self.setSliderDown(mark is None)
        self.setValue(mark.index if mark else self.position_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self.isSliderDown():
            self.setValue(self.position_at(event.position().x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.setValue(self.value() + _STEPS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.setValue(0 if key == Qt.Key.Key_Home else self.maximum())
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, point: QPointF) -> str:
        mark = self.mark_at(point)
        if mark is None:
            return ""
        n_more = next(drawn.n_more for drawn in self.drawn if drawn.mark is mark)
        tip = self._tip_of(mark.index)
        return tr("{mark}\nand {n} more close by", mark=tip, n=n_more) if n_more else tip

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place_marks()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, theme = smooth_painter(self), app_theme()
        painter.setPen(Qt.PenStyle.NoPen)
        groove, x = self._groove(), self.x_of(self.value())
        painter.setBrush(mixed(theme.background, theme.text, 0.16))
        painter.drawRoundedRect(groove, 2, 2)
        painter.setBrush(theme.accent if self.isEnabled() else theme.border)
        painter.drawRoundedRect(QRectF(groove.topLeft(), QPointF(x, groove.bottom())), 2, 2)
        painter.setPen(QPen(mixed(theme.background, theme.text, _QUIET_TINT), _STICK_PX))
        painter.drawLines(self.sticks)
        painter.setPen(QPen(mixed(theme.background, theme.bad, _STICK_TINT), _STICK_PX))
        painter.drawLines(self.marked_sticks)
        painter.setPen(Qt.PenStyle.NoPen)
        for drawn in self.drawn:
            self._draw_mark(painter, drawn)
        handle = QRectF(x - _HANDLE_PX / 2, _GROOVE_Y - _HANDLE_PX / 2, _HANDLE_PX, _HANDLE_PX)
        painter.setBrush(theme.raised)
        painter.setPen(QPen(theme.accent if self.isEnabled() else theme.border, 2))
        painter.drawEllipse(handle.adjusted(1, 1, -1, -1))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.focus, theme.focus_px))
            painter.drawEllipse(handle.adjusted(-2, -2, 2, 2))

    def _draw_mark(self, painter: QPainter, drawn: DrawnMark) -> None:
        is_here = drawn.mark.index == self.value()
        side = _MARK_PX + (3 if is_here else 0)
        rect = QRectF(drawn.x - side / 2, drawn.y - side / 2, side, side)
        draw_grade(painter, rect, drawn.mark.grade, app_theme())
        if drawn.n_more:  # a line under a mark that represents several
            painter.setPen(QPen(app_theme().text_muted, 1.5))
            y = drawn.y + _MARK_PX / 2 + 2
            painter.drawLine(QPointF(drawn.x - 4, y), QPointF(drawn.x + 4, y))
            painter.setPen(Qt.PenStyle.NoPen)

    def _groove(self) -> QRectF:
        side = _HANDLE_PX / 2 + 2
        width = max(1.0, self.width() - 2 * side)
        return QRectF(side, _GROOVE_Y - _GROOVE_PX / 2, width, _GROOVE_PX)

    def _place_marks(self) -> None:
        groove = self._groove()
        places = groove.left() + groove.width() * self._marks.indices / max(1, self.maximum())
        chosen = thin_out(places, self._marks.grades, _MARK_GAP)
        others = np.zeros(len(chosen), int)
        if chosen:  # each counts for the mark drawn nearest to it
            drawn = places[chosen]
            nearest = np.searchsorted((drawn[1:] + drawn[:-1]) / 2, places)
            others = np.bincount(nearest, minlength=len(chosen))
        ends = self._ends_of(self._losses)
        of_marks = ends[self._marks.indices]
        of_marks = np.where(of_marks > 0, of_marks, _MAX_Y)  # an unknown loss
        self.drawn = [
            DrawnMark(float(places[i]), float(of_marks[i]), self._marks[i], int(n) - 1)
            for i, n in zip(chosen, others, strict=True)
        ]
        self.sticks = self._sticks_of(ends)
        is_marked = np.zeros(len(ends), bool)
        is_marked[self._marks.indices] = True
        self.marked_sticks = self._sticks_of(np.where(is_marked, ends, 0.0))
        self.update()

    def _ends_of(self, losses: Floats) -> Floats:
        """Return the y of the end of each loss, in pixels from the top."""
        decades = np.log10(np.clip(losses, _MIN_LOSS, _MAX_LOSS) / _MIN_LOSS)
        share = decades / np.log10(_MAX_LOSS / _MIN_LOSS)
        return np.where(losses > 0, _MIN_Y + (_MAX_Y - _MIN_Y) * share, 0.0)

    def _sticks_of(self, ends: Floats) -> list[QLineF]:
        """Return the lines of the losses: the longest of those in the same pixel column."""
        groove = self._groove()
        columns = np.rint(
            groove.left() + groove.width() * np.arange(len(ends)) / max(1, self.maximum())
        ).astype(int)
        longest = np.zeros(self.width() + 1)
        np.maximum.at(longest, np.clip(columns, 0, self.width()), ends)
        return [
            QLineF(float(x), _STICKS_Y, float(x), float(longest[x]))
            for x in np.flatnonzero(longest)
        ]

    def _near(self, x: float) -> list[DrawnMark]:
        at = bisect_left([drawn.x for drawn in self.drawn], x)
        return self.drawn[max(0, at - 1) : at + 1]
