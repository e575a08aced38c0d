"""Moves, time and fours, of this game and of all that were finished, and how those ended."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.game import Game
from gui.formats import NBSP, format_seconds
from gui.game_records import Summary
from gui.theme import Theme
from gui.widgets.labels import Figure, label, line
from gui.widgets.score_figure import spaced
from gui.widgets.tile_rates import TileRates

_ROWS = ("Moves", "Time", "Fours")
_NONE = "\N{EN DASH}"


class GameStatistics(QWidget):
    """A small table, and below it what the finished games reached."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.this_labels = {name: _value() for name in _ROWS}
        self.all_labels = {name: _value() for name in _ROWS}
        self.games, self.mean = Figure("Finished games"), Figure("Mean score")
        self.tile_rates = TileRates(theme)
        self._all_caption = label("Finished games", "caption")
        self._finished = self._make_finished()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(line())
        column.addLayout(self._table())
        column.addWidget(self._finished)
        self.show_summary(Summary())

    def show_game(self, game: Game) -> None:
        """Show the moves of a game that stand."""
        share = game.n_fours / game.n_moves if game.n_moves else None
        _show(self.this_labels, game.n_moves, game.played_ms, share)
        self.this_labels["Fours"].setToolTip(f"{_percent(game.spawn4)} are to be expected")

    def show_summary(self, summary: Summary) -> None:
        """Show what the finished games add up to."""
        has_games = summary.games > 0
        self._finished.setVisible(has_games)
        for part in (self._all_caption, *self.all_labels.values()):
            part.setVisible(has_games)
        _show(self.all_labels, summary.moves, summary.ms, summary.four_share)
        helped = f"{spaced(summary.helped)} with help" if summary.helped else ""
        self.games.show_value(spaced(summary.games), helped)
        self.mean.show_value(spaced(round(summary.mean)))
        self.tile_rates.show_rates(summary.tile_rates)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self.tile_rates.set_theme(theme)

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        right = Qt.AlignmentFlag.AlignRight
        grid.addWidget(label("This game", "caption"), 0, 1, right)
        grid.addWidget(self._all_caption, 0, 2, right)
        for row, name in enumerate(_ROWS, 1):
            grid.addWidget(label(name, "caption"), row, 0)
            grid.addWidget(self.this_labels[name], row, 1)
            grid.addWidget(self.all_labels[name], row, 2)
            self.this_labels[name].setAccessibleName(f"{name} of this game")
            self.all_labels[name].setAccessibleName(f"{name} of the finished games")
        return grid

    def _make_finished(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        figures = QHBoxLayout()
        figures.setSpacing(24)
        for figure in (self.games, self.mean):
            figures.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)
        figures.addStretch()
        column.addWidget(line())
        column.addLayout(figures)
        column.addWidget(label("Games that reached", "caption"))
        column.addWidget(self.tile_rates)
        return box


def _value() -> QLabel:
    value = QLabel(_NONE)
    value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return value


def _show(labels: dict[str, QLabel], moves: int, ms: int, four_share: float | None) -> None:
    labels["Moves"].setText(spaced(moves))
    labels["Time"].setText(format_seconds(ms / 1000) if ms else _NONE)
    labels["Fours"].setText(_NONE if four_share is None else _percent(four_share))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{NBSP}%"
