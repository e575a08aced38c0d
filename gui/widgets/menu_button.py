"""Buttons that open a menu."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton


def attach_menu(button: QToolButton | QPushButton, menu: QMenu) -> None:
    """Let a click anywhere on a button open a menu.

    While a menu is open, Qt does not tell its button that the pointer leaves, and the button would
    keep looking as if it were there.
    """

    def leave() -> None:
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)  # or it moves
        QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))

    button.setMenu(menu)
    if isinstance(button, QToolButton):
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu.aboutToHide.connect(leave)
