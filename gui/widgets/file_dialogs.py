"""The system's file dialogs, replaceable in tests, and its file browser."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget


class FileDialogs:
    """Asks the user for files."""

    def ask_save(self, parent: QWidget, title: str, path: Path, filters: str) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(parent, title, str(path), filters)
        return Path(name) if name else None

    def ask_open(self, parent: QWidget, title: str, folder: Path, filters: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), filters)
        return Path(name) if name else None

    def ask_folder(self, parent: QWidget, title: str, folder: Path) -> Path | None:
        name = QFileDialog.getExistingDirectory(parent, title, str(folder))
        return Path(name) if name else None


def local_paths(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


def open_folder(path: Path) -> None:
    """Open a folder, or the folder that a file is in, outside of the window."""
    place = path if path.is_dir() else path.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))
