"""A line for what to look for, with a button in it that empties it."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from engine.platform.language import tr
from gui.widgets.buttons import tool_button

_ICON_PX, _MARGIN_PX = 14, 6


class ClearableEdit(QLineEdit):
    """A field that its button empties, and Escape.

    Qt's own button has the padding of other buttons, which pushes it against the border.
    """

    emptied = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.clear_button = tool_button(
            "close", tr("Clear the search"), "quiet mini", work=self.empty
        )
        self.clear_button.setParent(self)
        self.clear_button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Escape does the same
        self.clear_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.clear_button.hide()
        self.textChanged.connect(lambda text: self.clear_button.setVisible(bool(text)))

    def empty(self) -> None:
        self.clear()
        self.setFocus()
        self.emptied.emit()

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the page as long as there is text to clear."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_to_empty(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if self._is_to_empty(event):
            self.empty()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        button = self.clear_button
        button.resize(button.sizeHint())
        left = self.width() - button.width() - _MARGIN_PX
        button.move(left, (self.height() - button.height()) // 2)
        self.setTextMargins(0, 0, button.width(), 0)

    def _is_to_empty(self, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        return is_escape and bool(self.text())
