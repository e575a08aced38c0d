"""Taking a test as a person does."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coach.exam.session import Session
from engine.spawn import Rng
from gui.core.settings import Settings
from gui.exam.page import TestPage
from tests.gui.practice_fakes import TABLE_PATH, FakeTable, FakeTasks
from tests.gui.practice_theme import plain_theme

TABLES = [
    SimpleNamespace(
        path=TABLE_PATH,
        name="L3_256",
        pattern="L3",
        target=256,
        state="complete",
        spawn4=0.1,
        is_limited=False,
    ),
    SimpleNamespace(
        path=Path("tables/442_128"),
        name="442_128",
        pattern="442",
        target=128,
        state="partial",
        spawn4=0.1,
        is_limited=True,
    ),
]
NEAR_START = "100000771fff2fff"
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class FakeClock:
    """Seconds that a test lets pass, and the date that goes with them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        self.seconds += 0.001  # no two things happen at the same time
        return datetime(2026, 5, 1, 12, tzinfo=timezone.utc) + timedelta(seconds=self.seconds)


def make_page(
    qtbot: QtBot,
    open_table: Callable[[Path], FakeTable],
    lookups: FakeTasks,
    files: FakeTasks,
    settings: Settings,
    folder: Path,
    clock: FakeClock,
    note_mistake: Callable[..., object] | None = None,
) -> TestPage:
    page = TestPage(
        open_table,
        lookups,
        files,
        settings,
        folder,
        plain_theme(),
        Rng(11),
        clock,
        clock.now,
        note_mistake,
    )
    qtbot.addWidget(page)
    page.resize(1100, 860)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.set_tables(TABLES)
    page.board_view.setFocus()
    return page


def session(page: TestPage) -> Session:
    found = page.examiner.session
    assert found is not None
    return found


def press(page: TestPage, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key)


def control(page: TestPage, key: Qt.Key) -> None:
    QTest.keyClick(page.board_view, key, Qt.KeyboardModifier.ControlModifier)


def shift(page: TestPage, key: Qt.Key) -> None:
    QTest.keyClick(page.board_view, key, Qt.KeyboardModifier.ShiftModifier)


def type_hex(qtbot: QtBot, page: TestPage, text: str) -> None:
    field = page.panel.hex_field.edit
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def lose_all(page: TestPage, table: FakeTable, lookups: FakeTasks) -> None:
    """Make a move after which nothing is left to win."""
    lookups.at_once = False
    play_some(page, 1)
    table.rates[session(page).board] = (0.0,) * 4
    lookups.work_off()
    lookups.at_once = True


def play_some(page: TestPage, n_moves: int) -> None:
    """Play whatever is possible, so many moves at most."""
    for number in range(n_moves):
        legal = [d for d in range(4) if session(page).is_legal(d)]
        if not legal or not page.examiner.is_playing:
            return
        press(page, ARROWS[legal[number % len(legal)]])
