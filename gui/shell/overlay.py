"""A temporary panel over the window, such as the keys of the page in front.

Escape or a click outside closes it.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSlider, QApplication, QFrame, QLabel, QScrollArea, QWidget

from engine.platform.language import tr
from gui.keys.key_bindings import names_of_keys
from gui.style.layout import column, grid_layout, laid_out, row
from gui.widgets.labels import label

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


_SCROLLING = {
    Qt.Key.Key_Down: QAbstractSlider.SliderAction.SliderSingleStepAdd,
    Qt.Key.Key_Up: QAbstractSlider.SliderAction.SliderSingleStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}
_MAX_PX = 520
Section = tuple[str, Sequence[QAction]]


class KeyList(Overlay):
    """Sections of actions with their shortcuts; `sections` is called each time."""

    def __init__(self, window: QWidget, sections: Callable[[], Sequence[Section]]) -> None:
        super().__init__(window)
        self._sections_of = sections
        self.column.addWidget(label(tr("Keys"), "title"))
        self._scroll = _Keys()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.column.addWidget(self._scroll, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def open(self) -> None:
        body = QWidget()
        grid = grid_layout(space=(16, 6), wide=(0,), margins=(0, 0, 8, 0), parent=body)
        for title, actions in self._sections_of():
            with_keys = [action for action in actions if action.shortcuts() and action.text()]
            if with_keys:
                grid.addWidget(label(title, "caption"), grid.rowCount(), 0)
            for action in with_keys:
                row = grid.rowCount()
                grid.addWidget(QLabel(action.text().replace("&", "")), row, 0)
                grid.addWidget(_keycaps(action), row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(grid.rowCount(), 1)
        self._scroll.setWidget(body)
        super().open()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        bar = self._scroll.verticalScrollBar()
        if event.key() in _SCROLLING:
            bar.triggerAction(_SCROLLING[Qt.Key(event.key())])
        super().keyPressEvent(event)


class _Keys(QScrollArea):
    """A scroll area as high as its contents, if there is room."""

    def sizeHint(self) -> QSize:  # noqa: N802
        body = self.widget()
        return QSize(0, min(body.sizeHint().height() + 4, _MAX_PX) if body else 0)


def _keycaps(action: QAction) -> QWidget:
    caps = [QLabel(key) for key in names_of_keys(action)]
    for cap in caps:
        cap.setObjectName("keycap")
    return laid_out(row(*caps, space=4))
