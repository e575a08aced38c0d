"""A Game page and a player that takes the first move."""

import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.pages.game.page import GamePage
from tests.gui.practice_theme import plain_theme

KEYS = {
    Qt.Key.Key_Left: 0, Qt.Key.Key_A: 0, Qt.Key.Key_H: 0,
    Qt.Key.Key_Right: 1, Qt.Key.Key_D: 1, Qt.Key.Key_L: 1,
    Qt.Key.Key_Up: 2, Qt.Key.Key_W: 2, Qt.Key.Key_K: 2,
    Qt.Key.Key_Down: 3, Qt.Key.Key_S: 3, Qt.Key.Key_J: 3,
}  # fmt: skip
MIDDLE = "0000 0120 0310 0000"
OVER = "1212 2121 1212 2121"


class FirstMove:
    """Takes the first legal move; waits for `delay_s`, or until stopped."""

    def __init__(self) -> None:
        self.delay_s, self.stopped, self.asked_ms, self.let_go_of = 0.0, False, 0.0, 0

    def choose(
        self, cells: Sequence[int], ms: float, _is_wanted: Callable[[], bool] = bool
    ) -> Choice:
        self.asked_ms, self.stopped = ms, False
        until = time.monotonic() + self.delay_s
        while time.monotonic() < until and not self.stopped:
            time.sleep(0.002)
        legal = Game(list(cells)).legal_moves()
        values = tuple(100.0 - d if d in legal else None for d in range(4))
        return Choice(legal[0] if legal else None, values, "First move")

    def stop(self) -> None:
        self.stopped = True

    def let_go(self) -> None:
        self.let_go_of += 1


def make_page(qtbot, settings, tasks, folder: Path, chooser: FirstMove) -> GamePage:
    seeds = itertools.count(1)
    page = GamePage(
        folder / "game",
        folder / "replays",
        tasks,
        settings,
        plain_theme(),
        lambda: next(seeds),
        lambda: lambda after: (15 - list(after)[::-1].index(0), 2),
    )
    page.auto._kinds = dict.fromkeys(CHOOSERS, ChooserKind("First", "", lambda *_: chooser))
    qtbot.addWidget(page)
    page.resize(1100, 760)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    page.page_shown()
    qtbot.waitUntil(lambda: page.session is not None)
    page.board_view.setFocus()
    return page


def press(page: GamePage, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(page.board_view, key, modifier)


def n_moves(page: GamePage) -> int:
    return page.session.game.n_moves


def play_out(page: GamePage) -> None:
    while not page.session.is_over:
        page._play(page.session.game.legal_moves()[0])
