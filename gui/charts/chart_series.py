"""The contents of a chart: series of numbers, grade marks, and lines made from series."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from coach.grading.grade import GRADES, Grade
from engine.platform.language import tr
from gui.charts.chart_scale import Floats, Ints, ValueScale, scale_of, thinned
from gui.style.theme import Theme, Tint

MEAN_OF = 10
"""Number of values in a running mean."""

_CROWDED = 600  # points of one line


def plain_figure(value: float) -> str:
    """Return a number with five significant digits."""
    return f"{value:.5g}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    name: str
    values: Sequence[float | None] | Floats  # one for each index; None and NaN are gaps
    color: Tint  # str or QColor or callable: see `Theme.color`
    # Whether its scale is logarithmic; 0 is at the bottom then. Series of one kind share a scale;
    # the axis is that of the first series.
    is_log: bool = False
    # Whether to draw needles from the bottom instead of a line: for values that are mostly 0.
    is_bars: bool = False
    figure: Callable[[float], str] = plain_figure  # formats a value for the readout
    # Formats a value for the axis, if `figure` is too precise.
    tick: Callable[[float], str] | None = None
    has_zero: bool = False  # whether its scale, unless logarithmic, includes 0
    quiet: Tint | None = None  # str or QColor or callable: color of needles without a mark


def mean_series(
    values: Sequence[float], color: Tint, figure: Callable[[float], str], n_shown: int | None = None
) -> list[Series]:
    """Return the running mean of ten values as a list of one series; empty if there are fewer."""
    if len(values) < MEAN_OF:
        return []
    total = sum(values[:MEAN_OF])
    means: list[float | None] = [None] * (MEAN_OF - 1) + [total / MEAN_OF]
    for old, new in zip(values, values[MEAN_OF:], strict=False):
        total += new - old
        means.append(total / MEAN_OF)
    return [Series(tr("Mean of {n}", n=MEAN_OF), means[-(n_shown or 0) :], color, figure=figure)]


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A marked move: its index and its grade."""

    index: int
    grade: Grade


class Marks(Sequence[ChartMark]):
    """Marked moves, ascending: arrays, as there may be thousands; grades by index in `GRADES`."""

    def __init__(self, indices: Ints, grades: Ints) -> None:
        self.indices, self.grades = indices, grades

    @classmethod
    def of(cls, marks: Sequence[ChartMark]) -> "Marks":
        if isinstance(marks, cls):
            return marks
        numbers = [GRADES.index(mark.grade) for mark in marks]
        return cls(np.array([mark.index for mark in marks], int), np.array(numbers, int))

    def within(self, n: int) -> "Marks":
        is_within = (self.indices >= 0) & (self.indices < n)
        return Marks(self.indices[is_within], self.grades[is_within])

    def __len__(self) -> int:
        return len(self.indices)

    @overload
    def __getitem__(self, at: int) -> ChartMark: ...

    @overload
    def __getitem__(self, at: slice) -> "Marks": ...

    def __getitem__(self, at: int | slice) -> "ChartMark | Marks":
        if isinstance(at, slice):
            return Marks(self.indices[at], self.grades[at])
        return ChartMark(int(self.indices[at]), GRADES[self.grades[at]])


@dataclass
class ChartLine:
    """A prepared series: its numbers, its scale, and its shape at the current size."""

    series: Series
    numbers: Floats
    scale: ValueScale
    marked: Ints = field(default_factory=lambda: np.zeros(0, int))
    pieces: list[QPolygonF] = field(default_factory=list)
    quiet: list[QPolygonF] = field(default_factory=list)

    def point(self, plot: QRectF, n: int, place: float, value: float) -> QPointF:
        x = plot.left() + plot.width() * place / max(1, n - 1)
        return QPointF(x, plot.bottom() - plot.height() * self.scale.share(value))

    def arrange(self, plot: QRectF, n: int) -> None:
        """Compute the unbroken pieces of the line; needles are separate."""
        self.pieces, self.quiet = self._pieces(self.numbers, plot, n), []
        if self.series.quiet:
            marked = np.full(len(self.numbers), np.nan)
            marked[self.marked] = self.numbers[self.marked]
            self.quiet, self.pieces = self.pieces, self._pieces(marked, plot, n)

    def _pieces(self, numbers: Floats, plot: QRectF, n: int) -> list[QPolygonF]:
        pieces: list[QPolygonF] = []
        piece = QPolygonF()
        places, values = thinned(numbers, max(1, int(plot.width())))
        xs = plot.left() + plot.width() / max(1, n - 1) * places
        bottom, height, share = plot.bottom(), plot.height(), self.scale.share
        for x, value in zip(xs.tolist(), values.tolist(), strict=True):
            if value != value:  # a gap
                piece = QPolygonF()
                continue
            point = QPointF(x, bottom - height * share(value))
            if self.series.is_bars:
                if point.y() < bottom - 0.5:
                    pieces.append(QPolygonF([QPointF(x, bottom), point]))
                continue
            if piece.isEmpty():
                pieces.append(piece)
            piece.append(point)
        return pieces

    def draw(self, painter: QPainter, theme: Theme) -> None:
        if self.series.quiet:
            painter.setPen(QPen(theme.color(self.series.quiet), 1))
            for piece in self.quiet:
                painter.drawPolyline(piece)
        is_crowded = self.series.is_bars or any(p.size() > _CROWDED for p in self.pieces)
        color = theme.color(self.series.color)
        pen = QPen(color, 1 if is_crowded else 1.8)  # 1 is drawn many times faster
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        for piece in self.pieces:
            alone = piece.size() == 1  # between two gaps
            painter.setBrush(color if alone else QBrush())
            if alone:
                painter.drawEllipse(piece.first(), 1.5, 1.5)
            else:
                painter.drawPolyline(piece)

    def ticks(self) -> list[tuple[float, str]]:
        write = self.series.tick or self.series.figure
        return [(value, write(value)) for value in self.scale.ticks()]

    def known(self) -> Floats:
        return self.numbers[np.isfinite(self.numbers)]

    def value(self, index: int) -> float | None:
        value = float(self.numbers[index]) if index < len(self.numbers) else float("nan")
        return value if value == value else None


def prepared(series: Sequence[Series]) -> list[ChartLine]:
    """Return the series as lines, those of one kind on a common scale."""
    numbers = [np.array(line.values, np.float64) for line in series]  # None becomes NaN
    both = list(zip(series, numbers, strict=True))
    scales = {
        is_log: scale_of([_scaled(s, n) for s, n in both if s.is_log == is_log], is_log)
        for is_log in (False, True)
    }
    return [ChartLine(s, n, scales[s.is_log]) for s, n in both]


def _scaled(series: Series, numbers: Floats) -> Floats:
    return np.append(numbers, 0.0) if series.has_zero and len(numbers) else numbers
