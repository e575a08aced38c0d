"""Lets a page scroll without changing its fields when the pointer is over one."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QSlider, QWidget

_FIELDS = (QSlider, QComboBox, QAbstractSpinBox)
_ARRIVALS = (QEvent.Type.Show, QEvent.Type.LayoutRequest)


class WheelFilter(QObject):
    """An event filter: watched fields only use the wheel while focused."""

    def watch(self, field: QWidget) -> None:
        if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    def watch_fields(self, page: QWidget) -> None:
        """Watch the sliders, menus and numbers of a page that scrolls, and those it gets later."""
        page.installEventFilter(self)
        for kind in _FIELDS:
            for field in page.findChildren(kind):
                self.watch(field)

    def watch_inside(self, area: QAbstractScrollArea) -> None:
        """Watch a list, over whose contents the wheel is turned."""
        area.viewport().setFocusProxy(area)
        area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in _ARRIVALS and not isinstance(watched, _FIELDS):
            self.watch_fields(watched)  # type: ignore[arg-type]
            return False
        is_turn = event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget)
        if not is_turn or watched.hasFocus():  # type: ignore[attr-defined]
            return False
        event.ignore()
        return True
