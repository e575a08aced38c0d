"""What a page shows when there is nothing yet: what it is for, and the one button that helps."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout

from gui.widgets.labels import label


class EmptyState(QFrame):
    """A title, a sentence, perhaps a button.

    Signals
    -------
    clicked : the button was pressed
    """

    clicked = Signal()

    def __init__(self, title: str, text: str, button: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 32, 24, 32)
        column.setSpacing(8)
        self.title_label = label(title, "strong", wraps=True)
        self.text_label = label(text, "muted", wraps=True)
        for part in (self.title_label, self.text_label):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part)
        self.button = QPushButton(button)
        self.button.setProperty("primary", True)
        if not button:
            self.button.hide()
        self.button.clicked.connect(self.clicked)
        column.addSpacing(8)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
