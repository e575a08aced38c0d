"""A Puzzles page with a small table."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coach.puzzles.finder import find_puzzles
from coach.puzzles.puzzle import Puzzle
from gui.settings_model.settings import Settings
from tests.gui.puzzles.stage import Stage
from tests.makers import TableMaker


@pytest.fixture(scope="session")
def found_once() -> Callable[..., Iterator[Puzzle]]:
    """Search for puzzles, and begin with what the same search found before: it takes a second."""
    found: dict[tuple[str, int], list[Puzzle]] = {}

    def find(table: Any, seed: int, goes_on: Callable[[int], bool]) -> Iterator[Puzzle]:
        known = found.setdefault((table.name, seed), [])
        yield from known
        for puzzle in islice(find_puzzles(table, seed, goes_on), len(known), None):
            known.append(puzzle)
            yield puzzle

    return find


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings, tmp_path: Path, table: TableMaker) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, tmp_path, table("2x4", 128))
    yield stage
    stage.close()


@pytest.fixture
def asking(
    stage: Stage, found_once: Callable[..., Iterator[Puzzle]], monkeypatch: pytest.MonkeyPatch
) -> Stage:
    """A page that asks a puzzle: its button was pressed."""
    page = stage.open()
    assert page.frame.invites
    with monkeypatch.context() as patch:
        patch.setattr("gui.puzzles.search.find_puzzles", found_once)
        QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    return stage
