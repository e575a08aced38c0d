"""The editing mode of the page: begun, checked when a picture was read, its board handed over."""

from collections.abc import Callable

from engine.bitboard import cells, format_board
from engine.formats.board_text import PastedBoard
from engine.language import sentences
from gui.board.board_view import BoardView
from gui.board.pasting import doubts_text
from gui.practice.edit import EditBar
from gui.practice.game import PracticeGame
from gui.practice.practice_panel import PracticePanel
from gui.style.theme import Theme


class Editing:
    """Lets the person edit the board of a game.

    Parameters
    ----------
    game, view, panel : the parts of the page
    theme : Theme
    prepare : callable
        Called before an edit begins: nothing plays itself, and no map is on the board.
    show_bar : callable
        Shows the bar of the edit, or the actions again.
    enable : callable
        Lets those actions be chosen that do something now.

    Attributes
    ----------
    bar : EditBar
    """

    def __init__(
        self,
        game: PracticeGame,
        view: BoardView,
        panel: PracticePanel,
        theme: Theme,
        prepare: Callable[[], None],
        show_bar: Callable[[bool], None],
        enable: Callable[[], None],
    ) -> None:
        self._game, self._view, self._panel = game, view, panel
        self._prepare, self._show_bar, self._enable = prepare, show_bar, enable
        self.bar = EditBar(view, theme, self._draw, self._end)

    def toggle(self) -> None:
        """Begin to edit the board, or keep what was edited."""
        if self.bar.is_active:
            self.bar.finish(keep=True)
        elif self._game.step:
            self._begin(self._game.step.board)

    def check(self, pasted: PastedBoard) -> None:
        """Have a board from a picture edited before it is taken, its doubtful squares framed."""
        if self._game.step is None:
            return
        self._begin(pasted.board)
        self._draw(pasted.board)
        self._view.show_doubts(pasted.doubtful)
        self._panel.show_verdict(None, sentences(doubts_text(pasted), pasted.note))

    def _begin(self, board: int) -> None:
        self._prepare()
        self._view.show_hint(None)
        self.bar.begin(board, bool(self._game.walls(board)))
        self._show_bar(True)
        self._enable()

    def _draw(self, board: int) -> None:
        self._view.show_board(cells(board), (), self._game.walls(board))
        self._panel.show_hex(format_board(board))

    def _end(self, board: int | None) -> None:
        self._show_bar(False)
        self._view.show_doubts(())
        self._view.setFocus()
        if board is not None:
            self._game.walk(lambda session: session.edit(board))
        else:
            self._game.show_again()
        self._enable()
