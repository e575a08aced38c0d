"""The place of the board of a drill; a message stands there when there is nothing to ask."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from gui.board.board_view import BoardView
from gui.widgets.board_layout import centered
from gui.widgets.notice import Message, Notice


class DrillPlace(QStackedWidget):
    """The board, or a message instead of an empty board; it has the keyboard in either case.

    Parameters
    ----------
    board : BoardView
    """

    def __init__(self, board: BoardView) -> None:
        super().__init__()
        self.board, self.notice = board, Notice()
        for part in (board, centered(self.notice)):
            self.addWidget(part)
        self.setFocusProxy(board)

    @property
    def has_message(self) -> bool:
        """Whether a message replaces the board."""
        return self.currentWidget() is not self.board

    def show_board(self) -> None:
        """Show the board."""
        self._show(self.board, self.board)

    def show_message(self, message: Message) -> None:
        """Show a message in place of the board."""
        self.notice.show_message(message)
        message_place = self.notice.parentWidget()
        assert message_place is not None
        self._show(message_place, None)

    def _show(self, part: QWidget, proxy: QWidget | None) -> None:
        focused = QApplication.focusWidget()
        had_focus = focused is not None and (focused is self or self.isAncestorOf(focused))
        self.setFocusProxy(proxy)  # type: ignore[arg-type]  # None is allowed
        if had_focus and proxy is None:  # else its first button would be focused, for a stray Enter
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setCurrentWidget(part)
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
