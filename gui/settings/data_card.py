"""The user's data: its folder, backups and exports; and resetting all settings."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from engine.platform.language import tr
from gui.settings.data_section import DataSection
from gui.widgets.card import card
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
        frame, column = card()
        column.addWidget(label(tr("Your data"), "strong"))
        text = tr(
            "Settings, games, mistakes and tables are in this folder, unless you chose another "
            "for them."
        )
        column.addWidget(label(text, "muted", wraps=True))
        column.addWidget(data)
        reset, column = card()
        column.addWidget(label(tr("Defaults"), "strong"))
        text = tr("Resets everything on this page: looks, keys, folders and options.")
        column.addWidget(label(text, "muted", wraps=True))
        column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(16)
        outer.addWidget(frame)
        outer.addWidget(reset)
