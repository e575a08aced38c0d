"""What stands beside the board of a drill: question and verdict, rates, tally, how to drill."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from coach.grading.grade import Grade, Tolerance
from coach.mistakes.drill import Weighting
from engine.language import mark, tr, trn
from gui.board.grade_mark import GradeMark
from gui.core.announcer import announce_verdict
from gui.mistakes.countdown_ring import CountdownRing
from gui.mistakes.drill_run import DUE, Question, Tally, Verdict
from gui.mistakes.text import directions_text, loss_text
from gui.style.theme import Theme
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import Figure, label
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross

_CHOICES = (
    Choice(DUE, mark("Due"), tip=mark("Due for review, plus a few new ones")),
    Choice(Weighting.COUNT.value, mark("Frequent"), tip=mark("Random, favoring frequent mistakes")),
    Choice(Weighting.LOSS.value, mark("Costly"), tip=mark("Random, favoring costly mistakes")),
    Choice(
        Weighting.BOTH.value,
        mark("Frequent and costly"),
        tip=mark("Random, favoring mistakes that are both"),
    ),
)
_FIGURES = (mark("Correct"), mark("Wrong"), mark("To do"), mark("Streak"))
ASKING = mark("Which move is best? Answer with the arrow keys, WASD or HJKL.")


class DrillPanel(QWidget):
    """The side panel of a drill.

    Signals
    -------
    mode_chosen : str
    advance_toggled, turn_toggled : bool
        Go on by itself after a right answer; turn the boards.
    """

    mode_chosen = Signal(str)
    advance_toggled = Signal(bool)
    turn_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.figures = {name: Figure(tr(name)) for name in _FIGURES}
        self.cross, self.notice = RateCross(theme), Notice()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.cross)
        self.stack.addWidget(self.notice)
        self.mark, self.verdict, self.ring = GradeMark(theme), QLabel(), CountdownRing(theme)
        self.about_label = label("", "caption", wraps=True)
        self.mode_chips = ChipGroup(tr("What to drill"))
        self.mode_chips.set_choices(_CHOICES, DUE)
        self.advance_box = QCheckBox(tr("Advance automatically after a correct answer"))
        self.turn_box = QCheckBox(tr("Rotate the boards randomly"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        layout.addLayout(self._verdict_row())
        layout.addWidget(self.stack)
        layout.addWidget(self.about_label)
        layout.addLayout(self._tally_row())
        layout.addLayout(self._controls())
        layout.addStretch()
        self.mode_chips.chosen.connect(lambda mode: self.mode_chosen.emit(str(mode)))
        self.advance_box.toggled.connect(self.advance_toggled)
        self.turn_box.toggled.connect(self.turn_toggled)
        self._mark(None)
        self.show_tally(Tally())

    def lay_flat(self, flat: bool) -> None:
        """Put the rates in a row, for a panel under the board, or in a cross beside it."""
        self.cross.lay_flat(flat)

    def show_tally(self, tally: Tally) -> None:
        """Show how the sitting went so far."""
        left = "\N{EN DASH}" if tally.left is None else str(tally.left)
        self.figures["Correct"].show_value(str(tally.right), tone="good" if tally.right else "")
        self.figures["Wrong"].show_value(str(tally.wrong), tone="bad" if tally.wrong else "")
        self.figures["To do"].show_value(left)
        self.figures["Streak"].show_value(str(tally.combo))

    def ask(self, question: Question) -> None:
        """Ask: the figures stay hidden, as many as there are moves."""
        self.ring.cancel()
        self.stack.setCurrentWidget(self.cross)
        self.cross.hide_figures(True)
        tolerance = Tolerance.of_best(question.rates, question.best)
        self.cross.show_rates(
            _rates_or_places(question), tolerance=tolerance, breaking=question.breaking
        )
        self.cross.sentence.setText("")
        self._say(tr(ASKING))
        self._mark(None)

    def judge(self, question: Question, verdict: Verdict) -> None:
        """Show the rates and what the answer was worth."""
        if question.mistake.has_rates:
            self.cross.hide_figures(False)
        else:
            self.cross.sentence.setText(tr("No success rates were recorded for this position."))
        self._mark(verdict.grade)
        text = verdict_text(question, verdict)
        self._say(text)
        announce_verdict(self.verdict, verdict.grade, text)

    def show_message(self, message: Message) -> None:
        """Show a notice where the rates were."""
        self.ring.cancel()
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)
        self._mark(None)
        self._say("")
        self.about_label.setText("")

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        for part in (self.cross, self.mark, self.ring):
            part.set_theme(theme)

    def _mark(self, grade: Grade | None) -> None:
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)

    def _say(self, text: str) -> None:
        self.verdict.setText(text)
        self.verdict.setAccessibleDescription(text)

    def _tally_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for figure in self.figures.values():
            row.addWidget(figure, 1)
        return row

    def _verdict_row(self) -> QHBoxLayout:
        self.verdict.setWordWrap(True)
        self.verdict.setAccessibleName(tr("Answer"))
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.verdict, 1)
        row.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _controls(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(label(tr("Drill"), "caption"))
        column.addWidget(self.mode_chips)
        column.addSpacing(8)
        for box in (self.advance_box, self.turn_box):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            column.addWidget(box)
        for button in self.mode_chips.buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return column


def verdict_text(question: Question, verdict: Verdict) -> str:
    """Return what an answer was worth in a sentence or two."""
    name = directions_text([verdict.direction])
    if verdict.is_right:
        others = [one for one in question.best if one != verdict.direction]
        if not others:
            return tr("Correct \N{EN DASH} {move} is best.", move=name)
        text = mark("Correct \N{EN DASH} {move} is best. {others} is just as good.")
        return tr(text, move=name, others=directions_text(others))
    best, n_best = directions_text(question.best), len(question.best)
    if verdict.loss is None and question.mistake.has_rates:
        return trn(
            "{move} breaks the formation. {best} is best.",
            "{move} breaks the formation. {best} are best.",
            n_best,
            move=name,
            best=best,
        )
    if verdict.loss is None:
        return trn(
            "{move} isn't best. {best} is.",
            "{move} isn't best. {best} are.",
            n_best,
            move=name,
            best=best,
        )
    return trn(
        "{move} loses {loss} of your chance. {best} is best.",
        "{move} loses {loss} of your chance. {best} are best.",
        n_best,
        move=name,
        loss=loss_text(verdict.loss),
        best=best,
    )


def _rates_or_places(question: Question) -> list[float | None]:
    """Return the rates; where they are not known, anything for each possible move."""
    if question.mistake.has_rates:
        return list(question.rates)
    return [0.5 if question.can_move(direction) else None for direction in range(4)]
