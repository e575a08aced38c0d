"""How the practice page is laid out: the board as large as fits, the panel beside or below it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.action_bar import ActionBar
from gui.widgets.board_view import BoardView
from gui.widgets.notice import Notice
from gui.widgets.practice_panel import PracticePanel

NARROW_PX = 900  # of the window; below, the panel goes under the board
_PANEL_LEAST, _PANEL_MOST = 336, 420
_BOARD_LEAST, _NO_LIMIT = 220, (1 << 24) - 1
_RAIL_PX = 56
_BESIDES_BOARD_PX = 62 + 76 + 8 + 78 + 48  # header, actions, rates in a row, their sentence
_MARGIN, _GAP = 24, 24
_INVITATION_PX = 480
_ROW_OF_RATES_PX = 560


class PracticeLayout(QWidget):
    """Title and table at the top, the board and its actions, the panel; or an invitation.

    Parameters
    ----------
    board, panel : the widgets of the page
    action_bar, edit_bar : QWidget
        What stands under the board; one of them at a time.
    """

    def __init__(
        self, board: BoardView, panel: PracticePanel, action_bar: ActionBar, edit_bar: QWidget
    ) -> None:
        super().__init__()
        self._action_bar = action_bar
        self._board, self._panel = board, panel
        self.table_combo = QComboBox()
        self.table_combo.setAccessibleName("Table")
        self.table_combo.setMinimumWidth(160)
        self.table_combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.invitation = Notice()
        self.bars = QStackedWidget()
        for bar in (action_bar, edit_bar):
            self.bars.addWidget(bar)
        self.bars.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._is_narrow: bool | None = None
        self._side = _scroll_area(panel)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._page_scroll = _scroll_area(self._content())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._page_scroll)
        self._stack.addWidget(_centered(self.invitation))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._header())
        layout.addWidget(self._stack, 1)

    def invite(self, wanted: bool) -> None:
        """Show the invitation to build a first table in place of the board, or take it away."""
        self._stack.setCurrentIndex(1 if wanted else 0)
        self.table_combo.setVisible(not wanted)

    def show_bar(self, bar: QWidget) -> None:
        """Show one of the bars under the board."""
        self.bars.setCurrentWidget(bar)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Move the panel below the board in a narrow window."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        # The page does not know the width of the rail beside it; without a window it is its own.
        narrow = min(self.window().width(), self.width() + _RAIL_PX) < NARROW_PX
        panel_width = max(_PANEL_LEAST, min(_PANEL_MOST, int(self.width() * 0.3)))
        board_width = self.width() - 2 * _MARGIN - (0 if narrow else panel_width + _GAP)
        self._side.setFixedWidth(panel_width)
        self._action_bar.fit(board_width)
        self._panel.lay_flat(narrow and board_width >= _ROW_OF_RATES_PX)
        self._fit_board(narrow)
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        if narrow:  # the page scrolls as a whole
            self._body.addWidget(self._side.takeWidget())
        else:  # the board stays in sight, only the panel scrolls
            self._body.removeWidget(self._panel)
            self._side.setWidget(self._panel)
        self._side.setVisible(not narrow)
        self._panel.setVisible(True)
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)
        self._body.setSpacing(8 if narrow else _GAP)

    def _fit_board(self, narrow: bool) -> None:
        if narrow:  # as large as leaves the rates in sight: below them the page scrolls
            room = min(self.height() - _BESIDES_BOARD_PX, self.width() - 2 * _MARGIN)
            self._board.setFixedHeight(max(_BOARD_LEAST, room))
        else:
            self._board.setMinimumHeight(_BOARD_LEAST)
            self._board.setMaximumHeight(_NO_LIMIT)

    def _header(self) -> QWidget:
        header = QWidget()
        title = QLabel("Practice")
        title.setProperty("role", "title")
        row = QHBoxLayout(header)
        row.setContentsMargins(_MARGIN, 16, _MARGIN, 12)
        row.setSpacing(12)
        row.addWidget(title)
        row.addStretch()
        row.addWidget(self.table_combo)
        return header

    def _content(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(self._board, 1)
        column.addWidget(self.bars)
        self._body.setContentsMargins(_MARGIN, 0, _MARGIN, 12)
        self._body.setSpacing(_GAP)
        self._body.addLayout(column, 1)
        self._body.addWidget(self._side)
        content.setLayout(self._body)
        return content


def _centered(notice: Notice) -> QWidget:
    notice.setMaximumWidth(_INVITATION_PX)
    notice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
    area = QWidget()
    row = QHBoxLayout(area)
    row.setContentsMargins(_MARGIN, 0, _MARGIN, 64)
    row.addStretch()
    row.addWidget(notice, 100)
    row.addStretch()
    return area


def _scroll_area(inside: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # The page's own background shows through.
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    area.setWidget(inside)
    inside.setAutoFillBackground(False)
    return area
