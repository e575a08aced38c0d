"""A menu whose choice may be longer than the menu is wide."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

_MARGIN_PX = 2  # of Qt, on both sides of the text together


class ElidedCombo(QComboBox):
    """A menu whose choice ends in an ellipsis if there is no room for all of it.

    Qt would cut it in the middle of a letter. Its list and its tool tip have all of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.currentTextChanged.connect(self.setToolTip)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw as much of the choice as there is room for."""
        if self.currentIndex() < 0:  # it shows its placeholder
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width() - _MARGIN_PX
        right = Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(self.currentText(), right, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(control, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
