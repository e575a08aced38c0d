"""Show a file or a folder in the file browser of the system."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_folder(path: Path) -> None:
    """Open a folder, or the folder that a file is in, outside of the window."""
    place = path if path.is_dir() else path.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))
