"""A game at a glance: its figures, the number of moves by grade, the worst moves."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from coach.recordings.recording import Recording
from engine.platform.language import tr
from gui.board.grade_mark import GradeMark
from gui.style.layout import column, placed
from gui.text.reviews import describe_end, describe_mark, summary_lines
from gui.widgets.elided import ElidedButton
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import label

MAX_WORST = 5


class ReviewSummary(QFrame):
    """A card with the figures of a game.

    Signals
    -------
    picked : int
        The user chose one of the worst moves.
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.bar = GradeBar()
        self.luck_label = label("", "muted", wraps=True)
        self.worst_title = label(tr("Worst moves"), "caption")
        self.train_button = QPushButton(tr("Train this (10 min)"))
        self.train_button.setProperty("primary", True)
        self.train_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.worst_buttons: list[QPushButton] = []
        self._figures, self._worst = QGridLayout(), QGridLayout()
        for grid in (self._figures, self._worst):
            grid.setHorizontalSpacing(12)
            grid.setVerticalSpacing(4)
        self._figures.setColumnStretch(1, 1)
        self._worst.setColumnStretch(1, 1)
        column(
            label(tr("The whole game"), "strong"),
            self._figures,
            self.luck_label,
            self.bar,
            4,
            self.worst_title,
            self._worst,
            placed(self.train_button, align=Qt.AlignmentFlag.AlignLeft),
            margins=12,
            parent=self,
        )

    def show_recording(self, recording: Recording) -> None:
        """Show the figures of a game."""
        _empty(self._figures)
        for row, (caption, value) in enumerate(summary_lines(recording)):
            value_label = label(value)
            value_label.setProperty("weight", "strong")
            value_label.setAlignment(Qt.AlignmentFlag.AlignRight)
            value_label.setAccessibleName(f"{caption} {value}")
            self._figures.addWidget(label(caption, "muted"), row, 0)
            self._figures.addWidget(value_label, row, 1)
        luck_text = describe_end(recording)
        self.luck_label.setText(luck_text)
        self.luck_label.setVisible(bool(luck_text))
        self.bar.show_counts(recording.score.counts)
        self.bar.setVisible(recording.n_judged > 0)
        self._show_worst(recording)
        self.train_button.setVisible(recording.n_judged > 0)

    @property
    def figures(self) -> dict[str, str]:
        """The figures shown, by their captions."""
        found = {}
        for row in range(self._figures.rowCount()):
            pair = [self._figures.itemAtPosition(row, column) for column in (0, 1)]
            texts = [getattr(item.widget(), "text", str)() for item in pair if item]
            if len(texts) == 2:
                found[texts[0]] = texts[1]
        return found

    def _show_worst(self, recording: Recording) -> None:
        _empty(self._worst)
        self.worst_buttons = []
        worst = recording.worst(MAX_WORST)
        self.worst_title.setVisible(bool(worst))
        for row, index in enumerate(worst):
            judgement = recording.judgements[index]
            mark = GradeMark()
            mark.show_grade(judgement.grade if judgement else None)
            button = ElidedButton(describe_mark(recording, index), tr("Go to this move"))
            button.setProperty("quiet", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("row", True)
            button.clicked.connect(lambda _=False, i=index: self.picked.emit(i))
            self._worst.addWidget(mark, row, 0)
            self._worst.addWidget(button, row, 1)
            self.worst_buttons.append(button)


def _empty(grid: QGridLayout) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget: QWidget | None = item.widget()
        if widget:
            widget.hide()
            widget.deleteLater()
