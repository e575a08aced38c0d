"""The list of folders to scan for tables, and adding one."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from engine.platform.language import tr
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import clear_layout, column, placed, row
from gui.table_work.table_service import TablesService
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import ElidedLabel, label

_KEY = "table_folders"


class FoldersPart(QWidget):
    """Lists folders, adds and removes them.

    Signals
    -------
    tables_requested
        The user wants to manage tables.
    """

    tables_requested = Signal()

    def __init__(
        self, settings: Settings, service: TablesService, dialogs: FileDialogs | None = None
    ) -> None:
        super().__init__()
        self._settings, self._service = settings, service
        self._dialogs = dialogs or FileDialogs()
        self._list = column(space=4)
        self.add_button = QPushButton(icon("add"), tr("Add a folder"))
        self.tables_button = QPushButton(icon("tables"), tr("Manage tables"))
        buttons = QWidget()
        flow = FlowLayout(buttons, space=8)
        flow.addWidget(self.add_button)
        flow.addWidget(self.tables_button)
        column(label(tr("Folders with tables")), self._list, buttons, parent=self)
        self.add_button.clicked.connect(self._browse)
        self.tables_button.clicked.connect(self.tables_requested)
        settings.changed.connect(self._follow_setting)
        self._show_folders()

    def add_folder(self, folder: str) -> None:
        """Look for tables in one more folder."""
        folders = self._settings.get(_KEY)
        if folder and folder not in folders:
            self._settings.set(_KEY, [*folders, folder])

    def remove_folder(self, folder: str) -> None:
        """Stop looking for tables in a folder."""
        self._settings.set(_KEY, [one for one in self._settings.get(_KEY) if one != folder])

    def _browse(self) -> None:
        folder = self._dialogs.ask_folder(self, tr("Add a folder with tables"), Path.home())
        self.add_folder(str(folder) if folder else "")

    def _follow_setting(self, name: str, _value: object) -> None:
        if name in (_KEY, "build.folder"):
            self._show_folders()

    def _show_folders(self) -> None:
        clear_layout(self._list)
        chosen = self._settings.get(_KEY)
        for folder in self._service.folders():
            line = QWidget()
            box = row(
                placed(ElidedLabel(str(folder), "", Qt.TextElideMode.ElideMiddle), stretch=1),
                parent=line,
            )
            if str(folder) in chosen:
                button = QToolButton()
                button.setIcon(icon("close"))
                button.setProperty("quiet", True)
                button.setToolTip(tr("Stop using this folder. Nothing is deleted"))
                button.setAccessibleName(tr("Remove {name}", name=folder))
                button.clicked.connect(lambda _=False, f=str(folder): self.remove_folder(f))
                box.addWidget(button)
            self._list.addWidget(line)
