"""The drill: a board, a question, an answer by key; it advances after a correct one."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, Signal

from coach.days import Today
from coach.mistakes.drill import Outcome, Weighting
from coach.mistakes.mistake import Mistake, TableKey
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.platform.language import mark, sentences, tr, trn
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.mistakes.drill_run import DUE, MORE_NEW, DrillRun, Question, Verdict
from gui.mistakes.text import due_text, history_text, is_due, wait_text
from gui.settings_model.settings import Settings
from gui.text.answers import table_title
from gui.text.boards import describe_cells
from gui.text.rates import margin_of_best
from gui.widgets.notice import Message

ADVANCE_MS = 1500
_MORE, _COUNT, _AGAIN, _NEXT = "more", "count", "again", "next"
_PUZZLES, _PROFILE = "puzzles", "profile"
EMPTY = Message(
    mark("Nothing to drill here"),
    mark("This selection has no mistakes, or all of them are retired."),
)


def done(n_new: int, next_review: datetime | None, today: Today) -> Message:
    """Return the message if nothing is due.

    Parameters
    ----------
    n_new : int
        Number of mistakes never drilled.
    next_review : datetime or None
        When the next one is due; None if none is.
    """
    is_today = next_review is not None and today.days_since(next_review) == 0
    title = tr("Done for now") if is_today else tr("Done for today")
    facts = [tr("Nothing else is due.")]
    if next_review:
        facts.append(tr("The next review is {when}.", when=wait_text(next_review, today)))
    if n_new:
        facts.append(
            tr(
                "Drill some new positions, or your most frequent mistakes: extra practice doesn't "
                "change the schedule."
            )
        )
        remedies = {_MORE: _more_text(n_new), _COUNT: tr("Frequent ones")}
        return Message(title, sentences(*facts), remedies)
    facts.append(
        tr("You can drill your most frequent mistakes: extra practice doesn't change the schedule.")
    )
    return Message(title, sentences(*facts), {_COUNT: tr("Frequent ones")})


def _more_text(n_new: int) -> str:
    return trn("{n} new one", "{n:,} new ones", min(n_new, MORE_NEW))


def done_before(test: str, n_new: int) -> Message:
    """Return the message if the drill is done and a test on a table comes next."""
    remedies = {_NEXT: tr("Start the test")}
    if n_new:
        n = min(n_new, MORE_NEW)
        remedies[_MORE] = trn("{n} new one first", "{n:,} new ones first", n)
    text = tr("Next in today's session: a test on {table}.", table=test)
    return Message(tr("Drill done"), text, remedies)


def trained(right: int, n: int, n_puzzles: int, n_new: int) -> Message:
    """Return the message at the end of the positions of a training session."""
    text = tr(
        "{right} of {n} right. What went wrong comes back in the sessions to come.",
        right=right,
        n=n,
    )
    if n_puzzles:
        puzzles = trn("Go on with {n} puzzle", "Go on with {n:,} puzzles", n_puzzles)
        return Message(tr("Positions done"), text, {_PUZZLES: puzzles})
    remedies = {_PROFILE: tr("See your profile")}
    if n_new:
        remedies[_MORE] = _more_text(n_new)
    return Message(tr("Session done"), text, remedies)


FINISHED = Message(
    mark("All done"),
    mark("You've been through every mistake in this selection."),
    {_AGAIN: mark("Start over")},
)


class MistakesDrill(QObject):
    """Shows the questions of a run on the board and its panel, and accepts answers.

    Parameters
    ----------
    place : DrillPlace
        The board, and the messages at the end.
    settings : Settings
        Stores the mode and the two choices.
    today : callable
        Returns the current time and day.

    Signals
    -------
    test_requested : the drill is done, and the user continues with the test
    puzzles_requested, profile_requested : the session is done, and the user continues with those
    ended : the drill is done
    """

    test_requested = Signal()
    puzzles_requested = Signal()
    profile_requested = Signal()
    ended = Signal()

    def __init__(
        self,
        run: DrillRun,
        place: DrillPlace,
        panel: DrillPanel,
        settings: Settings,
        today: Callable[[], Today],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.run, self._place, self._board, self._panel = run, place, place.board, panel
        self._settings, self._today = settings, today
        self._key: TableKey | None = None
        self._ids: list[int] = []  # the chosen mistakes, if it is a drill of those
        self._has_asked = False
        self._test = ""  # the step after the drill
        self._n_puzzles: int | None = None  # the step after the positions of a session
        self._mode = settings.get("mistakes.mode", DUE)
        if self._mode not in [DUE, *(weighting.value for weighting in Weighting)]:
            self._mode = DUE
        panel.mode_chips.choose(self._mode)
        panel.advance_box.setChecked(bool(settings.get("mistakes.advance", True)))
        panel.turn_box.setChecked(bool(settings.get("mistakes.turn", False)))
        run.turns_boards = panel.turn_box.isChecked()
        self._connect()

    def start(self, key: TableKey | None) -> None:
        """Start with the mistakes of a table, or of all."""
        self._key, self._ids = key, []
        self._begin()
        self.run.start(self._mode, key)

    @property
    def has_test_next(self) -> bool:
        """Whether the drill is done and a test comes next."""
        return bool(self._test) and self.run.question is None and not self.run.is_waiting

    @property
    def has_next_step(self) -> bool:
        """Whether the drill is done and something else of the session comes next."""
        is_done = self.run.question is None and not self.run.is_waiting
        return self.has_test_next or (bool(self._n_puzzles) and is_done)

    def start_due(self, test: str = "") -> None:
        """Start with the due mistakes of all tables.

        Parameters
        ----------
        test : str
            The displayed name of the table for the next test; "" for none.
        """
        self._panel.mode_chips.choose(DUE)
        self._mode = DUE
        self._settings.set("mistakes.mode", DUE)
        self.start(None)
        self._test = test

    def start_with(self, ids: list[int]) -> None:
        """Start with these mistakes."""
        self._ids = ids
        self._begin()
        self.run.start_with(ids)

    def train(self, ids: Sequence[int], due: Collection[int], n_puzzles: int) -> None:
        """Start a training session.

        Parameters
        ----------
        ids : sequence of int
            Its mistakes.
        due : collection of int
            Those chosen by the schedule.
        n_puzzles : int
            Number of puzzles that follow.
        """
        self._ids = list(ids)
        self._begin(n_puzzles)
        self.run.start_with(self._ids, due)

    def _begin(self, n_puzzles: int | None = None) -> None:
        self._has_asked, self._test, self._n_puzzles = False, "", n_puzzles
        self.stay()

    def answer(self, direction: int) -> None:
        """Answer the question."""
        if self.run.answer(direction):
            return
        question = self.run.question
        if question and not self.run.verdict and not self.run.is_waiting:
            self._panel.verdict.setText(tr("That move isn't possible here. Try another one."))

    def next_question(self) -> None:
        """Show the next question now."""
        self.stay()
        self.run.next_question()

    def stay(self) -> None:
        """Cancel the automatic advance."""
        self._panel.ring.cancel()

    def continue_to_test(self) -> None:
        """Continue with the next test, if any."""
        if self.has_test_next:
            self._test = ""
            self.test_requested.emit()

    def continue_session(self) -> None:
        """Continue with the next part of the session."""
        if self.has_test_next:
            self.continue_to_test()
        elif self.has_next_step:
            self.puzzles_requested.emit()

    def show_retired(self, retired: bool) -> None:
        """Show that the current mistake was retired or revived manually."""
        text = tr("Retired: it won't come up again.") if retired else tr("It will come up again.")
        self._panel.about_label.setText(text)

    def _connect(self) -> None:
        run, panel = self.run, self._panel
        run.question_changed.connect(self._show)
        run.judged.connect(self._judge)
        run.stored.connect(self._show_outcome)
        run.tallied.connect(panel.show_tally)
        panel.ring.elapsed.connect(self.next_question)
        panel.cross.move_clicked.connect(self.answer)
        self._board.swiped.connect(self.answer)
        panel.mode_chosen.connect(self._choose_mode)
        self._place.notice.remedy_clicked.connect(self._remedy)
        panel.advance_toggled.connect(lambda on: self._settings.set("mistakes.advance", on))
        panel.turn_toggled.connect(self._choose_turn)
        self._settings.changed.connect(self._follow_setting)

    def _show(self, question: Question | None) -> None:
        self._board.show_hint(None)
        if question is None:
            self._show_end()
            return
        self._has_asked = True
        exponents = cells(question.board)
        large = [i for i, exponent in enumerate(exponents) if exponent == LARGEST_NIBBLE]
        locked, walls = ((), large) if question.walls else (large, ())
        self._place.show_board()
        self._board.show_board(exponents, locked, walls)
        self._board.setAccessibleDescription(describe_cells(exponents, bool(walls)))
        self._panel.ask(question)
        mistake = question.mistake
        history = history_text(mistake, self._today())
        self._panel.about_label.setText(_about(mistake, history))

    def _show_end(self) -> None:
        self._panel.clear()
        self._place.show_message(self._last_message())
        self.ended.emit()

    def _last_message(self) -> Message:
        run, tally = self.run, self.run.tally
        if self._n_puzzles is not None:
            return trained(tally.right, tally.right + tally.wrong, self._n_puzzles, run.n_new)
        if run.mode != DUE:
            return FINISHED if self._has_asked else EMPTY
        if self._test:
            return done_before(self._test, run.n_new)
        return done(run.n_new, run.next_review, self._today())

    def _judge(self, verdict: Verdict) -> None:
        question = self.run.question
        if question is None:
            return
        self._panel.judge(question, verdict)
        strength = margin_of_best(question.rates) if question.mistake.has_rates else 0.5
        best = verdict.direction if verdict.is_right else question.best[0]
        self._board.show_hint(best, strength)
        if verdict.is_right and self._panel.advance_box.isChecked():
            self._panel.ring.start(ADVANCE_MS)

    def _show_outcome(self, outcome: Outcome) -> None:
        mistake, today = outcome.mistake, self._today()
        if outcome.has_retired:
            text = trn(
                "Correct once, so it's retired. You can revive it.",
                "Correct {n} times in a row, so it's retired. You can revive it.",
                mistake.run,
            )
        elif self.run.mode != DUE and outcome.is_right:
            text = ""
        elif is_due(mistake, today.now):
            text = tr("Next review soon.")
        else:
            text = tr("Next review {when}.", when=due_text(mistake, today))
        self._panel.about_label.setText(_about(mistake, text))

    def _choose_mode(self, mode: str) -> None:
        self._mode = mode
        self._settings.set("mistakes.mode", mode)
        self.start(self._key)
        self._place.setFocus()

    def _choose_turn(self, on: bool) -> None:
        self._settings.set("mistakes.turn", on)
        self.run.turns_boards = on

    def _follow_setting(self, name: str, value: Any) -> None:
        if name == "mistakes.advance":
            self._panel.advance_box.setChecked(value)
        elif name == "mistakes.turn":
            self._panel.turn_box.setChecked(value)

    def _drill_new(self) -> None:
        if self.run.mode != DUE:  # after a session
            self.start_due()
        self.run.ask_more_new()

    def _start_over(self) -> None:
        if self._ids:
            self.start_with(self._ids)
        else:
            self.start(self._key)

    def _remedy(self, name: str) -> None:
        self._place.setFocus()
        if name == _NEXT:
            self.continue_to_test()
        elif name == _PUZZLES:
            self.puzzles_requested.emit()
        elif name == _PROFILE:
            self.profile_requested.emit()
        elif name == _MORE:
            self._drill_new()
        elif name == _COUNT:
            self._panel.mode_chips.choose(Weighting.COUNT.value)
            self._choose_mode(Weighting.COUNT.value)
        elif name == _AGAIN:
            self._start_over()


def _about(mistake: Mistake, text: str) -> str:
    table = table_title(mistake.key)
    return tr("{table}. {sentence}", table=table, sentence=text).strip()
