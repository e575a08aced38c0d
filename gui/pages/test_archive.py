"""Tests that are over: kept, listed, read again, removed with a way back."""

from collections.abc import Callable
from pathlib import Path

from gui.pages.test_history_view import HistoryView
from gui.session_keeper import Kept, SessionKeeper
from gui.widgets.banner import BannerStack
from tablebase.coach.session import Session
from tablebase.coach.test_history import FinishedTest


class Archive:
    """Stands between the files and the view of them.

    Parameters
    ----------
    keeper : SessionKeeper
    view : HistoryView
    banners : BannerStack
        Where removing offers its undo.
    """

    def __init__(self, keeper: SessionKeeper, view: HistoryView, banners: BannerStack) -> None:
        self._keeper, self._view, self._banners = keeper, view, banners
        self._table: str | None = None
        self._paths: dict[int, Path] = {}  # by identity: those of this run of the program
        view.table_chosen.connect(self._choose_table)
        view.remove_asked.connect(self._remove)

    def keep(self, session: Session, kept: Callable[[Session, Kept], None]) -> None:
        """Write a test; call `kept` when that is done."""

        def done(found: Kept) -> None:
            self._paths = {id(session): found.test.path}
            if self._view.isVisible():
                self.refresh()
            kept(session, found)

        self._keeper.keep(session, done)

    def path_of(self, session: Session) -> Path | None:
        """Return the file of the test that was kept last, if it is this one."""
        return self._paths.get(id(session)) if session.end else None

    def refresh(self) -> None:
        """Show the list as it is now."""
        table = self._table
        self._keeper.list(table, lambda listed: self._view.show_listed(listed, table))

    def _choose_table(self, table: str | None) -> None:
        self._table = table
        self.refresh()

    def _remove(self, test: FinishedTest) -> None:
        def removed(found: FinishedTest | None) -> None:
            self.refresh()
            if found:
                undo = ("Undo", lambda: self._keeper.restore(found, self.refresh))
                text = "The test was taken out of the history; its file stays."
                self._banners.show_message("info", text, [undo], key="removed")

        self._keeper.remove(test.path, removed)
