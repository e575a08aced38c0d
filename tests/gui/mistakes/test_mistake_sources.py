"""From a mistake to its test in Review, and how many are due, on Home and in the rail."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.exam.history import History
from coach.exam.session_file import file_name
from coach.grading.grade import Grade, Tolerance, judge
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import Attempt, Mistake, NotedMove, TableKey
from coach.record.user_database import UserDatabase
from engine.symmetry import canonical
from gui.mistakes.sources import NoSourceError, Source, find_latest, find_source, is_test
from gui.shell.app import Program
from gui.shell.nav_rail import NavRail
from gui.widgets.status_line import StatusLine
from gui.work.mistake_service import DueCount
from tests.coach.made_sessions import played
from tests.gui.mistakes.stage import CHEAP, DEAR, WORST
from tests.gui.practice_fakes import NOON

CONTROL = Qt.KeyboardModifier.ControlModifier


def attempt(source: str, move: int = 7) -> Attempt:
    return Attempt(NOON, 2, 0.5, None, source, move)


@pytest.mark.parametrize(
    ("source", "move", "is_one"),
    [
        ("L3_512_20260501-120000-123.json", 7, True),
        ("L3_512_20260501-120000-123.json", 0, False),
        ("drill", 7, False),
        ("test 1", 7, False),
        ("", 7, False),
        ("../secret.json", 7, False),
        ("/etc/x.json", 7, False),
        ("..\\secret.json", 7, False),
    ],
)
def test_only_plain_file_names_are_tests(source, move, is_one):
    assert is_test(attempt(source, move)) is is_one


@pytest.fixture
def tests(tmp_path: Path) -> Iterator[History]:
    with closing(History(UserDatabase(tmp_path))) as history:
        yield history


def test_a_test_is_found_whether_it_is_over_or_in_play(tests, tmp_path):
    session = played(30, by=3)
    name = file_name(session)
    with pytest.raises(NoSourceError, match=name):
        find_source(attempt(name), tests)
    tests.write(session)
    path = tmp_path / "tests" / name
    assert find_source(attempt(name), tests) == Source(path, 6)
    with pytest.raises(NoSourceError):
        find_source(attempt("L3_512_20200101-000000-000.json"), tests)
    tests.keep(session, NOON)
    tests.remove(name)
    assert find_source(attempt(name, 1), tests) == Source(path, 0)


def test_after_an_undo_a_mistake_is_found_by_its_position(tests):
    session = played(20, by=3, allows_undo=True)
    at, board = 11, session.moves[11].board
    mistake = Mistake(
        1, TableKey("L3_256", 0.1), canonical(board, "full"), "full", (None,) * 4, (), 1, 0.1, 0.1,
        Grade.BLUNDER, NOON, NOON, 0, 0, 0, None, None, (),
    )  # fmt: skip
    filed = [attempt(file_name(session), at + off + 1) for off in (-3, 0, 4, 15)]
    tests.write(session)
    assert find_source(filed[0], tests, mistake).position == at - 3  # nothing was taken back
    session.undo()
    tests.write(session)
    assert {find_source(one, tests, mistake).position for one in filed} == {at}
    while session.n_moves > at - 1:
        session.undo()  # and the position never came up again
    tests.write(session)
    assert find_source(filed[1], tests, mistake).position == session.n_moves


def test_the_latest_test_that_is_there_is_shown(tests, tmp_path):
    tests.add_file("old.json", played(9), NOON)
    made = [attempt("drill"), attempt("gone.json", 3), attempt("old.json", 5)]
    assert find_latest(made, tests) == Source(tmp_path / "tests" / "old.json", 4)
    with pytest.raises(NoSourceError, match=r"gone\.json"):
        find_latest(made[:2], tests)
    with pytest.raises(NoSourceError, match="come from a test"):
        find_latest(made[:1], tests)


def test_v_opens_the_test_of_a_mistake_and_a_link_that_of_an_attempt(stage, qtbot):
    tests = stage.folder / "tests"
    with closing(History(stage.store.database)) as history:
        for name in ("a.json", "b.json"):
            history.add_file(name, played(20), NOON)
    stage.note(WORST, source="a.json", move=4, days=2)
    stage.note(WORST, source="b.json", move=9, days=1)
    page = stage.open("list")
    with qtbot.waitSignal(page.review_requested) as signal:
        QTest.keyClick(page.list.table, Qt.Key.Key_R, CONTROL)
    assert signal.args == [tests / "b.json", 8]
    with qtbot.waitSignal(page.review_requested) as signal:
        page.list.panel.attempts_label.linkActivated.emit("1")
    assert signal.args == [tests / "a.json", 3]
    page.show_view("drill")
    with qtbot.waitSignal(page.review_requested) as signal:
        QTest.keyClick(page.board_view, Qt.Key.Key_R, CONTROL)
    assert signal.args == [tests / "b.json", 8]


def test_a_missing_test_is_told_in_a_banner(stage):
    stage.note(WORST, source="gone.json", move=4)
    page, sent = stage.open("list"), []
    page.review_requested.connect(lambda *what: sent.append(what))
    page.list.panel.buttons["review"].click()
    assert "gone.json" in stage.banner("is gone").text_label.text()
    assert sent == []


def test_attempts_are_shown_as_they_were_written(stage):
    stage.note(WORST, source="<b>x</b>", move=4)
    page = stage.open("list")
    text = page.list.panel.attempts_label.text()
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    assert "href" not in text


def test_due_mistakes_are_counted_by_the_rules_and_again_after_a_change(stage, qtbot):
    due = DueCount(stage.store, stage.settings, lambda: stage.now)
    heard = []
    due.counted.connect(heard.append)
    due.count()
    assert (heard, stage.store.path.exists()) == ([], False), "no book is made to count in"
    stage.note_three()
    qtbot.waitUntil(lambda: heard == [3])
    stage.settings.set("mistakes.new_per_day", 2)
    qtbot.waitUntil(lambda: heard == [3, 2])
    due.close()


def test_new_ones_of_the_evening_count_until_the_day_ends(stage, qtbot):
    stage.note_three()
    stage.settings.set("mistakes.new_per_day", 1)
    evening = stage.now.astimezone().replace(hour=23)
    stage.store.change(lambda mistakes: Drill(mistakes).answer(1, 0, evening, 2.0))
    stage.now = evening + timedelta(hours=4)
    due, heard = DueCount(stage.store, stage.settings, lambda: stage.now), []
    due.counted.connect(heard.append)
    due.count()
    assert heard == [1], "the one that was answered comes again"
    stage.settings.set("day.begins", 3)
    qtbot.waitUntil(lambda: heard == [1, 2])
    due.close()


def test_an_answer_after_the_end_is_dropped(stage):
    due, heard = DueCount(stage.store, stage.settings, lambda: stage.now), []
    due.counted.connect(heard.append)
    stage.note_three()
    stage.tasks.at_once = False
    due.count()
    due.close()
    stage.tasks.work_off()
    assert heard == []
    due.count()
    stage.tasks.work_off()
    assert heard == [3]


def test_the_rail_shows_a_small_number_at_one_page(qtbot):
    rail = NavRail(StatusLine())
    qtbot.addWidget(rail)
    for title in ("Test", "Mistakes"):
        rail.add_door(title, "dot", QAction(title, rail))
    rail.show()
    rail.set_badge("due today", "Mistakes", 1234)
    first, second = rail.buttons
    assert not first.badge.isVisible()
    assert second.badge.text() == "99+"
    assert second.accessibleDescription() == "1,234 due today"
    for is_narrow in (True, False):
        rail.set_narrow(is_narrow)
        QApplication.processEvents()
        assert second.rect().contains(second.badge.geometry()), is_narrow
    rail.set_badge("due today", "Mistakes", 0)
    assert not second.badge.isVisible()
    assert second.accessibleDescription() == ""
    rail.set_badge("due today", "Nowhere", 5)


@pytest.fixture
def program(program) -> Program:
    return program()


def file_mistakes(program: Program, source: str) -> None:
    rates = (0.8, None, 0.4, None)
    judgement = judge(rates, 2, Tolerance(1e-12))
    for i, board in enumerate((CHEAP, DEAR, WORST)):
        when = datetime.now(timezone.utc) - timedelta(hours=i + 1)
        key = TableKey("L3_256", 0.1)
        program.services.mistake_store.note(
            NotedMove(key, board, judgement, rates, when, source, 3)
        )


@pytest.mark.thorough
def test_home_and_the_rail_tell_what_is_due_and_lead_to_the_drill(program, qtbot, data_dir):
    program.window.show_page(program.home)
    program.start()
    assert not program.home.hero.drill_button.isVisible()
    assert not program.home.drill_action.isEnabled()
    session = played(20, by=3)
    name = file_name(session)
    with closing(History(program.services.database)) as history:
        history.add_file(name, session, NOON)
    file_mistakes(program, name)
    drill_button = program.home.hero.drill_button
    qtbot.waitUntil(lambda: drill_button.isVisible() and drill_button.height() > 20)
    assert drill_button.text() == "Drill the 3 moves that are due"
    button = next(b for b in program.window.rail.buttons if b.accessibleName() == "Train")
    assert (button.badge.text(), button.badge.isVisible()) == ("3", True)
    assert button.toolTip() == "Train: 3 due today (Alt+5)"
    program.services.settings.set("mistakes.mode", "loss")
    QTest.mouseClick(drill_button, Qt.MouseButton.LeftButton)
    assert program.window.page is program.pages["Mistakes"]
    qtbot.waitUntil(lambda: program.pages["Mistakes"].run.question is not None)
    page = program.pages["Mistakes"]
    assert (page.view, page.drill_panel.mode_combo.currentData()) == ("drill", "due")
    next(a for a in program.pages["Mistakes"].actions() if a.objectName() == "review").trigger()
    qtbot.waitUntil(lambda: program.window.page is program.pages["Review"])
    qtbot.waitUntil(lambda: program.pages["Review"].game.recording is not None)
    assert program.pages["Review"].game.recording.path == Path(data_dir / "tests" / name)
    assert program.pages["Review"].game.position == 2


def test_the_door_with_the_number_opens_on_the_drill(program, qtbot):
    """It opened on the tab and the view that were last in front."""
    file_mistakes(program, "x")
    program.start()
    qtbot.waitUntil(lambda: program.services.due.n == 3)
    program.pages["Mistakes"].show_view("list")
    program.window.show_page_named("Puzzles")
    program.window.show_page(program.home)
    button = next(b for b in program.window.rail.buttons if b.accessibleName() == "Train")
    button.click()
    page = program.window.page
    assert page is program.pages["Mistakes"]
    assert page.view == "drill"
    qtbot.waitUntil(lambda: page.run.question is not None)


def test_nothing_due_takes_the_number_away(program, qtbot):
    file_mistakes(program, "x")
    program.start()
    qtbot.waitUntil(lambda: program.services.due.n == 3)
    program.services.mistake_store.change(lambda mistakes: mistakes.delete(mistakes.ids()))
    qtbot.waitUntil(lambda: program.services.due.n == 0)
    assert not program.home.hero.drill_button.isVisibleTo(program.home)
    button = next(b for b in program.window.rail.buttons if b.accessibleName() == "Train")
    assert not button.badge.isVisible()
    assert button.toolTip() == "Train (Alt+5)"
