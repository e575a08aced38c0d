"""Moves, time and fours, of this game and of all that were finished, and how those ended."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from engine.game import Game
from gui.formats import NBSP, format_seconds
from gui.game_records import Summary
from gui.theme import Theme
from gui.widgets.labels import label, line
from gui.widgets.score_figure import spaced
from gui.widgets.tile_rates import TileRates

_GAMES, _SCORE, _MOVES, _TIME, _FOURS = _ROWS = ("Games", "Score", "Moves", "Time", "Fours")
_NONE = "\N{EN DASH}"


class GameStatistics(QWidget):
    """A small table, and below it what the finished games reached.

    Attributes
    ----------
    this_labels, all_labels : dict of str to QLabel
        The values of this game and of all finished ones, by the names of the rows.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.this_labels = {name: _value() for name in _ROWS}
        self.all_labels = {name: _value() for name in _ROWS}
        self.tile_rates = TileRates(theme)
        self._names = {name: label(name, "caption") for name in _ROWS}
        self._all_caption = label("Finished games", "caption")
        self._reached_caption = label("Games that reached", "caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(line())
        column.addLayout(self._table())
        column.addWidget(self._reached_caption)
        column.addWidget(self.tile_rates)
        self.this_labels[_GAMES].clear()
        self.show_summary(Summary())

    def show_game(self, game: Game) -> None:
        """Show the moves of a game that stand."""
        share = game.n_fours / game.n_moves if game.n_moves else None
        self.this_labels[_SCORE].setText(spaced(game.score))
        _show(self.this_labels, game.n_moves, game.played_ms, share)
        self.this_labels[_FOURS].setToolTip(f"{_percent(game.spawn4)} are to be expected")

    def show_summary(self, summary: Summary) -> None:
        """Show what the finished games add up to."""
        only_then = (
            self._all_caption, self._reached_caption, self.tile_rates, self._names[_GAMES],
            self.this_labels[_GAMES], *self.all_labels.values(),
        )  # fmt: skip
        for part in only_then:
            part.setVisible(summary.games > 0)
        helped = f", {spaced(summary.helped)} with help" if summary.helped else ""
        self.all_labels[_GAMES].setText(f"{spaced(summary.games)}{helped}")
        self.all_labels[_SCORE].setText(f"{spaced(round(summary.mean))} on average")
        _show(self.all_labels, summary.moves, summary.ms, summary.four_share)
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
            grid.addWidget(self._names[name], row, 0)
            grid.addWidget(self.this_labels[name], row, 1)
            grid.addWidget(self.all_labels[name], row, 2)
            self.this_labels[name].setAccessibleName(f"{name} of this game")
            self.all_labels[name].setAccessibleName(f"{name} of the finished games")
        return grid


def _value() -> QLabel:
    value = QLabel(_NONE)
    value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return value


def _show(labels: dict[str, QLabel], moves: int, ms: int, four_share: float | None) -> None:
    labels[_MOVES].setText(spaced(moves))
    labels[_TIME].setText(format_seconds(ms / 1000) if ms else _NONE)
    labels[_FOURS].setText(_NONE if four_share is None else _percent(four_share))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{NBSP}%"
