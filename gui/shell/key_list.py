"""The keys of the page in front, over the window."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractSlider, QLabel, QScrollArea, QWidget

from engine.platform.language import tr
from gui.keys.key_bindings import names_of_keys
from gui.style.layout import grid_layout, laid_out, row
from gui.widgets.labels import label
from gui.widgets.overlay import Overlay

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
