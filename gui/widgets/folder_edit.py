"""A field for the path of a folder that may be longer than the field."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

_MARGIN_PX = 2  # of Qt, beside the text of any field


class FolderEdit(QLineEdit):
    """A field that leaves out the middle of a long path, unless it has the keyboard.

    Both ends of a path tell folders apart; Qt would cut one of them in the middle of a letter.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.textChanged.connect(self.setToolTip)
        self.setText(text)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw as much of the path as there is room for."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = QStyle.SubElement.SE_LineEditContents
        room = self.style().subElementRect(contents, option, self)
        room.adjust(_MARGIN_PX, 0, -_MARGIN_PX, 0)
        middle = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text(), middle, room.width())
        if self.hasFocus() or text == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        panel = QStyle.PrimitiveElement.PE_PanelLineEdit
        self.style().drawPrimitive(panel, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text
        )
