"""The base of Home's cards: a heading with a link to everything, and the content."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from gui.style.layout import STRETCH, column, placed, row
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
        self.content = column()
        column(
            row(placed(heading_label, stretch=1), self.more_button, space=4),
            placed(self.content, stretch=1),
            space=4,
            margins=(MARGIN, 6, MARGIN, MARGIN),
            parent=self,
        )


def beside(picture: QWidget, *texts: QWidget, button: QPushButton) -> QHBoxLayout:
    """Return a row: a picture, next to texts with a button below."""
    return row(
        placed(picture, align=Qt.AlignmentFlag.AlignTop),
        placed(
            column(*texts, STRETCH, 4, placed(button, align=Qt.AlignmentFlag.AlignLeft), space=4),
            stretch=1,
        ),
        space=MARGIN,
    )
