"""The test of last time is not lost when its table can't be opened."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.platform.errors import AppError
from gui.exam.page import ExamPage
from gui.settings_model.settings import Settings
from tests.gui.exam.driver import kept, make_page, moves_of, play_some, session
from tests.gui.exam.test_asked_for_a_test import BOTH, OTHER
from tests.gui.practice_fakes import TABLE_PATH, FakeClock, FakeTable, FakeTasks

N_MOVES = 4


class Drive:
    """Opens tables; the one of the test only when it is back."""

    def __init__(self, table: FakeTable) -> None:
        self._table, self.is_back = table, False

    def open_table(self, path: Path) -> FakeTable:
        if path == TABLE_PATH and not self.is_back:
            raise AppError("the drive is not connected")
        return self._table


@pytest.fixture
def drive(table: FakeTable) -> Drive:
    return Drive(table)


@pytest.fixture
def again(
    page: ExamPage,
    drive: Drive,
    qtbot: QtBot,
    lookups: FakeTasks,
    files: FakeTasks,
    settings: Settings,
    tmp_path: Path,
    clock: FakeClock,
) -> ExamPage:
    """Return the page of the next run of the program, whose last test can't go on yet."""
    play_some(page, N_MOVES)
    page.close_page()
    page.hide()
    lookups.at_once = False  # the notice of opening comes first, as it does in the program
    made = make_page(qtbot, drive.open_table, lookups, files, settings, tmp_path, clock)
    lookups.work_off()
    assert made.player.run is None
    lookups.at_once = True
    return made


@pytest.mark.thorough
def test_it_is_kept_when_another_table_is_chosen(again, tmp_path):
    again.set_tables(BOTH)
    again.open_table(OTHER)
    play_some(again, 2)
    again.close_page()
    (test,) = kept(tmp_path)
    assert moves_of(tmp_path, test).n_moves == N_MOVES


@pytest.mark.thorough
def test_it_goes_on_when_the_table_can_be_read_again(again, drive):
    again.panel.notice.buttons[0].click()  # too early
    assert again.player.run is None
    drive.is_back = True
    again.panel.notice.buttons[0].click()
    assert session(again).n_moves == N_MOVES
    again.close_page()


@pytest.mark.thorough
def test_it_is_there_at_the_next_start(again, drive, tmp_path, qtbot, settings):
    again.close_page()
    again.hide()
    drive.is_back = True
    tasks = FakeTasks(), FakeTasks()
    third = make_page(qtbot, drive.open_table, *tasks, settings, tmp_path, FakeClock())
    assert session(third).n_moves == N_MOVES
    third.close_page()


@pytest.mark.thorough
def test_it_is_kept_when_another_test_begins_before_it_is_read(page, files, tmp_path, new_page):
    play_some(page, N_MOVES)
    page.close_page()
    page.hide()
    files.at_once = False
    second = new_page()
    second.set_tables(BOTH)
    second.open_table(OTHER)
    files.work_off()
    files.at_once = True
    play_some(second, 2)
    assert (session(second).setup.table, session(second).n_moves) == ("442_128", 2)
    second.close_page()
    (test,) = kept(tmp_path)
    assert moves_of(tmp_path, test).n_moves == N_MOVES
    new_page()  # which doesn't have that table
    assert sorted(test.n_moves for test in kept(tmp_path)) == [2, N_MOVES]
