"""Thirty keys a second against a table on a thread of its own that answers when it likes."""

import random
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.exam.page import ExamPage
from gui.work.tasks import TaskRunner
from tablebase.probe.probes import Probe
from tests.coach.games import probed
from tests.gui.exam.driver import make_page, session
from tests.gui.page_driver import ARROWS, press
from tests.gui.practice_fakes import FakeClock, FakeTable


class SlowTable(FakeTable):
    """Answers its worker on request, with different rates for each position."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = threading.Semaphore(0)  # how many answers may be given

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        chance = random.Random(board)
        if threading.current_thread() is not threading.main_thread():
            assert self.turns.acquire(timeout=600)
        found = super().probe(board, comes_up)
        rates = tuple(None if rate is None else 0.5 + chance.random() / 2 for rate in found.rates)
        legal = [rate for rate in rates if rate is not None]
        return probed(board, rates, rates.index(max(legal)) if legal else None)


@pytest.fixture
def lookups(qapp: object) -> Iterator[TaskRunner]:
    runner = TaskRunner(qapp)  # type: ignore[arg-type]
    yield runner
    runner.close()


@pytest.mark.thorough
def test_every_move_is_judged_by_its_own_position(qtbot, settings, lookups, tasks, tmp_path):
    table = SlowTable()
    page: ExamPage = make_page(
        qtbot,
        lambda _: table,
        lookups,  # type: ignore[arg-type]
        tasks,  # type: ignore[arg-type]
        settings,
        tmp_path,
        FakeClock(),
    )
    table.turns.release()
    qtbot.waitUntil(lambda: page.player.answer is not None)
    chance, judged = random.Random(4), 0
    while judged < 40:  # over several tests: who plays like this loses soon
        taken = session(page)
        while page.player.is_playing and taken.n_moves < 40:
            press(page, chance.choice(ARROWS))
            table.turns.release(chance.randrange(2) + 1)
            for _ in range(chance.randrange(3)):
                QApplication.processEvents()
        table.turns.release(1000)  # it has time now
        qtbot.waitUntil(lambda: page.player.answer is not None)
        for move in taken.moves:
            assert move.rates == table.probe(move.board).rates
        assert page.panel.rows.rates == taken.moves[-1].rates
        assert page.panel.perfect.value_label.text().endswith(f" of {taken.score.n_moves}")
        judged += taken.n_moves
        press(page, Qt.Key.Key_N)
        qtbot.waitUntil(lambda before=taken: page.player.run not in (None, before))
    page.close_page()
