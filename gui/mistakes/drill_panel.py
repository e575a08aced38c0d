"""The side panel of a drill: question and verdict, rates, tally, options."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout

from coach.grading.grade import Tolerance
from coach.mistakes.drill import Weighting
from engine.platform.language import mark, tr
from gui.mistakes.countdown_ring import CountdownRing
from gui.mistakes.drill_run import DUE, Question, Tally, Verdict
from gui.style.layout import column
from gui.text.answers import answer_text
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label
from gui.widgets.question_panel import QuestionPanel

_CHOICES = (
    Choice(DUE, mark("Due"), tip=mark("Due for review, plus a few new ones")),
    Choice(Weighting.COUNT.value, mark("Frequent"), tip=mark("Random, favoring frequent mistakes")),
    Choice(Weighting.LOSS.value, mark("Costly"), tip=mark("Random, favoring costly mistakes")),
    Choice(
        Weighting.BOTH.value,
        mark("Frequent and costly"),
        tip=mark("Random, favoring frequent and costly mistakes"),
    ),
)
_FIGURES = (mark("Correct"), mark("Wrong"), mark("To do"), mark("Streak"))


class DrillPanel(QuestionPanel):
    """The side panel of a drill.

    Signals
    -------
    mode_chosen : str
    advance_toggled, turn_toggled : bool
        Advance automatically after a correct answer; turn the boards.
    """

    mode_chosen = Signal(str)
    advance_toggled = Signal(bool)
    turn_toggled = Signal(bool)

    def __init__(self) -> None:
        self.ring = CountdownRing()
        super().__init__(_FIGURES, self.ring)
        self.mode_chips = ChipGroup(tr("What to drill"))
        self.mode_chips.set_choices(_CHOICES, DUE)
        self.advance_box = QCheckBox(tr("Advance automatically after a correct answer"))
        self.turn_box = QCheckBox(tr("Rotate the boards randomly"))
        self.column.addLayout(self._controls())
        self.column.addStretch()
        self.mode_chips.chosen.connect(lambda mode: self.mode_chosen.emit(str(mode)))
        self.advance_box.toggled.connect(self.advance_toggled)
        self.turn_box.toggled.connect(self.turn_toggled)
        self.show_tally(Tally())

    def show_tally(self, tally: Tally) -> None:
        """Show the results so far."""
        left = "\N{EN DASH}" if tally.left is None else str(tally.left)
        self.figures["Correct"].show_value(str(tally.right), tone="good" if tally.right else "")
        self.figures["Wrong"].show_value(str(tally.wrong), tone="bad" if tally.wrong else "")
        self.figures["To do"].show_value(left)
        self.figures["Streak"].show_value(str(tally.combo))

    def ask(self, question: Question) -> None:
        """Ask a question, with the figures of the moves hidden."""
        self.ring.cancel()
        tolerance = Tolerance.of_best(question.rates, question.best)
        self.ask_rates(_rates_or_places(question), tolerance, question.breaking)

    def judge(self, question: Question, verdict: Verdict) -> None:
        """Show the rates and the verdict on the answer."""
        has_rates = question.mistake.has_rates
        if not has_rates:
            self.cross.sentence.setText(tr("No success rates were recorded for this position."))
        loss, grade = verdict.loss, verdict.grade
        text = answer_text(verdict.direction, question.best, loss, has_rates, grade)
        self.show_verdict(text, verdict.grade, shows_rates=has_rates)

    def clear(self) -> None:
        """Show no question."""
        self.ring.cancel()
        super().clear()

    def _controls(self) -> QVBoxLayout:
        for button in (self.advance_box, self.turn_box, *self.mode_chips.buttons.values()):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return column(
            label(tr("Drill"), "caption"),
            self.mode_chips,
            8,
            self.advance_box,
            self.turn_box,
            space=6,
        )


def _rates_or_places(question: Question) -> list[float | None]:
    """Return the rates; if unknown, placeholders for the legal moves."""
    if question.mistake.has_rates:
        return list(question.rates)
    return [0.5 if question.can_move(direction) else None for direction in range(4)]
