"""A horizontal slider that jumps to a click."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

_HEIGHT = 24  # less cuts the handle


class Slider(QSlider):
    """A slider whose whole height takes clicks; it goes where it is clicked, and on from there.

    Qt's own goes a page towards the click, and takes only clicks on its line, 4 pixels high.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setMinimumHeight(_HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        x = event.position().x()
        if event.button() == Qt.MouseButton.LeftButton:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            kind, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
            handle = self.style().subControlRect(kind, option, part, self)
            if not handle.left() <= x <= handle.right():
                room = self.width() - handle.width()
                place = round(x - handle.width() / 2)
                lowest, highest = self.minimum(), self.maximum()
                self.setValue(QStyle.sliderValueFromPosition(lowest, highest, place, room))
        on_line = QMouseEvent(
            event.type(),
            QPointF(x, self.height() / 2),
            event.globalPosition(),
            event.button(),
            event.buttons(),
            event.modifiers(),
        )
        super().mousePressEvent(on_line)
