"""The side panel of a puzzle: the question, its reason, the person's rating as a curve."""

from coach.play.question_run import Verdict
from coach.profile.words import themes_of
from coach.puzzles.puzzles import Course, DailyPuzzle, Outcome
from coach.puzzles.questions import PuzzleQuestion
from coach.puzzles.rating import Rating
from coach.puzzles.solution import Steps
from engine.platform.language import mark, sentences, tr
from gui.charts.line_chart import LineChart, Series
from gui.puzzles.text import about_text, change_text, explanation, rating_text, unrated_text
from gui.text.lists import fact_list
from gui.widgets.labels import reserve_lines, set_property
from gui.widgets.question_panel import QuestionPanel

_YOURS, _PUZZLE = mark("Your rating"), mark("Puzzle")
_DAYS, _STREAK = mark("Days"), mark("Streak")
_LINES, _CHART_PX = 6, 96
_NO_CHANGE = "\N{NO-BREAK SPACE}"  # its line stays


class PuzzlePanel(QuestionPanel):
    """The side panel of a puzzle."""

    def __init__(self) -> None:
        super().__init__((_YOURS, _PUZZLE, _STREAK, _DAYS))
        set_property(self.about_label, "role", "")  # it is what one learns from
        self.chart = LineChart(tr(_YOURS), tr(_PUZZLE), first=1, has_names=False)
        self.chart.setFixedHeight(_CHART_PX)
        self.column.addWidget(self.chart)
        self.column.addStretch()
        self._outcome: Outcome | None = None
        reserve_lines(self.about_label, _LINES)  # of the reason
        self.show_course(None, Course())

    def show_course(self, rating: Rating | None, course: Course) -> None:
        self._rating = rating_text(rating) if rating else ""
        self.show_figure(_YOURS, self._rating, _NO_CHANGE)
        self.show_figure(_STREAK, course.streak)
        self.show_figure(_DAYS, course.n_days)
        figure = "{:.0f}".format
        self.chart.show_series([Series(tr(_YOURS), course.ratings, "accent", figure=figure)])
        self.chart.setVisible(len(course.ratings) > 1)

    def ask_puzzle(self, question: PuzzleQuestion, daily: DailyPuzzle | None) -> None:
        self.ask(question)
        self._outcome = None
        self.show_figure(_YOURS, self._rating, _NO_CHANGE)
        self.show_figure(_PUZZLE, "")  # it would reveal the difficulty
        text = about_text(question.item, daily)
        if question.number:
            move = tr("Move {number} of the line.", number=question.number + 1)
            text = sentences(text, move)
        self.about_label.setText(text)

    def judge_puzzle(self, question: PuzzleQuestion, verdict: Verdict, line: Steps) -> None:
        self.judge(question, verdict, waits=True)
        if not question.number:
            self.show_line(question, line)
            self.show_figure(_PUZZLE, rating_text(question.item.rating))

    def show_line(self, question: PuzzleQuestion, line: Steps) -> None:
        unrated = unrated_text(self._outcome) if self._outcome else ""
        text = explanation(question.item.puzzle, line)
        themes = tr("Themes: {themes}.", themes=fact_list(map(tr, themes_of(question.item.puzzle))))
        self.about_label.setText(sentences(text, unrated, themes))

    def show_outcome(self, question: PuzzleQuestion, outcome: Outcome, line: Steps) -> None:
        self._outcome = outcome
        if outcome.is_rated:
            change = change_text(outcome.before, outcome.person)
            tone = "good" if outcome.is_right else "bad"
            self.show_figure(_YOURS, rating_text(outcome.person), change, tone)
        self.show_figure(_PUZZLE, rating_text(outcome.stored.rating))
        if not question.number:
            self.show_line(question, line)
