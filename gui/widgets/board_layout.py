"""A page with a board: the board as large as fits, a panel beside it or below it."""

from PySide6.QtCore import QEvent, QMargins, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
    QWidgetItem,
)

from gui.settings_model.settings import Settings
from gui.style.layout import NO_LIMIT, STRETCH, column, laid_out, placed, row
from gui.widgets.action_bar import ActionBar
from gui.widgets.banner import BannerArea, BannerStack
from gui.widgets.labels import line
from gui.widgets.notice import Notice
from gui.widgets.page_title import PageTitle
from gui.widgets.wheel_filter import WheelFilter

NARROW_PX = 640  # of the window; below, or where it is higher than wide, the panel goes under
MARGIN = 24
_SMALL_MARGIN, _SMALL_PX = 12, 900
_PANEL_WISH, _MAX_PANEL_PX, _SCROLL_PX = 332, 420, 14
_MIN_BOARD_PX = 220
_MAX_PX = {"large": 640, "medium": 500, "small": 360}  # of the setting "board_size"
_RAIL_PX = 70
_BESIDES_BOARD_PX = 62 + 8 + 78 + 48  # header, gap, rates in a row, their sentence
_GAP, _SMALL_GAP = 24, 8
_AIRY, _DENSE = (16, 12, 8), (10, 2, 2)  # above the title, around the board, below the board
_ROW_OF_RATES_PX = 560
_BANNERS_SHARE, _BANNERS_UNDER_PX = 0.5, 134  # of the height at most; or what the board leaves
_BELOW_PANEL, _AT_BOTTOM = range(2)  # where messages are
_INVITATION_PX = 480


class BoardLayout(QWidget):
    """Title at the top, the board and its actions, the panel, which has a `lay_flat`.

    `under` stands under the board; the action bar unless given. `foot` stands below a panel that is
    beside the board, always in sight, or above one that is under it; `across` is under both. The
    first widget in `stack` is board and panel.
    """

    is_dense = invites = shows_list = False

    def __init__(
        self,
        title: str,
        board: QWidget,
        panel: QWidget,
        action_bar: ActionBar,
        under: QWidget | None = None,
        foot: QWidget | None = None,
        across: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._action_bar, self._under = action_bar, under or action_bar
        self._board, self._panel = board, panel
        panel.installEventFilter(self)
        self._is_narrow: bool | None = None
        self._banners: BannerArea | None = None
        self._banners_at: int | None = None
        self._most_px, self._panel_least = NO_LIMIT, 0
        self._side, self._foot = scroll_area(panel), foot or QWidget()
        self._edge = line()  # where the panel is cut: what stands under it would seem to go on
        self._side.verticalScrollBar().rangeChanged.connect(lambda *_: self._show_edge())
        if foot is None:
            self._foot.hide()
        self.stack = QStackedWidget()
        self._page = scroll_area(self._content(across))
        self.stack.addWidget(self._page)
        self._invitation: QWidget = self._page  # if there is none
        self._list: QWidget = self._page
        self.column = column(self._head(title), placed(self.stack, stretch=1), space=0, parent=self)

    def set_invitation(self, invitation: QWidget) -> None:
        self._invitation = invitation
        self.stack.addWidget(invitation)

    def set_list(self, view: QWidget) -> None:
        self._list = view
        self.stack.addWidget(view)

    @property
    def shows_board(self) -> bool:
        return self.stack.currentWidget() is self._page

    def invite(self, is_inviting: bool) -> None:
        """Show the invitation in place of the board, or the board; the list stays in front."""
        self.invites = is_inviting
        self._arrange_stack()

    def show_list(self, is_shown: bool) -> None:
        self.shows_list = is_shown
        self._arrange_stack()

    def _arrange_stack(self) -> None:
        behind = self._invitation if self.invites else self._page
        self.stack.setCurrentWidget(self._list if self.shows_list else behind)

    def take_banners(self, banners: BannerStack) -> None:
        """Show messages where they move neither the board nor its surroundings.

        Below a panel that is beside the board, which scrolls if it has to; at the bottom in a
        narrow window, which scrolls as a whole, and where no board is in front.
        """
        self._banners = BannerArea(banners)
        self.stack.currentChanged.connect(self._place_banners)
        self._place_banners()

    def scroll_to_top(self) -> None:
        for area in (self._page, self._side):
            area.verticalScrollBar().setValue(0)

    def follow_size(self, settings: Settings) -> None:
        """Limit the board to the setting "board_size", now and whenever it changes."""
        self._action_bar.follow_settings(settings)
        settings.changed.connect(self._follow_setting)
        self._follow_setting("board_size", settings.get("board_size"))

    def _follow_setting(self, name: str, value: object) -> None:
        if name == "board_size":
            self._most_px = _MAX_PX.get(str(value), NO_LIMIT)
            self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Make the panel wider if its content needs more space, and narrow again."""
        is_asking = watched is self._panel and event.type() == QEvent.Type.LayoutRequest
        if is_asking and self._panel.minimumSizeHint().width() != self._panel_least:
            self.arrange()
        return super().eventFilter(watched, event)

    def arrange(self) -> None:
        # The page does not know the width of the rail beside it; without a window it is its own.
        width = min(self.window().width(), self.width() + _RAIL_PX)
        narrow = width < max(NARROW_PX, self.height())
        margin = MARGIN if width >= _SMALL_PX else _SMALL_MARGIN
        top, air, space = _DENSE if self.is_dense else _AIRY
        self.header.setContentsMargins(MARGIN, top, MARGIN, air)  # titles stand in one place
        self._body.setContentsMargins(margin, 0, margin, air)
        self._board_column.setSpacing(space)
        gap = _GAP if margin == MARGIN else _SMALL_GAP
        panel_width = self._panel_width(self.width() - 2 * margin - gap)
        board_width = self.width() - 2 * margin - (0 if narrow else panel_width + gap)
        self._side.setFixedWidth(panel_width)
        self._action_bar.fit(board_width)
        is_flat = narrow and board_width >= _ROW_OF_RATES_PX
        self._panel.lay_flat(is_flat)  # type: ignore[attr-defined]
        self._fit_board(narrow)
        self._body.setSpacing(8 if narrow else gap)
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self._place_panel(narrow)
        self._place_banners()

    def _place_panel(self, narrow: bool) -> None:
        if narrow:  # the page scrolls as a whole
            self._body.addWidget(self._side.takeWidget())
        else:  # the board stays in sight, only the panel scrolls
            self._body.removeWidget(self._panel)
            self._side.setWidget(self._panel)
        self._side.setVisible(not narrow)
        self._show_edge()
        self._panel.setVisible(True)
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)

    def _place_banners(self) -> None:
        if self._banners is None:
            return
        has_board = self.stack.currentIndex() == 0
        at = _BELOW_PANEL if has_board and not self._is_narrow else _AT_BOTTOM
        if at != self._banners_at:
            self._banners_at = at
            self._move_banners(self._banners, at)
        most_px = int(self.height() * _BANNERS_SHARE)
        if at == _BELOW_PANEL:
            self._banners.fit(self._side.width(), most_px, QMargins())
        else:
            if has_board:
                most_px = min(most_px, _BANNERS_UNDER_PX)
            self._banners.fit(self.width(), most_px, QMargins(MARGIN, 8, MARGIN, 8))

    def _move_banners(self, banners: BannerArea, at: int) -> None:
        for box in (self.column, self._side_column):
            box.removeWidget(banners)
        if at == _BELOW_PANEL:
            self._side_column.insertWidget(1, banners)  # the foot stays where it is
        else:
            self.column.addWidget(banners)

    def _panel_width(self, room: int) -> int:
        """Return the width of a panel next to the board: what it needs, or more if available."""
        wished = max(_PANEL_WISH, min(_MAX_PANEL_PX, int(self.width() * 0.3)))
        left = room - QWidgetItem(self._under).minimumSize().width()
        self._panel_least = self._panel.minimumSizeHint().width()
        return max(self._panel_least + _SCROLL_PX, min(wished, left))

    def _show_edge(self) -> None:
        is_cut = not self._is_narrow and self._side.verticalScrollBar().maximum() > 0
        self._edge.setVisible(is_cut and not self._foot.isHidden())

    def _fit_board(self, narrow: bool) -> None:
        if narrow:  # as large as leaves the rates in sight: below them the page scrolls
            besides = _BESIDES_BOARD_PX + self._under.sizeHint().height()
            room = min(self.height() - besides, self.width() - 2 * MARGIN)
            self._board.setFixedHeight(max(_MIN_BOARD_PX, min(room, self._most_px)))
        else:
            self._board.setMinimumHeight(_MIN_BOARD_PX)
            self._board.setMaximumHeight(self._most_px)

    def _head(self, title: str) -> QWidget:
        self.title = PageTitle(title)
        self.header = row(
            placed(self.title, align=Qt.AlignmentFlag.AlignTop),
            STRETCH,
            space=12,
            margins=(MARGIN, 16, MARGIN, 12),
        )
        head = laid_out(self.header)
        WheelFilter(head).watch_fields(head)
        return head

    def _content(self, across: QWidget | None) -> QWidget:
        self._board_column = column(placed(self._board, stretch=1), self._under)
        self._side_column = column(column(self._side, self._edge, space=0), self._foot)
        self._body = row(
            placed(self._board_column, stretch=1),
            self._side_column,
            space=_GAP,
            margins=(MARGIN, 0, MARGIN, 12),
        )
        content = column(placed(self._body, stretch=1), space=0)
        if across:
            content.addLayout(row(across, margins=(MARGIN, 0, MARGIN, 8)))
        return laid_out(content)


def scroll_area(inside: QWidget) -> QScrollArea:
    """Return an area that scrolls up and down, without a frame or a ground of its own.

    The wheel scrolls it over its fields, too, unless one of them has the keyboard.
    """
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # The page's own background shows through.
    area.viewport().setAutoFillBackground(False)
    area.setWidget(inside)
    WheelFilter(area).watch_fields(inside)
    inside.setAutoFillBackground(False)
    return area


def centered(notice: Notice) -> QWidget:
    notice.setProperty("flat", True)
    notice.setMaximumWidth(_INVITATION_PX)
    notice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
    box = row(STRETCH, placed(notice, stretch=100), STRETCH, margins=(MARGIN, 0, MARGIN, 64))
    return laid_out(box)
