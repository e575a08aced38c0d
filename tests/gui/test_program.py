"""The running program: menus, start and end, settings, work that goes on between pages."""

import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from coach.recordings.recording import recording_in_text
from engine.formats.verse2048 import write_new
from gui.pages.page import ScrolledPage
from gui.review.game import WHOLE_GAME
from gui.shell.app import Program
from gui.shell.main_window import MainWindow
from gui.style.theme import theme_source
from gui.table_work.builds import Builds
from gui.table_work.checks import Checks
from gui.table_work.queue_file import QueueFile
from gui.table_work.requests import BuildRequest
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.page_title import PageTitle
from tests.child import python
from tests.coach.games import random_game
from tests.coach.old_files.stage import make_all, state_of
from tests.gui.page_driver import banner_texts, menu_entries
from tests.gui.window_fakes import child


def page_menu(window: MainWindow) -> QMenu:
    *_, of_page, _ = [one for one in window.menuBar().actions() if one.isVisible()]
    assert of_page.menu() is window.page_menu
    return window.page_menu


@pytest.mark.thorough
def test_the_menu_of_practice_has_groups_and_no_noise_and_all_fit(program):
    running = program()
    window, practice = running.window, running.pages["Practice"]
    for name in ("open_recording", "save_recording"):
        practice.actions_by_name[name].setEnabled(True)
    window.show_page(practice)
    top = [one for one in page_menu(window).actions() if not one.isSeparator()]
    assert len(top) <= 12
    submenus = [one.text() for one in top if one.menu()]
    assert submenus == ["Move", "Explain", "Board", "History"]
    names = {one.objectName() for one in menu_entries(page_menu(window))}
    assert not names & {"left", "right", "up", "down", "tab_play", "tab_why", "tab_line"}
    shown = names | {one.objectName() for one in window.file_menu.actions()}
    rest = {one.objectName() for one in practice.actions()} - shown
    assert rest == {"left", "right", "up", "down", "tab_play", "tab_why", "tab_line"}
    for page in window.doors.pages:
        window.show_page(page)
        for one in filter(QAction.isVisible, window.menuBar().actions()):
            menus = [one.menu(), *(below.menu() for below in one.menu().actions() if below.menu())]
            heights = [menu.sizeHint().height() for menu in menus]
            assert max(heights) < 560, "it would not fit the smallest window"


def file_texts(window: MainWindow) -> list[str]:
    """What is disabled in brackets."""
    entries = [one for one in window.file_menu.actions() if not one.isSeparator()]
    return [one.text() if one.isEnabled() else f"({one.text()})" for one in entries]


@pytest.mark.thorough
def test_the_menu_of_a_page_is_called_as_it_and_opens_by_a_letter(program):
    """It had no letter, and on Help it was called Reading."""
    running = program()
    window = running.window
    running.finish_pages()
    for page in window.doors.pages:
        window.show_page(page)
        titles = [one.text() for one in window.menuBar().actions() if one.isVisible()]
        letters = [title[title.index("&") + 1].lower() for title in titles]
        assert len(set(letters)) == len(letters), titles
        entry = window.doors.of(page)
        has_menu = page.title != "Help" and bool(page.actions())
        assert (entry.title in [title.replace("&", "") for title in titles[3:]]) or not has_menu
        assert has_menu == (len(titles) == 5), page.title
    names = {one.objectName() for one in window.help_menu.actions()}
    assert {"back", "search", "help", "find", "keys"} <= names, "Help is in front"


@pytest.mark.thorough
def test_ctrl_o_opens_a_game_on_a_page_that_opens_none(program, qtbot, monkeypatch):
    running, asked = program(), []
    window = running.window
    monkeypatch.setattr("gui.review.files.ask_for_file", lambda *_: asked.append("open"))
    running.finish_pages()
    for title in ("Home", "Test", "Review"):
        window.show_page_named(title)
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
        assert window.page.title == "Review"
    assert asked == ["open"] * 3


@pytest.mark.thorough
def test_the_file_menu_has_what_the_page_in_front_does_with_files(program):
    """It had only Quit."""
    running = program()
    window, pages = running.window, running.pages
    window.show_page(pages["Practice"])
    everywhere = ["Back up", "Settings", "Quit"]
    assert file_texts(window) == ["Open game\u2026", "(Save)", "(Import)", *everywhere]
    for name in ("open_recording", "save_recording"):
        pages["Practice"].actions_by_name[name].setEnabled(True)
    window.file_menu.aboutToShow.emit()
    texts = ["Open a recording", "Save the moves up to here", "(Import)"]
    assert file_texts(window) == [*texts, *everywhere]
    window.show_page(pages["Mistakes"])
    texts = ["Open game\u2026", "(Save)", "Import mistakes", "Export the listed mistakes"]
    assert file_texts(window) == [*texts, *everywhere]
    window.show_page_named("Home")
    assert file_texts(window) == ["Open game\u2026", "(Save)", "(Import)", *everywhere]
    actions = {one.objectName(): one for one in window.file_menu.actions()}
    actions["settings"].trigger()
    assert window.page is pages["Settings"]


@pytest.mark.thorough
def test_the_file_menu_opens_recordings_and_backs_up_from_any_page(program, monkeypatch):
    running, asked = program(), []
    window, pages = running.window, running.pages
    monkeypatch.setattr("gui.review.files.ask_for_file", lambda *_: asked.append("open"))
    monkeypatch.setattr(FileDialogs, "ask_save", lambda *_: asked.append("save"))
    window.file_menu.actions()[0].trigger()
    assert window.page is pages["Review"]
    actions = {one.objectName(): one for one in window.file_menu.actions()}
    actions["back_up"].trigger()
    assert window.page is pages["Settings"]
    assert asked == ["open", "save"]


@pytest.fixture
def program(qtbot, data_dir):
    programs: list[Program] = []

    def end() -> None:
        while programs:
            last = programs.pop()
            last.close()
            last.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def start(behave: str = "hang", **options) -> Program:
        end()
        program = Program(
            QApplication.instance(),
            data_dir,
            builds=Builds(lambda _: child(behave), file=QueueFile(data_dir / "queue.json")),
            checks=Checks(lambda _: child("verify")),
            **options,
        )
        programs.append(program)
        program.window.show()
        program.start()
        qtbot.waitUntil(lambda: program.services.library.is_known)
        return program

    yield start
    end()


def test_the_first_run_opens_on_home_with_a_way_to_a_first_table(program, qtbot):
    window = program().window
    assert window.page.title == "Home"
    assert [button.text().strip() for button in window.rail.buttons] == [
        "Home",
        "Game",
        "Practice",
        "Test",
        "Train",
        "Review",
        "Minigames",
        "Tables",
        "Settings",
        "Help",
    ]
    qtbot.waitUntil(lambda: window.page.hero.isVisible())


def test_pages_without_a_table_wait_for_the_one_that_is_being_built(program, tmp_path):
    running = program()
    practice, test = running.pages["Practice"], running.pages["Test"]
    notices = [practice.frame.invitation, test.invitation]
    assert [one.buttons[0].text() for one in notices] == ["Build a table"] * 2
    running.services.builds.add(BuildRequest("442", 128, tmp_path))
    assert [one.title_label.text() for one in notices] == ["Your table is being built"] * 2
    assert [one.buttons[0].text() for one in notices] == ["Show tables"] * 2
    running.services.builds.close()


@pytest.mark.thorough
def test_titles_of_all_pages_stand_at_one_place(program):
    running = program()
    window = running.window
    window.resize(1280, 1000)
    window.show()
    places = {}
    for i in range(window.stack.count()):
        page = window.stack.widget(i)
        window.show_page(page)
        for _ in range(5):  # layouts that follow from others
            QApplication.processEvents()
        (title,) = (one for one in page.findChildren(PageTitle) if one.isVisible())
        middle = title.mapTo(window, title.rect().center())
        places[page.title] = (middle.x() - title.width() // 2, middle.y())
    assert len(places) > 10
    lefts, tops = zip(*places.values(), strict=True)
    assert max(lefts) - min(lefts) <= 1, places
    assert max(tops) - min(tops) <= 1, places


@pytest.mark.thorough
def test_all_pages_fit_the_smallest_window(program):
    window = program().window
    window.resize(800, 600)
    for button in window.rail.buttons:
        button.click()
        QApplication.processEvents()  # what a layout asks for is granted or refused by then
        assert window.width() == 800, button.text()
        assert window.height() == 600, button.text()
    window.resize(400, 300)
    for page in (window.stack.widget(i) for i in range(window.stack.count())):
        window.show_page(page)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (400, 300), "800 x 600 at 200 %"
        if isinstance(page, ScrolledPage):
            assert page.scroller.widget().width() <= page.scroller.viewport().width(), page.title


@pytest.mark.thorough
def test_page_and_size_are_remembered(program):
    first = program()
    first.window.show_page(first.pages["Tables"])
    first.window.resize(760, 600)
    first.window.close()
    second = program()
    assert second.window.page is second.pages["Tables"]
    assert (second.window.width(), second.window.height()) == (760, 600)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1280, 800), (853, 533), (560, 800)])
def test_no_message_moves_the_board_of_a_page(program, size):
    running = program()
    window, pages = running.window, running.pages
    pages["Review"].review(recording_in_text(write_new(random_game(20, with_rates=False))))
    pages["Minigames"].open_daily()
    minigame = pages["Minigames"].view
    for page, board, banners in (
        (pages["Game"], pages["Game"].board_view, pages["Game"].banners),
        (pages["Review"], pages["Review"].board_view, pages["Review"].banners),
        (pages["Minigames"], minigame.board, minigame.banners),
    ):
        window.show_page(page)
        window.resize(*size)
        shows = settle(board)
        banners.show_message("bad", "It was not saved: the disk is full.", [("Again", print)])
        assert settle(board) == shows, type(page).__name__
        assert banners.banners[0].visibleRegion().boundingRect().height() > 30
        banners.banners[0].close_button.click()
        assert settle(board) == shows


def settle(board):
    """Return the place of a board in its window once all dependent layouts are done."""
    for _ in range(5):
        QApplication.processEvents()
    return QRect(board.mapTo(board.window(), QPoint()), board.size())


@pytest.fixture
def rating(program):
    """Return a program that rates a whole game, and what lets it begin with that."""
    running, gate = program(), threading.Event()
    running.services.analyzing.run(gate.wait, lambda _: None)  # it rates one after the other
    game = write_new(random_game(20, with_rates=False))
    running.pages["Review"].review(recording_in_text(game))
    running.pages["Review"].rater.rate(WHOLE_GAME)
    yield running, gate.set
    gate.set()


@pytest.mark.thorough
def test_the_status_line_tells_that_review_rates_a_game_on_whatever_page(rating, qtbot):
    (running, let_go), line = rating, rating[0].window.status_line
    running.window.show_page(running.home)
    assert line.text_label.text() == "Analyzing the game in Review: 0\N{NO-BREAK SPACE}%"
    running.pages["Review"].work.progressed.emit(0.42)
    assert line.text_label.text() == "Analyzing the game in Review: 42\N{NO-BREAK SPACE}%"
    assert line.bar.value() == 420
    qtbot.mouseClick(line.text_label, Qt.MouseButton.LeftButton)
    assert running.window.page is running.pages["Review"]
    let_go()
    qtbot.waitUntil(lambda: line.text_label.text() == "", timeout=60_000)
    assert running.pages["Review"].game.recording.n_judged == 20


@pytest.mark.thorough
def test_rating_is_stopped_in_the_status_line(rating, qtbot):
    (running, let_go), line = rating, rating[0].window.status_line
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert line.text_label.text() == ""
    let_go()
    qtbot.waitUntil(lambda: running.pages["Review"].work.rating_tables == ())
    assert running.pages["Review"].game.recording.n_judged == 0


@pytest.mark.thorough
def test_a_rating_that_another_language_ends_is_told_no_more(rating, qtbot):
    running, _ = rating
    running.services.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: running.window.status_line.text_label.text() == "")
    assert running.pages["Review"].work.share is None


@pytest.mark.thorough
def test_closing_during_a_build_cancels_it_and_remembers(program, qtbot):
    first = program("hang")
    first.services.builds.add(BuildRequest("442", 128, first.services.tables.home))
    qtbot.waitUntil(lambda: first.services.builds.progress.fraction > 0)
    assert first.window.status_line.text_label.text() == "", "Home shows it"
    first.window.show_page(first.pages["Game"])
    assert "442" in first.window.status_line.text_label.text()
    first.window.show_page(first.home)
    with qtbot.waitSignal(first.services.builds.ended) as ended:
        first.window.close()
    assert ended.args[1] == 3, "it was asked to stop, not killed"
    assert not first.window.isVisible()
    qtbot.waitUntil(lambda: first.services.builds.current is None)
    request = BuildRequest("442", 128, first.services.tables.home)
    second = program()
    assert (second.services.builds.waiting, second.services.builds.current) == ([request], None)
    assert second.home.build_card.pause_button.isVisible()
    second.services.settings.set("build.resume_at_start", True)
    third = program()
    qtbot.waitUntil(lambda: third.services.builds.current == request)
    third.services.builds.pause()
    fourth = program()
    assert fourth.services.builds.is_paused, "who has paused it has the last word"
    fourth.services.settings.set("build.resume_at_start", False)


@pytest.mark.thorough
def test_the_theme_follows_the_setting_everywhere(program, qtbot):
    running = program()
    window, rail_sheet = running.window, running.window.rail.styleSheet()
    assert QApplication.palette().window().color().lightness() > 200
    running.window.show_page(running.pages["Settings"])
    with qtbot.waitSignal(theme_source().changed):
        running.pages["Settings"].row("theme").control.chips.buttons["dark"].click()
    assert running.services.settings.get("theme") == "dark"
    assert QApplication.palette().window().color().lightness() < 60
    qtbot.waitUntil(lambda: running.pages["Settings"].styleSheet() != rail_sheet)
    assert window.rail.styleSheet() == running.pages["Settings"].styleSheet()
    running.services.settings.set("theme", "system")


@pytest.mark.thorough
def test_the_menu_marks_the_colors_in_force(program):
    running = program()
    marked = lambda: [a.text() for a in running.window.view_menu.actions() if a.isChecked()]  # noqa: E731
    assert marked() == ["Theme of the system"]
    running.services.settings.set("theme", "dark")
    assert marked() == ["Dark theme"]
    running.services.settings.set("theme", "system")


@pytest.mark.thorough
def test_settings_take_effect_at_once_and_can_be_put_back(program):
    running = program()
    page, settings = running.pages["Settings"], running.services.settings
    page.part("tile_palette").picker.view.picked.emit("heather")
    page.row("animation_ms").control.chips.buttons[0].click()
    page.row("large_tile_numbers").control.box.click()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("heather", 0)
    assert settings.get("large_tile_numbers") is False
    page.reset_action.trigger()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("lagoon", 100)
    page.banners.banners[0].buttons[0].click()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("heather", 0)
    page.reset_action.trigger()


@pytest.mark.thorough
def test_another_folder_is_looked_at_until_it_is_removed(program, tmp_path):
    running = program()
    page = running.pages["Settings"].part("table_folders")
    page.add_folder(str(tmp_path / "more"))
    assert tmp_path / "more" in running.services.tables.folders()
    page.remove_folder(str(tmp_path / "more"))
    assert running.services.tables.folders() == [running.services.tables.home]


@pytest.mark.thorough
def test_damaged_settings_are_told_on_home(program, data_dir):
    (data_dir / "settings.json").write_text("{")
    running = program()
    texts = banner_texts(running.home)
    assert any("damaged" in text for text in texts)


@pytest.mark.thorough
def test_old_files_are_read_in_at_the_start_and_what_is_left_out_is_told(program, data_dir, qtbot):
    make_all(data_dir)
    (data_dir / "puzzles.db").write_bytes(b"dear diary " * 500)
    before = state_of(data_dir)
    running = program()
    said = []
    running.window.status_line.report = lambda name, work: said.append((name, work))
    qtbot.waitUntil(lambda: bool(running.home.banners.banners))
    (banner,) = running.home.banners.banners
    assert str(data_dir / "puzzles.db") in banner.text_label.text()
    qtbot.waitUntil(lambda: running.services.due.n == 2)
    assert ("old data", None) in said or (data_dir / "user.db").exists()
    now = state_of(data_dir)
    assert {name: now[name] for name in before} == before


def test_own_colors_are_used_or_refused_with_the_line(program, data_dir):
    (data_dir / "color_schemes.txt").write_text("[tiles mine]\n2 = red\n")
    running = program()
    texts = banner_texts(running.home)
    assert any("line 2" in text for text in texts)
    assert running.services.themes.theme.tiles


def test_deleting_a_table_closes_it_in_practice(program, monkeypatch):
    running = program()
    closed = []
    monkeypatch.setattr(running.pages["Practice"], "close_table", closed.append)
    running.services.library.removed.connect(closed.append)
    path = running.services.tables.home / "442_128"
    path.mkdir()
    running.services.library.delete(path)
    assert path in closed


@pytest.mark.thorough
def test_the_form_of_a_table_that_the_ai_lacks_is_filled_in(program, monkeypatch):
    running, sent = program(), []
    monkeypatch.setattr(running.pages["Tables"], "offer_builds", sent.append)
    running.pages["Game"].builds_requested.emit([("4421", 1024), ("L3", 1024)])
    assert running.window.page is running.pages["Tables"]
    assert sent == [[("4421", 1024), ("L3", 1024)]]


@pytest.mark.thorough
def test_games_go_to_review_and_positions_to_practice_with_a_way_back(program, monkeypatch):
    running, sent = program(), []
    monkeypatch.setattr(running.pages["Practice"], "show_position", lambda *what: sent.append(what))
    monkeypatch.setattr(running.pages["Review"], "review", lambda *what: sent.append(what))
    running.pages["Test"].review_requested.emit(Path("a.json"), 63)
    assert running.window.page is running.pages["Review"]
    running.pages["Mistakes"].review_requested.emit(Path("b.json"), 4)
    running.pages["Game"].review_requested.emit(Path("c.json"))
    running.pages["Review"].practice_requested.emit(Path("L3_512"), "1" * 16)
    assert running.window.page is running.pages["Practice"]
    assert sent == [
        (Path("a.json"), 63),
        (Path("b.json"), 4),
        (Path("c.json"),),
        (Path("L3_512"), "1" * 16, "Review"),
    ]
    running.pages["Practice"].back_requested.emit("Review")
    assert running.window.page is running.pages["Review"]


@pytest.mark.thorough
def test_nothing_heavy_is_loaded_to_draw_the_first_page(tmp_path, monkeypatch):
    """By the thread that draws it: others may have begun to work on a slow machine."""
    for name in set(os.environ) - {"PATH", "HOME", "QT_QPA_PLATFORM", "SYSTEMROOT", "TEMP", "TMP"}:
        monkeypatch.delenv(name)  # of tests before this one
    code = f"""
import sys, threading, traceback
from pathlib import Path
heavy = {{"msgspec", "numba", "tablebase.probe.reader", "tablebase.build.builder"}}
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in heavy and threading.current_thread() is threading.main_thread():
            print(name, *traceback.format_stack(), sep="\\n")
sys.meta_path.insert(0, Watch())
from PySide6.QtWidgets import QApplication
from gui.shell.app import Program
app = QApplication([])
program = Program(app, Path({str(tmp_path)!r}))
program.window.show()
app.processEvents()
sys.meta_path.pop(0)
program.close()
"""
    assert python(code) == ""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["theme", "tile_palette", "animation_ms", "build.rate", "shortcuts", "table_folders"]
)
def test_the_palette_finds_every_setting_and_goes_there(program, qtbot, name):
    running = program()
    running.window.resize(900, 600)
    page = running.pages["Settings"]
    command = next(c for c in running.window.commands() if c.action.objectName() == f"to_{name}")
    command.prepare()
    command.action.trigger()
    assert running.window.page is page
    qtbot.waitUntil(lambda: page.scroller.isAncestorOf(QApplication.focusWidget()))
    focused = QApplication.focusWidget()

    def is_in_sight() -> bool:
        return focused.visibleRegion().boundingRect().height() > focused.height() / 2

    qtbot.waitUntil(is_in_sight)
