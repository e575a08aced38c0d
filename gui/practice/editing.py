"""The editing mode of the page: starting it, checking a picture's board, applying the result."""

from collections.abc import Callable

from engine.bitboard import cells, format_board
from engine.formats.board_text import PastedBoard
from engine.platform.language import sentences
from gui.board.board_view import BoardView
from gui.board.pasting import doubts_text
from gui.practice.edit import EditBar
from gui.practice.game import PracticeGame
from gui.practice.practice_panel import PracticePanel


class Editing:
    """Lets the user edit the board of a game.

    Parameters
    ----------
    game, view, panel : the parts of the page
    prepare : callable
        Called before an edit begins, to stop automatic play and remove heat maps.
    show_bar : callable
        Shows the bar of the edit, or the actions again.
    enable : callable
        Enables the actions that apply now.

    Attributes
    ----------
    bar : EditBar
    """

    def __init__(
        self,
        game: PracticeGame,
        view: BoardView,
        panel: PracticePanel,
        prepare: Callable[[], None],
        show_bar: Callable[[bool], None],
        enable: Callable[[], None],
    ) -> None:
        self._game, self._view, self._panel = game, view, panel
        self._prepare, self._show_bar, self._enable = prepare, show_bar, enable
        self.bar = EditBar(view, self._draw, self._end)

    def toggle(self) -> None:
        """Begin editing the board, or apply the edit."""
        if self.bar.is_active:
            self.bar.finish(keep=True)
        elif self._game.step:
            self._begin(self._game.step.board)

    def check(self, pasted: PastedBoard) -> None:
        """Open a board from a picture for editing, with its doubtful squares framed."""
        if self._game.step is None:
            return
        self._begin(pasted.board)
        self._draw(pasted.board)
        self._view.show_doubts(pasted.doubtful)
        self._panel.show_verdict(None, sentences(doubts_text(pasted), pasted.note))

    def _begin(self, board: int) -> None:
        self._prepare()
        self._game.hold(True)
        self._view.show_hint(None)
        self.bar.begin(board, bool(self._game.walls(board)))
        self._show_bar(True)
        self._enable()

    def _draw(self, board: int) -> None:
        self._view.show_board(cells(board), (), self._game.walls(board))
        self._panel.show_hex(format_board(board))

    def _end(self, board: int | None) -> None:
        self._game.hold(False)
        self._show_bar(False)
        self._view.show_doubts(())
        self._view.setFocus()
        if board is not None:
            self._game.walk(lambda session: session.edit(board))
        else:
            self._game.show_again()
        self._enable()
