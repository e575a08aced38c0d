"""The puzzle of the day, and how it was answered."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from coach.puzzles.puzzles import DailyPuzzle
from engine.platform.language import mark, tr
from gui.home.card import HomeCard
from gui.text.answers import table_title
from gui.widgets.labels import label

_ABOUT = mark("One position from your tables. One move is right, and the natural one is wrong.")


class PuzzleCard(HomeCard):
    """A link to the daily puzzle.

    Signals
    -------
    requested : the user wants to solve it
    """

    requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Puzzle of the day"))
        self.result_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton()
        self.content.addWidget(self.result_label)
        self.content.addWidget(self.text_label)
        self.content.addStretch()
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.button.clicked.connect(self.requested)
        self.show_daily(DailyPuzzle())

    def show_daily(self, daily: DailyPuzzle) -> None:
        """Show whether it was answered, and the result."""
        is_done = daily.stored is not None and daily.is_right is not None
        self.result_label.setText(tr("You solved it") if daily.is_right else tr("You missed it"))
        self.result_label.setVisible(is_done)
        self.button.setText(tr("Show") if is_done else tr("Solve"))
        if daily.stored and is_done:
            table = table_title(daily.stored.puzzle.key)
            self.text_label.setText(tr("{table}, done today.", table=table))
        else:
            self.text_label.setText(tr(_ABOUT))
