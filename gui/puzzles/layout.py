"""The layout of the Puzzles page: title and table at the top, the puzzle or an invitation."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from engine.platform.language import mark, tr
from gui.board.board_view import BoardView
from gui.puzzles.kept import KeptPuzzles
from gui.puzzles.panel import PuzzlePanel
from gui.style.layout import column
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import MARGIN, BoardLayout, at_top
from gui.widgets.elided import ElidedCombo
from gui.widgets.empty_state import EmptyState
from gui.widgets.more_button import more_button

_NOTHING = mark(
    "A puzzle is a position with one right move, and the natural move isn't it. They are found in "
    "games that your tables play and among your own mistakes, and get harder as you get better."
)


class PuzzlesLayout(BoardLayout):
    """Title and table at the top; a puzzle, or an invitation to find some, or the list of all.

    Parameters
    ----------
    board, panel, action_bar
        Of the puzzle.
    kept : KeptPuzzles
    more : sequence of QAction
        In the menu of the button on the right.

    Attributes
    ----------
    lists : bool
        Whether the list of all puzzles is in front.
    """

    def __init__(
        self,
        board: BoardView,
        panel: PuzzlePanel,
        action_bar: ActionBar,
        kept: KeptPuzzles,
        more: Sequence[QAction],
    ) -> None:
        super().__init__(tr("Puzzles"), board, panel, action_bar)
        self.empty = EmptyState(tr("No puzzles yet"), tr(_NOTHING), tr("Find puzzles"))
        self.banners = BannerStack()
        self.table_combo = ElidedCombo()
        self.table_combo.setAccessibleName(tr("Table"))
        self.table_combo.setMinimumWidth(140)
        self.table_combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # the board keeps its keys
        self._desk, self._invitation = self.stack.widget(0), at_top(self.empty)
        self._has_puzzle, self.kept, self._list = True, kept, QWidget()
        self.lists = False
        column(kept, margins=(MARGIN, 0, MARGIN, 16), parent=self._list)
        for part in (self._invitation, self._list):
            self.stack.addWidget(part)
        self.more_button = more_button(tr("Find, import and export"), more)
        self.header.addWidget(self.table_combo)
        self.header.addWidget(self.more_button)
        self.take_banners(self.banners)

    @property
    def invites(self) -> bool:
        """Whether the invitation replaces the puzzle."""
        return self.stack.currentWidget() is self._invitation

    def show_puzzle(self, is_there: bool) -> None:
        """Show the puzzle, or the invitation if there is none; the list stays in front."""
        self._has_puzzle = is_there
        self._arrange_stack()

    def show_kept(self, is_wanted: bool) -> None:
        """Show the list of all puzzles, or go back from it."""
        self.lists = is_wanted
        self._arrange_stack()

    def _arrange_stack(self) -> None:
        assert self._desk is not None
        one = self._desk if self._has_puzzle else self._invitation
        self.stack.setCurrentWidget(self._list if self.lists else one)
