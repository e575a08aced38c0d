"""The base of Home's cards: a heading with a link to everything, and the content."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets.labels import label

MARGIN = 16
_HEAD = 34  # pixels, with or without a button, so that the headings of a row are aligned


class HomeCard(QFrame):
    """A card with its heading.

    Parameters
    ----------
    heading : str
    more : str
        The button to the right of the heading, which leads to everything; "" for none.

    Attributes
    ----------
    content : QVBoxLayout
    more_button : QPushButton
    """

    def __init__(self, heading: str, more: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName(heading)
        self.more_button = QPushButton(more)
        self.more_button.setProperty("quiet", True)
        self.more_button.setProperty("row", True)  # no room beside its text
        if not more:
            self.more_button.hide()
        heading_label = label(heading, "caption")
        heading_label.setMinimumHeight(_HEAD)
        head = QHBoxLayout()
        head.addWidget(heading_label, 1)
        head.addWidget(self.more_button)
        self.content = QVBoxLayout()
        self.content.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 6, MARGIN, MARGIN)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(self.content, 1)


def beside(picture: QWidget, *texts: QWidget, button: QPushButton) -> QHBoxLayout:
    """Return a row: a picture, next to texts with a button below."""
    row = QHBoxLayout()
    row.setSpacing(MARGIN)
    row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(4)
    for text in texts:
        column.addWidget(text)
    column.addStretch()
    column.addSpacing(4)
    column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    row.addLayout(column, 1)
    return row
