"""How the test page is laid out: a board with its panel, an invitation, or the history."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from gui.board.board_view import BoardView
from gui.exam import notices
from gui.exam.history_view import HistoryView
from gui.exam.panel import LivePanel
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import MARGIN, BoardLayout, centered
from gui.widgets.notice import Notice

_BOARD, _INVITATION, _HISTORY = range(3)


class TestLayout(BoardLayout):
    """Title and table at the top, messages, then board and panel or what is in their place."""

    __test__ = False  # its name looks like one to pytest

    def __init__(
        self, board: BoardView, panel: LivePanel, action_bar: ActionBar, history: HistoryView
    ) -> None:
        super().__init__("Test", board, panel, action_bar)
        self.table_combo = QComboBox()
        self.table_combo.setAccessibleName("Table")
        self.table_combo.setMinimumWidth(160)
        self.table_combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.header.addWidget(self.table_combo)
        self.banners = BannerStack()
        self.banners.setContentsMargins(MARGIN, 0, MARGIN, 12)
        self.column.insertWidget(1, self.banners)
        self.invitation = Notice()
        self.invitation.show_message(notices.INVITATION)
        self.stack.addWidget(centered(self.invitation))
        self.stack.addWidget(history)
        self._is_inviting = False

    @property
    def shows_board(self) -> bool:
        """Whether the board is in front."""
        return self.stack.currentIndex() == _BOARD

    def invite(self, wanted: bool) -> None:
        """Show the invitation to build a first table in place of the board, or take it away."""
        self._is_inviting = wanted
        self.table_combo.setVisible(not wanted)
        self.show_history(self.stack.currentIndex() == _HISTORY)

    def show_history(self, wanted: bool) -> None:
        """Show the history, or go back."""
        back = _INVITATION if self._is_inviting else _BOARD
        self.stack.setCurrentIndex(_HISTORY if wanted else back)
