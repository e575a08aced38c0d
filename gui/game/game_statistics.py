"""Moves, time and fours of this game and of all finished ones, and the results of those."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from engine.game import Game
from engine.platform.language import listed, mark, tr
from gui.board.board_paint import mixed
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.game.records import Summary
from gui.style.layout import column, grid_layout
from gui.style.theme import CAPTION, app_theme, smooth_painter, theme_source
from gui.text.numbers import NBSP, format_percent, format_seconds, format_whole
from gui.widgets.labels import label

_ROW_PX, _BAR_PX, _GAP_PX = 22, 8, 10


class TileRates(QWidget):
    """Bars of the shares in `Summary.tile_rates`, in the colors of the tiles."""

    def __init__(self) -> None:
        super().__init__()
        self._rates = Summary().tile_rates
        theme_source().changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rates(self, rates: tuple[tuple[int, float], ...]) -> None:
        self._rates = rates
        self.setAccessibleName(_reached_text(rates))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, _ROW_PX * len(self._rates))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        font = painter.font()
        font.setPixelSize(CAPTION)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        name_px = metrics.horizontalAdvance("131072") + _GAP_PX
        share_px = metrics.horizontalAdvance("100 %") + _GAP_PX
        for i, (exponent, share) in enumerate(self._rates):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setPen(app_theme().text)
            painter.drawText(row, middle, str(1 << exponent))
            right = middle | Qt.AlignmentFlag.AlignRight
            painter.drawText(row, right, format_percent(share))
            room = row.width() - name_px - share_px
            track = QRectF(name_px, row.center().y() - _BAR_PX / 2, room, _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(app_theme().background, app_theme().text, 0.08))
            painter.drawRoundedRect(track, _BAR_PX / 2, _BAR_PX / 2)
            track.setWidth(max(_BAR_PX, room * share))
            painter.setBrush(app_theme().accent)
            painter.drawRoundedRect(track, _BAR_PX / 2, _BAR_PX / 2)


_GAMES, _SCORE, _MOVES, _TIME, _FOURS = _ROWS = (
    mark("Games played"),
    mark("Score"),
    mark("Moves"),
    mark("Time"),
    mark("Fours"),
)
_NONE = "\N{EN DASH}"
_CHART_PX = 132


class GameStatistics(QWidget):
    """A small table, and below it the tiles reached by the finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.this_labels = {name: _value() for name in _ROWS}
        self.all_labels = {name: _value() for name in _ROWS}
        self.tile_rates = TileRates()
        self.score_chart = LineChart(tr("Scores of the finished games"), tr("Game"), first=1)
        self.score_chart.setFixedHeight(_CHART_PX)
        self._names = {name: label(tr(name), "caption") for name in _ROWS}
        self._all_caption = label(tr("Finished games"), "caption")
        self._reached_caption = label(tr("Games that reached"), "caption")
        column(
            self._table(),
            self._reached_caption,
            self.tile_rates,
            self.score_chart,
            space=12,
            parent=self,
        )
        self.this_labels[_GAMES].clear()
        self.show_summary(Summary())

    def show_game(self, game: Game) -> None:
        share = game.n_fours / game.n_moves if game.n_moves else None
        self.this_labels[_SCORE].setText(format_whole(game.score))
        _show(self.this_labels, game.n_moves, game.played_ms, share)
        self.this_labels[_FOURS].setToolTip(tr("Expected: {share}", share=_percent(game.spawn4)))

    def show_summary(self, summary: Summary) -> None:
        only_then = (
            self._all_caption, self._reached_caption, self.tile_rates, self._names[_GAMES],
            self.this_labels[_GAMES], *self.all_labels.values(),
        )  # fmt: skip
        for part in only_then:
            part.setVisible(summary.games > 0)
        games = format_whole(summary.games)
        if summary.helped:
            games = tr(
                "{games}, {helped} with help", games=games, helped=format_whole(summary.helped)
            )
        self.all_labels[_GAMES].setText(games)
        mean = format_whole(round(summary.mean))
        self.all_labels[_SCORE].setText(tr("{score} on average", score=mean))
        _show(self.all_labels, summary.moves, summary.ms, summary.four_share)
        self.tile_rates.show_rates(summary.tile_rates)
        scores = Series(tr("Score"), summary.scores, "accent", figure=_points)
        means = mean_series(summary.scores, "text_muted", _points)
        self.score_chart.setVisible(summary.games > 1)
        self.score_chart.show_series([scores, *means])

    def _table(self) -> QGridLayout:
        grid = grid_layout(space=(12, 4), wide=(1, 2))
        right = Qt.AlignmentFlag.AlignRight
        grid.addWidget(label(tr("This game"), "caption"), 0, 1, right)
        grid.addWidget(self._all_caption, 0, 2, right)
        for row, name in enumerate(_ROWS, 1):
            grid.addWidget(self._names[name], row, 0)
            grid.addWidget(self.this_labels[name], row, 1)
            grid.addWidget(self.all_labels[name], row, 2)
            self.this_labels[name].setAccessibleName(
                tr("{quantity} of this game", quantity=tr(name))
            )
            self.all_labels[name].setAccessibleName(
                tr("{quantity} of the finished games", quantity=tr(name))
            )
        return grid


def _reached_text(rates: tuple[tuple[int, float], ...]) -> str:
    words = [
        tr("{tile} in {share}", tile=1 << exponent, share=format_percent(share))
        for exponent, share in rates
    ]
    return tr("Games that reached {tiles}", tiles=listed(words)) if words else ""


def _points(score: float) -> str:
    return format_whole(round(score))


def _value() -> QLabel:
    value = QLabel(_NONE)
    value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return value


def _show(labels: dict[str, QLabel], moves: int, ms: int, four_share: float | None) -> None:
    labels[_MOVES].setText(format_whole(moves))
    labels[_TIME].setText(format_seconds(ms / 1000) if ms else _NONE)
    labels[_FOURS].setText(_NONE if four_share is None else _percent(four_share))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{NBSP}%"
