"""The title of a page, and the tabs of a door in the place of it."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QTabBar, QToolButton, QWidget

from gui.style.icons import icon
from gui.style.layout import column
from gui.widgets.buttons import attach_menu
from gui.widgets.labels import TITLE_PX, ElidedLabel


class DoorTabs(QTabBar):
    """The pages of a door on one of these pages, which is the one that it always marks.

    Clicks don't take the keyboard from the board. Tab reaches it, and the arrow keys go on.
    """

    chosen = Signal(int)

    def __init__(self, name: str, titles: Sequence[str], own: int) -> None:
        super().__init__()
        self.setObjectName("doorTabs")
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(TITLE_PX)
        for title in titles:
            self.addTab(title.replace("&", "&&"))
        self._own = own
        self.setCurrentIndex(own)
        self.currentChanged.connect(self._choose)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to what scrolls: it would turn over pages."""
        event.ignore()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return room for all names: the other parts of a header give way first."""
        return self.sizeHint()

    def _choose(self, index: int) -> None:
        if index != self._own:
            self.setCurrentIndex(self._own)
            self.chosen.emit(index)


class PageTitle(QWidget):
    """A title as wide as it needs, which gives way to what a page has beside it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.label = ElidedLabel(title, "title")
        self.label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.label.setMinimumHeight(TITLE_PX)
        self._tabs: DoorTabs | None = None
        self._column = column(self.label, space=0, parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_tabs(self, tabs: DoorTabs) -> None:
        """Show the tabs of the door, of which one has the title."""
        self.label.hide()
        self._tabs, self._menu_button = tabs, _menu_button(tabs)
        self._column.addWidget(tabs)
        self._column.addWidget(self._menu_button)
        self.set_compact(False)

    def set_compact(self, is_compact: bool) -> None:
        if self._tabs:
            self._tabs.setVisible(not is_compact)
            self._menu_button.setVisible(is_compact)


def _menu_button(tabs: DoorTabs) -> QToolButton:
    button, menu = QToolButton(), QMenu(tabs)
    button.setObjectName("doorMenu")
    button.setText(tabs.tabText(tabs.currentIndex()))
    button.setAccessibleName(tabs.accessibleName())
    button.setIcon(icon("opened"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow is after the name
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setFixedHeight(TITLE_PX)
    for index in range(tabs.count()):
        menu.addAction(tabs.tabText(index)).triggered.connect(
            lambda _=False, index=index: tabs.setCurrentIndex(index)
        )
    attach_menu(button, menu)
    return button
