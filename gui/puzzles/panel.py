"""The side panel of a puzzle."""

from PySide6.QtCore import Qt

from coach.play.question_run import Tally, Verdict
from coach.puzzles.puzzles import DailyPuzzle, Outcome
from coach.puzzles.questions import PuzzleQuestion
from coach.puzzles.rating import Rating
from coach.puzzles.solution import Steps
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import loss_text
from gui.puzzles.text import about_text, change_text, explanation, rating_text, unrated_text
from gui.widgets.elided import WrappingCheckBox
from gui.widgets.labels import reserve_lines
from gui.widgets.question_panel import NONE, QuestionPanel

_FIGURES = (mark("Your rating"), mark("Puzzle"))
_LINES = 5
_NO_CHANGE = "\N{NO-BREAK SPACE}"  # its line stays


class PuzzlePanel(QuestionPanel):
    """The side panel of a puzzle."""

    def __init__(self) -> None:
        super().__init__(_FIGURES)
        self.line_box = WrappingCheckBox(tr("Solve the whole line, not only the first move"))
        self.column.addWidget(self.line_box)
        self.column.addStretch()
        self.line_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._outcome: Outcome | None = None
        reserve_lines(self.about_label, _LINES)  # of the reason
        self.show_tally(Tally())
        self.show_rating(None)

    def show_rating(self, rating: Rating | None) -> None:
        self._rating = rating_text(rating) if rating else NONE
        self.figures["Your rating"].show_value(self._rating, _NO_CHANGE)

    def ask_puzzle(self, question: PuzzleQuestion, daily: DailyPuzzle | None) -> None:
        self.ask(question)
        self.cross.show_played(None)
        self._outcome = None
        self.figures["Your rating"].show_value(self._rating, _NO_CHANGE)
        self.figures["Puzzle"].show_value(NONE)  # it would reveal the difficulty
        text = about_text(question.item, daily)
        if question.number:
            move = tr("Move {number} of the line.", number=question.number + 1)
            text = sentences(text, move)
        self.about_label.setText(text)

    def judge_puzzle(self, question: PuzzleQuestion, verdict: Verdict, line: Steps) -> None:
        rate, best_rate = question.rates[verdict.direction], question.rates[question.best[0]]
        lost = "" if rate is None or best_rate is None else loss_text(rate, best_rate)
        self.judge(question, verdict, lost)
        self.cross.show_played(verdict.direction, verdict.grade)
        if not question.number:
            self.show_line(question, line)
            self.figures["Puzzle"].show_value(rating_text(question.item.rating))

    def show_line(self, question: PuzzleQuestion, line: Steps) -> None:
        unrated = unrated_text(self._outcome) if self._outcome else ""
        text = explanation(question.item.puzzle, line)
        self.about_label.setText(sentences(text, unrated))

    def show_outcome(self, question: PuzzleQuestion, outcome: Outcome, line: Steps) -> None:
        self._outcome = outcome
        if outcome.is_rated:
            change = change_text(outcome.before, outcome.person)
            tone = "good" if outcome.is_right else "bad"
            self.figures["Your rating"].show_value(rating_text(outcome.person), change, tone)
        self.figures["Puzzle"].show_value(rating_text(outcome.stored.rating))
        if not question.number:
            self.show_line(question, line)
