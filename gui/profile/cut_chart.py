"""Bars for the shares of a cut: the loss per 1,000 moves, and its interval."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from coach.profile.profile import Cut, Share
from coach.profile.words import CUT_TITLES, rate_text, share_name
from engine.platform.language import tr
from gui.board.board_paint import mixed
from gui.style.theme import CAPTION, app_theme, theme_source, with_tabular_figures
from gui.text.lists import fact_list
from gui.text.numbers import format_whole

_LINE_PX, _BAR_PX, _ROW_PX = 20, 8, 40
_WHISKER_PX = 3


class CutChart(QWidget):
    """A row for each share: its name and figure, and under them a bar with its interval.

    A share with too few moves has no bar, and says so.

    Parameters
    ----------
    cut : Cut
    """

    def __init__(self, cut: Cut) -> None:
        super().__init__()
        self.cut = cut
        theme_source().changed.connect(self.update)
        self._shares: Sequence[Share] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr(CUT_TITLES[cut]))

    @property
    def shares(self) -> Sequence[Share]:
        """The shares shown."""
        return self._shares

    def show_shares(self, shares: Sequence[Share]) -> None:
        """Show these shares."""
        self._shares = tuple(shares)
        text = fact_list(self.row_text(one) for one in shares)
        self.setAccessibleDescription(text)
        self.setToolTip("\n".join(map(self.row_text, shares)))
        self.updateGeometry()
        self.update()

    def row_text(self, share: Share) -> str:
        """Return a share in words: `Last quarter: 310 ± 84 points (812 moves)`."""
        return tr(
            "{name}: {figure} ({n} moves)",
            name=share_name(self.cut, share.key),
            figure=rate_text(share),
            n=format_whole(share.n),
        )

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return room for all rows."""
        return QSize(320, max(1, len(self._shares)) * _ROW_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size for names and figures."""
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the rows."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = with_tabular_figures(painter.font())
        font.setPixelSize(CAPTION)
        painter.setFont(font)
        told = [one for one in self._shares if one.is_told]
        most = max((one.rate + one.margin for one in told), default=0.0)
        worst = max((one.rate for one in told), default=0.0)
        for i, one in enumerate(self._shares):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX)
            self._draw_texts(painter, row, one)
            if one.is_told and most > 0:
                self._draw_bar(painter, row, one, most, one.rate == worst)

    def _draw_texts(self, painter: QPainter, row: QRectF, share: Share) -> None:
        line = QRectF(row.left(), row.top(), row.width(), _LINE_PX)
        figure = rate_text(share)
        metrics = QFontMetricsF(painter.font())
        room = line.width() - metrics.horizontalAdvance(figure) - 8
        name = metrics.elidedText(
            share_name(self.cut, share.key), Qt.TextElideMode.ElideRight, room
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(app_theme().text)
        painter.drawText(line, int(middle | Qt.AlignmentFlag.AlignLeft), name)
        painter.setPen(app_theme().text if share.is_told else app_theme().text_muted)
        painter.drawText(line, int(middle | Qt.AlignmentFlag.AlignRight), figure)

    def _draw_bar(
        self, painter: QPainter, row: QRectF, share: Share, most: float, is_worst: bool
    ) -> None:
        theme, scale = app_theme(), row.width() / most
        top = row.top() + _LINE_PX + 2
        ground = QRectF(row.left(), top, row.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.raised, theme.text, 0.1))
        painter.drawRoundedRect(ground, 3, 3)
        painter.setBrush(theme.accent if is_worst else mixed(theme.raised, theme.text, 0.5))
        bar = QRectF(row.left(), top, max(2.0, share.rate * scale), _BAR_PX)
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(QPen(theme.text, 1.5))
        y = ground.center().y()
        low, high = max(0.0, share.rate - share.margin) * scale, (share.rate + share.margin) * scale
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            painter.drawLine(QPointF(x, y - _WHISKER_PX), QPointF(x, y + _WHISKER_PX))
