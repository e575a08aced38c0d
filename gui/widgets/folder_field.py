"""A folder to type, to paste, or to look for."""

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from engine.platform.language import tr
from gui.style.layout import placed, row
from gui.widgets.buttons import tool_button
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.labels import set_property

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


class FolderField(QWidget):
    """A line for a folder and a button that opens the system's dialog."""

    changed = Signal()

    def __init__(self, name: str, dialogs: FileDialogs | None = None) -> None:
        super().__init__()
        self._name, self._dialogs = name, dialogs or FileDialogs()
        self.edit = FolderEdit()
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(name)
        self.browse_button = tool_button(
            "folder", tr("Choose a folder"), look="", work=self._browse
        )
        row(placed(self.edit, stretch=1), self.browse_button, space=6, parent=self)
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(lambda _: self.changed.emit())

    @property
    def folder(self) -> Path | None:
        text = self.edit.text().strip()
        return Path(os.path.expanduser(text)) if text else None

    def mark(self, *, is_invalid: bool) -> None:
        set_property(self.edit, "invalid", is_invalid)

    def _browse(self) -> None:
        start = self.folder or Path.home()
        if folder := self._dialogs.ask_folder(self, self._name, start):
            self.edit.setText(str(folder))
