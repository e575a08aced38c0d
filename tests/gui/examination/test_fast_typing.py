"""Thirty keys a second against a table on a thread of its own that answers when it likes."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.pages.test import TestPage
from gui.settings import Settings
from gui.tasks import TaskRunner
from tests.gui.examination.driver import ARROWS, FakeClock, make_page, press, session
from tests.gui.practice_fakes import FakeProbe, FakeTable


class SlowTable(FakeTable):
    """Answers after none to twenty milliseconds, with rates that tell positions apart."""

    def probe(self, board: int) -> FakeProbe:
        chance = random.Random(board)
        time.sleep(chance.random() * 0.02)
        found = super().probe(board)
        rates = tuple(None if rate is None else 0.5 + chance.random() / 2 for rate in found.rates)
        legal = [rate for rate in rates if rate is not None]
        return FakeProbe(rates, rates.index(max(legal)) if legal else None)


@pytest.fixture
def lookups(qapp: object) -> Iterator[TaskRunner]:
    runner = TaskRunner(qapp)  # type: ignore[arg-type]
    yield runner
    runner.close()


def test_every_move_is_judged_by_its_own_position(
    qtbot: QtBot, settings: Settings, lookups: TaskRunner, tasks: TaskRunner, tmp_path: Path
) -> None:
    table = SlowTable()
    page: TestPage = make_page(
        qtbot,
        lambda _: table,
        lookups,  # type: ignore[arg-type]
        tasks,  # type: ignore[arg-type]
        settings,
        tmp_path,
        FakeClock(),
    )
    qtbot.waitUntil(lambda: page.examiner.answer is not None)
    chance = random.Random(4)
    for _ in range(150):
        press(page, chance.choice(ARROWS))
        qtbot.wait(chance.randrange(12))
        if not page.examiner.is_playing:
            break
    qtbot.waitUntil(lambda: page.examiner.answer is not None)
    moves = session(page).moves
    assert len(moves) > 15
    for move in moves:
        assert move.rates == table.probe(move.board).rates
    shown = moves[-1]
    assert page.panel.rows.rates == shown.rates
    assert page.panel.moves.value_label.text() == str(len(moves))
    page.close_page()
