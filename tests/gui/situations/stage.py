"""Using the Situations page as a person does."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coach.exam.session import Session
from coach.mistakes.mistake import NotedMove
from coach.recordings.recording import Recording
from coach.situations.situations import Kept, Situations
from engine.bitboard import cells
from engine.spawn import Rng
from gui.core.settings import Settings
from gui.core.store_service import StoreService
from gui.situations.page import SituationsPage
from tablebase.library.opening import open_table
from tests.coach.situations.stage import NOON, made_up
from tests.gui.practice_fakes import FakeTasks
from tests.gui.practice_theme import plain_theme

KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class Stage:
    """A page, its database; work is done when it is asked for."""

    def __init__(self, qtbot: QtBot, settings: Settings, folder: Path, table: Path) -> None:
        self.qtbot, self.settings, self.table = qtbot, settings, table
        self.tasks = FakeTasks()
        self.store = StoreService(folder / "situations.db", Situations, self.tasks)
        self.pages: list[SituationsPage] = []
        self.reviewed: list[tuple[Recording, int]] = []
        self.noted: list[NotedMove] = []

    def close(self) -> None:
        for page in self.pages:
            page.hide()
            page.close_page()
        self.store.close()

    def open(self, has_table: bool = True, **more: Any) -> SituationsPage:
        """Make a page and show it."""
        page = SituationsPage(
            self.store,
            open_table,
            self.tasks,  # type: ignore[arg-type]
            self.tasks,  # type: ignore[arg-type]
            self.settings,
            plain_theme(),
            note_mistake=self.noted.append,
            rng=Rng(3),
            clock=lambda: 0.0,
            now=lambda: NOON,
            make_search=lambda: made_up,
            **more,
        )
        self.pages.append(page)
        page.review_asked.connect(lambda *sent: self.reviewed.append(sent))
        info = SimpleNamespace(path=self.table, name="2x4_128", spawn4=0.1, state="complete")
        page.set_tables([info] if has_table else [])
        self.qtbot.addWidget(page)
        page.resize(1100, 760)
        page.show()
        self.qtbot.waitExposed(page)
        page.activateWindow()
        self.qtbot.waitUntil(page.isActiveWindow)
        page.page_shown()
        page.setFocus()
        return page

    @property
    def page(self) -> SituationsPage:
        return self.pages[-1]

    @property
    def session(self) -> Session:
        session = self.page.examiner.session
        assert session
        return session

    @property
    def start(self) -> tuple[int, ...]:
        """A position that the table knows."""
        table = open_table(self.table)
        try:
            return tuple(cells(table.start_board(Rng(5))))
        finally:
            table.close()

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.page.board_view, key)

    def move(self) -> None:
        """Play the first move that is rated, by its key."""
        answer = self.page.examiner.answer
        assert answer
        self.press(KEYS[next(one for one in range(4) if answer.rates[one] is not None)])

    def play_on(self) -> None:
        """Play the attempt to its end."""
        while self.page.examiner.is_playing:
            self.move()

    def kept(self) -> list[Kept]:
        found: list[list[Kept]] = []
        self.store.ask(lambda store: store.all(), found.append)
        return found[0]
