"""What the tests of the window share: settings in memory, a worker, tables that are only named."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from gui.settings import Settings
from gui.tasks import TaskRunner


@pytest.fixture
def settings(qapp: QApplication) -> Iterator[Settings]:
    settings = Settings(None, qapp)
    yield settings
    settings.close()


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[TaskRunner]:
    runner = TaskRunner(qapp)
    yield runner
    runner.close()


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    (tmp_path / "tables").mkdir()
    return tmp_path
