"""The result of a run, and other results on the same route."""

from collections.abc import Sequence

from coach.routes.run import RouteRun
from engine.platform.language import tr
from gui.routes.text import end_text, end_title
from gui.text.reviews import describe_wrong
from gui.widgets.labels import label
from gui.widgets.result_card import MAX_MARKS, CardButton, CardContents, ResultCard, WrongMove


class RouteResultCard(ResultCard):
    """The result of a run, with buttons to share, compare, review, and play again."""

    def __init__(self) -> None:
        buttons = (
            CardButton("copy_result", tr("Copy result"), tr("A line to pass on by mail or chat")),
            CardButton("again", tr("Play again"), tr("Play the same route again")),
            CardButton(
                "new", tr("New route"), tr("Another route of this kind, with different tiles")
            ),
            CardButton(
                *("compare", tr("Let the AI play")),
                tr("How the table and the AI do on this route"),
            ),
            CardButton("review", tr("Review"), tr("Go through this route move by move")),
            CardButton(
                *("practice", tr("Practice")),
                tr("Practice from the position shown, with success rates"),
            ),
        )
        super().__init__(tr("Match rate over the route"), buttons)
        self.others_label = label("", wraps=True)
        self.others_caption = label(tr("On the same route"), "caption")
        at = self.column.indexOf(self.worst_label)
        for i, part in enumerate((self.others_caption, self.others_label)):
            self.column.insertWidget(at + i, part)

    def show_result(self, run: RouteRun) -> None:
        """Show the result of a run."""
        moves = run.moves
        wrong = [
            WrongMove(number, judgement.grade, describe_wrong(judgement, number + 1))
            for number in run.worst(MAX_MARKS)
            if (judgement := moves[number].judgement)
        ]
        self.show_others([])
        rates = [] if run.route.is_game else run.match_rates
        self.show_contents(CardContents(end_title(run), end_text(run), rates, wrong))

    def show_others(self, lines: Sequence[str]) -> None:
        """Show other results of the same route, a line each."""
        self.others_label.setText("\n".join(lines))
        for part in (self.others_caption, self.others_label):
            part.setVisible(bool(lines))
