"""Shows a test on the board and in the panel beside it."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from coach.play.rules import Refusal
from coach.play.run import PlayedMove, Run
from engine.bitboard import cells, format_board
from engine.platform.errors import InvalidBoardError
from engine.platform.language import mark, tr
from gui.board.board_view import BoardView
from gui.board.hex_field import HexField
from gui.board.pasting import Pasting
from gui.exam.panel import ExamPanel
from gui.exam.player import ExamPlayer
from gui.exam.text import (
    FIRST_MOVE,
    FIRST_MOVE_HIDDEN,
    failure_message,
    goal_text,
    refusal_text,
    verdict_of,
)
from gui.text.boards import describe_cells
from gui.text.messages import sentence
from gui.text.rates import margin_of_best
from gui.widgets.notice import Message
from gui.work.tasks import TaskRunner

_CLOCK_MS = 50
_SLOW_MS = 400
_READING = mark("Reading the table\N{HORIZONTAL ELLIPSIS}")


class ExamScreen:
    """The display of a test, without any logic.

    Attributes
    ----------
    is_focused : bool
        Whether everything that reveals how well the user plays is hidden during the test.
    """

    def __init__(self, player: ExamPlayer, board_view: BoardView, panel: ExamPanel) -> None:
        self._player, self._view, self._panel = player, board_view, panel
        self._chosen: int | None = None  # the move shown after the end
        self.is_focused = False
        self._slow_timer, self._clock_timer = QTimer(panel), QTimer(panel)
        self._slow_timer.setSingleShot(True)
        self._slow_timer.setInterval(_SLOW_MS)
        self._slow_timer.timeout.connect(self._show_slow)
        self._clock_timer.setInterval(_CLOCK_MS)
        self._clock_timer.timeout.connect(self._tick)

    @property
    def has_position(self) -> bool:
        """Whether there is a position on the board."""
        return self._player.session is not None

    @property
    def board(self) -> int:
        """The position on the board."""
        session = self._session
        return session.board if self._chosen is None else session.moves[self._chosen].board

    @property
    def chosen(self) -> int | None:
        """The index of the shown move of the finished test, from 0; None without one."""
        return self._chosen

    def show_notice(self, message: Message) -> None:
        """Show a message in place of a test."""
        self._chosen = None
        self._panel.result.hide()
        self._panel.show_notice(message)
        self._panel.last_stack.show()
        self._view.show_board([0] * 16)
        self._panel.hex_field.show_position("")
        self._panel.goal_label.setText("")
        self.show_clock()

    def show_failure(self, error: BaseException) -> None:
        """Show that the table cannot be read; the board stays."""
        self.end_waiting()
        self._panel.show_notice(failure_message(error))
        self._panel.last_stack.show()

    def show_position(self, message: Message) -> None:
        """Show the position without animation, with the last move, or a notice if there is none."""
        self._chosen = None
        self._panel.result.hide()
        self._panel.show_refusal("")
        board = self._session.board
        self._view.show_board(cells(board), *self._marked(board))
        self._describe_board(board)
        self._show_last(message)
        self.show_score()

    def show_focus(self, is_focused: bool) -> None:
        """Hide all that tells how well the person plays, or show it again."""
        self.is_focused = is_focused
        if not self.has_position:
            return
        if self._player.is_playing and not self._session.n_moves:
            self._show_last(FIRST_MOVE)
        self.show_score()

    def show_move(self, move: PlayedMove) -> None:
        """Show a move with animation, and its verdict."""
        self.end_waiting()
        board = self._session.board
        spawned = (move.cell, move.exponent)
        self._view.animate(move.slides, spawned, cells(board), *self._marked(board))
        self._describe_board(board)
        self._show_last(FIRST_MOVE)
        self.show_score()

    def show_refusal(self, direction: int, refusal: Refusal) -> None:
        """Show in one line why a move is not accepted."""
        self.end_waiting()
        name = self._session.setup.table
        self._panel.show_refusal(refusal_text(direction, refusal, name))

    def show_end(self) -> None:
        """Show the result of the test."""
        session = self._session
        self.end_waiting()
        self._panel.show_refusal("")
        self._panel.result.show_result(session)
        self._panel.last_stack.setVisible(session.n_moves > 0)
        self.show_score()

    def show_number(self, number: int) -> None:
        """Show the position before a move of the finished test, the best move as an arrow."""
        session = self._session
        if not session.n_moves:
            return
        self._chosen = max(0, min(number, session.n_moves - 1))
        move = session.moves[self._chosen]
        self._view.show_board(cells(move.board), *self._marked(move.board))
        best = max(move.judgement.best, key=lambda direction: move.rates[direction] or 0.0)
        self._view.show_hint(best, margin_of_best(move.rates, session.setup.tolerance))
        self._describe_board(move.board)
        self._show_verdict(move)
        self._panel.result.show_chosen(self._chosen)

    def show_score(self) -> None:
        """Show the score, as far as it is not hidden."""
        session = self._session
        setup = session.setup
        self._panel.show_score(
            session.score, session.n_moves, session.n_undos, setup.perfect_within, setup.goal
        )
        made = self._player.made(session.board)
        self._panel.goal_label.setText(goal_text(session, made))
        self._panel.show_focus(self.is_focused and session.end is None)
        self.show_clock()

    # Time -----------------------------------------------------------------------------------

    def begin_waiting(self) -> None:
        """Begin waiting for the table after a key press: show that if it takes long."""
        if self._panel.refusal.text() != tr(_READING):
            self._panel.show_refusal("")
        if not self._slow_timer.isActive():  # further keys do not delay it
            self._slow_timer.start()

    def end_waiting(self) -> None:
        """End waiting, as the table has answered."""
        self._slow_timer.stop()
        if self._panel.refusal.text() == tr(_READING):
            self._panel.show_refusal("")

    def show_clock(self) -> None:
        """Show the time for the move, if it is limited and the board is visible."""
        player = self._player
        session = player.session
        is_timed = bool(session and player.is_playing and session.setup.seconds_per_move)
        if is_timed and self._view.isVisible():
            self._clock_timer.start()
        else:
            self._clock_timer.stop()
        left = player.clock.left if is_timed else None
        self._panel.show_time(left, player.clock.seconds_left)

    def _tick(self) -> None:
        self._player.check_clock()
        self.show_clock()

    def _show_slow(self) -> None:
        if self._player.is_playing and self._player.answer is None:
            self._panel.show_refusal(tr(_READING))

    # Parts ----------------------------------------------------------------------------------

    @property
    def _session(self) -> Run:
        session = self._player.session
        assert session is not None
        return session

    def _marked(self, board: int) -> tuple[frozenset[int], frozenset[int]]:
        return self._player.locked(board), self._player.walls(board)

    def _describe_board(self, board: int) -> None:
        walls = bool(self._player.walls(board))
        self._view.setAccessibleDescription(describe_cells(cells(board), walls))
        self._panel.hex_field.show_position(format_board(board))

    def _show_last(self, message: Message) -> None:
        last = self._session.last
        if last:
            self._show_verdict(last)
        elif self.is_focused and message is FIRST_MOVE:
            self._panel.show_notice(FIRST_MOVE_HIDDEN)
        else:
            self._panel.show_notice(message)
        self._panel.last_stack.show()

    def _show_verdict(self, move: PlayedMove) -> None:
        tolerance = self._session.setup.tolerance
        text = verdict_of(move, tolerance)
        self._panel.show_move(move, text, tolerance, *self._marked(move.board))


class PositionText:
    """Connects the position field, the clipboard and the test.

    Parameters
    ----------
    start_at : callable
        Begins a test at a position; raises InvalidBoardError if it is invalid.
    """

    def __init__(
        self,
        field: HexField,
        display: ExamScreen,
        start_at: Callable[[str], None],
        leave: Callable[[], None],
        tasks: TaskRunner,
    ) -> None:
        self._field, self._display = field, display
        self._start_at, self._leave = start_at, leave
        self._pasting = Pasting(field, tasks, self.start_at)
        field.entered.connect(self.start_at)
        field.dropped.connect(leave)
        field.copy_button.clicked.connect(lambda _=False: self.copy())

    def start_at(self, text: str) -> None:
        """Begin a test at the typed position, or show why that's impossible."""
        self._field.edit.setModified(False)
        self._field.show_error("")
        try:
            self._start_at(text)
            self._leave()
        except InvalidBoardError as error:
            self._field.refuse(error)

    def refuse(self, reason: str) -> None:
        """Show why a position can't be a start."""
        self._field.show_error(sentence(reason))

    def copy(self) -> None:
        """Copy the position shown, if there is one, to the clipboard."""
        if self._display.has_position:
            QGuiApplication.clipboard().setText(format_board(self._display.board))

    def paste(self) -> None:
        """Begin a test at the position on the clipboard."""
        self._pasting.paste()
