"""Labels with a role in the type scale, and a figure with its caption."""

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.style.layout import column

# Spaces inside a figure or the name of a table.
_INSIDE = re.compile("(?<=\\d) (?=%)|(?<=\u2192) (?=\\d)|(?<=\\w) (?=\u2192 \\d)")
TITLE_PX = 36
"""The height of a title: that of a button, so that the titles of all pages stand at one height."""


def label(text: str, role: str = "", *, wraps: bool = False) -> QLabel:
    """Return a label; `role` is one of caption, muted, strong, title, figure."""
    widget = WrapLabel(text) if wraps else QLabel(text)
    if role:
        widget.setProperty("role", role)
    return widget


def show_text(widget: QLabel | QPushButton, text: str) -> None:
    """Show a text; without one the widget takes no room."""
    widget.setText(text)
    widget.setVisible(bool(text))


def line() -> QFrame:
    frame = QFrame()
    frame.setObjectName("line")
    return frame


def field(caption: str, content: QWidget | QLayout) -> QVBoxLayout:
    return column(label(caption, "caption"), content, space=4)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a dynamic property used by the style sheet, and reapply the style."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def reserve_lines(widget: QLabel, n: int = 2) -> None:
    """Keep room for so many lines: nothing below moves when the text comes or goes."""
    widget.setMinimumHeight(n * widget.fontMetrics().lineSpacing())
    widget.setAlignment(Qt.AlignmentFlag.AlignTop)


def keep_room(widget: QWidget) -> None:
    """Keep the room of a widget while it is hidden: nothing beside it moves."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class WrapLabel(QLabel):
    """A label that takes the given width, and just the height it needs.

    A plain QLabel asks for a wide minimum, so pages are cut off, and for a tall one, so cards gape.
    No line ends inside "5.0 %" or "442 \u2192 128".
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setText(text)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:  # noqa: N802
        self._text = text
        super().setText(_INSIDE.sub("\N{NO-BREAK SPACE}", text))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.fontMetrics().height())

    def sizeHint(self) -> QSize:  # noqa: N802
        width = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else 240
        return QSize(0, max(self.heightForWidth(width), self.fontMetrics().height()))


class ElidedLabel(QLabel):
    """One line that gives way: it ends in an ellipsis, and the tool tip has all of it."""

    def __init__(
        self, text: str = "", role: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(text)
        self._mode = mode
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        rect = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), self._mode, rect.width())
        painter.drawText(rect, int(self.alignment()), text)


class Figure(QWidget):
    """A caption and under it a quantity."""

    def __init__(self, caption: str, role: str = "strong") -> None:
        super().__init__()
        self.caption_label = label(caption, "caption")
        self.value_label = label("\u2013", role)
        self.note_label = label("", "caption", wraps=True)
        self.note_label.hide()
        column(self.caption_label, self.value_label, self.note_label, space=2, parent=self)
        self.value_label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)

    def show_value(self, value: str, note: str = "", tone: str = "") -> None:
        """Show a quantity, a remark under it, and a tone (good, warning, bad) for both."""
        self.value_label.setText(value)
        show_text(self.note_label, note)
        for part in (self.value_label, self.note_label):
            set_property(part, "tone", tone)
