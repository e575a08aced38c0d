"""Buttons with a look of the style sheet, and which controls leave the keys to a board or list."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from gui.style.icons import icon

Work = Callable[[], object] | SignalInstance


def button(
    text: str = "",
    look: str = "",
    *,
    picture: str = "",
    tip: str = "",
    name: str = "",
    by_tab: bool = False,
    work: Work | None = None,
) -> QPushButton:
    """Return a button; `look` has some of the words primary, quiet, large, row and chip.

    `picture` is the name of an icon, `name` what a screen reader says instead of the text, and
    `work` what a click does.
    """
    widget = QPushButton(text)
    _set_up(widget, look, picture, tip, name, work)
    if by_tab:
        focus_by_tab(widget)
    return widget


def tool_button(
    picture: str, tip: str, look: str = "quiet", *, name: str = "", work: Work | None = None
) -> QToolButton:
    """Return a button without text, which a screen reader calls by its tool tip; see `button`."""
    widget = QToolButton()
    _set_up(widget, look, picture, tip, name or tip, work)
    return widget


def more_button(name: str, actions: Sequence[QAction]) -> QToolButton:
    widget = tool_button("more", name)
    menu = QMenu(widget)
    menu.addActions(list(actions))
    attach_menu(widget, menu)
    return widget


class MenuAligner(QObject):
    """Ends a menu where its button ends if there is no room for it to begin with the button."""

    def __init__(self, menu: QMenu, button: QWidget) -> None:
        super().__init__(button)
        menu.installEventFilter(self)

    def eventFilter(self, menu: QObject, event: QEvent) -> bool:  # noqa: N802
        button = self.parent()
        if event.type() == QEvent.Type.Show and isinstance(menu, QWidget):
            assert isinstance(button, QWidget)
            area = QRect(button.mapToGlobal(QPoint()), button.size())
            if menu.x() < area.left():
                menu.move(area.right() + 1 - menu.width(), menu.y())
        return False


def attach_menu(button: QToolButton | QPushButton, menu: QMenu) -> None:
    """Let a click anywhere on a button open a menu.

    While a menu is open, Qt does not tell its button that the pointer leaves, and the button would
    keep looking as if it were there.
    """

    def leave() -> None:
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)  # or it moves
        QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))

    MenuAligner(menu, button)
    button.setMenu(menu)
    if isinstance(button, QToolButton):
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu.aboutToHide.connect(leave)


def focus_by_tab(*widgets: QWidget) -> None:
    """Let widgets have the focus by Tab alone: a click leaves the keys where they are."""
    for widget in widgets:
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def _set_up(
    widget: QAbstractButton, look: str, picture: str, tip: str, name: str, work: Work | None
) -> None:
    for word in look.split():
        widget.setProperty(word, True)
    if picture:
        widget.setIcon(icon(picture))
    widget.setToolTip(tip)
    widget.setAccessibleName(name)
    if work:
        widget.clicked.connect(work)
