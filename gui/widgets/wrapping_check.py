"""A check box whose text wraps if it doesn't fit on one line."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle

_MIN_PX = 160


class WrappingCheckBox(QCheckBox):
    """A check box with wrapping text."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._words = words
        self.setAccessibleName(words)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(_MIN_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        metric = QStyle.PixelMetric
        box = self.style().pixelMetric(metric.PM_IndicatorWidth, None, self)
        space = self.style().pixelMetric(metric.PM_CheckBoxLabelSpacing, None, self)
        room = event.size().width() - box - space - 4
        lines, metrics = [""], self.fontMetrics()
        for word in self._words.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and metrics.horizontalAdvance(longer) > room:
                lines.append(word)
            else:
                lines[-1] = longer
        if "\n".join(lines) != self.text():
            self.setText("\n".join(lines))
