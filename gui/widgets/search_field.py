"""A field to search by position: asks when typing pauses, Escape empties it."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from engine.language import tr
from gui.style.theme import mono_font

_TYPING_MS = 200


class SearchField(QLineEdit):
    """A field for a position as hex digits, or for some of them.

    Signals
    -------
    searched
        Look for what it says now.
    """

    searched = Signal()

    def __init__(self, placeholder: str, tip: str) -> None:
        super().__init__()
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(tr("Search for a position"))
        self.setToolTip(tip)
        self.setFont(mono_font())
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(220)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.searched)
        self.textEdited.connect(lambda _: self._typing.start())
        self.textChanged.connect(lambda text: None if text else self._typing.start())
        self.returnPressed.connect(self._typing.start)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from what else it does on the page, as long as there is a text to empty."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_to_empty(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Empty the field by Escape."""
        if self._is_to_empty(event):
            self.clear()
        else:
            super().keyPressEvent(event)

    def _is_to_empty(self, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        return is_escape and bool(self.text())

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.text().strip())

    def reset(self) -> None:
        """Empty it without the signal."""
        self.clear()
        self._typing.stop()

    def show_wrong(self, is_wrong: bool) -> None:
        """Frame it as wrong, or as usual."""
        self.setProperty("invalid", is_wrong)
        self.style().polish(self)
