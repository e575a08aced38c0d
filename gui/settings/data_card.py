"""The folder of everything that is the person's, and all settings put back."""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.language import tr
from gui.style.icons import icon
from gui.widgets.labels import ElidedLabel, label
from gui.widgets.page import card


class DataCard(QWidget):
    """Where everything is kept.

    Parameters
    ----------
    data_dir : Path

    Signals
    -------
    reset_asked
        The person wants all settings to have their defaults.
    """

    reset_asked = Signal()

    def __init__(self, data_dir: Path) -> None:
        super().__init__()
        self.open_button = QPushButton(icon("folder"), tr("Show in folder"))
        self.open_button.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(data_dir)))
        )
        self.reset_button = QPushButton(tr("Reset all settings"))
        self.reset_button.clicked.connect(self.reset_asked)
        frame, column = card()
        column.addWidget(label(tr("Your data"), "strong"))
        text = tr(
            "Settings, games, mistakes and tables are in this folder, unless you chose another "
            "for them."
        )
        column.addWidget(label(text, "muted", wraps=True))
        row = QHBoxLayout()
        row.addWidget(ElidedLabel(str(data_dir), "", Qt.TextElideMode.ElideMiddle), 1)
        row.addWidget(self.open_button)
        column.addLayout(row)
        reset, column = card()
        column.addWidget(label(tr("Defaults"), "strong"))
        text = tr("Resets everything on this page: looks, keys, folders and options.")
        column.addWidget(label(text, "muted", wraps=True))
        column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(16)
        outer.addWidget(frame)
        # gui.settings.data_section.DataSection stands here: backup, import and export.
        outer.addWidget(reset)
