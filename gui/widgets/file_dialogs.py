"""Files: the system's dialogs, replaceable in tests, its browser, dropped files, pictures."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QImage,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.platform.errors import WriteError
from engine.platform.files.atomic_file import replacing, writing
from gui.style.theme import STRONG, app_theme, resized, smooth_painter, theme_source


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


def write_png(image: QImage, path: Path) -> None:
    """Write a picture as PNG; raise WriteError if that fails."""
    with writing(path), replacing(path) as part:
        if not image.save(str(part), "PNG"):  # type: ignore[call-overload]
            raise WriteError("cannot write {path}: choose another folder", path=path)


class FileDrop(QWidget):
    """A veil over a page while files are dragged over it."""

    dropped = Signal(object)

    def __init__(self, page: QWidget, text: str) -> None:
        super().__init__(page)
        self._page, self._text = page, text
        theme_source().changed.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        page.setAcceptDrops(True)
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind == QEvent.Type.DragLeave:
            self.hide()
        elif kind == QEvent.Type.Resize:
            self.setGeometry(self._page.rect())
        elif isinstance(event, (QDragEnterEvent, QDragMoveEvent, QDropEvent)):
            return self._take(event)
        return super().eventFilter(watched, event)

    def _take(self, event: QDropEvent) -> bool:
        files = local_paths(event)
        if not files:
            event.ignore()
            return True
        event.acceptProposedAction()
        is_over = event.type() == QEvent.Type.Drop
        self.setVisible(not is_over)
        if is_over:
            self.dropped.emit(files)
        else:
            self.raise_()
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, theme = smooth_painter(self), app_theme()
        painter.setOpacity(0.88)
        painter.fillRect(self.rect(), theme.background)
        painter.setOpacity(1)
        painter.setPen(QPen(theme.accent, 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 10, 10)
        painter.setFont(resized(painter.font(), STRONG))
        painter.setPen(theme.text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
