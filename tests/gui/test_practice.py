from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.bitboard import cells, format_board
from engine.errors import AppError
from engine.spawn import Rng
from gui.pages.practice import PracticePage
from gui.practice_session import SpawnMode
from gui.settings import Settings
from gui.tasks import TaskRunner
from gui.widgets.board_paint import Grid
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    WALLED,
    WALLED_START,
    FakeTable,
    FakeTasks,
)
from tests.gui.practice_theme import plain_theme

OTHER_START = 0x1_2FFF_1FFF
TABLES = [
    SimpleNamespace(path=TABLE_PATH, pattern="L3", target=256, state="complete"),
    SimpleNamespace(path=Path("tables/442_128"), pattern="442", target=128, state="partial"),
]


@pytest.fixture
def settings() -> Iterator[Settings]:
    settings = Settings(None)
    yield settings
    settings.close()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def tasks() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def page(qtbot: QtBot, table: FakeTable, tasks: FakeTasks, settings: Settings) -> PracticePage:
    page = PracticePage(lambda _: table, tasks, settings, plain_theme(), Rng(11))
    page.set_tables(TABLES)
    page.open_table(TABLE_PATH)
    page.resize(1100, 760)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    page.board_view.setFocus()
    return page


def board(page: PracticePage) -> int:
    assert page.game.step is not None
    return page.game.step.board


def press(page: PracticePage, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key)


def type_hex(qtbot: QtBot, page: PracticePage, text: str) -> None:
    page.panel.hex_edit.setFocus()
    page.panel.hex_edit.selectAll()
    qtbot.keyClicks(page.panel.hex_edit, text)
    qtbot.keyClick(page.panel.hex_edit, Qt.Key.Key_Return)


def test_an_open_table_shows_board_and_rates(page: PracticePage) -> None:
    assert page.board_view.cells == cells(L3_START)
    assert [cell.text() for cell in page.panel.cross.cells] == [
        "",
        "98.0000 %",
        "99.3100 %",
        "70.0000 %",
    ]
    assert page.table_combo.currentText() == "L3 \N{RIGHTWARDS ARROW} 256"
    assert page.table_combo.count() == 1  # what is not complete cannot be played


@pytest.mark.parametrize(
    ("key", "letter", "direction"),
    [
        (Qt.Key.Key_Up, Qt.Key.Key_W, 2),
        (Qt.Key.Key_Right, Qt.Key.Key_D, 1),
        (Qt.Key.Key_Down, Qt.Key.Key_S, 3),
    ],
)
def test_arrows_and_letters_play(
    page: PracticePage, key: Qt.Key, letter: Qt.Key, direction: int
) -> None:
    for pressed in (key, letter):
        press(page, pressed)
        assert page.game.step is not None
        assert page.game.step.direction == direction
        press(page, Qt.Key.Key_Backspace)
        assert board(page) == L3_START


def test_an_illegal_key_does_nothing(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Left)
    assert board(page) == L3_START


def test_a_move_is_judged_beside_the_board(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Right)
    assert page.panel.verdict.text() == "Right gave away 1.3 points. Up was best."
    press(page, Qt.Key.Key_Backspace)
    assert page.panel.verdict.text() == ""


def test_undo_and_redo_by_keys(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    played = board(page)
    QTest.keyClick(page.board_view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START
    for _ in range(2):
        QTest.keyClick(page.board_view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert board(page) == played


def test_enter_plays_the_best_move(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Return)
    assert page.game.step is not None
    assert page.game.step.direction == 2
    assert page.panel.verdict.text() == "Up was the best move."


def test_home_begins_anew_and_undo_leads_back(page: PracticePage, table: FakeTable) -> None:
    press(page, Qt.Key.Key_Up)
    left = board(page)
    table.start = OTHER_START
    press(page, Qt.Key.Key_Home)
    assert board(page) == OTHER_START
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == left


def test_a_typed_position_is_set_and_can_be_undone(page: PracticePage, qtbot: QtBot) -> None:
    type_hex(qtbot, page, "0000_0001_2fff_1fff")
    assert board(page) == OTHER_START
    assert page.panel.hex_edit.text() == format_board(OTHER_START)
    assert page.board_view.hasFocus()
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("123", "3 of 16"),
        ("1000000z1fff2fff", "position 8"),
        ("10000000100000001", "more than 16"),
        ("0000000000000000", "at least one tile"),
    ],
)
def test_a_bad_position_is_explained_beside_the_field(
    page: PracticePage, qtbot: QtBot, text: str, complaint: str
) -> None:
    type_hex(qtbot, page, text)
    assert complaint in page.panel.hex_error.text()
    assert page.panel.hex_error.isVisible()
    assert page.panel.hex_edit.text() == text
    assert board(page) == L3_START
    press(page, Qt.Key.Key_Up)
    assert not page.panel.hex_error.isVisible()


def test_typing_in_the_field_does_not_play(page: PracticePage, qtbot: QtBot) -> None:
    page.panel.hex_edit.setFocus()
    page.panel.hex_edit.selectAll()
    qtbot.keyClicks(page.panel.hex_edit, "adf")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_Backspace):
        qtbot.keyClick(page.panel.hex_edit, key)
    assert board(page) == L3_START
    assert "d" in page.panel.hex_edit.text()


def test_escape_takes_back_what_was_typed_as_a_position(page: PracticePage, qtbot: QtBot) -> None:
    before = page.panel.hex_edit.text()
    type_hex(qtbot, page, "zz")
    assert page.panel.hex_error.text()
    qtbot.keyClick(page.panel.hex_edit, Qt.Key.Key_Escape)
    assert page.panel.hex_edit.text() == before
    assert not page.panel.hex_error.text()
    assert page.focusWidget() is page.board_view


def test_copy_and_paste_go_through_the_clipboard(page: PracticePage) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(page.board_view, Qt.Key.Key_C, control)
    assert QGuiApplication.clipboard().text() == format_board(L3_START)
    QGuiApplication.clipboard().setText(f" {format_board(OTHER_START)}\n")
    QTest.keyClick(page.board_view, Qt.Key.Key_V, control)
    assert board(page) == OTHER_START


@pytest.mark.parametrize("name", ["flip_sideways", "flip_over", "rotate_left", "rotate_right"])
def test_a_turned_board_can_be_turned_back_by_undo(page: PracticePage, name: str) -> None:
    action = next(action for action in page.actions() if action.objectName() == name)
    action.trigger()
    assert board(page) != L3_START
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_the_demo_plays_until_nothing_is_left(
    page: PracticePage, table: FakeTable, qtbot: QtBot
) -> None:
    page.panel.speed_slider.setValue(30)
    press(page, Qt.Key.Key_Space)
    assert page.demo.is_running
    qtbot.waitUntil(lambda: page.game.session is not None and page.game.session.place[0] >= 4)
    answer = page.game.answer
    assert answer is not None
    table.probe = lambda _: SimpleNamespace(rates=(0.0, 0.0, None, None), best=0)  # type: ignore
    qtbot.waitUntil(lambda: not page.demo.is_running)
    assert page.panel.cross.sentence.text() == "The table knows no way to the target from here."


def test_the_demo_stops_at_the_end_of_the_game(page: PracticePage, qtbot: QtBot) -> None:
    type_hex(qtbot, page, "1212212112122123")
    assert page.panel.notice.title_label.text() == "No move is left"
    press(page, Qt.Key.Key_Space)
    assert not page.demo.is_running


def test_any_move_of_the_person_stops_the_demo(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Space)
    assert page.demo.is_running
    press(page, Qt.Key.Key_Right)
    assert not page.demo.is_running
    press(page, Qt.Key.Key_Space)
    press(page, Qt.Key.Key_Space)
    assert not page.demo.is_running


def test_the_demo_stops_when_the_page_is_left(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Space)
    page.hide()
    assert not page.demo.is_running


def test_a_reached_target_is_said_calmly(page: PracticePage, qtbot: QtBot) -> None:
    type_hex(qtbot, page, "100000081fff2fff")
    assert page.panel.notice.isVisible()
    assert page.panel.notice.title_label.text() == "256 reached"
    qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert board(page) == L3_START
    assert page.panel.cross.isVisible()


def test_outside_the_table_play_goes_on(page: PracticePage, table: FakeTable, qtbot: QtBot) -> None:
    outside = 0x12345678_0000_000A
    table.outside.add(outside)
    type_hex(qtbot, page, f"{outside:016x}")
    assert "large tiles are not where L3 has them" in page.panel.notice.text_label.text()
    press(page, Qt.Key.Key_Down)
    assert board(page) != outside
    assert page.panel.cross.isVisible()


def test_late_answers_do_not_overwrite_newer_positions(
    page: PracticePage, tasks: FakeTasks, table: FakeTable
) -> None:
    tasks.at_once = False
    press(page, Qt.Key.Key_Up)
    stale = board(page)
    table.rates[stale] = (0.111, 0.111, 0.111, 0.111)
    press(page, Qt.Key.Key_Right)
    table.rates[board(page)] = (0.222, None, None, None)
    tasks.work_off(1)
    assert all(cell.text() != "11.1000 %" for cell in page.panel.cross.cells)
    tasks.work_off()
    assert page.panel.cross.cells[0].text() == "22.2000 %"


def test_guessing_first_hides_the_rates_until_the_move(page: PracticePage) -> None:
    press(page, Qt.Key.Key_G)
    assert page.panel.guess_box.isChecked()
    assert all("%" not in cell.text() for cell in page.panel.cross.cells)
    press(page, Qt.Key.Key_Right)
    assert page.panel.verdict.text() == "Right gave away 1.3 points. Up was best."
    press(page, Qt.Key.Key_G)
    assert any("%" in cell.text() for cell in page.panel.cross.cells)


def test_the_hint_comes_on_demand_and_goes_with_the_move(page: PracticePage) -> None:
    press(page, Qt.Key.Key_H)
    assert page.board_view.hint == 2
    press(page, Qt.Key.Key_Up)
    assert page.board_view.hint is None


def click_cell(page: PracticePage, cell: int, button: Qt.MouseButton) -> None:
    view = page.board_view
    rect = Grid.fit(view.width(), view.height(), view.devicePixelRatioF()).rect(cell)
    QTest.mouseClick(view, button, pos=rect.center().toPoint())


def test_a_tile_is_placed_by_hand(page: PracticePage) -> None:
    page.panel.spawn_buttons.button(list(SpawnMode).index(SpawnMode.MANUAL)).click()
    press(page, Qt.Key.Key_Up)
    after = board(page)
    assert "Place the new tile" in page.panel.cross.sentence.text()
    press(page, Qt.Key.Key_Right)  # the frame moves, not the tiles
    assert board(page) == after
    empty = page.board_view.cells.index(0)
    click_cell(page, empty, Qt.MouseButton.RightButton)
    assert cells(board(page))[empty] == 2
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == after
    page.keys.cursor = empty
    press(page, Qt.Key.Key_2)
    assert cells(board(page))[empty] == 1


def test_the_board_is_edited_with_the_mouse(page: PracticePage) -> None:
    press(page, Qt.Key.Key_E)
    page.edit_bar.palette_row.chosen.emit(5)
    click_cell(page, 1, Qt.MouseButton.LeftButton)
    click_cell(page, 2, Qt.MouseButton.RightButton)
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[:4] == [1, 5, 1, 0]
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_the_board_is_edited_with_keys(page: PracticePage) -> None:
    press(page, Qt.Key.Key_E, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Plus)
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[1] == 2
    press(page, Qt.Key.Key_E, Qt.Key.Key_0, Qt.Key.Key_Escape)
    assert cells(board(page))[0] == 1  # Escape takes the edit back


def test_the_last_board_of_a_table_is_remembered(
    page: PracticePage, qtbot: QtBot, table: FakeTable, settings: Settings
) -> None:
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    left = board(page)
    again = PracticePage(lambda _: table, FakeTasks(), settings, plain_theme(), Rng(2))
    qtbot.addWidget(again)
    again.open_table(TABLE_PATH)
    assert board(again) == left
    assert settings.get("practice.last_table") == str(TABLE_PATH)


def test_the_table_of_last_time_is_opened_again(
    qtbot: QtBot, table: FakeTable, settings: Settings
) -> None:
    opened: list[Path] = []

    def open_table(path: Path) -> FakeTable:
        opened.append(path)
        return table

    last = Path("tables/L3_512")
    settings.set("practice.last_table", str(last))
    page = PracticePage(open_table, FakeTasks(), settings, plain_theme(), Rng(2))
    qtbot.addWidget(page)
    page.set_tables(
        [*TABLES, SimpleNamespace(path=last, pattern="L3", target=512, state="complete")]
    )
    assert opened == []  # not before the page is seen
    page.page_shown()
    page.page_shown()
    assert opened == [last]


def test_opening_the_open_table_again_goes_on(page: PracticePage) -> None:
    press(page, Qt.Key.Key_Up)
    page.open_table(TABLE_PATH)
    assert page.game.session is not None
    assert page.game.session.can_undo


def test_speed_mode_and_hiding_are_remembered(
    page: PracticePage, qtbot: QtBot, settings: Settings, table: FakeTable
) -> None:
    page.panel.speed_slider.setValue(9)
    page.panel.spawn_buttons.button(list(SpawnMode).index(SpawnMode.WORST)).click()
    press(page, Qt.Key.Key_G)
    again = PracticePage(lambda _: table, FakeTasks(), settings, plain_theme(), Rng(2))
    qtbot.addWidget(again)
    assert again.panel.speed_slider.value() == 9
    assert again.game.spawn_mode is SpawnMode.WORST
    assert again.panel.guess_box.isChecked()


def test_settings_that_make_no_sense_are_ignored(qtbot: QtBot, settings: Settings) -> None:
    for name in ("practice.speed", "practice.spawn_mode", f"practice.board.{TABLE_PATH}"):
        settings.set(name, "nonsense")
    page = PracticePage(lambda _: FakeTable(), FakeTasks(), settings, plain_theme(), Rng(2))
    qtbot.addWidget(page)
    page.open_table(TABLE_PATH)
    assert board(page) == L3_START
    assert page.game.spawn_mode is SpawnMode.RANDOM


def test_pasting_into_the_field_is_only_text(page: PracticePage) -> None:
    QGuiApplication.clipboard().setText(format_board(OTHER_START))
    page.panel.hex_edit.setFocus()
    page.panel.hex_edit.selectAll()
    QTest.keyClick(page.panel.hex_edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert page.panel.hex_edit.text() == format_board(OTHER_START)
    assert board(page) == L3_START


def test_walls_stay_walls(qtbot: QtBot, settings: Settings) -> None:
    table = FakeTable(formation=WALLED, start=WALLED_START, name="3x3_512", target=512)
    page = PracticePage(lambda _: table, FakeTasks(), settings, plain_theme(), Rng(2))
    qtbot.addWidget(page)
    page.open_table(Path("tables/3x3_512"))
    for name in ("flip_sideways", "rotate_left"):
        next(action for action in page.actions() if action.objectName() == name).trigger()
        assert page.game.walls(board(page)) == {3, 7, 11, 12, 13, 14, 15}
    page.panel.hex_entered.emit("1000000000000000")
    assert "walls" in page.panel.hex_error.text()


def test_a_table_that_does_not_open_says_why(page: PracticePage, qtbot: QtBot) -> None:
    def broken(_: Path) -> FakeTable:
        raise AppError("layer 17 is damaged; build the table again")

    page.game._lookup._open_table = broken
    page.open_table(Path("tables/L3_512"))
    assert page.panel.notice.text_label.text() == "Layer 17 is damaged; build the table again."
    with qtbot.waitSignal(page.tables_requested):
        qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Home)


def test_without_tables_there_is_an_invitation(qtbot: QtBot, settings: Settings) -> None:
    page = PracticePage(lambda _: FakeTable(), FakeTasks(), settings, plain_theme())
    qtbot.addWidget(page)
    page.show()
    assert page.frame.invitation.isVisible()
    with qtbot.waitSignal(page.tables_requested):
        qtbot.mouseClick(page.frame.invitation.buttons[0], Qt.MouseButton.LeftButton)
    page.set_tables(TABLES)
    assert not page.frame.invitation.isVisible()


def test_a_deleted_table_is_let_go(page: PracticePage, table: FakeTable) -> None:
    page.close_table(Path("tables/another"))
    assert not table.is_closed
    page.close_table(TABLE_PATH)
    assert table.is_closed
    press(page, Qt.Key.Key_Up)
    assert page.game.step is None


def test_the_panel_goes_under_the_board_when_it_is_narrow(page: PracticePage) -> None:
    def tops() -> tuple[int, int]:
        origin = QPoint(0, 0)
        return (
            page.board_view.mapTo(page, origin).y() + page.board_view.height(),
            page.panel.mapTo(page, origin).y(),
        )

    board_bottom, panel_top = tops()
    assert panel_top < board_bottom
    page.resize(760, 560)
    QTest.qWait(1)
    board_bottom, panel_top = tops()
    assert panel_top >= board_bottom
    rates = page.panel.cross.cells[0]
    assert rates.mapTo(page, QPoint(0, rates.height())).y() <= page.height()


def test_every_action_has_a_name_and_a_key(page: PracticePage) -> None:
    for action in page.actions():
        assert action.text()
        assert action.shortcuts(), action.text()
    keys = [key.toString() for action in page.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


def test_answers_come_from_the_worker_thread(
    qtbot: QtBot, settings: Settings, table: FakeTable
) -> None:
    tasks = TaskRunner()
    page = PracticePage(lambda _: table, tasks, settings, plain_theme(), Rng(4))
    qtbot.addWidget(page)
    page.open_table(TABLE_PATH)
    qtbot.waitUntil(lambda: page.game.answer is not None)
    for _ in range(10):
        best = page.game.answer.best if page.game.answer else None
        assert best is not None
        page.game.play(best)
        qtbot.waitUntil(lambda: page.game.answer is not None)
    tasks.close()


@pytest.mark.parametrize("width", [480, 620, 760, 850, 900, 1000, 1300])
def test_nothing_is_cut_off_at_any_width(page: PracticePage, width: int) -> None:
    page.resize(width, 600)
    QTest.qWait(1)
    for bar in (page.action_bar, page.edit_bar):
        page.frame.show_bar(bar)
        QTest.qWait(1)
        for part in (page.board_view, bar, page.panel, *page.panel.cross.cells):
            left = part.mapTo(page, QPoint(0, 0)).x()
            assert left >= 0
            assert left + part.width() <= page.width()
