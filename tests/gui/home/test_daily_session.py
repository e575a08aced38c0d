"""The whole of today's session in the window: drill, then a test, and back to Home."""

import shutil
from datetime import datetime, timedelta, timezone

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.analysis.analyses import Analyses
from coach.days import day_of
from coach.grading.grade import Tolerance, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.old_files.opening import open_user_database
from coach.routes.code import read_code
from coach.routes.daily import is_daily
from gui.shell.app import Program
from gui.tables.page import TablesPage
from tests.coach.test_analyses import analysis_of
from tests.gui.home.test_home_cards import EVENT

RATES = (0.8, None, 0.4, None)


@pytest.fixture
def program(qtbot, data_dir, table):
    folder = table("44", 64)
    shutil.copytree(folder, data_dir / "tables" / folder.name)
    program = Program(QApplication.instance(), data_dir)
    qtbot.addWidget(program.window)
    program.window.show_page(program.home)
    program.window.show()
    program.services.settings.state.set(
        "practice.last_table", str(data_dir / "tables" / folder.name)
    )
    program.start()
    qtbot.waitUntil(lambda: program.home.hero.isVisible())
    yield program
    program.close()


def file_one(program: Program) -> None:
    when = datetime.now(timezone.utc) - timedelta(hours=1)
    judgement = judge(RATES, 2, Tolerance(1e-12))
    key = TableKey("L3_256", 0.1)
    program.services.mistake_store.note(NotedMove(key, 0x123, judgement, RATES, when, "x", 3))


def takes_a_test(program: Program) -> bool:
    return program.window.page is program.pages["Test"] and program.pages["Test"].player.is_playing


@pytest.mark.thorough
def test_the_drill_leads_to_the_test(program, qtbot):
    file_one(program)
    qtbot.waitUntil(lambda: program.services.due.n == 1)
    program.home.hero.button.click()
    assert program.window.page is program.pages["Mistakes"]
    qtbot.waitUntil(lambda: program.pages["Mistakes"].run.question is not None)
    actions = {action.objectName(): action for action in program.pages["Mistakes"].actions()}
    assert not actions["continue"].isEnabled(), "one is still asked"
    actions["left"].trigger()
    actions["next"].trigger()
    notice = program.pages["Mistakes"].drill_place.notice
    qtbot.waitUntil(notice.isVisible)
    assert "44 \u2192 64" in notice.text_label.text()
    assert actions["continue"].isEnabled()
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow)
    QTest.keyClick(
        program.pages["Mistakes"].board_view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    )
    qtbot.waitUntil(lambda: takes_a_test(program))
    assert program.pages["Test"].player.run.setup.table == "44_64"
    qtbot.waitUntil(lambda: program.services.due.n == 0)
    program.window.show_page(program.home)
    assert program.home.hero.text_label.text().startswith("Nothing is due")


def drill_one(program, qtbot, action):
    """Answer the one mistake that is due; return the notice of the end."""
    file_one(program)
    qtbot.waitUntil(lambda: program.services.due.n == 1)
    action.trigger()
    page = program.pages["Mistakes"]
    qtbot.waitUntil(lambda: page.run.question is not None)
    page.run.answer(0)
    page.drill.next_question()
    qtbot.waitUntil(page.drill_place.notice.isVisible)
    return page.drill_place.notice


@pytest.mark.thorough
def test_the_button_of_the_notice_leads_there_too(program, qtbot):
    notice = drill_one(program, qtbot, program.home.continue_action)
    notice.buttons[0].click()
    qtbot.waitUntil(lambda: takes_a_test(program))


@pytest.mark.thorough
def test_a_drill_by_itself_ends_as_it_always_did(program, qtbot):
    notice = drill_one(program, qtbot, program.home.drill_action)
    assert notice.title_label.text() == "Next in 10 min"
    actions = {action.objectName(): action for action in program.pages["Mistakes"].actions()}
    assert not actions["continue"].isEnabled()


@pytest.mark.thorough
def test_with_nothing_due_the_test_begins_at_once(program, qtbot):
    program.home.hero.button.click()
    qtbot.waitUntil(lambda: takes_a_test(program))


@pytest.mark.thorough
def test_every_card_leads_to_its_page(program, qtbot):
    home, window = program.home, program.window
    home.cards.game.button.click()
    assert window.page is program.pages["Game"]
    window.show_page(home)
    home.cards.trend.button.click()
    assert window.page is program.pages["Test"]
    assert not program.pages["Test"].frame.shows_board
    window.show_page(home)
    home.cards.daily.button.click()
    assert window.page is program.pages["Minigames"]
    qtbot.waitUntil(lambda: program.pages["Minigames"].view.session is not None)
    today = day_of(datetime.now(timezone.utc), program.services.settings.get("day.begins"))
    assert program.pages["Minigames"].view.session.run.day == today.isoformat()
    window.show_page(home)
    home.cards.puzzle.button.click()
    assert window.page is program.pages["Puzzles"]
    about = program.pages["Puzzles"].panel.about_label
    qtbot.waitUntil(lambda: "Puzzle of the day." in about.text())
    window.show_page(home)
    home.cards.route.button.click()
    assert window.page is program.pages["Routes"]
    qtbot.waitUntil(lambda: program.pages["Routes"].player.run is not None)
    run = program.pages["Routes"].player.run
    assert run
    assert is_daily(read_code(run.setup.code), today)
    window.show_page(home)
    home.tables_action.trigger()
    assert isinstance(window.page, TablesPage)


@pytest.mark.thorough
def test_an_analysis_is_chosen_on_its_page(program, qtbot, data_dir):
    analyses = Analyses(open_user_database(data_dir))
    for days in range(3):
        when = datetime.now(timezone.utc) - timedelta(days=days)
        analyses.keep(analysis_of({**EVENT, "file": f"{days}.rpl"}, when))
    analyses.close()
    home = program.home
    home.page_shown()
    qtbot.waitUntil(home.cards.analysis.isVisible)
    home.cards.analysis.button.click()
    assert program.window.page is program.pages["Games"]
    tree = program.pages["Games"].tree
    qtbot.waitUntil(lambda: tree.chosen_game is not None)
    assert tree.chosen_game.path.name == "0.rpl"


@pytest.mark.thorough
def test_the_game_shown_is_the_one_that_is_open(program, qtbot):
    program.window.show_page(program.pages["Game"])
    qtbot.waitUntil(lambda: program.pages["Game"].session is not None)
    game = program.pages["Game"].session.game
    program.pages["Game"].session.move(next(d for d in range(4) if game.can_move(d)))
    program.window.show_page(program.home)
    card = program.home.cards.game
    qtbot.waitUntil(lambda: card.button.text() == "Continue")
    assert "after 1 move" in card.text_label.text()
