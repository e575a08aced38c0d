"""Lines for what to look for, with a button in them that empties them; one is for positions."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from engine.platform.language import tr
from gui.style.icons import icon
from gui.style.theme import mono_font

_ICON_PX, _MARGIN_PX = 14, 6
_TYPING_MS = 200


class ClearableEdit(QLineEdit):
    """A field that its button empties, and Escape.

    Qt's own button has the padding of other buttons, which pushes it against the border.
    """

    emptied = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.clear_button = QToolButton(self)
        self.clear_button.setIcon(icon("close"))
        self.clear_button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.clear_button.setProperty("quiet", True)
        self.clear_button.setProperty("mini", True)
        self.clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Escape does the same
        self.clear_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.clear_button.setToolTip(tr("Clear the search"))
        self.clear_button.setAccessibleName(tr("Clear the search"))
        self.clear_button.hide()
        self.clear_button.clicked.connect(self.empty)
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


class SearchField(ClearableEdit):
    """A field for a position as hex digits, or for some of them."""

    searched = Signal()

    def __init__(self, placeholder: str, tip: str) -> None:
        super().__init__(placeholder)
        self.setAccessibleName(tr("Search for a position"))
        self.setToolTip(tip)
        self.setFont(mono_font())
        self.setMinimumWidth(220)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.searched)
        self.textEdited.connect(lambda _: self._typing.start())
        self.textChanged.connect(lambda text: None if text else self._typing.start())
        self.returnPressed.connect(self._typing.start)

    @property
    def is_narrow(self) -> bool:
        return bool(self.text().strip())

    def reset(self) -> None:
        """Empty it without the signal."""
        self.clear()
        self._typing.stop()

    def show_wrong(self, is_wrong: bool) -> None:
        self.setProperty("invalid", is_wrong)
        self.style().polish(self)
