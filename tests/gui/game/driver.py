"""A Game page and a player that takes the first move."""

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.game.page import GamePage
from tests.gui.practice_theme import plain_theme

KEYS = {
    Qt.Key.Key_Left: 0, Qt.Key.Key_A: 0, Qt.Key.Key_H: 0,
    Qt.Key.Key_Right: 1, Qt.Key.Key_D: 1, Qt.Key.Key_L: 1,
    Qt.Key.Key_Up: 2, Qt.Key.Key_W: 2, Qt.Key.Key_K: 2,
    Qt.Key.Key_Down: 3, Qt.Key.Key_S: 3, Qt.Key.Key_J: 3,
}  # fmt: skip
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
MIDDLE = "0000 0120 0310 0000"
OVER = "1212 2121 1212 2121"


class FirstMove:
    """Takes the first legal move: at once, or, while it `ponders`, when it is stopped."""

    def __init__(self) -> None:
        self.ponders, self.asked_ms, self.let_go_of = False, 0.0, 0
        self._stopped = threading.Event()

    def choose(
        self, cells: Sequence[int], ms: float, is_wanted: Callable[[], bool] = lambda: True
    ) -> Choice:
        self._stopped.clear()
        self.asked_ms = ms
        if self.ponders:
            give_up = time.monotonic() + 60
            while is_wanted() and not self._stopped.wait(0.02):  # stopped before it began, perhaps
                assert time.monotonic() < give_up, "it was never stopped"
        legal = Game(list(cells)).legal_moves()
        values = tuple(100.0 - d if d in legal else None for d in range(4))
        return Choice(legal[0] if legal else None, values, "First move")

    def stop(self) -> None:
        self._stopped.set()

    def let_go(self) -> None:
        self.let_go_of += 1


def only(make: Callable[..., object]) -> dict[str, ChooserKind]:
    """Return players of all names that `make` makes."""
    return dict.fromkeys(CHOOSERS, ChooserKind("First", "", make))


def make_page(
    qtbot,
    settings,
    tasks,
    folder: Path,
    kinds: Mapping[str, ChooserKind],
    clock: Callable[[], float] = time.monotonic,
) -> GamePage:
    seeds = itertools.count(1)
    page = GamePage(
        folder / "game",
        folder / "replays",
        tasks,
        settings,
        plain_theme(),
        lambda: next(seeds),
        lambda: lambda after: (15 - list(after)[::-1].index(0), 2),
        kinds=kinds,
        clock=clock,
    )
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


def action(page: GamePage, name: str) -> QAction:
    return next(one for one in page.actions() if one.objectName() == name)


def set_board(page: GamePage, text: str) -> None:
    """Type a position and go back to the board."""
    edit = page.panel.hex_field.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def new_game(page: GamePage) -> None:
    """Start another game, and confirm if one would be lost."""
    before = page.session.game
    press(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    if page.session.game is before:
        page.panel.notice.buttons[0].click()


def play(page: GamePage, n_moves: int) -> None:
    """Make the first legal move, so many times."""
    for _ in range(n_moves):
        press(page, ARROWS[page.session.game.legal_moves()[0]])


def play_out(page: GamePage) -> None:
    while not page.session.is_over:
        play(page, 1)
