"""A slider whose groove shows the color at each position."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionSlider

from gui.widgets.slider import Slider

_N_STOPS = 12
_HEIGHT, _GROOVE, _HANDLE = 26, 10, 16


class ColorSlider(Slider):
    """A slider from 0 to `most`.

    Parameters
    ----------
    name : str
        Name for screen readers.
    most : int
    """

    def __init__(self, name: str, most: int) -> None:
        super().__init__()
        self.setRange(0, most)
        self.setPageStep(max(1, most // 20))
        self.setAccessibleName(name)
        self._colors: list[QColor] = []
        self._edge, self._focus = QColor(), QColor()

    def show_way(self, color_at: Callable[[float], str], edge: QColor, focus: QColor) -> None:
        """Color the groove by `color_at`, called with fractions of the range."""
        self._colors = [QColor(color_at(i / _N_STOPS)) for i in range(_N_STOPS + 1)]
        self._edge, self._focus = edge, focus
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size of groove and handle."""
        return QSize(160, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the groove and the handle, at the place where the style looks for clicks."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        groove = QRectF(1, (self.height() - _GROOVE) / 2, self.width() - 2, _GROOVE)
        gradient = QLinearGradient(groove.topLeft(), groove.topRight())
        for i, color in enumerate(self._colors):
            gradient.setColorAt(i / _N_STOPS, color)
        painter.setPen(QPen(self._edge, 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        rect = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
        center = QPointF(QRectF(rect).center().x(), self.height() / 2)
        share = (self.value() - self.minimum()) / max(1, self.maximum() - self.minimum())
        if self._colors:
            painter.setBrush(self._colors[round(share * _N_STOPS)])
        painter.setPen(QPen(self._focus if self.hasFocus() else self._edge, 2.5))
        painter.drawEllipse(center, _HANDLE / 2 - 1, _HANDLE / 2 - 1)
