"""A chart of a whole game: lines or needles, grade marks, a movable cursor."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.platform.language import mark, sentences, tr
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade
from gui.charts.chart_scale import place_ticks, spread, thin_out
from gui.charts.chart_series import ChartLine, ChartMark, Marks, Series, mean_series, prepared
from gui.style.theme import (
    CAPTION,
    Theme,
    app_theme,
    smooth_painter,
    theme_source,
    with_tabular_figures,
)
from gui.text.lists import fact_list

HEAD_PX, _FOOT_PX, _SIDE_PX, _GAP_PX = 20, 18, 4, 6
MARK_PX, _MARK_GAP, _REACH_PX = 10.0, 11.0, 7.0
_MIN_BAND_PX = 4.0
_PAGE = 10
_PLACE_GAP_PX = 24  # between two numbers below
__all__ = ["ChartMark", "LineChart", "Series", "mean_series"]  # no text
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageUp: -_PAGE,
    Qt.Key.Key_PageDown: _PAGE,
}


class LineChart(QWidget):
    """Lines over the moves of a game; click, drag or use the arrow keys to choose a move.

    A click on a mark goes to its move, however narrow a move is. `first` is the number of index 0;
    `place_text` formats an index if its number means nothing.
    """

    picked = Signal(int)

    def __init__(
        self,
        name: str,
        unit: str = "",
        first: int = 0,
        empty_text: str = "",
        has_names: bool = True,
        place_text: Callable[[int], str] | None = None,
    ) -> None:
        super().__init__()
        self._unit, self._first = unit or tr("Move"), first
        self._has_round_places = place_text is None
        self._place_text = place_text or (lambda index: f"{index + self._first:,}")
        self._empty_text, self._has_names = empty_text or tr("Nothing to show yet."), has_names
        self._lines: list[ChartLine] = []
        self._marks = Marks.of(())
        self._bands: Sequence[tuple[int, int]] = ()
        self.drawn_marks: list[tuple[QPointF, ChartMark]] = []
        self._n = 0
        self.cursor_index: int | None = None
        self._hover: int | None = None
        self._summary = ""
        self._picture: QPixmap | None = None
        self._left = self._right = 0.0  # room for the axis and for the names
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 96)
        self._describe()
        theme_source().changed.connect(self._redraw)

    def show_series(
        self,
        series: Sequence[Series],
        marks: Sequence[ChartMark] = (),
        bands: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Show other lines, with marks on the first one; the cursor stays if possible.

        `bands` are pairs of indices, ascending, between which the ground is tinted.
        """
        self._lines, self._bands = prepared(series), bands
        self._n = max((len(line.numbers) for line in self._lines), default=0)
        self._marks = Marks.of(marks).within(self._n)
        for line in self._lines[:1]:
            line.marked = self._marks.indices
        if self.cursor_index is not None:
            self.cursor_index = min(self.cursor_index, self._n - 1) if self._n else None
        self._hover = None
        self._summary = self._summarize()
        self._arrange()

    def set_cursor(self, index: int | None) -> None:
        """Set the cursor without emitting the signal; None removes it."""
        if index is not None:
            index = max(0, min(index, self._n - 1)) if self._n else None
        if index != self.cursor_index:
            self.cursor_index = index
            self._describe()
            self.update()

    def axis_ticks(self) -> list[tuple[float, str]]:
        return self._lines[0].ticks() if self._lines else []

    def place_ticks(self) -> list[tuple[int, str]]:
        if not self._n:
            return []
        last = self._first + self._n - 1
        widest = QFontMetricsF(self._font()).horizontalAdvance(f"{last:,}")
        most = int(self._plot().width() / (widest + _PLACE_GAP_PX))
        return [(place, f"{place:,}") for place in place_ticks(self._first, last, most)]

    def read_out(self, index: int) -> str:
        """Return the readout at an index: `Move 12: Match rate 97.31 %`."""
        values = [(line.series, line.value(index)) for line in self._lines]
        parts = [f"{s.name} {s.figure(value)}" for s, value in values if value is not None]
        return tr(
            "{unit} {number}: {values}",
            unit=self._unit,
            number=self._place_text(index),
            values=fact_list(parts) or tr("not known"),
        )

    def index_at(self, x: float) -> int:
        """Return the index at an x; on a narrow band, one inside it."""
        for first, last in self._bands:
            band = self._band(first, last)
            if band.width() <= _MIN_BAND_PX and band.left() - 2 <= x <= band.right() + 2:
                return first
        plot = self._plot()
        share = (x - plot.left()) / max(1.0, plot.width())
        return max(0, min(self._n - 1, round(share * (self._n - 1))))

    def mark_at(self, point: QPointF) -> ChartMark | None:
        near = [(QLineF(place, point).length(), drawn) for place, drawn in self.drawn_marks]
        px, drawn = min(near, key=lambda pair: pair[0], default=(_REACH_PX, None))
        return drawn if px < _REACH_PX else None

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(360, 140)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        at = self.cursor_index or 0
        places = {key: at + step for key, step in _STEPS.items()}
        places |= {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self._n - 1}
        place = places.get(Qt.Key(event.key()))
        if place is None or not self._n:
            super().keyPressEvent(event)
        else:
            self._pick(max(0, min(self._n - 1, place)))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._n and event.button() == Qt.MouseButton.LeftButton:
            drawn = self.mark_at(event.position())
            self._pick(drawn.index if drawn else self.index_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self._n:
            return
        index = self.index_at(event.position().x())
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pick(index)
        elif index != self._hover:
            self._hover = index
            self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def _pick(self, index: int) -> None:
        self._hover = None
        if index != self.cursor_index:
            self.set_cursor(index)
            self.picked.emit(index)
        self.update()

    def _arrange(self) -> None:
        """Compute everything that doesn't change while the cursor moves."""
        metrics = QFontMetricsF(self._font())
        ticks = [metrics.horizontalAdvance(text) for _, text in self.axis_ticks()]
        widest = max(ticks, default=0.0)
        named = self._lines if self._has_names else []
        names = max((metrics.horizontalAdvance(line.series.name) for line in named), default=0)
        self._left = _SIDE_PX + widest + _GAP_PX
        self._right = _SIDE_PX + min(names, self.width() * 0.25) + _GAP_PX
        for line in self._lines:
            line.arrange(self._plot(), self._n)
        self.drawn_marks, self._picture = self._placed_marks(), None
        self._describe()
        self.update()

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def _placed_marks(self) -> list[tuple[QPointF, ChartMark]]:
        if not self._lines:
            return []
        line = self._lines[0]
        marks, plot = self._marks.within(len(line.numbers)), self._plot()
        places = plot.left() + plot.width() / max(1, self._n - 1) * marks.indices.astype(float)
        placed = []
        for i in thin_out(places, marks.grades, _MARK_GAP):
            value = line.value(marks[i].index)
            y = plot.bottom() if value is None else line.point(plot, 1, 0, value).y()
            placed.append((QPointF(float(places[i]), y), marks[i]))
        return placed

    def _plot(self) -> QRectF:
        width = max(1.0, self.width() - self._left - self._right)
        height = max(1.0, self.height() - HEAD_PX - _FOOT_PX)
        return QRectF(self._left, HEAD_PX, width, height)

    def _band(self, first: int, last: int) -> QRectF:
        plot, left = self._plot(), self._x(first)
        width = max(_MIN_BAND_PX, self._x(last) - left)
        return QRectF(left, plot.top(), width, plot.height())

    def _x(self, place: float) -> float:
        plot = self._plot()
        return plot.left() + plot.width() * place / max(1, self._n - 1)

    def _summarize(self) -> str:
        if not self._n:
            return self._empty_text
        parts = []
        for line in self._lines:
            values = line.known()
            if len(values):
                first, last, low, high = (
                    line.series.figure(float(v))
                    for v in (values[0], values[-1], values.min(), values.max())
                )
                text = mark(
                    "{name} begins at {first} and ends at {last}; lowest {low}, highest {high}."
                )
                name = line.series.name
                parts.append(tr(text, name=name, first=first, last=last, low=low, high=high))
        parts.append(tr("{n} marked.", n=len(self._marks)) if self._marks else "")
        return sentences(*parts) or self._empty_text

    def _describe(self) -> None:
        at = ""
        if self.cursor_index is not None and any(len(line.known()) for line in self._lines):
            at = tr("{sentence}.", sentence=self.read_out(self.cursor_index))
        self.setAccessibleDescription(sentences(at, self._summary or self._empty_text))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        painter.setFont(self._font())
        if not any(len(line.known()) for line in self._lines):
            painter.setPen(app_theme().text_muted)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(QRectF(self.rect()), int(flags), self._empty_text)
            return
        painter.drawPixmap(0, 0, self._drawn())
        self._draw_cursor(painter)
        for point, drawn in self.drawn_marks:
            half = QPointF(MARK_PX / 2, MARK_PX / 2)
            draw_grade(painter, QRectF(point - half, point + half), drawn.grade, app_theme())
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(app_theme().focus, app_theme().focus_px))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)

    def _drawn(self) -> QPixmap:
        """Return axes and lines, drawn once: unlike the cursor, they don't change often."""
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap((QSizeF(self.size()) * ratio).toSize())
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font())
            for band in self._bands:
                painter.fillRect(self._band(*band), _band_color(app_theme()))
            self._draw_axes(painter)
            for line in reversed(self._lines):  # the first one on top
                line.draw(painter, app_theme())
            if self._has_names:
                self._draw_names(painter)
            painter.end()
        return self._picture

    def _draw_axes(self, painter: QPainter) -> None:
        plot, theme, axis = self._plot(), app_theme(), self._lines[0]
        middle_right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        for tick, text in self.axis_ticks():
            y = plot.bottom() - plot.height() * axis.scale.share(tick)
            sharp = round(y) + 0.5
            painter.setPen(QPen(theme.border, 1))
            painter.drawLine(QPointF(plot.left(), sharp), QPointF(plot.right(), sharp))
            painter.setPen(theme.text_muted)
            room = QRectF(0, y - 8, self._left - _GAP_PX, 16)
            painter.drawText(room, int(middle_right), text)
        painter.setPen(theme.text_muted)
        foot = QRectF(plot.left(), plot.bottom() + 2, plot.width(), _FOOT_PX - 2)
        if self._has_round_places:
            self._draw_places(painter, foot)
            return
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignLeft), self._place_text(0))
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignRight), self._place_text(self._n - 1))

    def _draw_places(self, painter: QPainter, foot: QRectF) -> None:
        metrics = painter.fontMetrics()
        for number, text in self.place_ticks():
            x, width = self._x(number - self._first), metrics.horizontalAdvance(text) + 2
            left = min(max(x - width / 2, foot.left() - 1), self.width() - width)
            room = QRectF(left, foot.top(), width, foot.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignHCenter), text)
            sharp = round(x) + 0.5
            painter.drawLine(QPointF(sharp, foot.top() - 2), QPointF(sharp, foot.top() + 1))

    def _draw_position(self, painter: QPainter) -> None:
        plot, theme = self._plot(), app_theme()
        for index, color in ((self._hover, theme.text_muted), (self.cursor_index, theme.text)):
            if index is not None:
                painter.setPen(QPen(color, 1))
                x = round(self._x(index)) + 0.5
                painter.drawLine(QPointF(x, plot.top() - 2), QPointF(x, plot.bottom()))

    def _draw_cursor(self, painter: QPainter) -> None:
        self._draw_position(painter)
        plot, theme = self._plot(), app_theme()
        shown = self.cursor_index if self._hover is None else self._hover
        if shown is None:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        for line in self._lines:
            value = line.value(shown)
            if value is not None and not line.series.is_bars:
                painter.setBrush(theme.color(line.series.color))
                painter.drawEllipse(line.point(plot, self._n, shown, value), 3, 3)
        painter.setPen(theme.text)
        head = QRectF(self._left, 0, self.width() - self._left - _SIDE_PX, HEAD_PX - 3)
        text = self.read_out(shown)
        text = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(head.width())
        )
        painter.drawText(head, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _draw_names(self, painter: QPainter) -> None:
        plot, metrics = self._plot(), painter.fontMetrics()
        wanted = []
        for line in self._lines:
            values = line.known()
            last = float(values[-1]) if len(values) else line.scale.low
            wanted.append(line.point(plot, 1, 0, last).y())
        middles = spread(wanted, metrics.height(), plot.top() - 4, plot.bottom() + 4)
        room = self._right - _GAP_PX
        for line, y in zip(self._lines, middles, strict=True):
            painter.setPen(app_theme().color(line.series.color))
            name = metrics.elidedText(line.series.name, Qt.TextElideMode.ElideRight, int(room))
            box = QRectF(plot.right() + _GAP_PX, y - 9, room, 18)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), name)

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(CAPTION)
        return with_tabular_figures(font)


def _band_color(theme: Theme) -> QColor:
    return mixed(theme.background, theme.accent, 0.22)
