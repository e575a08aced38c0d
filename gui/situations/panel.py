"""The side panel of a situation: its goal, the attempts so far, the last move."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from coach.situations.situations import Attempt, StoredSituation
from coach.situations.text import reached_text
from engine.platform.language import tr, trn
from gui.exam.panel import ExamPanel
from gui.situations.text import (
    about_text,
    attempt_text,
    best_play_text,
    progress_text,
    summary_text,
)
from gui.style.layout import card, clear_layout, column, placed, row
from gui.text.rates import NO_MATCH
from gui.widgets.elided import ElidedButton
from gui.widgets.labels import Figure, label

_MAX_LISTED = 20


class SituationPanel(ExamPanel):
    """The panel of a test, with the statistics of the attempts above it."""

    attempt_chosen = Signal(object)  # Attempt

    def __init__(self) -> None:
        super().__init__()
        self.about_label = label("", "muted", wraps=True)
        self.progress_label = label("", "caption")
        self.reached = Figure(tr("Reached"), "title")
        self.best = Figure(tr("Best play"), "title")
        self.summary_label = label("", wraps=True)
        self.more_label = label("", "caption", wraps=True)
        self.attempt_buttons: list[QPushButton] = []
        self._attempts = column(space=2)
        self.series = self._series_card()
        box = self.layout()
        assert isinstance(box, QVBoxLayout)
        box.insertWidget(0, self.series)
        self.hide_choices()
        self.result.buttons["rematch"].hide()  # known tiles are not fair
        self.result.buttons["restart"].setToolTip(tr("The same position with different tiles"))
        self.show_attempts(None)

    def show_attempts(self, stored: StoredSituation | None) -> None:
        self.series.setVisible(stored is not None)
        clear_layout(self._attempts)
        self.attempt_buttons = []
        if stored is None:
            return
        self.about_label.setText(about_text(stored.situation))
        self.progress_label.setText(progress_text(stored))
        statistics = stored.statistics
        self.reached.show_value(reached_text(statistics) if statistics.n else NO_MATCH)
        self.best.show_value(best_play_text(stored.situation))
        self.summary_label.setText(summary_text(stored))
        self.summary_label.setVisible(bool(self.summary_label.text()))
        text = tr("Next attempt") if stored.n_left else tr("Ten more")
        self.result.buttons["restart"].setText(text)
        over = [(i, attempt) for i, attempt in enumerate(stored.attempts, 1) if attempt.outcome]
        for number, attempt in reversed(over[-_MAX_LISTED:]):
            self._add_attempt(attempt, number)
        n_more = len(over) - len(self.attempt_buttons)
        self.more_label.setText(trn("{n} earlier attempt", "{n:,} earlier attempts", n_more))
        self.more_label.setVisible(n_more > 0)

    def _add_attempt(self, attempt: Attempt, number: int) -> None:
        text = attempt_text(attempt, number)
        button = ElidedButton(text, tr("Open this attempt in Review"))
        button.setProperty("quiet", True)
        button.setProperty("disclosure", True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the board
        button.clicked.connect(lambda _=False: self.attempt_chosen.emit(attempt))
        self._attempts.addWidget(button)
        self.attempt_buttons.append(button)

    def _series_card(self) -> QWidget:
        return card(
            self.about_label,
            row(placed(self.reached, 1), placed(self.best, 1), space=16),
            self.progress_label,
            self.summary_label,
            self._attempts,
            self.more_label,
            space=6,
            margins=12,
        )
