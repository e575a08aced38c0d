"""Using the Puzzles page as a person does."""

from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coach.puzzles.puzzle import Puzzle
from coach.puzzles.puzzles import FROM_TABLE, Puzzles
from engine.spawn import Rng
from gui.core.mistake_service import MistakeService
from gui.core.settings import Settings
from gui.core.store_service import StoreService
from gui.puzzles.page import PuzzlesPage
from gui.puzzles.session import Question
from gui.widgets.banner import Banner
from tablebase.library.opening import open_table
from tests.gui.mistakes.stage import Dialogs
from tests.gui.practice_fakes import FakeTasks
from tests.gui.practice_theme import plain_theme

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
KEYS = {
    0: (Qt.Key.Key_Left, Qt.Key.Key_A, Qt.Key.Key_H),
    1: (Qt.Key.Key_Right, Qt.Key.Key_D, Qt.Key.Key_L),
    2: (Qt.Key.Key_Up, Qt.Key.Key_W, Qt.Key.Key_K),
    3: (Qt.Key.Key_Down, Qt.Key.Key_S, Qt.Key.Key_J),
}
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Stage:
    """A page, its databases, a clock that a test sets; work is done when it is asked for."""

    def __init__(self, qtbot: QtBot, settings: Settings, folder: Path, table: Path) -> None:
        self.qtbot, self.settings, self.folder, self.table = qtbot, settings, folder, table
        self.now = NOON
        self.tasks, self.seeking = FakeTasks(), FakeTasks()
        self.puzzles = StoreService(folder / "puzzles.db", Puzzles, self.tasks)
        self.book = MistakeService(folder / "mistakes.db", self.tasks)
        self.dialogs = Dialogs()
        self.opened: list[Path] = []
        self.page: PuzzlesPage
        self.asked_of_practice: list[tuple[object, str]] = []

    def close(self) -> None:
        if page := getattr(self, "page", None):
            page.hide()
            page.close_page()
        self.puzzles.close()
        self.book.close()

    def open_table(self, path: Path):
        self.opened.append(path)
        return open_table(path)

    def info(self) -> SimpleNamespace:
        name = self.table.name
        return SimpleNamespace(path=self.table, name=name, spawn4=0.1, state="complete")

    def open(self, has_table: bool = True) -> PuzzlesPage:
        """Make the page and show it."""
        self.page = page = PuzzlesPage(
            self.puzzles,
            self.book,
            self.open_table,
            self.tasks,
            self.seeking,
            self.settings,
            plain_theme(),
            self.folder,
            dialogs=self.dialogs,  # type: ignore[arg-type]
            rng=Rng(3),
            now=lambda: self.now,
        )
        page.practice_asked.connect(lambda *sent: self.asked_of_practice.append(sent))
        page.set_tables([self.info()] if has_table else [])
        self.qtbot.addWidget(page)
        page.resize(1100, 760)
        page.show()
        self.qtbot.waitExposed(page)
        page.activateWindow()
        self.qtbot.waitUntil(page.isActiveWindow)
        page.page_shown()
        page.setFocus()
        return page

    def keep(self, *puzzles: Puzzle) -> None:
        self.puzzles.change(lambda p: p.add(puzzles, FROM_TABLE, self.now))

    def press(self, key: Qt.Key, how: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.page.board_view, key, how)

    def answer(self, direction: int, which: int = 0) -> None:
        self.press(KEYS[direction][which])

    @property
    def question(self) -> Question:
        question = self.page.session.question
        assert question
        return question

    @property
    def puzzle(self) -> Puzzle:
        return self.question.stored.puzzle

    def kept(self) -> list:
        found: list = []
        self.puzzles.ask(lambda p: list(p.get(p.ids()).values()), found.append)
        return found[0]

    def banner(self, text: str) -> Banner:
        """Return the banner with this text."""
        found = [b for b in self.page.banners.banners if text in b.text_label.text()]
        assert found, [b.text_label.text() for b in self.page.banners.banners]
        return found[0]
