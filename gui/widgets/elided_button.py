"""A button whose text gives way to a narrow column."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter


class ElidedButton(QPushButton):
    """A row to press: a text that is cut ends in an ellipsis, and the tool tip has all of it."""

    def __init__(self, text: str, tool_tip: str) -> None:
        super().__init__(text)
        self.setToolTip(f"{text}\n{tool_tip}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the button with as much of its text as there is room for."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_PushButtonContents
        room = self.style().subElementRect(part, option, self).width()
        option.text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room, int(Qt.TextFlag.TextShowMnemonic)
        )
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)
