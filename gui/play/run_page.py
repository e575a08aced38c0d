"""A page on which a player plays runs, Test, Situations, Routes; and a run on its board."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton

from coach.exam.noted_move import noted_move
from coach.grading.names import POINTS_LOST, move_title, move_word
from coach.play.player import Player
from coach.play.rules import Refusal
from coach.play.run import PlayedMove, Run
from engine.bitboard import format_board
from engine.formats.replay import Cells
from engine.platform.language import mark, tr
from engine.platform.quantities import points_figure
from gui.board.board_view import BoardView
from gui.charts.chart_series import Series
from gui.keys.key_bindings import add_key_tips
from gui.play.board_page import BoardPage
from gui.play.page_actions import PageAction
from gui.text.boards import describe_cells
from gui.text.numbers import table_title
from gui.text.rates import lost_figure, margin_of_best
from gui.text.reviews import describe_wrong
from gui.widgets.result_card import MAX_MARKS, WrongMove

_SLOW_MS = 400
_READING = mark("Reading the table\N{HORIZONTAL ELLIPSIS}")


class BoardScreen(QObject):
    """The display of a run on the board, without any logic."""

    def __init__(self, player: Player, board_view: BoardView, line: QLabel) -> None:
        super().__init__(line)
        self._player, self._view, self._line = player, board_view, line
        self.shown: int | None = None
        self._is_reading = False
        self._slow_timer = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow_timer.timeout.connect(self._show_slow)

    def show_past(self, move: PlayedMove, number: int) -> None:
        """Show the verdict on a move of a run that is over, in the panel."""
        raise NotImplementedError

    def show_text(self, board: int) -> None:
        """Show a position as text, where the page has a place for it."""

    @property
    def has_position(self) -> bool:
        return self._player.run is not None

    @property
    def board(self) -> int:
        run = self.run
        return run.board if self.shown is None else run.moves[self.shown].board

    @property
    def run(self) -> Run:
        run = self._player.run
        assert run is not None
        return run

    def show_at_rest(self) -> None:
        self.shown = None
        self._show_cells(self.run.cells)

    def animate(self, move: PlayedMove) -> None:
        run = self.run
        tile, marked = (move.cell, move.exponent), self._marked(run.board)
        self._view.animate(move.slides, tile, run.cells, *marked)
        self._describe(run.cells)

    def show_number(self, number: int) -> None:
        """Show the position before a move of a run that is over, the best move as an arrow."""
        run = self._player.run
        if run is None or run.end is None or not run.n_moves:
            return
        self.shown = max(0, min(number, run.n_moves - 1))
        move = run.moves[self.shown]
        self._show_cells(move.before)
        if move.judged:
            self._view.show_hint(move.best, margin_of_best(move.rates, run.setup.tolerance))
        self.show_past(move, self.shown)

    def _show_cells(self, exponents: Cells) -> None:
        self._view.show_board(exponents, *self._marked(self.board))
        self._describe(exponents)

    def _marked(self, board: int) -> tuple[frozenset[int], frozenset[int]]:
        return self._player.locked(board), self._player.walls(board)

    def _describe(self, exponents: Cells) -> None:
        board = self.board
        text = describe_cells(exponents, bool(self._player.walls(board)))
        self._view.setAccessibleDescription(text)
        self.show_text(board)

    def show_line(self, text: str) -> None:
        """Show a line in the panel, such as why a move is not accepted; "" removes it."""
        self._slow_timer.stop()
        self._is_reading = False
        self._line.setText(text)

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        self.show_line(refusal_text(direction, refusal, self.run.setup.table))

    def begin_waiting(self) -> None:
        """Begin waiting for the table after a key press: show that if it takes long."""
        if not self._is_reading:
            self._line.setText("")
        if not self._slow_timer.isActive():  # further keys do not delay it
            self._slow_timer.start()

    def end_waiting(self) -> None:
        self._slow_timer.stop()
        if self._is_reading:
            self.show_line("")

    def _show_slow(self) -> None:
        player = self._player
        if player.run and player.is_playing and player.is_waiting:
            self._is_reading = True
            self._line.setText(tr(_READING))


def refusal_text(direction: int, refusal: Refusal, table: str) -> str:
    move, name = move_title(direction), table_title(table)
    if refusal is Refusal.ILLEGAL:
        return tr("{move} isn't possible: nothing slides that way.", move=move)
    if refusal is Refusal.UNKNOWN:
        return tr(
            "The {table} table can't rate {move} here. Try another move.",
            table=name,
            move=move_word(direction),
        )
    return tr(
        "{move} breaks the formation, so the {table} table can't rate it. Try another move.",
        move=move,
        table=name,
    )


def lost_series(run: Run) -> Series:
    """Return what a run had lost until after each move; nothing where nobody judges."""
    lost = run.lost_points if run.setup.is_judged else []
    return Series(
        tr(POINTS_LOST),
        [0.0, *lost],
        "accent",
        figure=lost_figure,
        tick=points_figure,
        has_zero=True,
    )


def wrong_moves(run: Run) -> list[WrongMove]:
    return [
        WrongMove(number, judged.grade, describe_wrong(judged, number + 1))
        for number in run.worst(MAX_MARKS)
        if (judged := run.moves[number].judged)
    ]


class RunPage(BoardPage):
    """What the listener of a player does by itself; the rest of `Listener` is up to the page."""

    player: Player
    display: BoardScreen
    drill_requested = Signal(str)  # then a test on the table with this name, if any
    panel: Any  # its `result` is the card of a run that is over

    def follow_result(self, tips: Mapping[str, QPushButton]) -> None:
        """Do what the card of the result asks for; `tips` are its buttons by their actions."""
        add_key_tips(self.actions_by_name, tips)
        self.panel.result.action_requested.connect(self.do)
        self.panel.result.move_chosen.connect(self.show_number)

    def do(self, name: str) -> None:
        """Perform an action; what is not one is a request for tables."""
        if name in self.actions_by_name:
            self.actions_by_name[name].trigger()
        elif name == "drill":
            self.drill_requested.emit("")
        else:
            self.tables_requested.emit()

    def practice_entry(self, tool: int | None) -> PageAction:
        text = tr("Practice this position")
        return PageAction("practice", text, self.practice, self.can_practice, "practice", tool)

    def save(self) -> None:
        if (run := self.player.run) and run.n_moves:
            self.keep(run)

    def keep(self, run: Run) -> None:
        """Save a run as it is now."""
        raise NotImplementedError

    def has_run(self) -> bool:
        return self.shows_board and self.player.run is not None

    def has_moves(self) -> bool:
        return self.has_run() and self.display.run.n_moves > 0

    def is_over(self) -> bool:
        return self.has_run() and self.display.run.end is not None

    def can_move(self) -> bool:
        return self.shows_board and self.player.is_playing

    def can_practice(self) -> bool:
        return self.has_run() and self._judging_table() is not None

    def can_switch(self) -> bool:
        return self.shows_board or self.player.run is not None

    def enable(self) -> None:
        super().enable()
        for name, button in self.panel.result.buttons.items():
            if name in self.actions_by_name:
                button.setEnabled(self.actions_by_name[name].isEnabled())

    def press(self, direction: int) -> None:
        """Play a move, or queue it until the table has answered."""
        if self.player.is_playing:
            self.display.begin_waiting()
            self.player.press(direction)
            self.enable()  # a queued move can be taken back

    def practice(self) -> None:
        if self.has_run() and (path := self._judging_table()):
            self.practice_requested.emit(path, format_board(self.display.board))

    def show_number(self, number: int) -> None:
        self.display.show_number(number)
        self.enable()

    def note(self, move: PlayedMove, source: str = "", when: datetime | None = None) -> None:
        """File the last move, an imperfect one, as a mistake."""
        if self.note_mistake:
            number, when = self.display.run.n_moves, when or self._now()
            self.note_mistake(noted_move(self.player, move, number, when, source))

    def _judging_table(self) -> Path | None:
        run = self.player.run
        return self.player.path if run and run.setup.is_judged else None

    def show_undo(self) -> None:
        """Do nothing where no move is taken back."""

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        self.display.show_refusal(direction, refusal)

    def show_ready(self) -> None:
        self.display.end_waiting()
