"""Buttons with a look of the style sheet, and which controls leave the keys to a board or list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget


def button(text: str = "", look: str = "", *, by_tab: bool = False) -> QPushButton:
    """Return a button; `look` has some of the words primary, quiet, large, row and chip."""
    widget = QPushButton(text)
    for word in look.split():
        widget.setProperty(word, True)
    if by_tab:
        focus_by_tab(widget)
    return widget


def focus_by_tab(*widgets: QWidget) -> None:
    """Let widgets have the focus by Tab alone: a click leaves the keys where they are."""
    for widget in widgets:
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
