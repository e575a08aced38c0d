"""Shows a run on the board and in the panel beside it, and wrong moves until they are corrected."""

from PySide6.QtCore import QTimer, Signal

from coach.play.player import Player
from coach.play.run import PlayedMove
from gui.board.board_view import BoardView
from gui.play.run_page import BoardScreen
from gui.routes.panel import CorrectionCard, RoutePanel

_MIN_SEEN_MS = 250  # keys pressed before that were for the next move


class RouteScreen(BoardScreen):
    """The display of a run."""

    corrected = Signal()  # the new tile is on the board, too

    def __init__(self, player: Player, board_view: BoardView, panel: RoutePanel) -> None:
        super().__init__(player, board_view, panel.line)
        self._panel = panel
        self._pending: PlayedMove | None = None  # wrong, shown, and not yet corrected
        self.correction = CorrectionCard(board_view)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.finish_correction)

    @property
    def is_correcting(self) -> bool:
        return self._pending is not None

    def show_past(self, move: PlayedMove, number: int) -> None:
        self._panel.show_move(move, self.run, is_past=True)
        self._panel.result.show_chosen(number)

    def show_start(self) -> None:
        run = self.run
        self._pending = None
        self._panel.show_run(run)
        self._panel.show_move(run.last, run)
        self.show_line("")
        self._rest()

    def show_move(self, move: PlayedMove, pause_ms: int) -> None:
        """Show a move and its verdict; a wrong one stays for a while, 0 to correct at once."""
        run = self.run
        self.show_line("")
        self._pending = move
        if move.is_corrected and pause_ms:
            self._player.drop_keys()  # meant for the board after the wrong move
            self.correction.show_move(move, run)
            self._view.show_hint(move.made, 1.0)
            self._timer.start(pause_ms)
        else:
            self.finish_correction()
        self._panel.show_move(move, run)
        self._panel.show_score(run)

    def dismiss_correction(self) -> None:
        """Go on after a correction that was long enough on the board to be seen."""
        if self._timer.interval() - self._timer.remainingTime() >= _MIN_SEEN_MS:
            self.finish_correction()

    def finish_correction(self, is_animated: bool = True) -> None:
        move, self._pending = self._pending, None
        self._timer.stop()
        self.correction.hide()
        self._view.show_hint(None)
        if move is None or self._player.run is None:
            return
        if is_animated:
            self.animate(move)
        else:
            self._rest()
        self.corrected.emit()

    def show_result(self) -> None:
        self.show_line("")
        self._panel.result.show_result(self.run)
        self._panel.score.hide()  # the card says it
        self._view.show_hint(None)

    def step_mistake(self, step: int) -> None:
        """Show the next mistake of a finished run, or with -1 the previous one."""
        run = self._player.run
        if run is None or run.end is None:
            return
        at = run.n_moves if self.shown is None else self.shown
        wrong = [i for i, move in enumerate(run.moves) if move.is_mistake]
        ahead = [i for i in wrong if (i - at) * step > 0]
        if ahead:
            self.show_number(min(ahead, key=lambda i: abs(i - at)))

    def _rest(self) -> None:
        self._view.show_hint(None)
        self.show_at_rest()
