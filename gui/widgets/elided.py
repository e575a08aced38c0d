"""Controls whose text gives way to a narrow column: it ends in an ellipsis, or wraps."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
)

from engine.platform.language import tr

SHORTER = Qt.ItemDataRole.UserRole + 1
"""The role of a choice's text without what may go before anything is cut, such as a result."""
_CHECK_PX = 160
_MARGIN_PX = 2  # of Qt, on both sides of the text together


class ElidedButton(QPushButton):
    """A row to press: a text that is cut ends in an ellipsis, and the tool tip has all of it."""

    def __init__(self, text: str, tool_tip: str) -> None:
        super().__init__(text)
        self.setToolTip(f"{text}\n{tool_tip}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_PushButtonContents
        room = self.style().subElementRect(part, option, self).width()
        option.text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room, int(Qt.TextFlag.TextShowMnemonic)
        )
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


class ElidedCombo(QComboBox):
    """A menu whose choice ends in an ellipsis if there is no room for all of it.

    Qt would cut it in the middle of a letter. Its list and its tool tip have all of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.currentTextChanged.connect(self.setToolTip)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self.currentIndex() < 0:  # it shows its placeholder
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width() - _MARGIN_PX
        metrics, text, right = self.fontMetrics(), self.currentText(), Qt.TextElideMode.ElideRight
        if metrics.horizontalAdvance(text) > room:
            text = self.currentData(SHORTER) or text
        option.currentText = metrics.elidedText(text, right, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(control, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class TableCombo(ElidedCombo):
    """An empty choice of a table; a click on it leaves the keys to the board."""

    def __init__(self, min_width: int) -> None:
        super().__init__()
        self.setAccessibleName(tr("Table"))
        self.setMinimumWidth(min_width)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class WrappingCheckBox(QCheckBox):
    """A check box with wrapping text."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._words = words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(_CHECK_PX, super().minimumSizeHint().height())

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
