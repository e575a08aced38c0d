"""A Situations page with a small table and search that is made up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.settings_model.settings import Settings
from gui.situations import finder
from tests.gui.situations.stage import Stage
from tests.makers import TableMaker


@pytest.fixture
def stage(
    qtbot: QtBot,
    settings: Settings,
    tmp_path: Path,
    table: TableMaker,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Stage]:
    monkeypatch.setattr(finder, "_MAX_OFFER_S", 0.0)  # the start of the table is enough
    stage = Stage(qtbot, settings, tmp_path, table("2x4", 128))
    yield stage
    stage.close()
