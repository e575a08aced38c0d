"""A field that hears one press of keys and says which it was, instead of doing what they do."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.core.shortcuts import NoKeyError, parse

_ALONE = (
    *(Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr),
    *(Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown),
)
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_IDLE, _WAITING = "Add a key", "Press the new key"


class KeyField(QLineEdit):
    """Waits for a key while it has the focus. Tab goes on to the next field, as everywhere.

    Signals
    -------
    pressed : str
        A key as `gui.core.shortcuts.parse` writes it.
    clear_pressed
        Backspace, alone.
    cancelled
        Escape, alone.
    refused : str
        A key that cannot be a shortcut, and why, as a sentence.
    """

    pressed = Signal(str)
    clear_pressed = Signal()
    cancelled = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setPlaceholderText(_IDLE)
        self.setAccessibleName("New key")
        self.setAccessibleDescription(
            "Press the new key. Escape cancels, Backspace removes all keys of the action."
        )

    def event(self, event: QEvent) -> bool:
        """Let no shortcut of the window take the key."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Say which key it was."""
        event.accept()
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        modifiers &= ~Qt.KeyboardModifier.GroupSwitchModifier
        key = Qt.Key(event.key())
        if event.isAutoRepeat() or key in _ALONE:
            return
        if modifiers == Qt.KeyboardModifier.NoModifier and key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif modifiers == Qt.KeyboardModifier.NoModifier and key == Qt.Key.Key_Backspace:
            self.clear_pressed.emit()
        else:
            self._tell(QKeySequence(int(key) | modifiers.value).toString(_PORTABLE))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Say that it waits."""
        super().focusInEvent(event)
        self.setPlaceholderText(_WAITING)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Say what it is for."""
        super().focusOutEvent(event)
        self.setPlaceholderText(_IDLE)

    def _tell(self, text: str) -> None:
        try:
            self.pressed.emit(parse(text))
        except NoKeyError:
            self.refused.emit("That key cannot be used. Press another one.")
