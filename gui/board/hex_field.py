"""A field that shows the position as digits and accepts another one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from engine.platform.errors import InvalidBoardError
from engine.platform.language import tr
from gui.style.layout import bring_into_sight, column, placed, row
from gui.style.theme import mono_font
from gui.text.messages import sentence

_MAX_SHOWN = 64  # characters of what is pasted


def shortened(text: str) -> str:
    return " ".join(text.split())[:_MAX_SHOWN]


class HexField(QWidget):
    """A field and a copy button, with the error in the typed text below."""

    entered = Signal(str)
    dropped = Signal()  # it shows its old position again: the keyboard is free for the board

    def __init__(self, placeholder: str, tip: str) -> None:
        super().__init__()
        self._shown = ""
        self.edit = QLineEdit()
        self.edit.setFont(mono_font())
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(tr("Position as 16 hex digits"))
        self.edit.setToolTip(tip)
        self.edit.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.edit.returnPressed.connect(lambda: self.entered.emit(self.edit.text()))
        escape = QShortcut(Qt.Key.Key_Escape, self.edit)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)  # QShortcut ignores it as a keyword
        escape.activated.connect(self._drop)
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.error_label = QLabel(wordWrap=True)
        self.error_label.setProperty("tone", "bad")
        self.error_label.hide()
        column(row(placed(self.edit, stretch=1), self.copy_button), self.error_label, parent=self)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Keep Enter from the page: the field has handled it already."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def take_keys(self) -> None:
        bring_into_sight(self)
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()

    def show_position(self, text: str) -> None:
        """Show the position, unless the user is typing another one."""
        self._shown = text
        if not (self.edit.hasFocus() and self.edit.isModified()):
            self.edit.setText(text)
            self.show_error("")

    def refuse(self, error: InvalidBoardError) -> None:
        """Show the error in the typed text; the field itself says what is expected."""
        self.show_error(sentence(error.why))

    def show_error(self, text: str) -> None:
        if text == self.error_label.text():
            return
        self.error_label.setText(text)
        self.error_label.setVisible(bool(text))
        self.edit.setProperty("invalid", bool(text))
        self.edit.style().polish(self.edit)
        if text:
            bring_into_sight(self)

    def _drop(self) -> None:
        self.edit.setText(self._shown)
        self.show_error("")
        self.dropped.emit()
