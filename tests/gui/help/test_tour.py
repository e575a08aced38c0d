"""The tour: a first table, three moves, Home again; led by keys, skipped for good, found again."""

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.platform import language
from gui.home.session import FIRST_TABLE
from tests.gui.window_fakes import child, table_info


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


@pytest.fixture
def newcomer(program, qtbot, monkeypatch):
    """Return a function that starts a program in which the first build behaves in some way."""

    def start(behave: str = "hang"):
        running = program()
        monkeypatch.setattr(running.services.builds, "_command_of", lambda _: child(behave))
        running.window.resize(1280, 800)
        running.window.activateWindow()
        qtbot.waitUntil(lambda: running.services.library.is_known)
        running.show_tour()
        return running

    return start


@pytest.fixture
def with_table(program, qtbot, data_dir, table):
    folder = table("44", 64)
    shutil.copytree(folder, data_dir / "tables" / folder.name)
    running = program()
    running.window.resize(1280, 800)
    running.window.activateWindow()
    running.services.library.refresh()
    qtbot.waitUntil(running.home.hero.button.isVisible)
    running.show_tour()
    return running


def title(running) -> str:
    return running.tour.card.title_label.text()


def has_finished(running, data_dir, monkeypatch, qtbot) -> None:
    """Let the library find the first table."""
    built = table_info(data_dir / "tables" / "442_128")
    monkeypatch.setattr(running.services.tables, "scan", lambda: [built])
    with qtbot.waitSignal(running.services.library.changed):
        running.services.library.refresh()


def test_the_first_table_is_built_while_it_talks(newcomer, qtbot, data_dir, monkeypatch):
    running = newcomer()
    (request,) = running.services.builds.requests
    assert (request.pattern, request.target) == FIRST_TABLE
    assert title(running) == "Your first table is on its way"
    assert running.tour.target.size() == running.home.build_card.size()
    has_finished(running, data_dir, monkeypatch, qtbot)
    assert title(running) == "Your table 442 \u2192 128 is ready"


@pytest.mark.thorough
def test_practice_opens_by_itself_once_the_table_is_there(newcomer, qtbot, data_dir, monkeypatch):
    running = newcomer()
    running.tour.card.next_button.click()
    assert running.window.page is running.home, "not a page that invites to build it"
    assert title(running) == "Your table is almost ready"
    assert running.tour.card.next_button.text() == "Skip"
    opened = []
    monkeypatch.setattr(running.pages["Practice"], "open_table", opened.append)
    has_finished(running, data_dir, monkeypatch, qtbot)
    assert opened == [data_dir / "tables" / "442_128"]
    assert running.window.page is running.pages["Practice"]
    assert title(running) == "Play three moves"


@pytest.mark.parametrize("end", ["canceled", "refuse"])
@pytest.mark.thorough
def test_without_a_table_it_goes_on(newcomer, qtbot, end):
    running = newcomer("hang" if end == "canceled" else end)
    running.services.builds.cancel()
    qtbot.waitUntil(lambda: not running.services.builds.requests)
    assert title(running) == "The table isn't built yet"
    running.tour.card.next_button.click()
    assert title(running) == "Practice needs a table"
    running.tour.card.next_button.click()
    assert running.window.page is running.home
    assert not running.tour.target.isEmpty()
    running.tour.card.next_button.click()
    assert running.tour is None


@pytest.mark.thorough
def test_a_build_that_was_left_in_the_tour_goes_on(newcomer, qtbot):
    running = newcomer()
    builds = running.services.builds
    builds.pause()
    qtbot.waitUntil(lambda: builds.current is None)
    running.show_tour()
    assert builds.current


@pytest.mark.thorough
def test_three_real_moves_then_home(with_table, qtbot):
    running = with_table
    assert not running.services.builds.requests
    practice = running.pages["Practice"]
    place = running.tour.card.mapToGlobal(running.tour.card.next_button.geometry().bottomRight())
    press(Qt.Key.Key_Return)
    assert running.window.page is practice
    qtbot.waitUntil(lambda: practice.game.session is not None)
    qtbot.waitUntil(lambda: practice.game.answer is not None)
    forward = running.tour.card.next_button
    titles, buttons = [title(running)], {forward.text()}
    arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
    for _ in range(3):
        n = practice.game.session.tree.depth
        allowed = {*practice.game.session.legal_moves()} - {*practice.game.breaking}
        press(arrows[min(allowed)])
        qtbot.waitUntil(lambda n=n: practice.game.session.tree.depth > n)
        qtbot.waitUntil(lambda: practice.game.answer is not None)
        titles.append(title(running))
    start = "Play three moves"
    assert titles == [start, "Two moves to go", "One move to go", "That's all there is to it"]
    assert (buttons, forward.text()) == ({"Skip"}, "Next")
    assert running.tour.card.hasFocus()
    card = running.tour.card
    assert card.mapToGlobal(card.next_button.geometry().bottomRight()) == place
    press(Qt.Key.Key_Return)
    assert running.window.page is running.home
    assert running.tour.target.size() == running.home.hero.button.size()
    press(Qt.Key.Key_Return)
    assert running.tour is None
    assert running.window.focusWidget() is not None


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.thorough
def test_escape_skips_it_for_good(newcomer, at):
    running = newcomer()
    running.tour.go_to(at)
    press(Qt.Key.Key_Escape)
    assert running.tour is None
    assert running.services.settings.state.get("help.is_tour_over")


@pytest.mark.thorough
def test_the_window_can_be_closed_during_it(newcomer):
    running = newcomer()
    running.close()
    assert not running.services.settings.state.get("help.is_tour_over"), "it comes again"


@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
@pytest.mark.thorough
def test_nothing_that_it_is_about_is_covered(newcomer, qtbot, size):
    running = newcomer()
    running.window.resize(*size)
    qtbot.waitUntil(lambda: running.window.width() == size[0])
    assert running.window.rect().contains(running.tour.card.geometry())
    assert not running.tour.card.geometry().intersects(running.tour.target)


def test_it_comes_by_itself_only_to_somebody_new(program, qtbot, monkeypatch):
    running = program()
    monkeypatch.setattr(running.services.builds, "_command_of", lambda _: child("hang"))
    running.start()
    QApplication.processEvents()
    assert running.tour is None, "nobody asked"
    qtbot.waitUntil(lambda: running.services.library.is_known)
    running.offer_tour()
    assert running.tour is not None
    running.tour.leave()
    running.offer_tour()
    assert running.tour is None, "skipped once"


@pytest.mark.thorough
def test_it_does_not_come_to_somebody_with_tables(program, qtbot, monkeypatch, data_dir):
    running = program()
    running.offer_tour()
    has_finished(running, data_dir, monkeypatch, qtbot)
    assert running.tour is None
    running.pages["Help"].tour_action.trigger()
    assert running.tour is not None, "it is found again"


@pytest.mark.thorough
def test_it_goes_on_in_another_language_and_in_other_colors(newcomer, qtbot):
    running = newcomer()
    running.tour.card.next_button.click()
    before, text = running.home, title(running)
    running.services.settings.set("theme", "dark")
    running.services.settings.set("language", language.PSEUDO)
    qtbot.waitUntil(lambda: running.home is not before and running.tour is not None)
    assert running.tour.at == 1
    assert title(running) not in ("", text)
