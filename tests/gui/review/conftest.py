"""A Review page with recordings on disk and a table that is only named."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from coach.old_files.opening import open_user_database
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new
from gui.play.services import PlayServices
from gui.review.game import GamePlayer
from gui.review.page import ReviewPage
from gui.settings_model.settings import Settings
from tablebase.formation.formation import Formation
from tests.coach.games import NamedTable, random_game
from tests.gui.page_driver import NONE, action, banner_texts, press_with, show
from tests.gui.practice_fakes import FakeFormation, FakeTasks

TABLE_PATH = Path("tables") / "L3_512"
TABLES = [
    SimpleNamespace(
        path=TABLE_PATH, pattern="L3", target=512, state="complete", then="", spawn4=0.1
    ),
    SimpleNamespace(
        path=Path("tables/442_128"), pattern="442", target=128, state="partial", then="", spawn4=0.1
    ),
]


@dataclass
class Desk:
    """The page and what lies around it."""

    page: ReviewPage
    tasks: FakeTasks
    table: NamedTable
    folder: Path
    sent: list[tuple[Path, str]] = field(default_factory=list)
    opened: dict[Path, NamedTable | Exception] = field(default_factory=dict)

    def press(self, *keys: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        press_with(self.page, modifier, *keys)

    def action(self, name: str) -> QAction:
        return action(self.page, name)

    @property
    def is_playing(self) -> bool:
        """Whether the game plays by itself."""
        player = self.page.findChild(GamePlayer)
        assert player is not None
        return any(timer.isActive() for timer in player.findChildren(QTimer))

    @property
    def position(self) -> int:
        return self.page.game.position

    def texts(self) -> list[str]:
        return banner_texts(self.page)


def write_games(folder: Path) -> None:
    (folder / "L3_512_a.rpl").write_bytes(write_rpl(random_game(120, seed=7)))
    (folder / "442_128_b.rpl").write_bytes(write_rpl(random_game(40, seed=4)))
    (folder / "verse.txt").write_text(write_new(random_game(50, with_rates=False)))


def formations() -> dict[str, Formation]:
    return {"L3": FakeFormation(), "442": FakeFormation(masks=(0x0000_0000_FF00_FFFF,))}


def choose_least_loss(page: ReviewPage, least_loss: float) -> None:
    combo = page.panel.marked.combo
    combo.setCurrentIndex(combo.findData(least_loss))
    combo.activated.emit(combo.currentIndex())


def make_desk(
    qtbot: QtBot, settings: Settings, folder: Path, now: Callable[[], datetime] = datetime.now
) -> Desk:
    tasks, table = FakeTasks(), NamedTable(rate="uint32")

    def open_table(path: Path) -> NamedTable:
        found = desk.opened.get(path, table)
        if isinstance(found, Exception):
            raise found
        return found

    services = PlayServices(settings, open_table, tasks, tasks, folder, now=now)
    page = ReviewPage(services, open_user_database(folder), formations)
    desk = Desk(page, tasks, table, folder)
    page.practice_requested.connect(lambda path, board: desk.sent.append((path, board)))
    page.set_tables(TABLES)
    show(qtbot, page, 1200, 860)
    return desk


@pytest.fixture
def desk(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Desk:
    write_games(tmp_path)
    return make_desk(qtbot, settings, tmp_path)


@pytest.fixture
def game(desk: Desk) -> Desk:
    desk.page.files.open(desk.folder / "L3_512_a.rpl")
    return desk
