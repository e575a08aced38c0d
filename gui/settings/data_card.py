"""The user's data: its folder, backups and exports; and resetting all settings."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from engine.platform.language import tr
from gui.settings.data_section import DataSection
from gui.style.layout import card, column, placed
from gui.widgets.labels import label


class DataCard(QWidget):
    """The card about stored data.

    Parameters
    ----------
    data : DataSection

    Signals
    -------
    reset_requested
        The user wants to reset all settings.
    """

    reset_requested = Signal()

    def __init__(self, data: DataSection) -> None:
        super().__init__()
        self.reset_button = QPushButton(tr("Reset all settings"))
        self.reset_button.clicked.connect(self.reset_requested)
        data_text = tr(
            "Settings, games, mistakes and tables are in this folder, unless you chose another "
            "for them."
        )
        reset_text = tr("Resets everything on this page: looks, keys, folders and options.")
        column(
            card(label(tr("Your data"), "strong"), label(data_text, "muted", wraps=True), data),
            card(
                label(tr("Defaults"), "strong"),
                label(reset_text, "muted", wraps=True),
                placed(self.reset_button, align=Qt.AlignmentFlag.AlignLeft),
            ),
            space=16,
            parent=self,
        )
