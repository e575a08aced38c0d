"""The description of the screen saver, and a preview."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from engine.platform.language import mark, tr
from gui.settings.setting_row import SettingRow
from gui.style.layout import column, placed
from gui.widgets.labels import label

_TEXT = mark(
    "An AI plays until you touch a key or the mouse. To use it as your system screen saver, set "
    'the command to "endgame2048 --screensaver". On Windows, copy the program and rename the '
    "copy to .scr."
)


class SaverPart(QWidget):
    """The rows of the screen saver below its description.

    Signals
    -------
    show_requested
        The user wants to see it now.
    """

    show_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton(tr("Show it now"))
        self.button.clicked.connect(self.show_requested)
        self._column = column(
            label(tr(_TEXT), "muted", wraps=True),
            placed(self.button, align=Qt.AlignmentFlag.AlignLeft),
            space=16,
            parent=self,
        )

    def add_row(self, row: SettingRow) -> None:
        """Add a row above the button."""
        self._column.insertWidget(self._column.count() - 1, row)
