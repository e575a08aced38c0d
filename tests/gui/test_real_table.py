"""The whole way with the real programs behind the window: build, verify, practice, delete."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.shell.app import Program

pytestmark = pytest.mark.thorough


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
