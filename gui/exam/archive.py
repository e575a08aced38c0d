"""The current and earlier tests on disk: saved, stored, listed, removed with undo."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from coach.days import Today
from coach.exam.history import FinishedTest
from coach.exam.session_file import file_name
from coach.play.player import Player
from coach.play.run import PlayedMove, Run
from engine.platform.language import tr
from gui.exam.history_view import HistoryView
from gui.exam.store import SessionStore, StoredTest
from gui.exam.text import rival_text
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack
from gui.widgets.deletion import Deletion
from gui.work.store_service import OnError


class Archive:
    """Connects the files, the test in play and the history view."""

    def __init__(
        self,
        store: SessionStore,
        player: Player,
        view: HistoryView,
        banners: BannerStack,
        today: Callable[[], Today],
    ) -> None:
        self._today = today
        self._store, self._player = store, player
        self._view, self._banners = view, banners
        self.deletion = Deletion[FinishedTest](
            banners,
            self._restore,
            store.report,
            lambda: None,
            lambda _: tr("Removed from the history. The file is still there."),
        )
        self._stored: tuple[Run, Path] | None = None
        view.filter.changed.connect(self.refresh)
        view.list.action_requested.connect(self._do_with)

    # The test in play -----------------------------------------------------------------------

    def note_move(self, move: PlayedMove, when: datetime) -> None:
        """Write a move of the test in play at once: a crash loses at most the current one."""
        if session := self._player.run:
            self._store.note_move(session, move, when)

    def note_undo(self) -> None:
        """Write at once that a move was taken back."""
        if session := self._player.run:
            self._store.note_undo(session)

    def keep(self, session: Run, compared: Callable[[str], None]) -> None:
        """Write a finished or abandoned test, replacing the test in play.

        Parameters
        ----------
        compared : callable
            Called with the comparison to the best earlier one, if there is one and the test is on
            screen.
        """

        def done(stored: StoredTest) -> None:
            self._stored = session, stored.test.path
            if self._view.isVisible():
                self.refresh()
            if session is self._player.run and session.end and stored.rival:
                compared(rival_text(session, stored.rival))

        self._store.keep(session, done)

    def find_file(self, use: Callable[[Path], None]) -> None:
        """Call `use` with a file of the test on screen, written if needed."""
        session = self._player.run
        if session and self._stored and self._stored[0] is session and session.end:
            use(self._stored[1])
        elif session:
            self._store.save_current(session, use)

    def export(self, folder: Path, suffix: str) -> None:
        """Write the test on the screen into a folder: as `.rpl`, or as `.txt` to read."""
        if session := self._player.run:
            path = folder / Path(file_name(session)).with_suffix(suffix)
            self._store.export(
                session, path, lambda: self.show_message(tr("Exported to {path}", path=path))
            )

    def close(self) -> None:
        """Write pending data as the program ends."""
        session = self._player.run
        is_open = session is not None and session.end is None and session.n_moves > 0
        self._store.close(session if is_open else None)

    # The history ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the list as it is now."""
        view = self._view
        view.filter.show_error("")
        self._store.list(
            view.filter.query(self._today()),
            view.show_tests,
            lambda error: view.filter.show_error(message_of(error)),
        )

    def show_message(self, text: str) -> None:
        """Show a short message above the page."""
        self._banners.show_message("info", text, key="said")

    def _do_with(self, name: str, test: FinishedTest) -> None:
        if name == "history_remove":
            self._remove(test)

    def _remove(self, test: FinishedTest) -> None:
        def removed(row: FinishedTest | None) -> None:
            self.refresh()
            if row:
                self.deletion.keep(row)

        self._store.remove(test.path, removed)

    def _restore(self, test: FinishedTest, failed: OnError) -> None:
        self._store.restore(test, self.refresh, failed)
