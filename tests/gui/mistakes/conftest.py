"""A Mistakes page on a book of three positions; work is done when it is asked for."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.settings_model.settings import Settings
from tests.gui.mistakes.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, tmp_path)
    yield stage
    stage.close()
