"""A folder to type, to paste, or to look for."""

import os
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from engine.platform.language import tr
from gui.style.icons import icon
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.folder_edit import FolderEdit
from gui.widgets.labels import set_property


class FolderField(QWidget):
    """A line for a folder and a button that opens the system's dialog.

    Signals
    -------
    changed : another folder is named
    """

    changed = Signal()

    def __init__(self, name: str, dialogs: FileDialogs | None = None) -> None:
        super().__init__()
        self._name, self._dialogs = name, dialogs or FileDialogs()
        self.edit = FolderEdit()
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(name)
        self.browse_button = QToolButton()
        self.browse_button.setIcon(icon("folder"))
        self.browse_button.setToolTip(tr("Choose a folder"))
        self.browse_button.setAccessibleName(tr("Choose a folder"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.edit, 1)
        row.addWidget(self.browse_button)
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(lambda _: self.changed.emit())
        self.browse_button.clicked.connect(self._browse)

    @property
    def folder(self) -> Path | None:
        """The folder named; None when there is none."""
        text = self.edit.text().strip()
        return Path(os.path.expanduser(text)) if text else None

    def mark(self, *, is_invalid: bool) -> None:
        """Show whether the folder cannot be used."""
        set_property(self.edit, "invalid", is_invalid)

    def _browse(self) -> None:
        start = self.folder or Path.home()
        if folder := self._dialogs.ask_folder(self, self._name, start):
            self.edit.setText(str(folder))
