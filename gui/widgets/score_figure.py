"""The score in large figures; what a move added rises beside it and fades."""

import time
from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style.theme import (
    BODY,
    CAPTION,
    STRONG,
    TITLE,
    app_theme,
    resized,
    smooth_painter,
    theme_source,
    with_tabular_figures,
)
from gui.text.numbers import format_whole

GAIN_MS = 600
_FRAME_MS = 16
_RISE_PX = 14
_GAP_PX = 8
_HEIGHT_PX, _BASELINE_PX = 36, 35
_LARGE_GAIN = f"+{format_whole(1 << 15)}"


class ScoreFigure(QWidget):
    """A caption, and a whole number under it; the main one is larger, with a gain at its left.

    Of 0 nothing is shown.
    """

    def __init__(
        self, caption: str, is_main: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._caption, self._clock = caption, clock
        theme_source().changed.connect(self.update)
        self._is_main = is_main
        self.value, self._gain, self._gained_s = 0, 0, 0.0
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self._on_frame)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_value(0)

    @property
    def gain(self) -> int:
        """The gain floating next to the number; 0 for none."""
        floats = (self._clock() - self._gained_s) * 1000 < GAIN_MS
        return self._gain if floats else 0

    def show_value(self, value: int, gain: int | None = None) -> None:
        """Show a number; a gain floats beside it.

        0 leaves what floats already; None, for a number that has nothing to do with the one before,
        takes it away.
        """
        is_wider = len(str(value)) != len(str(self.value))
        self.value = value
        self.setAccessibleName(f"{self._caption} {value}")
        if gain:
            self._gain, self._gained_s = gain, self._clock()
            if self.isVisible():
                self._timer.start()
        elif gain is None:
            self._gain = 0
            self._timer.stop()
        if is_wider:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        digits = max(6, len(str(self.value)))
        width = QFontMetricsF(self._font()).horizontalAdvance(format_whole(10**digits - 1))
        if self._is_main:
            width += QFontMetricsF(self._font(BODY)).horizontalAdvance(_LARGE_GAIN) + _GAP_PX
        return QSize(int(width) + 2, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if not self.value:
            return
        painter = smooth_painter(self)
        right = Qt.AlignmentFlag.AlignRight
        painter.setFont(resized(self.font(), CAPTION))
        painter.setPen(app_theme().text_muted)
        painter.drawText(self.rect(), right | Qt.AlignmentFlag.AlignTop, self._caption)
        painter.setFont(self._font())
        painter.setPen(app_theme().text)
        text = format_whole(self.value)
        number_px = QFontMetricsF(self._font()).horizontalAdvance(text)
        painter.drawText(QPointF(self.width() - number_px, _BASELINE_PX), text)
        if self.gain:
            self._draw_gain(painter)

    def _draw_gain(self, painter: QPainter) -> None:
        way = min(1.0, (self._clock() - self._gained_s) * 1000 / GAIN_MS)
        text, font = f"+{format_whole(self._gain)}", self._font(BODY)
        width = QFontMetricsF(font).horizontalAdvance(text)
        number = QFontMetricsF(self._font()).horizontalAdvance(format_whole(self.value))
        color = QColor(app_theme().good)
        color.setAlphaF(1 - way**3)  # legible for most of the way
        painter.setFont(font)
        painter.setPen(color)
        left = max(0.0, self.width() - number - _GAP_PX - width)
        painter.drawText(QPointF(left, _BASELINE_PX - 2 - _RISE_PX * way), text)

    def _font(self, pixels: int = 0) -> QFont:
        pixels = pixels or (TITLE if self._is_main else STRONG)
        return with_tabular_figures(resized(self.font(), pixels, QFont.Weight.DemiBold))

    def _on_frame(self) -> None:
        if not self.gain:
            self._gain = 0
            self._timer.stop()
        self.update()
