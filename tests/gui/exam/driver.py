"""Taking a test as a person does."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pytestqt.qtbot import QtBot

from coach.exam.history import FinishedTest, History
from coach.old_files.opening import open_user_database
from coach.play.run import Run
from engine.spawn import Rng
from gui.exam.page import ExamPage
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.work.store_service import StoreService
from tests.gui.page_driver import ARROWS, enter, press, show
from tests.gui.practice_fakes import TABLES, FakeClock, FakeTable, FakeTasks

NEAR_START = "100000771fff2fff"


def make_page(
    qtbot: QtBot,
    open_table: Callable[[Path], FakeTable],
    lookups: FakeTasks,
    files: FakeTasks,
    settings: Settings,
    folder: Path,
    clock: FakeClock,
    note_mistake: Callable[..., object] | None = None,
) -> ExamPage:
    tests = StoreService(open_user_database(folder), History, files)
    page = ExamPage(
        PlayServices(
            settings,
            open_table,
            lookups,
            files,
            folder,
            note_mistake,
            rng=Rng(11),
            clock=clock,
            now=clock.now,
        ),
        tests,
    )
    tests.setParent(page)
    page.destroyed.connect(tests.close)
    show(qtbot, page, height=860)
    page.set_tables(TABLES)
    page.board_view.setFocus()
    return page


def kept(folder: Path) -> list[FinishedTest]:
    with closing(History(open_user_database(folder))) as history:
        return history.tests()


def moves_of(folder: Path, test: FinishedTest) -> Run:
    with closing(History(open_user_database(folder))) as history:
        return history.session(test.name)


def session(page: ExamPage) -> Run:
    found = page.player.run
    assert found is not None
    return found


def type_hex(page: ExamPage, text: str) -> None:
    enter(page.panel.hex_field.edit, text)


def lose_all(page: ExamPage, table: FakeTable, lookups: FakeTasks) -> None:
    """Make a move after which nothing is left to win."""
    lookups.at_once = False
    play_some(page, 1)
    table.rates[session(page).board] = (0.0,) * 4
    lookups.work_off()
    lookups.at_once = True


def play_some(page: ExamPage, n_moves: int) -> None:
    """Play whatever is possible, so many moves at most."""
    for number in range(n_moves):
        legal = [d for d in range(4) if session(page).is_legal(d)]
        if not legal or not page.player.is_playing:
            return
        press(page, ARROWS[legal[number % len(legal)]])
