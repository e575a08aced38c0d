"""Shared by the tests of the window: settings in memory, a worker, fake tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

from engine.platform import language
from gui.settings_model.settings import Settings
from gui.shell.app import Program
from gui.style.theme import app_theme, theme_source
from gui.work.tasks import TaskRunner
from tests.gui.practice_theme import plain_theme
from tests.gui.tables_stage import Stage
from tests.gui.waiting import PatientBot


@pytest.fixture(autouse=True)
def _deleted_in_the_end() -> Iterator[None]:
    """Delete the widgets of a test after it: each that lives makes a style sheet cost more."""
    yield
    if QCoreApplication.instance():
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def _same_font_again() -> Iterator[None]:
    """Give the application the system's font: a program sets its own, for all tests that follow."""
    yield
    if QApplication.instance():
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        if QApplication.font() != font:
            QApplication.setFont(font)


@pytest.fixture(autouse=True)
def _same_theme_again() -> Iterator[None]:
    """Put the usual theme in force again: it is the application's, for all tests that follow."""
    yield
    if QApplication.instance() and app_theme() != plain_theme():
        theme_source().use(plain_theme())


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:  # noqa: ARG001, of Qt
    return PatientBot(request)


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


@pytest.fixture
def stage(
    qtbot: PatientBot, settings: Settings, tasks: TaskRunner, data_dir: Path
) -> Iterator[Stage]:
    stage = Stage(qtbot, settings, tasks, data_dir / "tables")
    yield stage
    stage.close()


@pytest.fixture
def program(qtbot, data_dir):
    programs = []

    def start(page: str = "") -> Program:
        """Start the program, with a page in front if one is named."""
        program = Program(QApplication.instance(), data_dir)
        programs.append(program)
        qtbot.addWidget(program.window)
        program.window.show()
        if page:
            program.window.show_page(program.pages[page])
        return program

    yield start
    for program in programs:
        program.close()
