"""Files dropped onto a page: a veil says what dropping does, a signal says what was dropped."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from gui.style.theme import STRONG, app_theme, theme_source


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
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
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
        painter, theme = QPainter(self), app_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.88)
        painter.fillRect(self.rect(), theme.background)
        painter.setOpacity(1)
        painter.setPen(QPen(theme.accent, 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 10, 10)
        font = painter.font()
        font.setPixelSize(STRONG)
        painter.setFont(font)
        painter.setPen(theme.text)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
