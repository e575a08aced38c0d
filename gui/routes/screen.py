"""Shows a run on the board and in the panel beside it, and wrong moves until they are corrected."""

from PySide6.QtCore import QObject, QTimer, Signal

from coach.play.run import PlayedMove, Run, board_of
from gui.board.board_view import BoardView
from gui.routes.panel import CorrectionCard, RoutePanel
from gui.routes.player import RoutePlayer
from gui.routes.text import best_of
from gui.text.boards import describe_cells
from gui.text.rates import margin_of_best

_MIN_SEEN_MS = 250  # keys pressed before that were for the next move


class RouteScreen(QObject):
    """The display of a run.

    Signals
    -------
    corrected
        The corrected move and its new tile are on the board.

    Attributes
    ----------
    shown : int or None
        The move shown after the end.
    """

    corrected = Signal()

    def __init__(self, player: RoutePlayer, board_view: BoardView, panel: RoutePanel) -> None:
        super().__init__(panel)
        self._player, self._view, self._panel = player, board_view, panel
        self._pending: PlayedMove | None = None  # wrong, shown, and not yet corrected
        self.shown: int | None = None
        self.correction = CorrectionCard(board_view)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.finish_correction)

    @property
    def board(self) -> int:
        """The position on the board."""
        run = self._run
        return run.board if self.shown is None else board_of(run.moves[self.shown].before)

    @property
    def is_correcting(self) -> bool:
        """Whether a wrong move is shown that is not yet corrected."""
        return self._pending is not None

    def show_start(self) -> None:
        """Show the position at which a run begins or resumes."""
        run = self._run
        self.shown, self._pending = None, None
        self._panel.show_run(run)
        self._panel.show_move(run.last, run)
        self._show_at_rest()

    def show_move(self, move: PlayedMove, pause_ms: int) -> None:
        """Show a move and its verdict; a wrong one stays for a while, 0 to correct at once."""
        run = self._run
        self._pending = move
        if move.is_corrected and pause_ms:
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
        """Show the corrected move, already made, and its new tile."""
        move, self._pending = self._pending, None
        self._timer.stop()
        self.correction.hide()
        self._view.show_hint(None)
        run = self._player.run
        if move is None or run is None:
            return
        if is_animated:
            tile, marked = (move.cell, move.exponent), self._marked(run.board)
            self._view.animate(move.slides, tile, run.cells, *marked)
            self._describe_board(run.board)
        else:
            self._show_at_rest()
        self.corrected.emit()

    def show_result(self) -> None:
        """Show the result of a run that is over."""
        self._panel.show_line("")
        self._panel.result.show_result(self._run)
        self._view.show_hint(None)

    def show_number(self, number: int) -> None:
        """Show the position before a move of a finished run, the best move as an arrow."""
        run = self._player.run
        if run is None or run.end is None or not run.n_moves:
            return
        self.shown = max(0, min(number, run.n_moves - 1))
        move = run.moves[self.shown]
        board = move.board
        self._view.show_board(move.before, *self._marked(board))
        if move.judged:
            self._view.show_hint(best_of(move), margin_of_best(move.rates, run.setup.tolerance))
        self._describe_board(board)
        self._panel.show_move(move, run)
        self._panel.result.show_chosen(self.shown)

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

    @property
    def _run(self) -> Run:
        run = self._player.run
        assert run is not None
        return run

    def _marked(self, board: int) -> tuple[frozenset[int], frozenset[int]]:
        return self._player.locked(board), self._player.walls(board)

    def _show_at_rest(self) -> None:
        run = self._run
        self._view.show_hint(None)
        self._view.show_board(run.cells, *self._marked(run.board))
        self._describe_board(run.board)

    def _describe_board(self, board: int) -> None:
        run = self._run
        cells = run.cells if self.shown is None else run.moves[self.shown].before
        text = describe_cells(cells, bool(self._player.walls(board)))
        self._view.setAccessibleDescription(text)
