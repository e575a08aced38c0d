"""A field that captures one key press and reports it, instead of triggering it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.platform.language import mark, tr
from gui.keys.shortcuts import MODIFIER_KEYS, key_text

_IDLE, _WAITING = mark("Add a key"), mark("Press the new key")


class KeyField(QLineEdit):
    """A field that waits for a key while focused. Tab goes to the next field, as everywhere.

    QKeySequenceEdit does less: it takes Escape, Backspace, Caps Lock and a key held down since
    before it had the focus for shortcuts, writes AltGr and dead keys as letters that they are not,
    responds on key release, and emits the key again on losing the focus.

    Signals
    -------
    pressed : str
        A key as `gui.keys.shortcuts.parse` writes it.
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
        self.setPlaceholderText(tr(_IDLE))
        self.setAccessibleName(tr("New key"))
        self.setAccessibleDescription(
            tr("Press the new key. Escape cancels, Backspace removes all keys of the action.")
        )

    def event(self, event: QEvent) -> bool:
        """Let no shortcut of the window take the key."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Report the key."""
        event.accept()
        if event.isAutoRepeat() or event.key() in MODIFIER_KEYS:
            return
        key = key_text(QKeySequence(event.keyCombination()))
        if key == "Esc":
            self.cancelled.emit()
        elif key == "Backspace":
            self.clear_pressed.emit()
        elif key:
            self.pressed.emit(key)
        else:
            self.refused.emit(tr("That key can't be used. Press another one."))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show that it waits for a key."""
        super().focusInEvent(event)
        self.setPlaceholderText(tr(_WAITING))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show the placeholder again."""
        super().focusOutEvent(event)
        self.setPlaceholderText(tr(_IDLE))
