"""Messages inside a page: what happened, and the remedy as a button. Never a dialog."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QMargins, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QSizePolicy, QWidget

from engine.platform.language import tr
from gui.board.announcer import announce
from gui.style.layout import column, grid_layout, row
from gui.widgets.buttons import button, tool_button
from gui.widgets.labels import label
from gui.widgets.state_mark import StateMark

Restorable = TypeVar("Restorable")
Remedy = tuple[str, Callable[[], None]]
_NEWS = ("good", "info")  # no text
NEWS_MS = 10_000
"""After so long news goes by itself, unless it has a remedy or the pointer is on it."""
OFFER_MS = 60_000
"""After so long the offer to undo a change that is easily made again goes by itself."""

_BESIDE_FROM_PX, _MAX_BELOW_PX = 480, 290  # of a banner; of its buttons below its text


class Banner(QFrame):
    """One message."""

    dismissed = Signal()

    def __init__(self, kind: str, text: str, remedies: Sequence[Remedy] = ()) -> None:
        super().__init__()
        self.setProperty("kind", kind)
        self.was_remedied = False
        self.text_label = label(text, wraps=True)
        self.text_label.setTextFormat(Qt.TextFormat.PlainText)  # it may quote what was pasted
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(text)
        self.buttons = []
        for title, work in remedies:  # each goes with the message, and would take the keys along
            take = partial(self._take, work)
            self.buttons.append(button(title, by_tab=True, work=take))
        self._remedies = QWidget(self)  # without a parent it would be a window
        self._button_row = row(*self.buttons, parent=self._remedies)
        self._remedies.setVisible(bool(self.buttons))
        self.close_button = tool_button("close", tr("Dismiss"), work=self.dismissed)
        self._grid = grid_layout(space=(12, 8), wide=(1,), margins=(12, 8, 8, 8), parent=self)
        self._grid.addWidget(StateMark(kind), 0, 0)
        self._grid.addWidget(self.text_label, 0, 1)
        self._is_narrow: bool | None = None
        self._lay_out(is_narrow=False)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._lay_out(event.size().width() < _BESIDE_FROM_PX)

    def _lay_out(self, is_narrow: bool) -> None:
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        for part in (self._remedies, self.close_button):
            self._grid.removeWidget(part)
        if is_narrow:
            self._grid.addWidget(self.close_button, 0, 3, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(self._remedies, 1, 0, 1, 4, Qt.AlignmentFlag.AlignLeft)
        else:
            self._grid.addWidget(self._remedies, 0, 2)
            self._grid.addWidget(self.close_button, 0, 3)
        wide = sum(remedy.sizeHint().width() for remedy in self.buttons)
        direction = QBoxLayout.Direction
        is_stacked = is_narrow and wide > _MAX_BELOW_PX
        self._button_row.setDirection(
            direction.TopToBottom if is_stacked else direction.LeftToRight
        )

    def _take(self, work: Callable[[], None], _checked: bool = False) -> None:
        self.was_remedied = True
        work()
        self.dismissed.emit()


class Offer(Generic[Restorable]):
    """A message that offers to restore something, which is `what` as long as it is shown."""

    def __init__(self, banners: "BannerStack", key: str) -> None:
        self._banners, self._key = banners, key
        self.what: Restorable | None = None

    def show(self, kind: str, text: str, remedy: Remedy, what: Restorable) -> None:
        self._banners.show_message(kind, text, [remedy], self._key, self._end)
        self.what = what

    def _end(self, _banner: Banner) -> None:
        self.what = None


class BannerStack(QWidget):
    """The messages of a page, newest first; takes no space if there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._column = column(parent=self)
        self._banners: dict[str, Banner] = {}
        self._on_close: dict[str, Callable[[Banner], None]] = {}
        self.hide()

    def set_margins(self, beside: int, above: int) -> None:
        self._column.setContentsMargins(beside, above, beside, above)

    @property
    def banners(self) -> list[Banner]:
        return list(self._banners.values())

    def shows(self, key: str) -> bool:
        return key in self._banners

    def show_message(
        self,
        kind: str,
        text: str,
        remedies: Sequence[Remedy] = (),
        key: str = "",
        on_close: Callable[[Banner], None] | None = None,
        lasts_ms: int | None = None,
    ) -> Banner:
        """Add a message of a kind: info, good, warning or bad.

        Pressing a remedy also closes it. It replaces an earlier one with the same key (the text,
        unless given). `on_close` gets the banner when it goes away for whatever reason. It goes by
        itself after `lasts_ms`, unless the pointer is on it; news without a remedy does so after
        `NEWS_MS`. What is still being done is no news: its text ends with an ellipsis.
        """
        key = key or text
        self.remove(key)
        banner = Banner(kind, text, remedies)
        banner.dismissed.connect(lambda: self._end(key, banner))
        if on_close:
            self._on_close[key] = on_close
        self._banners[key] = banner
        self._column.insertWidget(0, banner)
        self.show()
        announce(banner, text, urgent=kind == "bad")
        is_news = kind in _NEWS and not remedies and not text.endswith("\N{HORIZONTAL ELLIPSIS}")
        if lasts_ms is None and is_news:
            lasts_ms = NEWS_MS
        if lasts_ms is not None:
            timer = QTimer(banner, interval=lasts_ms)
            timer.timeout.connect(lambda: None if banner.underMouse() else self._end(key, banner))
            timer.start()
        return banner

    def _end(self, key: str, banner: Banner) -> None:
        """Remove a message, unless its remedy has replaced it by another one."""
        if self._banners.get(key) is banner:
            self.remove(key)

    def remove(self, key: str) -> None:
        banner = self._banners.pop(key, None)
        if banner is None:
            return
        self._column.removeWidget(banner)
        banner.hide()
        banner.deleteLater()
        if on_close := self._on_close.pop(key, None):
            on_close(banner)
        self.setVisible(bool(self._banners))


class BannerArea(QScrollArea):
    """An area as high as its messages and hidden without any; too many of them scroll."""

    def __init__(self, banners: BannerStack) -> None:
        super().__init__()
        self._banners, self._width, self._most_px = banners, 0, 0
        # What it holds has had another width before, which must not widen its neighbors.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        is_shown = not banners.isHidden()
        self.setWidget(banners)  # which shows it, and has this area see its events
        banners.setVisible(is_shown)
        banners.setAutoFillBackground(False)
        self.hide()

    def fit(self, width: int, most_px: int, margins: QMargins) -> None:
        """Take a width, and as much height as the messages need there; not more than `most_px`."""
        self._width, self._most_px = width, most_px
        self.setViewportMargins(margins)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        changes = (QEvent.Type.LayoutRequest, QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if watched is self._banners and event.type() in changes:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        if not self._width:  # in no page yet, it would be a window
            return
        around, banners = self.viewportMargins(), self._banners
        width = self._width - around.left() - around.right()
        above_below = around.top() + around.bottom()
        height = banners.heightForWidth(width)
        if height + above_below > self._most_px:
            width -= self.verticalScrollBar().sizeHint().width()
            height = banners.heightForWidth(width)
        banners.resize(width, height)  # not by itself: it would take its least height for any width
        self.setFixedHeight(max(0, min(height + above_below, self._most_px)))
        self.setVisible(not banners.isHidden())
