"""The daily route: played or not, compared with the AI, days in a row."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from coach.routes.daily import DailyRecord
from coach.routes.words import route_title
from engine.platform.language import mark, sentences, tr, trn
from gui.home.card import HomeCard
from gui.text.routes import figure_text
from gui.widgets.labels import label

_ABOUT = mark("The same new tiles for everyone with that table, today only.")


class RouteCard(HomeCard):
    """A link to the daily route.

    Signals
    -------
    requested : the user wants to play, resume or review it
    """

    requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Today's route"))
        self.result_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton()
        self.content.addWidget(self.result_label)
        self.content.addWidget(self.text_label)
        self.content.addStretch()
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.button.clicked.connect(self.requested)
        self.show_record(DailyRecord())

    def show_record(self, record: DailyRecord) -> None:
        """Show the results on today's route."""
        self.result_label.setText(_result_text(record))
        self.result_label.setVisible(record.is_done)
        self.text_label.setText(sentences(_about_text(record), _days_text(record)))
        if record.is_done:
            self.button.setText(tr("Show"))
        else:
            self.button.setText(tr("Go on") if record.own else tr("Play"))


def _result_text(record: DailyRecord) -> str:
    if record.own is None:
        return ""
    own = figure_text(record.own)
    if record.ai is None:
        return tr("You: {figure}", figure=own)
    return tr("You: {own}. The AI: {ai}", own=own, ai=figure_text(record.ai))


def _about_text(record: DailyRecord) -> str:
    own = record.own
    if own is None:
        return tr(_ABOUT)
    title = route_title(own.route)
    if own.outcome:
        return tr("{route}, done today.", route=title)
    n = own.route.n_moves
    if n:
        return tr("{route}: {done:,} of {n:,} moves made.", route=title, done=own.n_moves, n=n)
    return trn("{route}: {n} move made.", "{route}: {n:,} moves made.", own.n_moves, route=title)


def _days_text(record: DailyRecord) -> str:
    if record.n_days < 2:
        return ""
    if record.is_done:
        return tr("{n:,} days in a row.", n=record.n_days)
    return tr("{n:,} days in a row so far.", n=record.n_days)
