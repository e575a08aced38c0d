"""The four success rates as a cross, as the arrow keys lie, with one sentence below."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from coach.grading.grade import UINT32, Grade, Tolerance
from coach.grading.names import move_title
from coach.grading.rated import UnknownRates
from engine.platform.language import tr
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade, grade_color
from gui.style.icons import draw_icon
from gui.style.layout import column, grid_layout
from gui.style.theme import (
    BODY,
    CAPTION,
    FIGURE,
    Theme,
    app_theme,
    resized,
    smooth_painter,
    theme_source,
    with_tabular_figures,
)
from gui.text.lists import fact_list
from gui.text.rates import (
    BREAKS,
    DIRECTION_NAMES,
    NOT_IN_TABLE,
    RATE_SCALE,
    Rates,
    Scale,
    best_rate,
    describe_rates,
    without_unit,
)

# (row, first of two columns), LEFT RIGHT UP DOWN
_AS_CROSS = ((1, 0), (1, 2), (0, 1), (2, 1))
_AS_ROW = ((0, 0), (0, 6), (0, 2), (0, 4))
_HIDDEN = "\N{BULLET}\N{BULLET}\N{BULLET}"
_RADIUS = 10
_ARROW_PX, _MARK_PX, _CAPTION_GAP_PX = 17, 18, 8


class RateCell(QAbstractButton):
    """One direction: its figure, and a bar for its loss against the best.

    The place of an illegal move has a faint name only, a move without a rate says why; a click
    plays the move.
    """

    def __init__(self, direction: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._direction = direction
        theme_source().changed.connect(self.update)
        self._rate: float | None = None
        self._is_hidden = self.is_stale = self.is_played = self._is_winner = False
        self._words = ""
        self._grade: Grade | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(move_title(direction))
        tip = tr("The longer the bar, the more the move loses; small losses are enlarged")
        self.setToolTip(tip)
        self.show_rate(None, "")

    @property
    def is_best(self) -> bool:
        """Whether no move counts as better; several may be."""
        return self._is_winner and not self._is_hidden

    @property
    def has_mark(self) -> bool:
        """Whether a grade stands beside the name; that of a best move is the star at the right."""
        return self.is_played and self._grade is not None and not self.is_best

    @property
    def is_legal(self) -> bool:
        return self._rate is not None or bool(self._words)

    def show_rate(
        self,
        rate: float | None,
        figure: str,
        loss: str = "",
        bar: float = 0.0,
        is_winner: bool = False,
        is_hidden: bool = False,
    ) -> None:
        """Show a rate with the caption and the bar of its loss; None is an illegal move."""
        self._rate, self.loss, self.bar = rate, loss, bar
        self._is_winner, self._is_hidden = is_winner, is_hidden
        self.is_stale, self._words = False, ""
        self.setText(_HIDDEN if is_hidden and rate is not None else figure)
        self.setEnabled(rate is not None)
        self.setAccessibleDescription(self._describe())
        self.update()

    def show_words(self, words: str) -> None:
        self.show_rate(None, "")
        self._words = words
        self.setText(words)
        self.setEnabled(True)
        self.setAccessibleDescription(self._describe())

    def show_played(self, is_played: bool, grade: Grade | None = None) -> None:
        if (is_played, grade) != (self.is_played, self._grade):
            self.is_played, self._grade = is_played, grade
            self.setAccessibleDescription(self._describe())
            self.update()

    def show_stale(self) -> None:
        """Mute the figure until the answer for the new position arrives."""
        self.is_stale = True
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(156, 78)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, 78)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        super().enterEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, theme = smooth_painter(self), app_theme()
        card = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if not self.is_legal:
            painter.setPen(QPen(mixed(theme.surface, theme.border, 0.6), 1))
            painter.drawRoundedRect(card, _RADIUS, _RADIUS)
            painter.setOpacity(0.5)
            self._draw_caption(painter, card.adjusted(13, 8, -13, -10), theme)
            return
        self._draw_card(painter, card, theme)
        inside = card.adjusted(13, 8, -13, -10)
        if self.is_stale:
            painter.setOpacity(0.45)
        self._draw_caption(painter, inside, theme)
        if self._words:
            self._draw_words(painter, inside, theme)
            return
        self._draw_figure(painter, inside, theme)
        if not self._is_hidden:
            track = QRectF(inside.left(), inside.bottom() - 3, inside.width(), 4)
            self._draw_bar(painter, track, theme)

    def _describe(self) -> str:
        if not self.is_legal:
            return tr("not possible")
        if not self._words and self._is_hidden:
            return tr("hidden")
        what = self._words or fact_list((self.text(), self.loss))
        return tr("{rate}, played", rate=what) if self.is_played else what

    def _draw_card(self, painter: QPainter, card: QRectF, theme: Theme) -> None:
        is_best = self.is_best
        fill = theme.surface if self._words else theme.raised
        if is_best:
            fill = mixed(theme.raised, theme.best_move, 0.12)
        if self.isDown() or self.underMouse():
            fill = mixed(fill, theme.text, 0.06)
        painter.setBrush(fill)
        edge = theme.best_move if is_best else theme.border
        if self._words:
            edge = mixed(theme.surface, theme.text_muted, 0.6)
        if self.is_played:
            edge = grade_color(theme, self._grade) if self._grade else theme.text
        width = 2 if is_best or self.is_played else 1
        line = Qt.PenStyle.DashLine if self._words else Qt.PenStyle.SolidLine
        painter.setPen(QPen(edge, width, line))
        painter.drawRoundedRect(card, _RADIUS, _RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.focus, theme.focus_px))
            painter.drawRoundedRect(card.adjusted(3, 3, -3, -3), _RADIUS - 3, _RADIUS - 3)

    def _draw_caption(self, painter: QPainter, inside: QRectF, theme: Theme) -> None:
        line = QRectF(inside.left(), inside.top(), inside.width(), 16)
        color = theme.text if self.is_best else theme.text_muted
        arrow = QRectF(line.left() - 1, line.center().y() - 6, 12, 12)
        draw_icon(painter, f"arrow_{DIRECTION_NAMES[self._direction]}", arrow, color)
        painter.setFont(with_tabular_figures(resized(painter.font(), CAPTION)))
        painter.setPen(color)
        metrics = QFontMetricsF(painter.font())
        name, loss = self.captions(metrics, line.width())
        painter.drawText(line.adjusted(_ARROW_PX, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)
        if self.has_mark and self._grade:
            left = line.left() + _ARROW_PX + metrics.horizontalAdvance(name) + 6
            draw_grade(painter, QRectF(left, line.top() + 2, 12, 12), self._grade, theme)
            painter.setPen(color)
        if self.is_best:
            width = metrics.horizontalAdvance(loss)
            star = QRectF(
                line.right() - width - (18 if loss else 14), line.center().y() - 7, 14, 14
            )
            draw_icon(painter, "grade_perfect", star, theme.best_move)
            painter.setPen(color)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, loss)

    def captions(self, metrics: QFontMetricsF, width: float) -> tuple[str, str]:
        """Return the captions above the figure, left and right, as they fit.

        The word "played" goes first, then the unit of the loss, and for the best all but the star;
        then the loss altogether. Only a name that has no room by itself ends in an ellipsis.
        """
        name, loss = self.accessibleName(), "" if self._is_hidden else self.loss
        marks = _MARK_PX * (int(self.has_mark) + int(self.is_best))
        room = width - _ARROW_PX - marks
        left = room - metrics.horizontalAdvance(name) - _CAPTION_GAP_PX
        played = fact_list((name, tr("played")))
        needed = metrics.horizontalAdvance(played + loss) + _CAPTION_GAP_PX
        if self.is_played and self._grade and needed <= room:
            return played, loss
        if metrics.horizontalAdvance(loss) > left:
            loss = "" if self.is_best else without_unit(loss)
        if metrics.horizontalAdvance(loss) > left:
            loss = ""
        return metrics.elidedText(name, Qt.TextElideMode.ElideRight, room), loss

    def _draw_words(self, painter: QPainter, inside: QRectF, theme: Theme) -> None:
        how = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        room = inside.adjusted(0, 18, 0, 6)
        for pixels in (BODY, CAPTION):  # the smaller one where the words take too many lines
            painter.setFont(with_tabular_figures(resized(painter.font(), pixels)))
            if painter.boundingRect(room, int(how), self.text()).height() <= room.height():
                break
        painter.setPen(theme.text_muted)
        painter.drawText(room, int(how), self.text())

    def _draw_figure(self, painter: QPainter, inside: QRectF, theme: Theme) -> None:
        bold = QFont.Weight.DemiBold
        font = with_tabular_figures(resized(painter.font(), FIGURE - 2, bold))
        width = QFontMetricsF(font).horizontalAdvance(self.text())
        if width > inside.width():
            font.setPixelSize(max(CAPTION, int(font.pixelSize() * inside.width() / width)))
        has_unit = self.text().count(" ") == 1
        number, _, unit = self.text().partition(" ") if has_unit else (self.text(), "", "")
        start = QPointF(inside.left(), inside.top() + 42)
        is_muted = self._is_hidden or self._rate == 0
        painter.setFont(font)
        painter.setPen(theme.text_muted if is_muted else theme.text)
        painter.drawText(start, number)
        start.setX(start.x() + QFontMetricsF(font).horizontalAdvance(number) + 5)
        painter.setFont(resized(font, max(CAPTION, int(font.pixelSize() * 0.62))))
        painter.setPen(theme.text_muted)
        painter.drawText(start, unit)

    def _draw_bar(self, painter: QPainter, track: QRectF, theme: Theme) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.raised, theme.text, 0.12))
        painter.drawRoundedRect(track, 2, 2)
        if self.bar > 0:
            painter.setBrush(mixed(theme.warning, theme.bad, self.bar))  # a loss is never green
            filled = QRectF(track)
            filled.setWidth(max(4.0, track.width() * self.bar))
            painter.drawRoundedRect(filled, 2, 2)


class RateCross(QWidget):
    """Four rates, where their keys are, and a sentence that says it in words."""

    move_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.rates: Rates = (None,) * 4  # LEFT RIGHT UP DOWN
        self._doubt: UnknownRates | None = None
        self._scale, self._tolerance = RATE_SCALE, UINT32
        self._breaking: Collection[int] = ()
        self._is_hidden = False
        self._is_flat: bool | None = None
        self.cells = [RateCell(direction, self) for direction in range(4)]
        self.sentence = QLabel(wordWrap=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.sentence.setMinimumHeight(2 * self.sentence.fontMetrics().lineSpacing() + 2)
        self._grid = grid_layout(space=8)
        self.lay_flat(False)
        for cell in self.cells:
            cell.clicked.connect(
                lambda _=False, d=cell: self.move_clicked.emit(self.cells.index(d))
            )
        column(self._grid, self.sentence, parent=self)

    def lay_flat(self, flat: bool) -> None:
        if flat == self._is_flat:
            return
        self._is_flat = flat
        for cell in self.cells:
            self._grid.removeWidget(cell)
        for cell, (row, grid_column) in zip(
            self.cells, _AS_ROW if flat else _AS_CROSS, strict=True
        ):
            self._grid.addWidget(cell, row, grid_column, 1, 2)
        for grid_column in range(8):
            self._grid.setColumnStretch(grid_column, int(flat or grid_column < 4))

    def show_rates(
        self,
        rates: Sequence[float | None],
        scale: Scale = RATE_SCALE,
        unknown_rates: UnknownRates | None = None,
        tolerance: Tolerance = UINT32,
        breaking: Collection[int] = (),
    ) -> None:
        """Show the rates of a position, None where a move has none.

        Moves in `breaking` are legal but break the formation; rates that `tolerance`, of the table,
        takes for equal are equally good.
        """
        self.rates, self._scale, self._doubt = tuple(rates), scale, unknown_rates
        self._tolerance, self._breaking = tolerance, breaking
        are_bounds = bool(unknown_rates and unknown_rates.is_limited)
        best, shown = best_rate(rates), (rates, tolerance, are_bounds)
        winners = scale.winners(*shown)
        losses = scale.losses(*shown, winners)
        for d, figure in enumerate(scale.figures(*shown)):
            bar = 0.0 if d in winners or are_bounds else scale.bar(rates[d], best)
            self.cells[d].show_rate(rates[d], figure, losses[d], bar, d in winners, self._is_hidden)
        for direction in breaking:
            self.cells[direction].show_words(tr(BREAKS))
        for direction in unknown_rates.moves if unknown_rates else ():
            self.cells[direction].show_words(tr(NOT_IN_TABLE))
        self._show_sentence()

    def show_played(self, direction: int | None, grade: Grade | None = None) -> None:
        for i, cell in enumerate(self.cells):
            cell.show_played(i == direction, grade if i == direction else None)

    def show_stale(self) -> None:
        """Mute the figures: they belong to the position before."""
        for cell in self.cells:
            cell.show_stale()

    def show_waiting(self, text: str) -> None:
        self.show_stale()
        self.sentence.setText(text)

    def hide_figures(self, hidden: bool) -> None:
        """Hide the figures so that the user guesses first, or show them again."""
        if hidden == self._is_hidden:
            return
        self._is_hidden = hidden
        self.show_rates(self.rates, self._scale, self._doubt, self._tolerance, self._breaking)

    def _show_sentence(self) -> None:
        is_empty = best_rate(self.rates) is None
        if is_empty and self._doubt is None and not self._breaking:
            self.sentence.setText("")
        elif self._is_hidden and not is_empty:
            self.sentence.setText(tr("Your guess first. The rates show after your move."))
        elif self._scale.is_graded:
            self.sentence.setText(describe_rates(self.rates, self._doubt, self._breaking))
        else:
            self.sentence.setText("")
