"""Using the Situations page as a person does."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pytestqt.qtbot import QtBot

from coach.mistakes.mistake import NotedMove
from coach.play.run import Run
from coach.record.user_database import UserDatabase
from coach.recordings.recording import Recording
from coach.situations.situations import Situations, StoredSituation
from engine.bitboard import cells
from engine.spawn import Rng
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.situations.page import SituationsPage
from gui.work.store_service import StoreService
from tablebase.library.opening import open_table
from tests.coach.situations.stage import made_up
from tests.gui.page_driver import ARROWS, PageStage


class Stage(PageStage[SituationsPage]):
    """A page, its database; work is done when it is asked for."""

    def __init__(self, qtbot: QtBot, settings: Settings, folder: Path, table: Path) -> None:
        super().__init__(qtbot, settings, folder)
        self.table = table
        self.store = StoreService(UserDatabase(folder), Situations, self.tasks)
        self.reviewed: list[tuple[Recording, int]] = []
        self.noted: list[NotedMove] = []

    def close(self) -> None:
        super().close()
        self.store.close()

    def open(self, has_table: bool = True, **more: Any) -> SituationsPage:
        page = SituationsPage(
            PlayServices(
                self.settings,
                open_table,
                self.tasks,  # type: ignore[arg-type]
                self.tasks,  # type: ignore[arg-type]
                note_mistake=self.noted.append,
                rng=Rng(3),
                clock=lambda: 0.0,
                now=lambda: self.now,
                **more,
            ),
            self.store,
            make_search=lambda: made_up,
        )
        page.review_requested.connect(lambda *sent: self.reviewed.append(sent))
        info = SimpleNamespace(path=self.table, name="2x4_128", spawn4=0.1, state="complete")
        page.set_tables([info] if has_table else [])
        self.show(page)
        return page

    @property
    def session(self) -> Run:
        session = self.page.player.run
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

    def move(self) -> None:
        answer = self.page.player.answer
        assert answer
        self.press(ARROWS[next(one for one in range(4) if answer.rates[one] is not None)])

    def play_on(self) -> None:
        while self.page.player.is_playing:
            self.move()

    def kept(self) -> list[StoredSituation]:
        found: list[list[StoredSituation]] = []
        self.store.ask(lambda store: store.all(), found.append)
        return found[0]
