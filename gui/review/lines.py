"""The best line from the current position, looked up in the background, above the one played."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from coach.grading.principal_variation import Line, best_line, played_line
from coach.play.judge import Lookup, answer_of
from coach.recordings.recording import SEARCH, Recording
from engine.platform.language import tr
from engine.platform.quantities import rate_text
from engine.platform.tasks import Tasks
from gui.review.game import ReviewGame
from gui.style.layout import grid_layout
from gui.widgets.labels import label
from tablebase.probe.table import Table

_ARROWS = "\u2190\u2192\u2191\u2193"
_TO = " \u2192 "
N_PLIES = 5
SETTLE_MS = 150
"""Delay before a line is looked up, so that stepping through does not trigger it."""


class LinePair(QWidget):
    """A widget of two rows that keeps its size while its lines are looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.best_label, self.played_label = label("", "caption"), label("", "caption")
        grid = grid_layout(space=(12, 2), wide=(1,), parent=self)
        self._heads = (label(tr("Best line"), "caption"), label(tr("Played"), "caption"))
        for row, shown in enumerate((self.best_label, self.played_label)):
            grid.addWidget(self._heads[row], row, 0)
            grid.addWidget(shown, row, 1)
        tip = tr(
            "The chance with the first move and after the last, with the game's own tiles where "
            "they fit. A lucky tile can make up for a bad move. Compare uses other tiles."
        )
        self.setToolTip(tip)
        self.hide()

    def clear(self) -> None:
        self.best_label.setText("")
        self.played_label.setText("")

    def show_lines(self, best: Line, played: Line) -> None:
        """Show both lines; nothing if the table doesn't know the position."""
        if not best.directions:
            self.clear()
            self.hide()
            return
        is_same = best.directions == played.directions
        self.best_label.setText(tr("as played") if is_same else line_text(best))
        self.played_label.setText(line_text(played))


def line_text(line: Line) -> str:
    """Return the moves as arrows, and the rates at both ends.

    >>> line_text(Line((0, 3), (0.5, 0.6, None)))
    '\u2190 \u2193   50.0000 % \u2192 unknown'
    """
    arrows = " ".join(_ARROWS[direction] for direction in line.directions)
    ends = (line.rates[0], line.rates[-1])
    rates = _TO.join(tr("unknown") if rate is None else rate_text(rate) for rate in ends)
    return f"{arrows}   {rates}"


class LineFinder(QObject):
    """Compares the game with the best line, off the GUI thread; the latest position wins.

    The lines are hidden while no table knows the game.
    """

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        shown: LinePair,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._lookup, self._shown = Lookup(open_table, tasks), shown
        self._path: Path | None = None
        self._requested: tuple[Recording, int] | None = None
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._look)

    def follow(self, game: ReviewGame, path: Path | None) -> None:
        """Look up the line; a table that rates no position of the game is not queried."""
        recording = game.recording
        if path is None or recording is None or not recording.n_judged:
            self.close()
            return
        is_known = game.position < recording.n_moves
        is_known = is_known and recording.rater_at(game.position) != SEARCH
        self._requested = (recording, game.position) if is_known else None
        self._shown.clear()
        self._shown.setVisible(is_known)
        if path != self._path:
            self._path = path
            self._lookup.open(path, lambda _: self._timer.start(), lambda _: self.close())
        else:
            self._timer.start()

    def close(self) -> None:
        self._timer.stop()
        self._requested = None
        self._shown.hide()
        if self._path is not None:
            self._path = None
            self._lookup.close()

    def close_table(self, path: Path) -> None:
        if path == self._path:
            self.close()

    def _look(self) -> None:
        requested = self._requested
        if requested is None:
            return

        def done(lines: tuple[Line, Line]) -> None:
            if requested == self._requested:
                self._shown.show_lines(*lines)

        recording, position = requested
        self._lookup.run(lambda table: lines_from(table, recording, position), done, lambda _: None)


def lines_from(table: Table, recording: Recording, position: int) -> tuple[Line, Line]:
    """Return the best line and the one played, from a table; runs on the worker thread."""
    replay, boards = recording.replay, recording.boards
    end = min([i - 1 for i in recording.gaps if i > position], default=recording.n_moves)
    moves = replay.moves[position : min(position + N_PLIES, end)]

    def rates_at(board: int) -> tuple[float | None, float | None, float | None, float | None]:
        answer = answer_of(table, board)
        # If a move unknown to the table may be the best, there is no figure.
        return (None,) * 4 if answer.certain_rate is None else answer.rates

    best = best_line(rates_at, boards[position], moves, replay.walls)
    played = played_line(rates_at, boards[position : position + len(moves) + 1], moves)
    reaches_end = position + len(moves) == recording.n_moves and table.name == recording.table
    if reaches_end and played.rates[-1] is None:  # a table has no board of a lost or a won game
        played = replace(played, rates=(*played.rates[:-1], recording.end_rate))
    return best, played
