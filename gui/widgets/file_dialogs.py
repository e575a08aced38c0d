"""The system's dialogs for files, as something that tests can put another thing in place of."""

from pathlib import Path

from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget


class FileDialogs:
    """Asks the person for files."""

    def ask_save(self, parent: QWidget, title: str, path: Path, filters: str) -> Path | None:
        """Return where to write; None when the person thinks better of it."""
        name, _ = QFileDialog.getSaveFileName(parent, title, str(path), filters)
        return Path(name) if name else None

    def ask_open(self, parent: QWidget, title: str, folder: Path, filters: str) -> Path | None:
        """Return what to read; None when the person thinks better of it."""
        name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), filters)
        return Path(name) if name else None

    def ask_folder(self, parent: QWidget, title: str, folder: Path) -> Path | None:
        """Return a folder; None when the person thinks better of it."""
        name = QFileDialog.getExistingDirectory(parent, title, str(folder))
        return Path(name) if name else None


def local_paths(event: QDropEvent) -> list[Path]:
    """Return the files and folders that are dragged, as far as they are on this machine."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
