"""A Game page and a player that takes the first move."""

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import Qt

from ai.chances.chance_search import ChanceEstimate
from ai.chances.goal import goal_of
from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.game.page import GamePage
from gui.play.services import PlayServices
from tests.gui.page_driver import ARROWS, CTRL, enter, press, press_with, show

MIDDLE = "0000 0120 0310 0000"
OVER = "1212 2121 1212 2121"


class FirstMove:
    """Takes the first legal move: at once, or, while it `ponders`, when it is stopped."""

    def __init__(self) -> None:
        self.ponders, self.asked_ms, self.let_go_of = False, 0.0, 0
        self._stopped = threading.Event()

    def choose(
        self, cells: Sequence[int], ms: float, is_cancelled: Callable[[], bool] = lambda: False
    ) -> Choice:
        self._stopped.clear()
        self.asked_ms = ms
        if self.ponders:
            give_up = time.monotonic() + 60
            # It may have been stopped before it began.
            while not is_cancelled() and not self._stopped.wait(0.02):
                assert time.monotonic() < give_up, "it was never stopped"
        legal = Game(list(cells)).legal_moves()
        values = tuple(100.0 - d if d in legal else None for d in range(4))
        return Choice(legal[0] if legal else None, values, "First move")

    def stop(self) -> None:
        self._stopped.set()

    def release(self) -> None:
        self.let_go_of += 1


def only(make: Callable[..., object]) -> dict[str, ChooserKind]:
    """Return players of all names that `make` makes."""
    return dict.fromkeys(CHOOSERS, ChooserKind("First", "", make))


def _no_table(path: Path) -> NoReturn:
    raise AssertionError(path)


def chance_of_most(cells: Sequence[int]) -> ChanceEstimate:
    return ChanceEstimate(goal_of(cells), (0.875,) * 4, 0, 0, 0)


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
        PlayServices(settings, _no_table, tasks, tasks, folder, clock=clock),
        lambda: next(seeds),
        lambda: lambda after: (15 - list(after)[::-1].index(0), 2),
        kinds=kinds,
        load_chances=lambda: chance_of_most,
    )
    show(qtbot, page)
    page.page_shown()
    qtbot.waitUntil(lambda: page.session is not None)
    page.board_view.setFocus()
    return page


def all_answered(qtbot, tasks) -> None:
    """Wait until all requests so far are answered: jobs are done and reported in order."""
    told: list[None] = []
    tasks.run(lambda: None, told.append)
    qtbot.waitUntil(lambda: bool(told))


def n_moves(page: GamePage) -> int:
    return page.session.game.n_moves


def set_board(page: GamePage, text: str) -> None:
    enter(page.panel.hex_field.edit, text)


def new_game(page: GamePage) -> None:
    before = page.session.game
    press_with(page, CTRL, Qt.Key.Key_N)
    if page.session.game is before:
        page.panel.notice.buttons[0].click()


def play(page: GamePage, n_moves: int) -> None:
    for _ in range(n_moves):
        press(page, ARROWS[page.session.game.legal_moves()[0]])


def play_out(page: GamePage) -> None:
    while not page.session.is_over:
        play(page, 1)
