"""Moves, time and 4s of this game and of all finished ones, and the results of those."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from engine.game import Game
from engine.platform.language import listed, mark, tr
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.game.records import Summary
from gui.style.layout import column, grid_layout
from gui.text.numbers import NBSP, format_percent, format_seconds, format_whole
from gui.widgets.labels import label, show_text

_GAMES, _SCORE, _MOVES, _TIME, _FOURS = _ROWS = (
    mark("Games played"),
    mark("Score"),
    mark("Moves"),
    mark("Time"),
    mark("Share of 4s"),
)
_CHART_PX = 132


class GameStatistics(QWidget):
    """A small table, and below it the tiles and scores of the finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.this_labels = {name: _value() for name in _ROWS}
        self.all_labels = {name: _value() for name in _ROWS}
        self.reached_label = label("", "caption", wraps=True)
        self.score_chart = LineChart(tr("Scores of the finished games"), tr("Game"), first=1)
        self.score_chart.setFixedHeight(_CHART_PX)
        self._of_all = [label(tr("Finished games"), "caption"), label(tr(_GAMES), "caption")]
        column(self._table(), self.reached_label, self.score_chart, space=12, parent=self)
        self.show_summary(Summary())

    def show_game(self, game: Game) -> None:
        share = game.n_fours / game.n_moves if game.n_moves else None
        self.this_labels[_SCORE].setText(format_whole(game.score))
        _show(self.this_labels, game.n_moves, game.played_ms, share)
        self.this_labels[_FOURS].setToolTip(tr("Expected: {share}", share=_percent(game.spawn4)))

    def show_summary(self, summary: Summary) -> None:
        self.n_games = summary.games
        for part in (*self._of_all, self.this_labels[_GAMES], *self.all_labels.values()):
            part.setVisible(summary.games > 0)
        games = format_whole(summary.games)
        if summary.helped:
            games = tr(
                "{games} ({helped} with help)", games=games, helped=format_whole(summary.helped)
            )
        self.all_labels[_GAMES].setText(games)
        mean = format_whole(round(summary.mean))
        self.all_labels[_SCORE].setText(tr("{score} on average", score=mean))
        _show(self.all_labels, summary.moves, summary.ms, summary.four_share)
        show_text(self.reached_label, _reached_text(summary.tile_rates))
        scores = Series(tr("Score"), summary.scores, "accent", figure=_points)
        means = mean_series(summary.scores, "text_muted", _points)
        self.score_chart.setVisible(summary.games > 1)
        self.score_chart.show_series([scores, *means])

    def _table(self) -> QGridLayout:
        grid = grid_layout(space=(12, 4), wide=(1, 2))
        right = Qt.AlignmentFlag.AlignRight
        finished, games = self._of_all
        grid.addWidget(label(tr("This game"), "caption"), 0, 1, right)
        grid.addWidget(finished, 0, 2, right)
        for row, name in enumerate(_ROWS, 1):
            grid.addWidget(games if name == _GAMES else label(tr(name), "caption"), row, 0)
            grid.addWidget(self.this_labels[name], row, 1)
            grid.addWidget(self.all_labels[name], row, 2)
            of_this = tr("{quantity} of this game", quantity=tr(name))
            of_all = tr("{quantity} of the finished games", quantity=tr(name))
            self.this_labels[name].setAccessibleName(of_this)
            self.all_labels[name].setAccessibleName(of_all)
        return grid


def _reached_text(rates: tuple[tuple[int, float], ...]) -> str:
    words = [
        tr("{tile} ({share})", tile=1 << exponent, share=format_percent(share))
        for exponent, share in rates
    ]
    return tr("Tiles reached: {tiles}", tiles=listed(words)) if words else ""


def _points(score: float) -> str:
    return format_whole(round(score))


def _value() -> QLabel:
    value = QLabel()
    value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return value


def _show(labels: dict[str, QLabel], moves: int, ms: int, four_share: float | None) -> None:
    labels[_MOVES].setText(format_whole(moves))
    labels[_TIME].setText(format_seconds(ms / 1000) if ms else "")
    labels[_FOURS].setText("" if four_share is None else _percent(four_share))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{NBSP}%"
