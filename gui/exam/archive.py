"""The current and earlier tests in the database: written, listed, exported, removed with undo."""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from coach.days import today_of
from coach.exam.history import FOLDER, ExamQuery, FinishedTest, History, InterruptedTest, StoredTest
from coach.exam.session_file import file_name, session_to_json
from coach.play.player import Player
from coach.play.run import Run
from engine.formats.rpl import write_rpl
from engine.platform.errors import InvalidBoardError
from engine.platform.files.atomic_file import write_file
from engine.platform.language import tr
from gui.exam.history_view import HistoryView, TestList
from gui.exam.text import log_of, rival_text
from gui.play.services import PlayServices
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack
from gui.work.store_service import StoreService

_MAX_LISTED = 3_000  # a list that loads within a frame
_log = logging.getLogger(__name__)


class Archive:
    """Connects the database, the test in play and the history view."""

    def __init__(
        self,
        store: StoreService[History],
        player: Player,
        view: HistoryView,
        banners: BannerStack,
        services: PlayServices,
    ) -> None:
        self._store, self._player, self._view, self._banners = store, player, view, banners
        self._settings, self._now = services.settings, services.now
        self.rival: tuple[Run, FinishedTest] | None = None  # of the latest test that had one
        self._is_failing = False  # moves can't be written, and that was reported
        view.filter.changed.connect(self.refresh)

    def load(self, loaded: Callable[[InterruptedTest | None], None]) -> None:
        """Call `loaded` with the test that was in play when the program ended, if there is one."""

        def failed(error: BaseException) -> None:
            self.report(error)
            loaded(None)

        now = self._now()
        self._store.ask(lambda history: history.interrupted(now), loaded, failed)

    def write(self, moved: datetime | None = None) -> None:
        """Write the test in play as it is now; `moved`: when its last move was made."""
        if session := self._player.run:
            copy = session.copy()
            self._store.change(lambda history: history.write(copy, moved), self._wrote, self._fail)

    def keep(self, session: Run, compared: Callable[[str], None]) -> None:
        """Write a finished or abandoned test.

        `compared` gets the comparison to the best earlier one, if the test is still on screen.
        """
        copy, now = session.copy(), self._now()

        def done(stored: StoredTest) -> None:
            if self._view.isVisible():
                self.refresh()
            if session is self._player.run and session.end and stored.rival:
                self.rival = session, stored.rival
                compared(rival_text(*self.rival))

        self._store.change(lambda history: history.keep(copy, now), done, self.report)

    def find(self, use: Callable[[Path], None]) -> None:
        """Call `use` with the path of the test on screen once it is written."""
        if session := self._player.run:
            path = self.path_of(file_name(session))
            self._store.ask(lambda _: path, use, self.report)

    def path_of(self, name: str) -> Path:
        return self._store.path.parent / FOLDER / name

    def read(self, name: str, read: Callable[[Run], None]) -> None:
        self._store.ask(lambda history: history.session(name), read, self.report)

    def export(self, suffix: str) -> None:
        """Write the test on the screen into a file: as `.rpl`, `.json`, or as `.txt` to read."""
        session = self._player.run
        if session is None:
            return
        copy = session.copy()
        folder = self._store.path.parent / "replays"
        path = folder / Path(file_name(copy)).with_suffix(suffix)
        make = {
            ".rpl": lambda: write_rpl(copy.replay()),
            ".json": lambda: session_to_json(copy).encode(),
            ".txt": lambda: log_of(copy).encode(),
        }[suffix]

        def write(_: History) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, [make()])

        self._store.ask(
            write, lambda _: self.show_message(tr("Exported to {path}", path=path)), self.report
        )

    def refresh(self) -> None:
        view = self._view
        view.filter.show_error("")
        query = view.filter.query(today_of(self._now(), self._settings.get("day.begins")))

        def show(listed: TestList | InvalidBoardError) -> None:
            if isinstance(listed, InvalidBoardError):
                view.filter.show_error(message_of(listed))
            else:
                view.show_tests(listed)

        self._store.ask(lambda history: _listed(history, query), show, self.report)

    def show_message(self, text: str) -> None:
        self._banners.show_message("info", text, key="said")

    def report(self, error: BaseException) -> None:
        _log.error("tests are not kept", exc_info=error)
        self._banners.show_message("warning", message_of(error))

    def _wrote(self, _: int) -> None:
        if self._is_failing:
            self._is_failing = False
            text = tr("Your test is being saved again, with every move.")
            self._banners.show_message("warning", text)

    def _fail(self, error: BaseException) -> None:
        if not self._is_failing:
            self._is_failing = True
            self.report(error)


def _listed(history: History, query: ExamQuery) -> TestList | InvalidBoardError:
    history.take_files()
    try:
        tests = history.tests(query, _MAX_LISTED)
    except InvalidBoardError as error:
        return error
    allowances, goals = tuple(history.allowances()), tuple(history.goals())
    return TestList(tuple(history.tables()), tuple(tests), allowances, goals)
