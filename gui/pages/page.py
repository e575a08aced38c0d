"""What the window asks of a page, and the page with a heading and a scrolling body.

The window knows no page by its name: it goes through all of them, and what a page doesn't answer
does nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.keys.key_bindings import give_keys
from gui.style.icons import icon
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import scroll_area
from gui.widgets.page_title import PageTitle
from gui.widgets.status_line import Background
from gui.widgets.wheel_filter import WheelFilter

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_MARGIN, _NARROW_MARGIN, _NARROW = 24, 12, 560
Answers: TypeAlias = Mapping[str, Callable[..., object]]


class Page(QWidget):
    """A page of the window.

    Its requests are its signals that end in ``_requested``; whichever page has an answer of that
    name gets it. Its actions are in its menu, in the command palette (Ctrl+K) and in the list of
    keys (?), and their shortcuts work only while the page is in front. Settings can change the keys
    of those that have an object name; it is never changed.
    """

    title = ""  # in English and marked: pages are known by it
    icon = "dot"
    banners: BannerStack  # messages on the page
    shows_builds = False  # in a card, so that the status line need not
    asker = ""  # the title of the page whose request is being answered
    front_needed = Signal()
    background_changed = Signal()

    def answers(self) -> Answers:
        """Return what to do for a request of another page, by the name of the signal."""
        return {}

    def in_front(self, work: Callable[..., object] | None = None) -> Callable[..., None]:
        """Return an answer that brings the page to the front, then does some work."""

        def answer(*args: Any) -> None:
            self.front_needed.emit()
            if work:
                work(*args)

        return answer

    def then_in_front(self, work: Callable[..., object]) -> Callable[..., None]:
        """Return an answer that does some work, then brings the page to the front."""

        def answer(*args: Any) -> None:
            work(*args)
            self.front_needed.emit()

        return answer

    def page_shown(self) -> None:
        """Update the page: it comes to the front."""

    def found_actions(self) -> Sequence[QAction]:
        """Return actions for the command palette that are not in the menu."""
        return ()

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        """Follow the existing tables."""

    def close_table(self, path: Path) -> None:
        """Close the table in a folder if open, as it is about to be removed."""

    def save(self) -> None:
        """Write pending changes: the desktop session may end, or be called off."""

    def background(self) -> Background | None:
        """Return the work that goes on when the page is left."""
        return None

    def stop_soon(self) -> None:
        """Tell long work to end, as the program does."""

    def close_page(self) -> None:
        """Stop all work and write pending changes: the page is no longer needed."""

    def state(self) -> Any:
        """Return what a page that replaces this one, in another language, goes on with."""

    def restore(self, state: Any) -> None:
        """Go on where a page that this one replaces was."""


def way(name: str, text: str, go: Callable[[], object], icon_name: str, also: str = "") -> QAction:
    """Return an action of the command palette, which finds it by `also`, too."""
    action = QAction(icon(icon_name), text)
    action.setObjectName(f"to_{name}")
    action.setIconText(also)
    action.triggered.connect(lambda _=False: go())
    return action


class ScrolledPage(Page):
    """A page with a heading, a scrolling body, and banners below it that move nothing.

    What is added to `header` stands at the right of the title, or of the tabs of its door; what is
    added to `foot` stays below `body`, in sight.
    """

    def __init__(self) -> None:
        super().__init__()
        self._page_actions: list[QAction] = []
        self.header = row(PageTitle(tr(self.title)), STRETCH)
        head = laid_out(self.header)
        self.banners = BannerStack()
        content = QWidget()
        self.body = column(space=16, parent=content)
        self.scroller = scroll_area(content)
        WheelFilter(head).watch_fields(head)
        self._top = column(head, space=12)
        self.foot = column(
            self._top,
            placed(self.scroller, stretch=1),
            self.banners,  # where they move nothing
            space=0,
            parent=self,
        )
        self._set_margin(_MARGIN)
        self.scroller.verticalScrollBar().rangeChanged.connect(
            lambda *_: self._set_margin(self._margin)
        )

    def actions(self) -> list[QAction]:
        return self._page_actions

    def add_action(self, action: QAction, name: str) -> QAction:
        """Add an action to this page under a permanent name, and return it."""
        action.setObjectName(name)
        self._page_actions.append(action)
        self.addAction(action)
        return action

    def new_action(
        self, name: str, text: str, do: Callable[[], object], picture: str = "", key: str = ""
    ) -> QAction:
        """Add an action with an icon and keys; see `add_action` and `gui.keys.key_meanings`."""
        action = self.add_action(QAction(text, self), name)
        if picture:
            action.setIcon(icon(picture))
        give_keys(action, key)
        action.triggered.connect(lambda _=False: do())
        return action

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._set_margin(_MARGIN if event.size().width() >= _NARROW else _NARROW_MARGIN)

    def _set_margin(self, margin: int) -> None:
        # The scroll bar lies in the margin, so the contents stay in line with the heading.
        bar = self.scroller.verticalScrollBar()
        room = bar.sizeHint().width() if bar.maximum() > 0 else 0
        self._margin = margin
        self._top.setContentsMargins(margin, 16, margin, 8)
        self.banners.set_margins(margin, 8)
        self.body.setContentsMargins(margin, 4, max(0, margin - room), 24)
