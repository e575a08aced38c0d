"""A field to search by position: asks when typing pauses, Escape empties it."""

from PySide6.QtCore import QTimer, Signal

from engine.platform.language import tr
from gui.style.theme import mono_font
from gui.widgets.clearable_edit import ClearableEdit

_TYPING_MS = 200


class SearchField(ClearableEdit):
    """A field for a position as hex digits, or for some of them.

    Signals
    -------
    searched
        Search for the current text.
    """

    searched = Signal()

    def __init__(self, placeholder: str, tip: str) -> None:
        super().__init__(placeholder)
        self.setAccessibleName(tr("Search for a position"))
        self.setToolTip(tip)
        self.setFont(mono_font())
        self.setMinimumWidth(220)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.searched)
        self.textEdited.connect(lambda _: self._typing.start())
        self.textChanged.connect(lambda text: None if text else self._typing.start())
        self.returnPressed.connect(self._typing.start)

    @property
    def is_narrow(self) -> bool:
        """Whether it excludes anything."""
        return bool(self.text().strip())

    def reset(self) -> None:
        """Empty it without the signal."""
        self.clear()
        self._typing.stop()

    def show_wrong(self, is_wrong: bool) -> None:
        """Frame it as wrong, or as usual."""
        self.setProperty("invalid", is_wrong)
        self.style().polish(self)
