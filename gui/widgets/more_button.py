"""The button at the end of a header, with a menu of less frequent actions."""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from gui.style.icons import icon


def more_button(name: str, actions: Sequence[QAction]) -> QToolButton:
    """Return a button with a menu of actions; `name` is its accessible name."""
    button = QToolButton()
    button.setIcon(icon("more"))
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.setProperty("quiet", True)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    menu.addActions(list(actions))
    button.setMenu(menu)
    return button
