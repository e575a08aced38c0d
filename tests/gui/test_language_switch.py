"""Another language while the window is open: everything continues where it was."""

import itertools
import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from coach.analysis.analyses import StoredAnalysis
from coach.analysis.events import AnalyzedGame
from coach.backup.archive import Written
from coach.exam.history import History
from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Deleted
from coach.old_files.opening import open_user_database
from engine.platform import language
from gui.settings.data_forms import ProgressForm
from gui.settings.data_section import ImportOutcome
from gui.settings_model.settings_file import write_settings
from gui.shell.app import Program
from gui.table_work.checks import Checks
from gui.widgets.file_dialogs import FileDialogs
from tests.coach.made_sessions import played
from tests.gui.page_driver import action
from tests.gui.practice_fakes import NOON
from tests.gui.window_fakes import child

TIMEOUT_MS = 60_000
ANALYZED = AnalyzedGame(
    Path("a.rpl"), "rpl", 64, 64, 64, 64, complete=True, problems=(), reports={}, segments=()
)


def wait_until(qtbot, is_so: Callable[[], object]) -> None:
    qtbot.waitUntil(is_so, timeout=TIMEOUT_MS)


def switch(running, qtbot, code: str) -> None:
    before = running.home
    running.services.settings.set("language", code)
    wait_until(qtbot, lambda: running.home is not before and not running.window.is_held)
    running.window.activateWindow()


def press(widget: QWidget, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(widget, key)


@pytest.mark.thorough
def test_a_game_goes_on_with_its_history(program, qtbot):
    running = program("Game")
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    arrows = itertools.cycle((Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up))
    while running.pages["Game"].session.game.n_moves < 5:
        press(running.pages["Game"].board_view, next(arrows))
    before = running.pages["Game"].session.game.text
    switch(running, qtbot, language.PSEUDO)
    assert running.window.page is running.pages["Game"], "the same page is in front"
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    assert running.pages["Game"].session.game.text == before
    assert running.pages["Game"].session.game.n_moves == 5
    qtbot.waitUntil(running.pages["Game"].board_view.hasFocus)
    press(running.pages["Game"].board_view, Qt.Key.Key_Backspace)
    assert running.pages["Game"].session.game.n_moves == 4


@pytest.mark.thorough
def test_practice_goes_on_with_its_tree_and_review_with_its_game(program, qtbot, table):
    running = program()
    running.start()
    running.request("practice_requested", table("44", 64))
    practice = running.pages["Practice"]
    qtbot.waitUntil(lambda: practice.game.session is not None)
    start = practice.game.step.board
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
        press(practice.board_view, key)
    depth, board = practice.game.session.tree.depth, practice.game.step.board
    assert depth
    qtbot.waitUntil(lambda: practice.game.answer is not None)
    marks = [practice.game.grade_of(node) for node in practice.game.session.tree.line()]
    assert any(marks[:-1])
    switch(running, qtbot, language.PSEUDO)
    assert running.pages["Practice"] is not practice
    qtbot.waitUntil(lambda: running.pages["Practice"].game.session is not None)
    game = running.pages["Practice"].game
    assert [game.grade_of(node) for node in game.session.tree.line()] == marks
    assert running.pages["Practice"].game.step.board == board
    qtbot.waitUntil(running.pages["Practice"].board_view.hasFocus)
    game = [node.step.board for node in running.pages["Practice"].game.session.tree.line()]
    action(running.pages["Practice"], "review").trigger()
    qtbot.waitUntil(lambda: running.pages["Review"].game.recording is not None)
    switch(running, qtbot, "en")
    assert running.window.page is running.pages["Review"]
    qtbot.waitUntil(lambda: running.pages["Review"].game.recording is not None)
    assert list(running.pages["Review"].game.recording.boards) == game
    assert running.pages["Review"].game.position == depth
    running.window.show_page(running.pages["Practice"])
    qtbot.waitUntil(lambda: running.pages["Practice"].game.session is not None)
    qtbot.waitUntil(running.pages["Practice"].board_view.hasFocus)
    for _ in range(depth):
        press(running.pages["Practice"].board_view, Qt.Key.Key_Backspace)
    assert running.pages["Practice"].game.step.board == start


def test_a_game_analyzed_while_there_are_no_pages_is_kept(qtbot, data_dir):
    running = Program(QApplication.instance(), data_dir, is_hasty=True)
    qtbot.addWidget(running.window)  # and makes no pages yet
    running.services.analyses.analyzed.emit(ANALYZED)
    found: list[list[StoredAnalysis]] = []
    running.services.analysis_store.read(found.append, pytest.fail)
    qtbot.waitUntil(lambda: bool(found))
    assert [one.path.name for one in found[0]] == ["a.rpl"]
    running.close()


def press_button(page, title):
    (banner,) = page.banners.banners
    (button,) = [one for one in banner.findChildren(QPushButton) if one.text() == title]
    button.click()


@pytest.mark.thorough
def test_a_drawing_that_is_not_saved_goes_on(program, qtbot):
    running = program("Tables")
    qtbot.waitUntil(lambda: bool(running.pages["Tables"].panel.pattern_chips.buttons))
    running.pages["Tables"].panel.choose("442", 128)
    running.pages["Tables"].panel.edit_button.click()
    editor = running.pages["Tables"].formation_actions.editor
    editor.board.cycled.emit(15)
    editor.name_edit.setText("L3")
    editor.details.category_edit.setText("Later")
    mask = editor.edit.mask
    switch(running, qtbot, language.PSEUDO)
    after = running.pages["Tables"].formation_actions.editor
    assert after is not editor
    assert after.isVisible()
    assert (after.name_edit.text(), after.details.category) == ("L3", "Later")
    assert after.edit.mask == mask
    action(running.pages["Tables"], "undo_drawing").trigger()
    assert after.edit.mask == mask ^ 0xF
    action(running.pages["Tables"], "close_drawing").trigger()
    assert not after.isVisible()
    switch(running, qtbot, "en")
    assert running.pages["Tables"].formation_actions.editor.isHidden(), "it was closed"
    press_button(running.pages["Tables"], "Continue drawing")
    last = running.pages["Tables"].formation_actions.editor
    assert last.isVisible()
    assert last.edit.mask == mask ^ 0xF
    action(running.pages["Tables"], "close_drawing").trigger()
    (banner,) = running.pages["Tables"].banners.banners
    banner.dismissed.emit()
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Tables"].banners.banners, "it was dismissed"


@pytest.mark.thorough
def test_a_palette_that_is_not_saved_goes_on(program, qtbot):
    running = program("Settings")
    running.pages["Settings"].show_section("appearance")
    palettes = running.pages["Settings"].part("tile_palette")
    palettes.copy_button.click()
    palettes.editor.hex_edit.setText("123456")
    press(palettes.editor.hex_edit, Qt.Key.Key_Return)
    draft = palettes.editor.history.now
    switch(running, qtbot, language.PSEUDO)
    after = running.pages["Settings"].part("tile_palette")
    assert after is not palettes
    assert after.editor.isVisible()
    assert after.editor.history.now == draft
    after.editor.undo_button.click()
    assert after.editor.history.now != draft
    after.editor.redo_button.click()
    after.editor.close_button.click()
    switch(running, qtbot, "en")
    last = running.pages["Settings"].part("tile_palette")
    assert not last.is_editing, "it was closed"
    last.copy_button.click()
    switch(running, qtbot, language.PSEUDO)
    switch(running, qtbot, "en")
    last = running.pages["Settings"].part("tile_palette")
    assert not last.editor.history.can_undo, "another one is open"
    press_button(running.pages["Settings"], "Continue editing")
    assert last.editor.history.can_undo
    last.editor.close_button.click()
    (banner,) = running.pages["Settings"].banners.banners
    banner.dismissed.emit()
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Settings"].banners.banners, "it was dismissed"


@pytest.mark.thorough
def test_a_deleted_formation_can_still_be_restored(program, qtbot):
    running = program("Tables")
    chips = running.pages["Tables"].panel.pattern_chips
    qtbot.waitUntil(lambda: bool(chips.buttons))
    running.pages["Tables"].panel.choose("442", 128)
    running.pages["Tables"].panel.edit_button.click()
    desk = running.pages["Tables"].formation_actions
    desk.editor.name_edit.setText("Mine")
    desk.editor.save_button.click()
    qtbot.waitUntil(lambda: chips.value == "Mine")
    running.pages["Tables"].panel.edit_button.click()
    desk.editor.delete_button.click()
    qtbot.waitUntil(lambda: "Mine" not in running.services.tables.formation_files.own)
    qtbot.waitUntil(lambda: chips.value != "Mine")
    for tongue in (language.PSEUDO, "en"):  # twice: what was taken over is handed over again
        switch(running, qtbot, tongue)
    after = running.pages["Tables"]
    assert after.formation_actions is not desk
    press_button(after, "Undo")
    qtbot.waitUntil(lambda: after.panel.pattern_chips.value == "Mine")
    assert "Mine" in running.services.tables.formation_files.own
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Tables"].banners.banners, "it was restored"


@pytest.mark.thorough
def test_a_deleted_palette_can_still_be_restored(program, qtbot):
    running = program("Settings")
    running.pages["Settings"].show_section("appearance")
    palettes = running.pages["Settings"].part("tile_palette")
    palettes.copy_button.click()
    palettes.editor.title_edit.setText("Mine")
    palettes.editor.save_button.click()
    name = running.services.settings.get("tile_palette")
    palettes.delete_button.click()
    assert running.services.settings.get("tile_palette") != name
    for tongue in (language.PSEUDO, "en"):
        switch(running, qtbot, tongue)
    press_button(running.pages["Settings"], "Undo")
    assert running.services.settings.get("tile_palette") == name
    assert (
        running.pages["Settings"]
        .part("tile_palette")
        .delete_button.isVisibleTo(running.window.page)
    )
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Settings"].banners.banners, "it was restored"


@pytest.mark.thorough
def test_settings_of_a_file_with_another_language_can_go_back(
    program, qtbot, tmp_path, monkeypatch
):
    path = tmp_path / "mine.json"
    write_settings({"language": language.PSEUDO, "game.speed": 8}, path)
    monkeypatch.setattr(FileDialogs, "ask_open", lambda *_: path)
    running = program("Settings")
    running.services.settings.set("game.speed", 12)
    before = running.home
    running.pages["Settings"].data.import_settings_button.click()
    wait_until(qtbot, lambda: running.home is not before and not running.window.is_held)
    (banner,) = running.pages["Settings"].data.banners.banners
    before = running.home
    banner.buttons[0].click()
    wait_until(qtbot, lambda: running.home is not before and not running.window.is_held)
    assert running.services.settings.get("game.speed") == 12
    assert not running.pages["Settings"].data.banners.banners, "it went back"


@pytest.mark.thorough
def test_a_backup_that_is_written_goes_on(program, qtbot, tmp_path, monkeypatch):
    running = program("Settings")
    goes_on = threading.Event()

    def write(_folder, path, _now, _tables, watch):
        for _ in range(3000):  # a test that fails ends, too
            watch.check()
            if goes_on.wait(0.01):
                break
        return Written(path, 1, 1, ())

    monkeypatch.setattr(FileDialogs, "ask_save", lambda *_: tmp_path / "a.zip")
    monkeypatch.setattr("gui.settings.data_section.write_backup", write)
    running.pages["Settings"].data.backup_button.click()
    for tongue in (language.PSEUDO, "en"):
        switch(running, qtbot, tongue)
        assert isinstance(running.pages["Settings"].data.form, ProgressForm)
    goes_on.set()
    qtbot.waitUntil(lambda: bool(running.pages["Settings"].data.banners.banners))
    (banner,) = running.pages["Settings"].data.banners.banners
    assert "Backup written" in banner.text_label.text()
    assert running.pages["Settings"].data.form is None
    goes_on.clear()
    running.pages["Settings"].data.backup_button.click()
    switch(running, qtbot, language.PSEUDO)
    switch(running, qtbot, "en")
    running.pages["Settings"].data.stop()  # as at the end of the program
    qtbot.waitUntil(lambda: running.pages["Settings"].data.form is None)


@pytest.mark.thorough
def test_an_import_that_was_told_and_dismissed_is_not_told_again(program, qtbot):
    running = program("Settings")
    running.pages["Settings"].data.show_imported(ImportOutcome({"game.speed": 12}))
    (banner,) = running.pages["Settings"].data.banners.banners
    banner.close_button.click()
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Settings"].data.banners.banners


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "deleted"),
    [
        ("Mistakes", Deleted({"mistake": [None, None]})),
        ("Puzzles", [1, 2]),
        ("Routes", object()),
        ("Situations", object()),
    ],
)
def test_what_a_page_deleted_can_still_be_restored(program, qtbot, name, deleted):
    running = program()
    running.window.show_page(page := running.pages[name])
    page.deletion.keep(deleted)
    (before,) = (banner.text_label.text() for banner in page.banners.banners)
    switch(running, qtbot, language.PSEUDO)
    page = running.window.page
    (banner,) = page.banners.banners
    assert banner.text_label.text() != before, "it's in the new language"
    assert action(page, "undo").isEnabled()
    banner.dismissed.emit()
    switch(running, qtbot, "en")
    page = running.window.page
    assert action(page, "undo").isEnabled()
    assert not page.banners.banners, "it was dismissed"


@pytest.mark.thorough
def test_a_test_removed_from_the_history_can_still_be_restored(program, qtbot, data_dir):
    with closing(History(open_user_database(data_dir))) as history:
        name = history.keep(played(6), NOON).test.name
        test = history.remove(name)
    running = program()
    running.window.show_page(page := running.pages["Test"])
    page.deletion.keep(test)
    switch(running, qtbot, language.PSEUDO)
    switch(running, qtbot, "en")
    page = running.pages["Test"]
    page.show_list(True)
    assert not page.history.list.model.rows
    press_button(page, "Undo")
    qtbot.waitUntil(lambda: list(page.history.list.model.rows) == [test])


@pytest.mark.thorough
def test_a_removed_analysis_can_still_be_restored(program, qtbot):
    running = program()
    running.services.analyses.analyzed.emit(ANALYZED)
    running.window.show_page(page := running.pages["Games"])
    qtbot.waitUntil(lambda: len(page.tree.games) == 1)
    page.tree.setCurrentItem(page.tree.games[0])
    page.remove_action.trigger()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    for tongue in (language.PSEUDO, "en"):  # twice: what was taken over is handed over again
        switch(running, qtbot, tongue)
    page = running.pages["Games"]
    assert not page.tree.games
    press_button(page, "Undo")
    qtbot.waitUntil(lambda: [item.path.name for item in page.tree.games] == ["a.rpl"])
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Games"].banners.banners, "it was restored"


@pytest.mark.thorough
def test_a_damaged_table_is_still_told(qtbot, table, data_dir):
    made = table("44", 64)
    path = Path(shutil.copytree(made, data_dir / "tables" / made.name))
    checks = Checks(lambda _: child("bad"))
    running = Program(QApplication.instance(), data_dir, checks=checks)
    qtbot.addWidget(running.window)
    running.window.show()
    running.start()
    running.window.show_page(page := running.pages["Tables"])
    wait_until(qtbot, lambda: path in page.cards)
    page.cards[path].menu_actions["verify"].trigger()
    wait_until(qtbot, lambda: bool(page.banners.banners))
    for tongue in (language.PSEUDO, "en"):
        switch(running, qtbot, tongue)
    page = running.pages["Tables"]
    wait_until(qtbot, lambda: path in page.cards)
    card = page.cards[path]
    assert (card.state_label.text(), card.main_button.text()) == ("Damaged", "Build again")
    (banner,) = page.banners.banners
    assert "is damaged" in banner.text_label.text()
    banner.dismissed.emit()
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Tables"].banners.banners, "it was dismissed"
    running.close()


@pytest.mark.thorough
def test_deleted_mistakes_come_back_one_after_the_other(program, qtbot):
    running = program()
    book = running.services.mistake_store
    rates = (0.8, None, 0.4, None)
    for board in (0x123, 0x124, 0x125):
        key = TableKey("442_128", 0.1)
        book.note(NotedMove(key, board, judge(rates, 2, UINT32), rates, NOON, "test", 0))
    running.window.show_page(running.pages["Mistakes"])
    running.pages["Mistakes"].show_view("list")
    left: list[int] = []

    def n_left() -> int:
        book.ask(lambda mistakes: len(mistakes.ids()), left.append)
        qtbot.waitUntil(lambda: bool(left))
        return left.pop()

    shown = running.pages["Mistakes"].list
    for n in (2, 1):
        qtbot.waitUntil(lambda: len(shown.model.ids) == n + 1 and len(shown.chosen) == 1)  # noqa: B023
        shown.table.setFocus()
        press(shown.table, Qt.Key.Key_Delete, Qt.Key.Key_Delete)  # the second one is too early
        assert n_left() == n
    switch(running, qtbot, language.PSEUDO)
    for n in (2, 3):
        assert n_left() == n - 1
        running.window.page.deletion.undo()
        assert n_left() == n
    assert not running.window.page.deletion.can_undo


@pytest.mark.thorough
def test_a_deleted_table_can_still_be_restored(program, qtbot, table, data_dir):
    made = table("44", 64)
    path = Path(shutil.copytree(made, data_dir / "tables" / made.name))
    running = program()
    running.start()
    running.window.show_page(running.pages["Tables"])
    wait_until(qtbot, lambda: path in running.pages["Tables"].cards)
    running.pages["Tables"].cards[path].menu_actions["delete"].trigger()
    wait_until(qtbot, lambda: bool(running.pages["Tables"].banners.banners))
    assert not path.exists()
    (before,) = (banner.text_label.text() for banner in running.pages["Tables"].banners.banners)
    switch(running, qtbot, language.PSEUDO)
    (banner,) = running.pages["Tables"].banners.banners
    assert banner.text_label.text() != before, "it's in the new language"
    switch(running, qtbot, "en")
    press_button(running.pages["Tables"], "Undo")
    wait_until(qtbot, lambda: path in running.pages["Tables"].cards)
    assert path.exists()
    switch(running, qtbot, language.PSEUDO)
    assert not running.pages["Tables"].banners.banners, "it was restored"


@pytest.mark.thorough
def test_what_was_there_before_is_gone_when_all_is_answered(program, qtbot):
    running = program()
    before = running.window.centralWidget()
    n_pages, n_menus = len(running.window.rail.buttons), len(running.window.menuBar().actions())
    gone: list[object] = []
    before.destroyed.connect(lambda: gone.append(True))
    switch(running, qtbot, language.PSEUDO)
    qtbot.waitUntil(lambda: bool(gone))
    assert running.window.centralWidget() is not None
    running.services.settings.set("theme", "dark")  # deleted objects are not notified
    QApplication.processEvents()
    assert len(running.window.rail.buttons) == n_pages
    assert len(running.window.menuBar().actions()) == n_menus


@pytest.mark.thorough
def test_it_is_made_step_by_step_behind_the_old_picture(program, qtbot):
    running = program("Tables")
    with qtbot.waitExposed(running.window):
        pass
    QApplication.processEvents()  # its first picture
    window, n_pages = running.window, running.window.stack.count()
    painted: list[int] = []
    turns: list[tuple[bool, bool]] = []

    class Ear(QObject):
        def eventFilter(self, _watched, event):  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                painted.append(window.stack.count())
            return False

    ear, timer, before = Ear(), QTimer(), running.home
    QApplication.instance().installEventFilter(ear)
    timer.timeout.connect(lambda: turns.append((running.home is before, window.is_held)))
    running.services.settings.set("language", language.PSEUDO)
    QTimer.singleShot(0, lambda: timer.start(0))
    wait_until(qtbot, lambda: running.home is not before and not window.is_held)
    QApplication.instance().removeEventFilter(ear)
    timer.stop()
    assert turns.count((False, True)) >= n_pages, "others have their turn after each page"
    assert set(painted) <= {n_pages}, "a window that has not all pages yet is not seen"
    assert window.page is running.pages["Tables"]


@pytest.mark.thorough
def test_pages_that_went_are_deleted_one_by_one(program, qtbot):
    running = program()
    turn, gone = [0], []
    old = [running.window.stack.widget(i) for i in range(running.window.stack.count())]
    for page in old:
        page.destroyed.connect(lambda: gone.append(turn[0]))
    timer = QTimer()
    timer.timeout.connect(lambda: turn.__setitem__(0, turn[0] + 1))
    timer.start(0)
    switch(running, qtbot, language.PSEUDO)
    wait_until(qtbot, lambda: len(gone) == len(old))
    timer.stop()
    assert len(set(gone)) > len(old) // 2


@pytest.mark.thorough
def test_a_page_that_is_asked_for_meanwhile_is_there_in_front(program, qtbot):
    running = program("Settings")
    before = running.home
    running.services.settings.set("language", language.PSEUDO)
    wait_until(qtbot, lambda: running.home is not before)
    running.window.show_page(running.pages["Tables"])
    wait_until(qtbot, lambda: not running.window.is_held)
    assert running.window.page is running.pages["Tables"]
    assert running.window.page.findChildren(QLabel)[0].text().startswith("[")


@pytest.mark.thorough
def test_two_languages_chosen_at_once_end_with_the_last(program, qtbot):
    running = program()
    before = running.home
    running.services.settings.set("language", language.PSEUDO)
    wait_until(qtbot, lambda: running.home is not before)
    running.services.settings.set("language", "zh_CN")
    wait_until(qtbot, lambda: language.in_force() == "zh_CN" and not running.window.is_held)
    assert running.window.rail.buttons[0].text().strip() == "\u4e3b\u9875"


@pytest.mark.thorough
def test_a_window_that_is_closed_meanwhile_makes_no_more(program, qtbot):
    running = program()
    before = running.home
    running.services.settings.set("language", language.PSEUDO)
    wait_until(qtbot, lambda: running.home is not before)
    running.close()
    for _ in range(50):
        QApplication.processEvents()
    assert running.window.stack.count() == 1


@pytest.mark.thorough
def test_a_page_that_fails_does_not_leave_the_old_picture(program, qtbot, monkeypatch):
    running = program("Tables")
    fail = Mock(side_effect=RuntimeError("no pages"))
    monkeypatch.setattr("gui.shell.pages.Pages.__init__", fail)
    with qtbot.captureExceptions() as caught:
        running.services.settings.set("language", language.PSEUDO)
        qtbot.waitUntil(lambda: bool(caught) and not running.window.is_held)
    assert {str(one[1]) for one in caught} == {"no pages"}


def test_the_same_language_changes_nothing(program):
    running = program()
    home = running.home
    running.services.settings.set("language", "en")
    QApplication.processEvents()
    assert running.home is home


@pytest.mark.thorough
def test_the_language_is_that_of_the_system_at_first(program, monkeypatch):
    monkeypatch.setenv(language.ENVIRONMENT, "zh_CN")
    program()
    assert language.in_force() == "zh_CN"


@pytest.mark.thorough
def test_back_and_forth(program, qtbot):
    running = program()
    for code in (language.PSEUDO, "en", "zh_CN", "en"):
        switch(running, qtbot, code)
        for page in (
            running.pages["Practice"],
            running.pages["Test"],
            running.pages["Tables"],
            running.pages["Settings"],
        ):
            running.window.show_page(page)
            QApplication.processEvents()
        assert language.in_force() == code


@pytest.mark.thorough
def test_the_rail_stays_narrow_where_room_is_scarce(program, qtbot):
    running = program()
    running.window.resize(1000, 700)
    qtbot.waitUntil(lambda: running.window.rail.is_narrow)
    switch(running, qtbot, language.PSEUDO)
    assert running.window.rail.is_narrow


@pytest.mark.thorough
def test_the_frame_of_the_window_speaks_it_too(program, qtbot):
    running = program()
    switch(running, qtbot, language.PSEUDO)
    window = running.window
    titles = [action.text() for action in window.menuBar().actions() if action.isVisible()]
    assert [title[0] for title in titles] == ["["] * len(titles)
    assert window.palette_panel.edit.placeholderText().startswith("[")
    running.window.show_page(running.pages["Settings"])
    running.pages["Settings"].row("language").control.chips.buttons["en"].click()
    qtbot.waitUntil(lambda: language.in_force() == "en")
    assert "[" not in running.window.menuBar().actions()[0].text()
