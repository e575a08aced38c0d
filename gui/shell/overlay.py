"""A temporary panel over the window: Escape or a click outside closes it."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from gui.style.layout import column

_MARGIN, _WIDTH, _TOP = 24, 560, 64


class Overlay(QWidget):
    """Dims its window and shows `panel` in the middle; not modal and not blocking."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.panel = QFrame(self)
        self.panel.setProperty("overlay", True)
        self.column = column(space=12, margins=16, parent=self.panel)
        self._focus_before: QWidget | None = None
        self._sheet = ""
        self.hide()

    def set_sheet(self, sheet: str) -> None:
        """Use other colors; while hidden, applied on opening."""
        self._sheet = sheet
        if self.isVisible():
            self.setStyleSheet(sheet)

    def open(self) -> None:
        if self.isVisible():
            return
        if self.styleSheet() != self._sheet:
            self.setStyleSheet(self._sheet)
        self._focus_before = QApplication.focusWidget()
        self._window.installEventFilter(self)
        self._fit()
        self.show()
        self.raise_()

    def close_overlay(self) -> None:
        if not self.isVisible():
            return
        self.hide()
        self._window.removeEventFilter(self)
        if self._focus_before and self._focus_before.isVisible():
            self._focus_before.setFocus()
        self._focus_before = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Close on Escape; no other key reaches the page below."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_overlay()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self.panel.geometry().contains(event.position().toPoint()):
            self.close_overlay()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        QPainter(self).fillRect(self.rect(), QColor(0, 0, 0, 90))

    def _fit(self) -> None:
        window = self._window
        self.setGeometry(window.rect())
        width = min(_WIDTH, window.width() - 2 * _MARGIN)
        top = min(_TOP, window.height() // 12)
        height = min(self.panel.sizeHint().height(), window.height() - top - _MARGIN)
        self.panel.setGeometry(QRect((window.width() - width) // 2, top, width, height))
