"""The test in play and those before it on disk: saved, kept, listed, removed with a way back."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from coach.exam.history import FinishedTest
from coach.exam.session import PlayedMove, Session
from coach.exam.session_file import file_name
from coach.grading.grade import Tolerance, judge
from coach.grading.unknown_rates import UnknownRates
from coach.mistakes.mistake import NotedMove, TableKey
from engine.language import tr
from gui.exam.controller import ExamController
from gui.exam.history_view import HistoryView
from gui.exam.store import Kept, SessionStore
from gui.exam.text import rival_text
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack

NoteMistake = Callable[[NotedMove], object]
"""Files a move, if it is worth it, and returns at once."""


class Archive:
    """Stands between the files, the test that is taken and the view of those that were.

    Parameters
    ----------
    keeper : SessionStore
    examiner : ExamController
        Has the test in play.
    view : HistoryView
    banners : BannerStack
        Where removing offers its undo.
    now : callable
        Date and time with a time zone: what "today" means.
    """

    def __init__(
        self,
        keeper: SessionStore,
        examiner: ExamController,
        view: HistoryView,
        banners: BannerStack,
        now: Callable[[], datetime],
    ) -> None:
        self._now = now
        self._keeper, self._examiner = keeper, examiner
        self._view, self._banners = view, banners
        self._kept: tuple[Session, Path] | None = None
        view.filter.changed.connect(self.refresh)
        view.list.asked.connect(self._do_with)

    # The test in play -----------------------------------------------------------------------

    def note_move(self, move: PlayedMove, when: datetime) -> None:
        """Write a move of the test in play at once: a crash costs at most the one under way."""
        if session := self._examiner.session:
            self._keeper.note_move(session, move, when)

    def note_undo(self) -> None:
        """Write at once that a move was taken back."""
        if session := self._examiner.session:
            self._keeper.note_undo(session)

    def keep(self, session: Session, compared: Callable[[str], None]) -> None:
        """Write a test that is over or broken off, in place of the test in play.

        Parameters
        ----------
        session : Session
        compared : callable
            Told how it compares with the best one before, if it is the one on the screen and
            there was one.
        """

        def done(kept: Kept) -> None:
            self._kept = session, kept.test.path
            if self._view.isVisible():
                self.refresh()
            if session is self._examiner.session and session.end and kept.rival:
                compared(rival_text(session, kept.rival))

        self._keeper.keep(session, done)

    def find_file(self, found: Callable[[Path], None]) -> None:
        """Call `found` with a file of the test on the screen, written for that if need be."""
        session = self._examiner.session
        if session and self._kept and self._kept[0] is session and session.end:
            found(self._kept[1])
        elif session:
            self._keeper.save_current(session, found)

    def export(self, folder: Path, suffix: str) -> None:
        """Write the test on the screen into a folder: as `.rpl`, or as `.txt` to read."""
        if session := self._examiner.session:
            path = folder / Path(file_name(session)).with_suffix(suffix)
            self._keeper.export(
                session, path, lambda: self.say(tr("Exported to {path}", path=path))
            )

    def close(self) -> None:
        """Write what is not written: the program ends."""
        session = self._examiner.session
        is_open = session is not None and session.end is None and session.n_moves > 0
        self._keeper.close(session if is_open else None)

    # The history ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the list as it is now."""
        view = self._view
        view.filter.show_error("")
        self._keeper.list(
            view.filter.query(self._now()),
            view.show_listed,
            lambda error: view.filter.show_error(message_of(error)),
        )

    def say(self, text: str) -> None:
        """Say something short above the page."""
        self._banners.show_message("info", text, key="said")

    def _do_with(self, name: str, test: FinishedTest) -> None:
        if name == "history_remove":
            self._remove(test)

    def _remove(self, test: FinishedTest) -> None:
        def removed(found: FinishedTest | None) -> None:
            self.refresh()
            if found:
                undo = (tr("Undo"), lambda: self._keeper.restore(found, self.refresh))
                text = tr("Removed from the history. The file is still there.")
                self._banners.show_message("info", text, [undo], key="removed")

        self._keeper.remove(test.path, removed)


def note_move(
    note: NoteMistake,
    examiner: ExamController,
    move: PlayedMove,
    number: int,
    when: datetime,
    source: str = "",
) -> None:
    """File a move of the present test, the `number`-th, as a mistake.

    `source` says where it was made; the test's own file unless given.
    """
    session, table = examiner.session, examiner.table
    assert session is not None
    assert table is not None
    setup = session.setup
    # Drills know no rules of a test: the best moves are those of the table.
    unknown = UnknownRates(frozenset(move.unknown), is_best_known=True) if move.unknown else None
    judgement = judge(move.rates, move.direction, Tolerance.of_type(setup.rate), unknown)
    assert judgement is not None
    symmetry = table.formation.symmetry if setup.walls else "full"
    key, board = TableKey(setup.table, setup.spawn4), examiner.masked(move.board)
    told = source or file_name(session)
    note(NotedMove(key, board, judgement, move.rates, when, told, number, symmetry))
