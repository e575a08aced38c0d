"""A temporary panel over a window or a page, such as the keys of the page in front.

Escape or a click beside it closes it.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from gui.style.layout import column
from gui.widgets.reading_order import step

_MARGIN, _WIDTH, _TOP = 24, 560, 64


class Overlay(QWidget):
    """Dims its window down to the end of `over`, and shows `panel` there; blocks nothing."""

    def __init__(
        self, window: QWidget, over: QWidget | None = None, width_px: int = _WIDTH, top: int = _TOP
    ) -> None:
        super().__init__(window)
        self._window, self._over = window, over or window
        self._width_px, self._top = width_px, top
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
        self._over.installEventFilter(self)
        self._fit()
        self.show()
        self.raise_()

    def close_overlay(self) -> None:
        if self.isHidden():
            return
        self.hide()
        self._over.removeEventFilter(self)
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

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Keep Tab in the panel."""
        return step(self.panel, QApplication.focusWidget(), forward)

    def _fit(self) -> None:
        over = self._over
        room = QRect(QPoint(), over.mapTo(self._window, over.rect().bottomRight()))
        self.setGeometry(room)
        width = min(self._width_px, room.width() - 2 * _MARGIN)
        top = min(self._top, room.height() // 12)
        height = min(self._height(width), room.height() - top - min(top, _MARGIN))
        self.panel.setGeometry(QRect((room.width() - width) // 2, top, width, height))

    def _height(self, _width: int) -> int:
        return self.panel.sizeHint().height()
