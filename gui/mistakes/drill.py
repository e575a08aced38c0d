"""The drill: a board, a question, an answer by key; it advances after a correct one."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from coach.days import Today
from coach.mistakes.drill import LEARN_AHEAD, Outcome, Weighting, load_scheduler
from coach.mistakes.mistake import Mistake, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.questions import (
    MORE_NEW,
    Answered,
    DrillSetup,
    DueMistakes,
    ListedMistakes,
    WeightedMistakes,
)
from coach.play.question_run import QuestionRun, Tally, Verdict
from engine.platform.language import mark, sentences, tr, trn
from gui.mistakes.drill_panel import DUE, DrillPanel, DrillPlace
from gui.mistakes.text import due_text, history_text, is_due, wait_text
from gui.settings_model.settings import Settings
from gui.text.answers import table_title
from gui.text.rates import margin_of_best
from gui.widgets.notice import Message
from gui.work.mistake_service import MistakeService
from gui.work.store_service import nothing

ADVANCE_MS = 1500
_LOOK_EVERY_MS = 5000  # while the next one is due within minutes
_MORE, _COUNT, _AGAIN, _NEXT = "more", "count", "again", "next"
_PUZZLES, _PROFILE = "puzzles", "profile"
EMPTY = Message(
    mark("Nothing to drill here"),
    mark("This selection has no mistakes, or all of them are retired."),
)
FINISHED = Message(
    mark("All done"),
    mark("You've been through every mistake in this selection."),
    {_AGAIN: mark("Start over")},
)


def done(n_new: int, next_review: datetime | None, today: Today) -> Message:
    """Return the message if nothing is due; `next_review` is when the next mistake is."""
    is_today = next_review is not None and today.days_since(next_review) == 0
    title = tr("Done for now") if is_today else tr("Done for today")
    text = _review_text(next_review, today)
    if next_review and next_review - today.now <= LEARN_AHEAD:
        title = tr("Next {when}", when=wait_text(next_review, today))
        text = tr("The drill goes on by itself then.")
    more = {_MORE: _more_text(n_new)} if n_new else {}
    return Message(title, text, {**more, _COUNT: tr("Frequent mistakes")})


def _review_text(next_review: datetime | None, today: Today) -> str:
    if next_review is None:
        return ""
    return tr("The next review is {when}.", when=wait_text(next_review, today))


def _more_text(n_new: int) -> str:
    return trn("{n} new one", "{n:,} new ones", min(n_new, MORE_NEW))


def done_before(test: str, n_new: int, review: str = "") -> Message:
    remedies = {_NEXT: tr("Start the test")}
    if n_new:
        n = min(n_new, MORE_NEW)
        remedies[_MORE] = trn("{n} new one first", "{n:,} new ones first", n)
    text = tr("Next in today's session: a test on {table}.", table=test)
    return Message(tr("Drill done"), sentences(text, review), remedies)


def trained(right: int, n: int, n_puzzles: int, n_new: int, review: str = "") -> Message:
    text = tr(
        "{right} of {n} correct. What went wrong comes back in the sessions to come.",
        right=right,
        n=n,
    )
    text = sentences(text, review)
    if n_puzzles:
        puzzles = trn("Go on with {n} puzzle", "Go on with {n:,} puzzles", n_puzzles)
        return Message(tr("Positions done"), text, {_PUZZLES: puzzles})
    remedies = {_PROFILE: tr("See your progress")}
    if n_new:
        remedies[_MORE] = _more_text(n_new)
    return Message(tr("Session done"), text, remedies)


class MistakesDrill(QObject):
    """Shows the questions of a run on the board and its panel, and accepts answers."""

    test_requested = Signal()  # the drill is done, and the user goes on
    puzzles_requested = Signal()  # the session is done, and the user goes on
    profile_requested = Signal()
    changed = Signal()  # another question is asked, or this one is answered
    ended = Signal()  # the drill is done
    failed = Signal(object)

    def __init__(
        self,
        store: MistakeService,
        setup: DrillSetup,
        place: DrillPlace,
        panel: DrillPanel,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._setup, self._settings = store, setup, settings
        self._place, self._board, self._panel = place, place.board, panel
        self.run: QuestionRun[Mistakes, Mistake] = QuestionRun(store, self)
        self._source: DueMistakes | ListedMistakes = DueMistakes(setup)
        self._key: TableKey | None = None
        self._ids: list[int] = []  # the chosen mistakes, if it is a drill of those
        self._has_asked = False
        self._test = ""  # the step after the drill
        self._n_puzzles: int | None = None  # the step after the positions of a session
        self._wait = QTimer(self, interval=_LOOK_EVERY_MS)  # for a mistake that is due soon
        self._wait.timeout.connect(self._look_at_clock)
        self._mode = panel.choose_mode(settings.get("mistakes.mode"))
        self._connect()

    def start(self, key: TableKey | None) -> None:
        self._key, self._ids = key, []
        if self._mode == DUE:
            self._begin(DueMistakes(self._setup, key))
            self._store.ask(lambda _: load_scheduler(), nothing)
        else:
            self._begin(WeightedMistakes(self._setup, Weighting(self._mode), key))

    @property
    def score(self) -> tuple[int, int]:
        """How many mistakes of a session were right at the first answer, and in total."""
        source = self._source
        return (source.n_right, source.n_answered) if isinstance(source, ListedMistakes) else (0, 0)

    @property
    def has_answer(self) -> bool:
        return self.run.question is not None and self.run.verdict is not None

    @property
    def _has_test_next(self) -> bool:
        return bool(self._test) and self._is_done

    @property
    def has_next_step(self) -> bool:
        return self._has_test_next or (bool(self._n_puzzles) and self._is_done)

    @property
    def _is_done(self) -> bool:
        return self.run.question is None and not self.run.is_waiting

    def start_due(self, test: str = "") -> None:
        """Start with what is due of all tables; a test on a table with this title comes next."""
        self._mode = self._panel.choose_mode(DUE)
        self._settings.set("mistakes.mode", DUE)
        self.start(None)
        self._test = test

    def start_with(self, ids: list[int]) -> None:
        self._ids = ids
        self._begin(ListedMistakes(self._setup, ids))

    def train(self, ids: Sequence[int], due: Collection[int], n_puzzles: int) -> None:
        """Start a training session, in which wrong answers come back, and after which come puzzles.

        `due` are the mistakes chosen by the schedule.
        """
        self._ids = list(ids)
        self._begin(ListedMistakes(self._setup, self._ids, due), n_puzzles)

    def _begin(self, source: DueMistakes | ListedMistakes, n_puzzles: int | None = None) -> None:
        self._has_asked, self._test, self._n_puzzles = False, "", n_puzzles
        self.stay()
        self._source = source
        source.is_turned = self._settings.get("mistakes.turn")
        self.run.start(source)

    def answer(self, direction: int) -> None:
        if self.run.can_answer and not self.run.answer(direction):
            self._panel.show_impossible()

    def next_question(self) -> None:
        """Show the next question now, once this one is answered."""
        self.stay()
        if self.has_answer and not self.run.is_waiting:
            self.run.next()

    def skip(self) -> None:
        """Show the next question; this one, unanswered, comes last."""
        question = self.run.question
        if question and not (self.has_answer or self.run.is_waiting):
            self._source.pass_over(question)
            self.run.next()

    def leave(self, ids: Collection[int]) -> None:
        question = self.run.question
        if question and question.id in ids and not self.run.is_waiting:
            self.run.next()

    def look_again(self) -> None:
        """At the end of a run of due mistakes: continue if another one is due by now."""
        if isinstance(self._source, DueMistakes) and self._is_done:
            self.run.next()

    def stay(self) -> None:
        self._panel.ring.cancel()
        self._wait.stop()

    def close(self) -> None:
        self.stay()
        self.run.close()

    def continue_session(self) -> None:
        if self._has_test_next:
            self._test = ""
            self.test_requested.emit()
        elif self.has_next_step:
            self.puzzles_requested.emit()

    def show_retired(self, retired: bool) -> None:
        text = tr("Retired: it won't come up again.") if retired else tr("It will come up again.")
        self._panel.about_label.setText(text)

    def show_question(self, question: Answered | None) -> None:
        self._board.show_hint(None)
        self._wait.stop()
        if question:
            self._has_asked = True
            self._place.show_board()
            self._board.show_position(question.board, question.walls)
            self._panel.ask(question)
            history = history_text(question.item, self._today)
            self._panel.about_label.setText(_about(question.item, history))
        else:
            self._panel.clear()
            self._place.show_message(self._last_message())
            review = self._source.next_review
            is_next = isinstance(self._source, DueMistakes) and not self._test
            is_soon = review and review - self._setup.clock() <= LEARN_AHEAD
            if self._place.isVisible() and is_next and is_soon:
                self._wait.start()
            self.ended.emit()
        self.changed.emit()

    def show_verdict(self, question: Answered, verdict: Verdict) -> None:
        advances = verdict.is_right and self._settings.get("mistakes.advance")
        self._panel.judge(question, verdict, waits=not advances)
        strength = margin_of_best(question.rates) if question.has_rates else 0.5
        best = verdict.direction if verdict.direction in question.best else question.best[0]
        self._board.show_hint(best, strength)
        if advances:
            self._panel.ring.start(ADVANCE_MS)
        self.changed.emit()

    def show_outcome(self, outcome: Outcome) -> None:
        mistake, today = outcome.mistake, self._today
        if outcome.has_retired:
            text = trn(
                "Correct once, so it's retired. You can revive it.",
                "Correct {n} times in a row, so it's retired. You can revive it.",
                mistake.run,
            )
        elif outcome.is_right and not isinstance(self._source, DueMistakes):
            text = ""
        elif is_due(mistake, today.now):
            text = tr("Comes back soon.")
        else:
            text = tr("Comes back {when}.", when=due_text(mistake, today))
        self._panel.about_label.setText(_about(mistake, text))

    def show_tally(self, tally: Tally) -> None:
        source = self._source
        is_all_due = isinstance(source, DueMistakes) and source.is_daily and self._key is None
        self._panel.show_tally(tally, is_all_due=is_all_due)

    def show_failure(self, error: BaseException) -> None:
        self.failed.emit(error)

    @property
    def _today(self) -> Today:
        return self._setup.rules().today(self._setup.clock())

    def _last_message(self) -> Message:
        source, today = self._source, self._today
        review = _review_text(source.next_review, today)
        if self._n_puzzles is not None:
            return trained(*self.score, self._n_puzzles, source.n_new, review)
        if not isinstance(source, DueMistakes):
            return FINISHED if self._has_asked else EMPTY
        if self._test:
            return done_before(self._test, source.n_new, review)
        return done(source.n_new, source.next_review, today)

    def _look_at_clock(self) -> None:
        review = self._source.next_review
        if review and review <= self._setup.clock():
            self.look_again()
        else:
            self._place.notice.show_message(self._last_message())

    def _connect(self) -> None:
        panel = self._panel
        panel.ring.elapsed.connect(self.next_question)
        panel.cross.move_clicked.connect(self.answer)
        panel.mode_combo.activated.connect(
            lambda _: self._choose_mode(panel.mode_combo.currentData())
        )
        self._place.notice.remedy_clicked.connect(self._remedy)
        self._settings.changed.connect(self._follow_setting)

    def _choose_mode(self, mode: str) -> None:
        self._mode = mode
        self._settings.set("mistakes.mode", mode)
        self.start(self._key)
        self._place.setFocus()

    def _follow_setting(self, name: str, value: Any) -> None:
        if name == "mistakes.turn":
            self._source.is_turned = value

    def _drill_new(self) -> None:
        if not isinstance(self._source, DueMistakes):  # after a session
            self.start_due()
        if isinstance(self._source, DueMistakes):
            self._source.allow_more()
            self.run.next()

    def _remedy(self, name: str) -> None:
        self._place.setFocus()
        if name in (_NEXT, _PUZZLES):
            self.continue_session()
        elif name == _PROFILE:
            self.profile_requested.emit()
        elif name == _MORE:
            self._drill_new()
        elif name == _COUNT:
            self._choose_mode(self._panel.choose_mode(Weighting.COUNT.value))
        elif name == _AGAIN and self._ids:
            self.start_with(self._ids)
        elif name == _AGAIN:
            self.start(self._key)


def _about(mistake: Mistake, text: str) -> str:
    unknown = "" if mistake.has_rates else tr("No success rates were recorded for this position.")
    text = sentences(text, unknown)
    return tr("{table}. {sentence}", table=table_title(mistake.key), sentence=text).strip()
