"""The side panel of a question: the verdict, the hidden rates, a row of figures."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from coach.grading.grade import FINE_GRADES, Grade, Tolerance
from coach.play.question_run import Question, Verdict
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import loss_figures, loss_text
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.style.layout import column, placed, row
from gui.text.answers import answer_text
from gui.text.rates import format_points
from gui.widgets.labels import Figure, keep_room, label
from gui.widgets.rate_cross import RateCross

_ASKING = mark("Which move is best? Answer with the arrow keys, WASD or HJKL.")


class QuestionPanel(QWidget):
    """The side panel of a question; what a page has besides goes into `column`.

    `figures` are captions in English, marked; `beside` stands at the right of the verdict.
    """

    def __init__(self, figures: Sequence[str], beside: QWidget | None = None) -> None:
        super().__init__()
        self.figures = {name: Figure(tr(name)) for name in figures}
        for figure in self.figures.values():
            keep_room(figure)
        self.cross = RateCross()
        self.cross.sentence.hide()  # the verdict says it
        self.mark, self.verdict = GradeMark(), QLabel()
        self.about_label = label("", "caption", wraps=True)
        top = Qt.AlignmentFlag.AlignTop
        figures_row = row(*(placed(figure, 1, top) for figure in self.figures.values()))
        self.column = column(
            self._verdict_row(beside),
            self.cross,
            self.about_label,
            figures_row,
            space=12,
            parent=self,
        )
        self._mark(None)

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def show_figure(self, name: str, value: object, note: str = "", tone: str = "") -> None:
        """Show a figure in its place; nothing there if it is 0, "" or None."""
        self.figures[name].show_value(str(value or ""), note, tone)
        self.figures[name].setVisible(bool(value))

    def ask(self, question: Question[Any]) -> None:
        """Ask a question, with the figures of the moves hidden."""
        legal = [0.5 if question.can_move(direction) else None for direction in range(4)]
        rates = question.rates if question.has_rates else legal
        tolerance = Tolerance.of_best(question.rates, question.best)
        self.cross.show()
        self.cross.hide_figures(True)
        self.cross.show_rates(rates, tolerance=tolerance, breaking=question.breaking)
        self.cross.show_played(None)
        self._show_text(tr(_ASKING))
        self._mark(None)

    def judge(self, question: Question[Any], verdict: Verdict, *, waits: bool) -> None:
        """Show the rates, if there are any, and the verdict; whether it `waits` for Enter."""
        if question.has_rates:
            self.cross.hide_figures(False)
            self.cross.show_played(verdict.direction, verdict.grade)
        # A tick would say that a close answer counts.
        self._mark(verdict.grade if verdict.is_right or verdict.grade not in FINE_GRADES else None)
        rate, best = (question.rates[one] for one in (verdict.direction, question.best[0]))
        lost = ""
        if rate is not None and best is not None:
            within = Tolerance.of_best(question.rates, question.best).step(best)
            figures = loss_figures(question.rates, within)
            lost = loss_text(rate, best, figures[verdict.direction]) or format_points(best - rate)
        text = answer_text(
            *(verdict.direction, question.best, lost, question.has_rates), is_right=verdict.is_right
        )
        self._show_text(sentences(text, tr("Press Enter to continue.") if waits else ""))
        announce_verdict(self.verdict, verdict.grade, text)

    def show_impossible(self) -> None:
        self.verdict.setText(tr("That move isn't possible here. Try another one."))

    def clear(self) -> None:
        self.cross.hide()
        self._mark(None)
        self._show_text("")
        self.about_label.setText("")

    def _mark(self, grade: Grade | None) -> None:
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)

    def _show_text(self, text: str) -> None:
        self.verdict.setText(text)
        self.verdict.setAccessibleDescription(text)

    def _verdict_row(self, beside: QWidget | None) -> QHBoxLayout:
        self.verdict.setWordWrap(True)
        self.verdict.setAccessibleName(tr("Answer"))
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        box = row(
            placed(self.mark, align=Qt.AlignmentFlag.AlignVCenter), placed(self.verdict, stretch=1)
        )
        if beside:
            box.addWidget(beside, 0, Qt.AlignmentFlag.AlignVCenter)
        return box
