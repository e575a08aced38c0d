"""The real programs behind the window: build, verify, practice, convert, move, delete."""

import shutil
from pathlib import Path

import pytest
from makers import TableMaker
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.shell.app import Program
from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import load_manifest
from tests.gui.page_driver import banner_texts

pytestmark = pytest.mark.thorough

BOARD = 0x00010021FFFFFFFF


def copied(table: TableMaker, data_dir: Path) -> Path:
    home = data_dir / "tables" / "44_64"
    shutil.copytree(table("44", 64), home)
    return home


@pytest.fixture
def page(program, table, data_dir, qtbot):
    home = copied(table, data_dir)
    running = program()
    running.start()
    page = running.pages["Tables"]
    running.window.show_page(page)
    qtbot.waitUntil(lambda: home in page.cards)
    return page


def wait_for_banner(qtbot, page, part):
    def texts():
        return banner_texts(page)

    qtbot.waitUntil(lambda: any(part in text for text in texts()))


def test_a_table_gets_smaller_and_goes_to_another_drive_and_back(page, data_dir, qtbot):
    home, drive = data_dir / "tables" / "44_64", data_dir / "drive"
    drive.mkdir()
    before = load_manifest(home)
    with Tablebase.open(home) as original:
        rates = original.probe(BOARD).rates
    page.cards[home].menu_actions["convert"].trigger()
    panel = page.changes.panel
    panel.rate.editor.setCurrentIndex(panel.rate.editor.findData("uint16"))
    panel.rate.editor.activated.emit(panel.rate.editor.currentIndex())
    note = panel.new_figure.note_label
    qtbot.waitUntil(lambda: "% less" in note.text())
    qtbot.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
    wait_for_banner(qtbot, page, "is converted")
    now = load_manifest(home)
    assert (now.rate, before.rate) == ("uint16", "uint32")
    assert now.bytes < before.bytes
    qtbot.waitUntil(lambda: "16-bit" in page.cards[home].about_label.text())

    page.cards[home].menu_actions["move"].trigger()
    panel = page.changes.panel
    panel.folder_field.edit.setText(str(drive))
    qtbot.waitUntil(panel.go_button.isEnabled)
    qtbot.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
    part = drive / "44_64"
    wait_for_banner(qtbot, page, f"moved to {part}")
    files = {one.file for one in now.layers.values()}
    assert files <= {path.name for path in part.iterdir()}
    assert not files & {path.name for path in home.iterdir()}
    with Tablebase.open(home) as moved:
        assert moved.probe(BOARD).rates == pytest.approx(rates, abs=0.0004)
    qtbot.waitUntil(lambda: str(part) in page.cards[home].place_label.text())

    page.cards[home].menu_actions["return"].trigger()
    wait_for_banner(qtbot, page, "back in its own folder")
    assert files <= {path.name for path in home.iterdir()}
    assert not part.exists()


def test_a_copy_is_found_where_it_was_made(page, data_dir, qtbot):
    home, elsewhere = data_dir / "tables" / "44_64", data_dir / "smaller"
    elsewhere.mkdir()
    page.cards[home].menu_actions["convert"].trigger()
    panel = page.changes.panel
    panel.sparse.editor.buttons[4].click()
    panel.place_chips.buttons["copy"].click()
    panel.folder_field.edit.setText(str(elsewhere))
    qtbot.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
    wait_for_banner(qtbot, page, f"is converted into {elsewhere}")
    copy = elsewhere / "44_64"
    qtbot.waitUntil(lambda: copy in page.cards)
    assert load_manifest(copy).options.sparse == 4
    assert load_manifest(home).options.sparse == 1


def test_from_the_button_to_the_board(qtbot, data_dir):
    program = Program(QApplication.instance(), data_dir)
    qtbot.addWidget(program.window)
    program.window.resize(1200, 800)
    program.window.show()
    program.start()
    page, table = program.pages["Tables"], program.services.tables.home / "44_64"
    program.window.show_page(page)
    qtbot.waitUntil(lambda: bool(page.panel.pattern_chips.buttons))
    page.panel.choose("44", 64)
    figure = page.panel.figures["bytes"].value_label
    qtbot.waitUntil(lambda: "B" in figure.text())

    qtbot.mouseClick(page.panel.build_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: table in page.cards)
    qtbot.waitUntil(lambda: not program.services.builds.current)
    qtbot.waitUntil(lambda: bool(program.services.library.usable))
    assert (table / "manifest.json").is_file()

    card = page.cards[table]
    card.menu_actions["verify"].trigger()
    with qtbot.waitSignal(program.services.checks.ended) as ended:
        pass
    assert ended.args[:2] == [table, True], ended.args[2]
    assert page.cards[table].check_label.text().startswith("Verified: ")

    qtbot.mouseClick(page.cards[table].main_button, Qt.MouseButton.LeftButton)
    assert program.window.page is program.pages["Practice"]
    qtbot.waitUntil(lambda: any(program.pages["Practice"].board_view.cells))

    program.services.library.delete(table)
    qtbot.waitUntil(lambda: not program.services.library.tables)
    program.close()
    assert not list(program.services.tables.home.iterdir()), "what was deleted is gone for good"
