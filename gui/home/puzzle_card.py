"""The puzzle of the day."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from engine.language import tr
from gui.home.card import HomeCard
from gui.widgets.labels import label


class PuzzleCard(HomeCard):
    """A link to the daily puzzle.

    Signals
    -------
    requested : the user wants to solve it
    """

    requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Puzzle of the day"))
        self.text_label = label(
            tr("One position from your tables. One move is right, and the natural one is wrong."),
            "muted",
            wraps=True,
        )
        self.button = QPushButton(tr("Solve"))
        self.content.addWidget(self.text_label)
        self.content.addStretch()
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.button.clicked.connect(self.requested)
