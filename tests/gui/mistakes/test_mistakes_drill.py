"""The drill by the keyboard alone: answers, what they show, going on, deleting, retiring."""

from dataclasses import replace
from datetime import datetime, timedelta
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from coach.days import today_of
from coach.mistakes.drill import DrillRules
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from coach.play.question_run import Tally
from coach.profile.session import Session
from coach.recordings.recording import SEARCH
from engine.platform.errors import AppError
from gui.comparison.request import ComparisonRequest
from gui.mistakes.drill import ADVANCE_MS, FINISHED, done, done_before
from gui.mistakes.list import SORTS
from gui.mistakes.text import history_text
from gui.text.answers import answer_text
from tests.gui.mistakes.stage import CHEAP, DEAR, WORST, Stage
from tests.gui.page_driver import KEYS
from tests.gui.practice_fakes import TABLE_PATH

LEFT, UP = Qt.Key.Key_Left, Qt.Key.Key_Up
CONTROL = Qt.KeyboardModifier.ControlModifier
ENTER, DELETE, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Escape


@pytest.fixture
def drill(stage: Stage) -> Stage:
    stage.note_three()
    stage.open()
    return stage


def asked(stage: Stage) -> int:
    question = stage.page.run.question
    assert question
    return question.board


def verdict(stage: Stage) -> str:
    return stage.page.drill_panel.verdict.text()


def figures(stage: Stage) -> list[str]:
    return [figure.value_label.text() for figure in stage.page.drill_panel.figures.values()]


def time_runs_out(stage: Stage) -> list[int]:
    """Let what the ring waits for happen soon; return how many milliseconds each would take."""
    timers = [t for t in stage.page.drill_panel.ring.findChildren(QTimer) if t.isActive()]
    waits = [timer.interval() for timer in timers if timer.isSingleShot()]
    for timer in timers:
        timer.setInterval(0)
    return waits


def test_the_costliest_is_asked_first_and_its_rates_are_hidden(drill):
    assert asked(drill) == WORST
    assert drill.page.board_view.cells[-3:] == [1, 2, 5]
    cells = drill.page.drill_panel.cross.cells
    assert [cell.is_legal for cell in cells] == [True, False, True, False]
    assert not any(cell.is_best for cell in cells)
    assert "%" not in "".join(cell.text() for cell in cells)
    assert figures(drill) == ["3", "", "", ""], "nothing is said of what has not happened"
    assert "Made once, Feb 19, 2026." in drill.page.drill_panel.about_label.text()


@pytest.mark.parametrize("key", KEYS[0])
def test_a_right_answer_by_any_of_its_keys(drill, key):
    drill.press(key)
    assert verdict(drill) == "Correct \N{EN DASH} Left is best."
    assert figures(drill) == ["2", "1", "", "1"]
    assert drill.page.drill_panel.ring.is_running
    assert drill.page.board_view.hint == 0
    assert drill.mistakes()[WORST].n_right == 1


@pytest.mark.parametrize("key", KEYS[2])
def test_a_wrong_answer_shows_the_best_move_and_the_rates(drill, key):
    drill.press(key)
    assert verdict(drill) == "Up loses everything. Left is best. Press Enter to continue."
    cells = drill.page.drill_panel.cross.cells
    assert cells[0].is_best
    assert cells[0].text() == "80.00 %"
    assert cells[2].text() == "0 %"
    assert drill.page.board_view.hint == 0
    assert not drill.page.drill_panel.ring.is_running
    assert figures(drill) == ["3", "", "1", ""]
    assert drill.mistakes()[WORST].count == 2
    assert "Comes back in 1 min" in drill.page.drill_panel.about_label.text()


def test_only_the_first_answer_counts(drill):
    drill.press(UP, LEFT, LEFT, UP)
    assert drill.page.run.tally == Tally(right=0, wrong=1, streak=0, left=3)
    assert drill.mistakes()[WORST].n_right == 0


def test_a_move_that_changes_nothing_is_no_answer(drill):
    drill.press(Qt.Key.Key_Right)
    assert "isn't possible" in verdict(drill)
    assert figures(drill)[1:3] == ["", ""]
    drill.press(LEFT)
    assert figures(drill)[1:3] == ["1", ""]


def test_enter_waits_for_an_answer_and_the_menu_skips(drill):
    actions = drill.page.actions_by_name
    drill.press(ENTER)
    assert asked(drill) == WORST
    assert not actions["next"].isEnabled()
    actions["skip"].trigger()
    assert asked(drill) != WORST
    drill.press(LEFT)
    assert actions["next"].isEnabled()


def test_wrong_answers_are_not_called_mistakes_made_in_play(drill):
    drill.press(UP)
    mistake = drill.mistakes()[WORST]
    assert (mistake.count, mistake.n_wrong) == (2, 1)
    today = today_of(mistake.last, 0)
    assert history_text(mistake, today) == "Made once, Feb 19, 2026."
    again = replace(mistake, count=4)
    assert history_text(again, today) == "Made 3 times."


def test_enter_goes_on_after_a_wrong_answer(drill):
    drill.press(UP, ENTER)
    assert asked(drill) == DEAR
    assert figures(drill) == ["3", "", "1", ""], "the wrong one comes again"
    assert not any(cell.is_best for cell in drill.page.drill_panel.cross.cells)
    assert drill.page.board_view.hint is None


def test_it_goes_on_by_itself_after_a_right_answer(drill, qtbot):
    drill.press(LEFT)
    assert asked(drill) == WORST
    assert time_runs_out(drill) == [ADVANCE_MS]
    qtbot.waitUntil(lambda: asked(drill) == DEAR)
    assert not drill.page.drill_panel.ring.isVisible()


def test_enter_while_the_ring_runs_skips_nothing(drill):
    drill.press(LEFT, ENTER)
    assert asked(drill) == DEAR
    assert time_runs_out(drill) == [], "nothing goes on by itself any more"


@pytest.mark.parametrize("how", ["key", "click", "leave", "view"])
def test_going_on_by_itself_can_be_stopped(drill, how):
    drill.press(LEFT)
    if how == "key":
        drill.press(ESCAPE)
    elif how == "click":
        QTest.mouseClick(drill.page.drill_panel.ring, Qt.MouseButton.LeftButton)
    elif how == "leave":
        drill.page.hide()
        drill.page.show()
    else:
        QTest.keyClick(drill.page, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert not drill.page.drill_panel.ring.is_running
    assert time_runs_out(drill) == []
    assert asked(drill) == WORST


def test_the_choice_not_to_go_on_is_remembered(drill):
    drill.page.actions_by_name["advance"].trigger()
    drill.press(LEFT)
    assert not drill.page.drill_panel.ring.is_running
    assert verdict(drill).endswith("Press Enter to continue.")
    drill.page.hide()
    assert not drill.open().actions_by_name["advance"].isChecked()


def test_a_combo_grows_and_breaks(drill):
    drill.press(LEFT, ENTER, LEFT)
    assert figures(drill) == ["1", "2", "", "2"]
    drill.press(ENTER, UP)
    assert figures(drill) == ["1", "2", "1", ""]


@pytest.mark.parametrize(
    ("begins", "title", "day"), [(4, "Done for today", "tomorrow"), (0, "Done for now", "today")]
)
def test_at_night_a_review_of_the_morning_is_one_of_tomorrow(begins, title, day):
    evening = datetime(2026, 3, 1, 23).astimezone()
    today = today_of(evening + timedelta(hours=2), begins)
    message = done(0, evening + timedelta(hours=11), today)
    assert message.title == title
    assert f"The next review is {day}." in message.text


def test_the_end_of_the_day_offers_more(drill):
    drill.settings.set("mistakes.new_per_day", 1)
    drill.page.drill.start(None)
    drill.press(LEFT, ENTER)
    place, panel = drill.page.drill_place, drill.page.drill_panel
    assert place.notice.isVisible()
    assert not place.board.isVisible(), "an empty board says nothing"
    assert not panel.cross.isVisible()
    assert place.notice.title_label.text() == "Next in 10 min"
    assert "goes on by itself" in place.notice.text_label.text()
    assert place.hasFocus(), "a stray Enter must not press the first button"
    assert not drill.page.actions()[0].isEnabled()
    assert offered(drill) == ["2 new ones", "Frequent mistakes"]
    QTest.mouseClick(place.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert asked(drill) == DEAR
    assert place.board.isVisible()
    assert place.board.hasFocus()
    assert panel.cross.isVisible()
    assert drill.page.actions()[0].isEnabled()
    drill.press(LEFT, ENTER, LEFT, ENTER)
    assert offered(drill) == ["Frequent mistakes"], "there are no new ones"
    assert "new" not in place.notice.text_label.text()


def choose_mode(drill: Stage, mode: str) -> None:
    combo = drill.page.drill_panel.mode_combo
    combo.setCurrentIndex(combo.findData(mode))
    combo.activated.emit(combo.currentIndex())


def offered(drill: Stage) -> list[str]:
    return [button.text() for button in drill.page.drill_place.notice.buttons]


@pytest.mark.thorough
def test_more_are_offered_however_many_the_day_has_had(drill, monkeypatch):
    monkeypatch.setattr("coach.mistakes.questions.MORE_NEW", 1)
    drill.settings.set("mistakes.new_per_day", 1)
    notice = drill.page.drill_place.notice
    drill.page.drill.start(None)
    drill.press(LEFT, ENTER)
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    assert asked(drill) == DEAR
    drill.press(LEFT)
    drill.page.drill.start(None)
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    assert asked(drill) == CHEAP


def test_before_a_test_and_after_a_session_as_many_are_offered_as_there_are(drill):
    assert list(done_before("L3", 0).remedies.values()) == ["Start the test"]
    assert list(done_before("L3", 1).remedies.values()) == ["Start the test", "1 new one first"]
    session_of_three(drill)
    for _ in range(3):
        drill.press(LEFT, ENTER)
    assert offered(drill) == ["See your progress", "2 new ones"], "one was due by schedule"


def test_what_was_wrong_comes_again_when_it_is_due(drill):
    drill.press(UP, ENTER, LEFT, ENTER, LEFT)
    drill.now += timedelta(minutes=2)
    drill.press(ENTER)
    assert asked(drill) == WORST


def test_a_wrong_answer_comes_again_at_once_if_nothing_else_is_due(drill):
    drill.press(UP, ENTER, LEFT, ENTER, LEFT)
    assert figures(drill)[0] == "1", "the wrong one again"
    drill.press(ENTER)
    assert asked(drill) == WORST, "it would be due in a minute"
    drill.press(LEFT, ENTER)
    assert drill.page.run.question is None, "right answers wait for their time"


@pytest.mark.parametrize("which", ["chosen", "frequent"])
def test_a_wrong_answer_comes_again_in_every_drill(drill, which):
    if which == "chosen":
        drill.page.drill.start_with([drill.mistakes()[board].id for board in (CHEAP, WORST)])
    else:
        choose_mode(drill, "count")
    first, n = asked(drill), int(figures(drill)[0])
    drill.press(UP, ENTER)
    for _ in range(n - 1):
        drill.press(LEFT, ENTER)
    assert asked(drill) == first
    drill.press(LEFT, ENTER)
    assert drill.page.run.question is None


def test_a_finished_drill_goes_on_when_something_is_due_again(drill):
    drill.press(LEFT, ENTER, LEFT, ENTER, LEFT, ENTER)
    drill.page.page_shown()
    assert drill.page.run.question is None
    drill.now += timedelta(minutes=11)
    drill.page.show_due(3)
    assert asked(drill)
    assert drill.page.drill_place.board.isVisible()


def test_a_drill_that_waits_goes_on_by_itself(drill):
    drill.press(LEFT, ENTER, LEFT, ENTER, LEFT, ENTER)
    place = drill.page.drill_place
    (wait,) = [t for t in drill.page.drill.findChildren(QTimer) if t.isActive()]
    for minutes, title in ((0, "Next in 10 min"), (6, "Next in 4 min"), (3, "Next in 1 min")):
        drill.now += timedelta(minutes=minutes)
        wait.timeout.emit()
        assert place.notice.title_label.text() == title
    drill.now += timedelta(minutes=2)
    wait.timeout.emit()
    assert place.board.isVisible()
    assert place.board.hasFocus()
    assert asked(drill)
    assert not wait.isActive()
    drill.press(LEFT, ENTER, LEFT, ENTER, LEFT, ENTER)
    assert place.notice.title_label.text() == "Done for today"
    assert "The next review is" in place.notice.text_label.text()
    assert not wait.isActive(), "nothing is due within minutes"


@pytest.mark.parametrize("how", ["leave", "view"])
def test_nobody_waits_where_the_drill_is_not_seen(drill, how):
    drill.press(LEFT, ENTER, LEFT, ENTER, LEFT, ENTER)
    if how == "leave":
        drill.page.hide()
    else:
        drill.page.show_view("list")
    assert not [t for t in drill.page.drill.findChildren(QTimer) if t.isActive()]
    drill.page.show()
    drill.page.show_view("drill")
    drill.page.page_shown()
    assert drill.page.drill_place.notice.title_label.text() == "Next in 10 min"


def test_an_unanswered_one_comes_last(drill):
    drill.page.actions_by_name["skip"].trigger()
    assert asked(drill) == DEAR
    drill.press(LEFT, ENTER, ENTER, ENTER)
    assert asked(drill) == CHEAP, "round again"
    drill.press(LEFT, ENTER)
    assert asked(drill) == WORST
    assert {one.n_right + one.n_wrong for one in drill.mistakes().values()} == {0, 1}


def test_what_is_to_do_is_what_the_rail_counts(drill):
    """One number: after an answer, a skip, and at the end."""
    rules = DrillRules.of(drill.settings.get)

    def due() -> str:
        return str(drill.work(lambda m: rules.drill(m).count_due(rules.today(drill.now))))

    panel = drill.page.drill_panel
    assert panel.figures["To do"].caption_label.text() == "Due today"
    shown = []
    drill.page.actions_by_name["skip"].trigger()
    for key in (LEFT, ENTER, UP, ENTER, LEFT, ENTER, LEFT, ENTER, LEFT, ENTER):
        drill.press(key)
        shown.append((figures(drill)[0], due()))
    assert {mine == theirs for mine, theirs in shown} == {True}, shown
    assert shown[-1] == ("0", "0")
    drill.page.drill_panel.mode_combo.setCurrentIndex(1)
    drill.page.drill_panel.mode_combo.activated.emit(1)
    assert panel.figures["To do"].caption_label.text() == "To do"


@pytest.mark.parametrize("mode", ["count", "loss", "both"])
def test_a_weighted_queue_asks_each_once(drill, mode):
    choose_mode(drill, mode)
    seen = []
    for _ in range(3):
        seen.append(asked(drill))
        drill.press(LEFT, ENTER)
    assert sorted(seen) == sorted([CHEAP, DEAR, WORST])
    notice = drill.page.drill_place.notice
    assert notice.title_label.text() == FINISHED.title
    assert drill.mistakes()[CHEAP].due is not None
    assert drill.mistakes()[CHEAP].due <= drill.now  # outside of the schedule
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    assert drill.page.run.question is not None
    assert drill.settings.get("mistakes.mode") == mode


def test_only_mistakes_of_the_chosen_table_are_asked(drill):
    combo = drill.page.table_combo
    assert [combo.itemText(i) for i in range(combo.count())][1:] == [
        "442 \N{RIGHTWARDS ARROW} 128",
        "L3 \N{RIGHTWARDS ARROW} 256",
    ] or combo.count() == 3
    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    assert asked(drill) == DEAR
    assert figures(drill)[0] == "1"


def test_delete_goes_on_and_undo_brings_everything_back(drill):
    drill.press(UP)
    before = drill.dump()
    drill.press(DELETE)
    assert asked(drill) == DEAR
    assert set(drill.mistakes()) == {CHEAP, DEAR}
    QTest.mouseClick(drill.banner("Deleted 1 mistake").buttons[0], Qt.MouseButton.LeftButton)
    assert drill.dump() == before
    assert not drill.page.banners.banners


def test_two_deletes_are_undone_one_after_the_other(drill):
    before = drill.dump()
    drill.press(DELETE, DELETE)
    assert set(drill.mistakes()) == {CHEAP}
    for count in (2, 3):
        drill.page.setFocus()
        QTest.keyClick(drill.page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert len(drill.mistakes()) == count
    assert drill.dump() == before


def test_an_undo_that_fails_can_be_tried_again(drill, monkeypatch):
    before = drill.dump()
    drill.press(DELETE)
    with monkeypatch.context() as patch:
        patch.setattr(Mistakes, "restore", Mock(side_effect=AppError("the drive is full")))
        QTest.mouseClick(drill.banner("Deleted 1 mistake").buttons[0], Qt.MouseButton.LeftButton)
    assert drill.dump() != before
    assert drill.banner("he drive is full")
    QTest.mouseClick(drill.banner("Deleted 1 mistake").buttons[0], Qt.MouseButton.LeftButton)
    assert drill.dump() == before


def test_a_mistake_deleted_from_the_list_is_not_drilled_any_more(drill):
    assert asked(drill) == WORST
    page = drill.page
    page.show_view("list")
    page.list.table.selectRow(drill.rows().index(WORST))
    QTest.keyClick(page.list.table, DELETE)
    assert WORST not in drill.mistakes()
    page.show_view("drill")
    assert asked(drill) == DEAR
    drill.press(LEFT)
    assert page.run.tally.right == 1
    assert [banner.property("kind") for banner in page.banners.banners] == ["info"]


def test_retiring_by_hand(drill):
    drill.press(Qt.Key.Key_U)
    assert drill.mistakes()[WORST].retired == drill.now
    assert "won't come up again" in drill.page.drill_panel.about_label.text()


def test_enough_right_answers_retire(drill):
    drill.settings.set("mistakes.retire_after", 1)
    drill.press(LEFT)
    assert "it's retired" in drill.page.drill_panel.about_label.text()
    assert drill.mistakes()[WORST].retired == drill.now


def test_a_jump_to_practice(drill):
    QTest.keyClick(drill.page.board_view, Qt.Key.Key_P, CONTROL)
    ((path, board),) = drill.asked_of_practice
    assert (str(path).endswith("L3_256"), board) == (True, "0000000000000125")


def test_no_jump_without_the_table_but_a_way_to_it(drill, qtbot):
    drill.page.set_tables([])
    QTest.keyClick(drill.page.board_view, Qt.Key.Key_P, CONTROL)
    assert drill.asked_of_practice == []
    banner = drill.banner("isn't on this computer")
    with qtbot.waitSignal(drill.page.tables_requested):
        QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)


def test_turned_boards_have_turned_answers(drill):
    drill.page.actions_by_name["turn"].trigger()
    seen = set()
    for _ in range(12):
        drill.page.drill.start(None)
        question = drill.page.run.question
        assert question
        seen.add(question.board)
        best = question.best[0]
        assert question.rates[best] == 0.8
        assert question.can_move(best)
    assert len(seen) > 3
    key = {0: LEFT, 1: Qt.Key.Key_Right, 2: UP, 3: Qt.Key.Key_Down}[best]
    drill.press(key)
    assert verdict(drill).startswith("Correct")
    assert drill.mistakes()[WORST].n_right == 1


def test_a_click_on_a_rate_answers(drill):
    QTest.mouseClick(drill.page.drill_panel.cross.cells[2], Qt.MouseButton.LeftButton)
    assert verdict(drill).startswith("Up loses")


def test_a_position_without_rates_is_drilled_all_the_same(stage):
    stage.note(WORST, table="442_128")  # a table that is not here
    stage.work(
        lambda m: m.connection.execute("UPDATE mistake SET rate_left = NULL, rate_up = NULL")
    )
    stage.open()
    cells = stage.page.drill_panel.cross.cells
    assert [cell.is_legal for cell in cells] == [True, False, True, False]
    stage.press(UP)
    assert verdict(stage) == "Up isn't best. Left is. Press Enter to continue."
    assert "No success rates were recorded" in stage.page.drill_panel.about_label.text()


def test_chosen_mistakes_start_over_with_the_same_ones(drill):
    notice = drill.page.drill_place.notice
    drill.page.drill.start_with([drill.mistakes()[board].id for board in (CHEAP, WORST)])
    for _ in range(2):
        seen = []
        for _ in range(2):
            seen.append(asked(drill))
            drill.press(LEFT, ENTER)
        assert seen == [CHEAP, WORST]
        assert notice.title_label.text() == FINISHED.title
        QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    choose_mode(drill, "count")
    for _ in range(3):
        drill.press(LEFT, ENTER)
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    assert figures(drill)[0] == "3", "all of them again, as by count"


def session_of_three(drill: Stage, n_puzzles: int = 0) -> tuple[int, ...]:
    """Begin a session with all three; only the first is one that the schedule has chosen."""
    ids = tuple(drill.mistakes()[board].id for board in (CHEAP, WORST, DEAR))
    puzzles = tuple(range(n_puzzles))
    drill.page.train(Session((), ids[:1], ids[1:], puzzles, seconds=95.0))
    return ids


def test_a_session_goes_through_its_positions_and_tells_how_it_went(drill):
    session_of_three(drill)
    (banner,) = drill.page.banners.banners
    assert banner.text_label.text() == "About 2 min: 1 due, 2 that cost you most."
    boards, left = [], []
    for key in (LEFT, UP, LEFT, UP, LEFT):
        boards.append(asked(drill))
        left.append(figures(drill)[0])
        drill.press(key)
        drill.press(ENTER)
    assert boards == [CHEAP, WORST, DEAR, WORST, WORST], "what was wrong comes back until right"
    assert left == ["3", "2", "2", "1", "1"]
    notice = drill.page.drill_place.notice
    assert notice.title_label.text() == "Session done"
    assert notice.text_label.text().startswith("2 of 3 correct.")
    assert "The next review is " in notice.text_label.text()
    assert not drill.page.banners.banners
    asked_for: list[bool] = []
    drill.page.profile_requested.connect(lambda: asked_for.append(True))
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    assert asked_for == [True]


def test_the_schedule_hears_only_of_what_it_had_chosen(drill):
    first, second, _ = session_of_three(drill)
    for _ in range(2):
        question = drill.page.run.question
        assert question
        drill.press(KEYS[question.best[0]][0])
        drill.press(ENTER)
    due = {one.id: one.due for one in drill.mistakes().values()}
    assert due[first] > drill.now
    assert due[second] <= drill.now


def test_puzzles_come_after_the_positions(drill):
    session_of_three(drill, n_puzzles=4)
    for _ in range(3):
        drill.press(LEFT)
        drill.press(ENTER)
    notice = drill.page.drill_place.notice
    assert notice.title_label.text() == "Positions done"
    assert [button.text() for button in notice.buttons] == ["Go on with 4 puzzles"]
    asked_for: list[tuple[int, int, int]] = []
    drill.page.puzzles_requested.connect(lambda ids, *tally: asked_for.append((len(ids), *tally)))
    right = int(figures(drill)[1])
    QTest.mouseClick(notice.buttons[0], Qt.MouseButton.LeftButton)
    QTest.keyClick(drill.page.board_view, ENTER, CONTROL)
    assert asked_for == [(4, right, 3)] * 2
    drill.page.show_view("list")
    drill.page.drill_due()
    assert not drill.page.drill.has_next_step, "a usual drill leads to no puzzles"


def test_a_drill_compares_the_wrong_answer_once_it_is_given(stage):
    stage.note(CHEAP)
    page = stage.open()
    asked = []
    page.compare_requested.connect(asked.append)
    stage.press(Qt.Key.Key_O)
    assert asked == [], "it would give the answer away"
    stage.press(Qt.Key.Key_Up)
    stage.press(Qt.Key.Key_O)
    cells = tuple((CHEAP >> 4 * (15 - at)) & 15 for at in range(16))
    assert asked == [ComparisonRequest(cells, 2, TABLE_PATH, follows=True)]


def test_the_list_compares_the_worst_attempt(stage):
    stage.note(CHEAP)
    page = stage.open("list")
    stage.rows()
    asked = []
    page.compare_requested.connect(asked.append)
    page.list.table.setFocus()
    QTest.keyClick(page.list.table, Qt.Key.Key_O)
    QTest.mouseClick(page.list.panel.buttons["compare"], Qt.MouseButton.LeftButton)
    assert [(one.played, one.table) for one in asked] == [(2, TABLE_PATH)] * 2


def test_of_a_mistake_told_by_search_the_comparison_says_the_same(stage):
    stage.note(CHEAP, table=SEARCH)
    page = stage.open("list")
    stage.rows()
    asked = []
    page.compare_requested.connect(asked.append)
    page.list.panel.buttons["compare"].click()
    (request,) = asked
    assert request.table is None
    assert request.chances == page.list.panel.cross.rates == (0.8, None, 0.788, None)


def test_a_mistake_whose_table_is_gone_cannot_be_compared(stage):
    stage.note(DEAR, table="442_128")
    page = stage.open("list")
    stage.rows()
    asked = []
    page.compare_requested.connect(asked.append)
    page.list.panel.buttons["compare"].click()
    assert asked == []
    assert stage.banner("isn't on this computer")


def test_an_excellent_answer_counts_as_correct(stage):
    """It had the check mark of the test, "Close", and counted as wrong."""
    stage.note(0x0103, rates=(0.8, 0.7999, 0.4, None))
    stage.open()
    stage.press(Qt.Key.Key_Right)
    said = "Correct \N{EN DASH} Right loses only 0.01 points. Left is best."
    assert verdict(stage) == said
    assert figures(stage)[1:] == ["1", "", "1"]
    assert stage.page.board_view.hint == 0, "the arrow shows the best one"
    assert stage.mistakes()[0x0103].n_right == 1


def test_a_good_answer_is_wrong_without_a_kind_word():
    assert answer_text(2, (0,), "1 point") == "Up loses 1 point. Left is best."


def test_the_column_of_how_often_says_what_the_sentence_says(stage):
    """A wrong answer in the drill made it 2, beside "Made once"."""
    stage.note(CHEAP)
    stage.open()
    stage.press(UP)
    page = stage.page
    page.show_view("list")
    stage.rows()
    model = page.list.model
    times = SORTS.index("count")
    assert model.index(0, times).data() == "1"
    assert history_text(stage.mistakes()[CHEAP], today_of(stage.now, 0)).startswith("Made once")
    assert stage.work(lambda m: m.ids(Query(sort="count"))), "and can be sorted by it"
