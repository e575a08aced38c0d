import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from engine.spawn import Rng
from gui.practice.page import PracticePage
from gui.practice.session import SpawnMode
from gui.settings_model.settings import Settings
from tests.gui.page_driver import press
from tests.gui.practice.driver import board, type_hex
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    TABLES,
    FakeTable,
    FakeTasks,
    play_services,
)


def test_the_last_board_of_a_table_is_remembered(page, qtbot, table, settings):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    left = board(page)
    again = PracticePage(play_services(lambda _: table, FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(again)
    again.open_table(TABLE_PATH)
    assert board(again) == left
    assert settings.state.get("practice.last_table") == str(TABLE_PATH)


def test_outside_of_the_table_undo_is_offered_only_where_there_is_one(page, qtbot, table, settings):
    outside = 0x12345678_0000_000A
    table.outside.add(outside)
    type_hex(page, f"{outside:016x}")
    assert [one.text() for one in page.panel.notice.buttons] == ["Undo", "New"]
    assert "or undo" in page.panel.notice.text_label.text()
    again = PracticePage(play_services(lambda _: table, FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(again)
    again.open_table(TABLE_PATH)
    assert board(again) == outside
    assert [one.text() for one in again.panel.notice.buttons] == ["New"]
    assert "undo" not in again.panel.notice.text_label.text()


def test_the_table_of_last_time_is_opened_again(qtbot, table, settings):
    opened: list[Path] = []

    def open_table(path: Path) -> FakeTable:
        opened.append(path)
        return table

    last = Path("tables/L3_512")
    settings.state.set("practice.last_table", str(last))
    page = PracticePage(play_services(open_table, FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(page)
    page.set_tables(
        [*TABLES, SimpleNamespace(path=last, pattern="L3", target=512, state="complete", then="")]
    )
    assert opened == []  # not before the page is seen
    page.page_shown()
    page.page_shown()
    assert opened == [last]


def test_opening_the_open_table_again_goes_on(page):
    press(page, Qt.Key.Key_Up)
    page.open_table(TABLE_PATH)
    assert page.game.session is not None
    assert page.game.session.can_undo


@pytest.mark.thorough
def test_speed_mode_and_hiding_are_remembered(page, qtbot, settings, table):
    page.panel.speed_slider.setValue(9)
    page.panel.spawn_chips.buttons[SpawnMode.WORST].click()
    press(page, Qt.Key.Key_X)
    again = PracticePage(play_services(lambda _: table, FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(again)
    assert again.panel.speed_slider.value() == 9
    assert again.game.spawn_mode is SpawnMode.WORST
    assert again.panel.guess_box.isChecked()


def test_settings_that_make_no_sense_are_ignored(qtbot, tmp_path):
    names = ("practice.speed", "practice.spawn_mode", f"practice.board.{TABLE_PATH}")
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 1, "values": dict.fromkeys(names, "nonsense")}))
    settings = Settings(path)
    page = PracticePage(play_services(lambda _: FakeTable(), FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(page)
    page.open_table(TABLE_PATH)
    assert board(page) == L3_START
    assert page.game.spawn_mode is SpawnMode.RANDOM
    settings.close()
