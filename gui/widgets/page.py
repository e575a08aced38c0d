"""The base of all pages: a title, a scrolling body, and messages below it.

A page is any QWidget that follows these conventions; `Page` is the easy way to do so.

* ``title`` and ``icon`` are class attributes (an icon is a file in `gui/style/icons`). The title is
  in English and marked: pages are known by it, and it is translated where it is shown.
* ``menu_title`` is the title of its menu where that is another one.
* ``actions()`` returns its QActions. The window puts them into its menu, the command palette
  (Ctrl+K) and the list of keys (?). Their shortcuts work only while the page is in front.
  Settings can change the keys of those that have an object name; it is never changed.
* ``page_shown()`` is called each time the page comes to the front.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.platform.language import tr
from gui.widgets.banner import BannerStack
from gui.widgets.labels import heading
from gui.widgets.wheel_filter import WheelFilter

_MARGIN, _NARROW_MARGIN, _NARROW = 24, 12, 560


class Page(QWidget):
    """A page with a heading, a scrolling body, and banners below it that move nothing.

    Attributes
    ----------
    header : QHBoxLayout
        Room for controls at the right of the title.
    banners : BannerStack
    body : QVBoxLayout
        What scrolls.
    foot : QVBoxLayout
        What is added to it stays below that, in sight.
    """

    title = ""
    icon = "dot"

    def __init__(self) -> None:
        super().__init__()
        self._page_actions: list[QAction] = []
        self.header = QHBoxLayout()
        self.header.setSpacing(8)
        self.header.setContentsMargins(0, 0, 0, 0)
        self.header.addWidget(heading(tr(self.title)))
        self.header.addStretch()
        head = QWidget()
        head.setLayout(self.header)
        self.banners = BannerStack()
        content = QWidget()
        self.body = QVBoxLayout(content)
        self.body.setSpacing(16)
        self.scroller = QScrollArea()
        self.scroller.setWidgetResizable(True)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setWidget(content)
        for part in (head, content):
            WheelFilter(part).watch_fields(part)
        self._top = QVBoxLayout()
        self._top.setSpacing(12)
        self._top.addWidget(head)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top)
        column.addWidget(self.scroller, 1)
        column.addWidget(self.banners)  # where they move nothing
        self.foot = column
        self._set_margin(_MARGIN)
        self.scroller.verticalScrollBar().rangeChanged.connect(
            lambda *_: self._set_margin(self._margin)
        )

    def actions(self) -> list[QAction]:
        """Return the actions of the page."""
        return self._page_actions

    def add_action(self, action: QAction, name: str) -> QAction:
        """Add an action to this page under a permanent name, and return it."""
        action.setObjectName(name)
        self._page_actions.append(action)
        self.addAction(action)
        return action

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Give the margins to the contents if space is tight."""
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

    def page_shown(self) -> None:
        """Update the page when it comes to the front."""


def card(margin: int = 16, spacing: int = 12) -> tuple[QFrame, QVBoxLayout]:
    """Return an empty card and the column in it."""
    frame = QFrame()
    frame.setProperty("card", True)
    frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    column = QVBoxLayout(frame)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(spacing)
    return frame, column


def clear_layout(layout: QLayout) -> None:
    """Remove and destroy all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
