"""Shows a test on the board and in the panel beside it."""

from PySide6.QtCore import QTimer

from coach.play.player import Player
from coach.play.rules import Refusal
from coach.play.run import PlayedMove
from engine.bitboard import format_board
from gui.board.board_view import BoardView
from gui.exam.panel import ExamPanel
from gui.exam.text import (
    FIRST_MOVE,
    FIRST_MOVE_HIDDEN,
    breaking_text,
    failure_message,
    goal_text,
    verdict_of,
)
from gui.play.run_page import BoardScreen
from gui.widgets.notice import Message

_CLOCK_MS = 50


class ExamScreen(BoardScreen):
    """The display of a test, without any logic."""

    def __init__(self, player: Player, board_view: BoardView, panel: ExamPanel) -> None:
        super().__init__(player, board_view, panel.refusal)
        self._panel = panel
        self.is_focused = False
        self._clock_timer = QTimer(self, interval=_CLOCK_MS)
        self._clock_timer.timeout.connect(self._tick)

    def show_text(self, board: int) -> None:
        self._panel.hex_field.show_position(format_board(board))

    def show_past(self, move: PlayedMove, number: int) -> None:
        self._show_verdict(move)
        self._panel.result.show_chosen(number)

    def show_notice(self, message: Message) -> None:
        self.shown = None
        self._panel.result.hide()
        self._panel.show_notice(message)
        self._panel.last_stack.show()
        self._view.show_board([0] * 16)
        self._panel.hex_field.show_position("")
        self._panel.goal_label.setText("")
        self.show_clock()

    def show_failure(self, error: BaseException) -> None:
        self.end_waiting()
        self._panel.show_notice(failure_message(error))
        self._panel.last_stack.show()

    def show_position(self) -> None:
        self._panel.result.hide()
        self.show_line("")
        self.show_at_rest()
        self._show_last()
        self.show_score()

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        super().show_refusal(direction, refusal)
        if refusal is Refusal.LEAVES:  # a hint, so it is counted
            self.show_line(breaking_text(direction, self.run.n_breaking))

    def show_focus(self, is_focused: bool) -> None:
        self.is_focused = is_focused
        if not self.has_position:
            return
        if self._player.is_playing and not self.run.n_moves:
            self._show_last()
        self.show_score()

    def show_move(self, move: PlayedMove) -> None:
        self.end_waiting()
        self.animate(move)
        self._show_last()
        self.show_score()

    def show_end(self) -> None:
        run = self.run
        self.show_line("")
        self._panel.result.show_result(run)
        self._panel.last_stack.setVisible(run.n_moves > 0)
        self.show_score()

    def show_score(self) -> None:
        run = self.run
        self._panel.show_score(run)
        self._panel.goal_label.setText(goal_text(run, self._player.made(run.board)))
        self._panel.show_focus(self.is_focused and run.end is None)
        self.show_clock()

    def show_clock(self) -> None:
        player = self._player
        run = player.run
        is_timed = bool(run and player.is_playing and run.setup.seconds_per_move)
        if is_timed and self._view.isVisible():
            self._clock_timer.start()
        else:
            self._clock_timer.stop()
        left = player.clock.left if is_timed else None
        self._panel.show_time(left, player.clock.seconds_left)

    def _tick(self) -> None:
        self._player.check_clock()
        self.show_clock()

    def _show_last(self) -> None:
        if last := self.run.last:
            self._show_verdict(last)
        else:
            self._panel.show_notice(FIRST_MOVE_HIDDEN if self.is_focused else FIRST_MOVE)
        self._panel.last_stack.show()

    def _show_verdict(self, move: PlayedMove) -> None:
        tolerance = self.run.setup.tolerance
        text = verdict_of(move, tolerance)
        self._panel.show_move(move, text, tolerance, *self._marked(move.board))
