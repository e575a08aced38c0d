"""The search field of the help: arrows move through the results, Return opens one."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from engine.platform.language import tr
from gui.widgets.clearable_edit import ClearableEdit

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchEdit(ClearableEdit):
    """A field for words.

    Signals
    -------
    stepped : int
        Go to the next result, or the previous one for -1.
    entered
        Open the selected result.
    left
        Escape in an empty field.
    """

    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Search the help"))
        self.setMaximumWidth(280)
        self.setMinimumWidth(150)

    def event(self, event: QEvent) -> bool:
        """Keep the keys used here from their functions on the page."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in _STEPS or key in _ENTER or key == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Move through the results, open one, or leave the empty field."""
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in _ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape and not self.text():
            self.left.emit()
        else:
            super().keyPressEvent(event)
