"""The result card of a test."""

from coach.exam.session import Session
from coach.mistakes.to_drill import THRESHOLD, count_to_drill
from engine.platform.language import sentences, tr
from gui.exam.text import end_text, end_title, to_drill_text
from gui.text.reviews import describe_wrong
from gui.widgets.labels import label
from gui.widgets.result_card import MAX_MARKS, CardButton, CardContents, ResultCard, WrongMove


class TestResultCard(ResultCard):
    """The result of a test, with buttons to start anew, replay, review and practice."""

    def __init__(self) -> None:
        buttons = (
            CardButton("restart", tr("New start"), tr("Start a new test")),
            CardButton("rematch", tr("Rematch"), tr("Play the same start and tiles again")),
            CardButton("review", tr("Review"), tr("Go through this test move by move")),
            CardButton(
                *("practice", tr("Practice")),
                tr("Practice from the position shown, with success rates"),
            ),
        )
        super().__init__(tr("Match rate over the test"), buttons)
        self._threshold = THRESHOLD
        self.best_label = label("", "caption", wraps=True)
        self.column.insertWidget(self.column.indexOf(self.chart), self.best_label)

    def show_result(self, session: Session) -> None:
        """Show how a test ended."""
        n_to_drill = count_to_drill(session.score.counts, self._threshold)
        contents = CardContents(
            end_title(session),
            sentences(end_text(session), to_drill_text(n_to_drill)),
            session.match_rates,
            [
                WrongMove(number, judged.grade, describe_wrong(judged, number + 1))
                for number in session.worst(MAX_MARKS)
                if (judged := session.moves[number].judgement)
            ],
        )
        self.show_best("")
        for name in ("rematch", "review"):
            self.buttons[name].setEnabled(session.n_moves > 0)
        self.show_contents(contents)

    def set_threshold(self, threshold: float) -> None:
        """Set the threshold for moves to drill, from the next result on."""
        self._threshold = threshold

    def show_best(self, text: str) -> None:
        """Show the result of the best test with this start and tiles; "" for nothing."""
        self.best_label.setText(text)
        self.best_label.setVisible(bool(text))
