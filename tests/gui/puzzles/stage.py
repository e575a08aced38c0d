"""Using the Puzzles page as a person does."""

from pathlib import Path
from types import SimpleNamespace

from pytestqt.qtbot import QtBot

from coach.old_files.opening import open_user_database
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.puzzles import FROM_TABLE, Puzzles
from coach.puzzles.questions import PuzzleQuestion
from engine.spawn import Rng
from gui.play.services import PlayServices
from gui.puzzles.page import PuzzlesPage
from gui.settings_model.settings import Settings
from gui.work.mistake_service import MistakeService
from gui.work.store_service import StoreService
from tablebase.library.opening import open_table
from tests.gui.page_driver import KEYS, PageStage
from tests.gui.practice_fakes import FakeTasks


class Stage(PageStage[PuzzlesPage]):
    """A page, its databases, a clock that a test sets; work is done when it is asked for."""

    def __init__(self, qtbot: QtBot, settings: Settings, folder: Path, table: Path) -> None:
        super().__init__(qtbot, settings, folder)
        self.table, self.seeking = table, FakeTasks()
        self.puzzles = StoreService(open_user_database(folder), Puzzles, self.tasks)
        self.book = MistakeService(open_user_database(folder), self.tasks)
        self.opened: list[Path] = []
        self.asked_of_practice: list[tuple[object, str]] = []

    def close(self) -> None:
        super().close()
        self.puzzles.close()
        self.book.close()

    def open_table(self, path: Path):
        self.opened.append(path)
        return open_table(path)

    def info(self) -> SimpleNamespace:
        name = self.table.name
        return SimpleNamespace(path=self.table, name=name, spawn4=0.1, state="complete")

    def open(self, has_table: bool = True, *, finds_more: bool = False) -> PuzzlesPage:
        page = PuzzlesPage(
            PlayServices(
                self.settings,
                self.open_table,
                self.tasks,  # type: ignore[arg-type]
                self.seeking,  # type: ignore[arg-type]
                self.folder,
                dialogs=self.dialogs,  # type: ignore[arg-type]
                rng=Rng(3),
                now=lambda: self.now,
            ),
            self.puzzles,
            self.book,
        )
        page.finds_more = finds_more
        page.practice_requested.connect(lambda *sent: self.asked_of_practice.append(sent))
        page.set_tables([self.info()] if has_table else [])
        self.show(page)
        return page

    def keep(self, *puzzles: Puzzle) -> None:
        self.puzzles.change(lambda p: p.add(puzzles, FROM_TABLE, self.now))

    def answer(self, direction: int, which: int = 0) -> None:
        self.press(KEYS[direction][which])

    @property
    def question(self) -> PuzzleQuestion:
        question = self.page.run.question
        assert question
        return question

    @property
    def puzzle(self) -> Puzzle:
        return self.question.item.puzzle

    def kept(self) -> list:
        found: list = []
        self.puzzles.ask(lambda p: list(p.get(p.ids()).values()), found.append)
        return found[0]
