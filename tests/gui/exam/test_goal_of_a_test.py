"""Goal and tolerance of a test: chosen in the rules, in force while it lasts, named at its end."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from coach.exam.starts import ExamRules
from coach.grading.grade import Grade, Tolerance
from coach.mistakes.mistake import NotedMove
from coach.play.rules import TARGET, End, ExamGoal
from gui.exam.page import ExamPage
from gui.exam.rules import ALLOWANCES, GOALS
from gui.exam.text import end_title, log_of
from gui.settings_model.settings import Settings
from gui.text.rates import describe_move, format_rates
from gui.widgets.rate_cross import RateCross
from tests.gui.exam.driver import NEAR_START, moves_of, play_some, session, type_hex
from tests.gui.page_driver import CTRL, press, press_with
from tests.gui.practice_fakes import L3_START, FakeTable
from tests.gui.test_test_text import taken

Key = Qt.Key
STREAK = ExamGoal(ends_at_miss=True)


def hold(page: ExamPage, goal: ExamGoal, **rules: bool) -> None:
    page.starts.rules = ExamRules(is_turned=False, goal=goal, **rules)
    page.starts.new_start()


def test_the_goal_is_chosen_in_the_rules_and_remembered(page, new_page, settings):
    combo = page.panel.rules.goal_combo
    texts = [combo.itemText(i) for i in range(combo.count())]
    assert texts == ["Reach the target", "50 moves", "100 moves", "200 moves", "Perfect streak"]
    for index, goal in enumerate(GOALS):
        combo.setCurrentIndex(index)
        combo.activated.emit(index)
        assert session(page).setup.goal == TARGET, "from the next test on"
        assert page.starts.rules.goal == goal
        again = new_page()
        assert again.starts.rules.goal == again.panel.rules.rules.goal == goal
    assert page.panel.rules.disclosure.summary_label.text().startswith("perfect streak, ")
    settings.set("test.goal_moves", 77)
    assert new_page().starts.rules.goal == TARGET, "only what is offered"


def test_a_number_of_moves_is_counted_and_ends_the_test(page):
    hold(page, ExamGoal(3))
    label = page.panel.goal_label
    assert label.isVisible()
    assert label.text() == "Goal: 0 of 3 moves"
    play_some(page, 2)
    assert label.text() == "Goal: 2 of 3 moves"
    assert page.player.is_playing
    play_some(page, 1)
    assert session(page).end is End.MOVES
    assert label.text() == "Goal: 3 of 3 moves"
    assert page.panel.result.title_label.text() == "3 moves played"
    press(page, Key.Key_Up)
    assert session(page).n_moves == 3


def test_the_target_is_named_with_what_is_made_of_it(page):
    assert page.panel.goal_label.text() == "Goal: 256, largest tile 4"
    type_hex(page, NEAR_START)
    assert page.panel.goal_label.text() == "Goal: 256, largest tile 128"
    press(page, Key.Key_Right)
    assert session(page).end is End.REACHED
    assert page.panel.goal_label.text() == "Goal: 256"


def test_a_streak_ends_with_the_first_move_that_is_not_perfect(page):
    hold(page, STREAK)
    press(page, Key.Key_Up)
    assert page.panel.goal_label.text() == "Goal: perfect streak, 1 so far"
    assert page.player.is_playing
    play_some(page, 30)
    found = session(page)
    assert found.end is End.MISS
    assert [move.judgement.is_perfect for move in found.moves][-2:] == [True, False]
    n = found.n_moves
    assert page.panel.result.title_label.text() == (
        f"Streak of {n - 1} perfect {'move' if n == 2 else 'moves'}"
    )
    assert page.panel.result.text_label.text() == f"Move {n} wasn't perfect."


def test_the_move_that_ends_a_test_can_be_taken_back(page):
    hold(page, STREAK, allows_undo=True)
    press(page, Key.Key_Right)
    assert session(page).end is End.MISS
    press_with(page, CTRL, Key.Key_Z)
    assert page.player.is_playing
    press(page, Key.Key_Up)
    assert session(page).end is None


def test_a_rematch_from_the_history_goes_by_the_rules_of_today(page):
    hold(page, ExamGoal(2))
    play_some(page, 2)
    page.starts.rules = ExamRules(is_turned=False, goal=STREAK)
    page.starts.rematch()
    assert session(page).setup.goal == STREAK


def test_the_record_and_the_history_keep_the_goal(page, tmp_path):
    hold(page, ExamGoal(2))
    play_some(page, 2)
    hold(page, STREAK)
    press(page, Key.Key_Right)
    page.show_list(True)
    assert not page.panel.goal_label.isVisible(), "of the test behind"
    history = page.history
    assert [test.goal for test in history.list.model.rows] == [STREAK, ExamGoal(2)]
    names = [history.list.model.data(history.list.model.index(row, 2)) for row in range(2)]
    assert names == ["Streak", "2 moves"]
    stored = [moves_of(tmp_path, test).setup.goal for test in history.list.model.rows]
    assert stored == [STREAK, ExamGoal(2)]
    assert history.list.count_label.text() == (
        "2 tests. Different goals: choose one above to compare like with like."
    )
    combo = history.filter.goal_combo
    assert [combo.itemText(i) for i in range(combo.count())] == [
        "Any goal",
        "Perfect streak",
        "2 moves",
    ]
    combo.setCurrentIndex(2)
    combo.activated.emit(2)
    assert [test.goal for test in history.list.model.rows] == [ExamGoal(2)]
    assert history.list.count_label.text() == "1 of 2 tests"
    history.clear_button.click()
    assert combo.currentIndex() == 0
    assert len(history.list.model.rows) == 2


@pytest.mark.parametrize(
    ("goal", "end", "title"),
    [
        (ExamGoal(50), End.MOVES, "50 moves played"),
        (ExamGoal(50), End.LOST, "1 of 50 moves played"),
        (ExamGoal(50), End.REACHED, "256 reached after 1 of 50 moves"),
        (STREAK, End.MISS, "Streak of 0 perfect moves"),
        (STREAK, End.REACHED, "256 reached, every move perfect"),
        (TARGET, End.REACHED, "256 reached"),
        (TARGET, End.NO_MOVE, "256 not reached"),
    ],
)
def test_the_headline_is_in_terms_of_the_goal(goal, end, title):
    assert end_title(taken(1, end=end, goal=goal)) == title


def test_the_log_and_the_reasons_name_it():
    session = taken(2, 1, end=End.MISS, goal=STREAK)
    assert "\nGoal: perfect streak\n" in log_of(session)
    assert "\nGoal: 50 moves\n" in log_of(taken(1, goal=ExamGoal(50)))
    assert "Goal:" not in log_of(taken(1))


RATES = (0.99378, 0.98, 0.9931, None)  # up loses 0.068 points


WITHIN = Tolerance.of_type("uint32").allowing(0.001)


@pytest.fixture
def page(table: FakeTable, settings: Settings, new_page: Callable[[], ExamPage]) -> ExamPage:
    table.rates[L3_START] = (None, 0.98, 0.9931, 0.9927)
    settings.set("test.is_turned", False)
    return new_page()


def choose(page: ExamPage, points: float) -> None:
    """Choose as a click in the menu does, and begin the next test."""
    combo = page.panel.rules.perfect_combo
    combo.setCurrentIndex(ALLOWANCES.index(points))
    combo.activated.emit(combo.currentIndex())
    page.starts.new_start()


def test_a_move_within_the_tolerance_is_perfect_everywhere(page):
    press(page, Key.Key_Down)
    assert session(page).moves[0].judgement.grade is Grade.EXCELLENT
    assert "0.04 points" in page.panel.verdict.text()
    choose(page, 0.1)
    press(page, Key.Key_Down)
    assert session(page).moves[0].judgement.grade is Grade.PERFECT
    assert page.panel.word.text() == "Perfect"
    assert page.panel.verdict.text() == "Down was within 0.1 pts of the best move."
    assert page.panel.combo.value_label.text() == "1"
    assert page.panel.perfect.value_label.text() == "1 of 1"
    down = "Down 99.27 %, \N{MINUS SIGN}0.04 pts, played"
    assert page.panel.rows.lines()[:2] == ["Up 99.31 %, best", down]


@pytest.mark.thorough
def test_it_counts_from_the_next_test_on_and_is_remembered(page, new_page):
    combo = page.panel.rules.perfect_combo
    assert [combo.itemText(i) for i in range(combo.count())] == [
        "Best or as good",
        "Within 0.001 pts",
        "Within 0.01 pts",
        "Within 0.1 pts",
    ]
    combo.setCurrentIndex(2)
    combo.activated.emit(2)
    assert session(page).setup.perfect_within == 0
    assert "perfect within 0.01 pts" in page.panel.rules.disclosure.summary_label.text()
    page.starts.new_start()
    assert session(page).setup.perfect_within == 0.01
    again = new_page()
    assert again.panel.rules.rules.perfect_within == 0.01


def test_the_result_and_the_history_say_it(page):
    type_hex(page, NEAR_START)
    press(page, Key.Key_Up)
    page.player.leave()
    choose(page, 0.1)
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    assert session(page).end is not None
    assert "Perfect: within 0.1 pts." in page.panel.result.text_label.text()
    page.show_list(True)
    history = page.history
    assert "Different tolerances" in history.list.count_label.text()
    assert history.filter.perfect_combo.isVisible()
    history.filter.perfect_combo.setCurrentIndex(2)
    history.filter.perfect_combo.activated.emit(2)
    assert [test.perfect_within for test in history.list.model.rows] == [0.1]
    assert "Different tolerances" not in history.list.count_label.text()
    cells = [history.list.model.data(history.list.model.index(0, column)) for column in range(4)]
    assert cells[-1] == "0 of 1 (0.1 pts)"


def test_there_is_nothing_to_choose_among_tests_that_were_graded_alike(page):
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    page.show_list(True)
    assert not page.history.filter.perfect_combo.isVisible()
    with_label = page.history.filter.perfect_combo.parentWidget()
    assert with_label is not None
    assert with_label.isHidden(), "its label is not left alone"
    assert page.history.list.count_label.text() == "1 test"


def test_drills_know_the_best_moves_of_the_table(table, new_page):
    table.rates[L3_START] = (None, 0.98, 0.9931, 0.9927)
    filed: list[NotedMove] = []
    page = new_page(note_mistake=filed.append)
    page.starts.rules = replace(page.starts.rules, is_turned=False, perfect_within=0.1)
    page.starts.new_start()
    press(page, Key.Key_Down)
    assert filed == []
    page.starts.new_start()
    press(page, Key.Key_Right)
    (told,) = filed
    assert [told.rates[d] for d in told.judgement.best] == [0.9931]
    assert len(session(page).moves[-1].judgement.best) == 2


def test_figures_stay_true_where_two_moves_count_as_equal(qtbot):
    assert format_rates(RATES, WITHIN) == ["99.38 %", "98.00 %", "99.31 %", ""]
    assert describe_move(2, RATES, WITHIN) == "Up was within 0.1 pts of the best move."
    assert describe_move(0, RATES, WITHIN) == "Left was one of the best moves."
    cross = RateCross()
    qtbot.addWidget(cross)
    cross.show_rates(RATES, tolerance=WITHIN)
    assert [cell.is_best for cell in cross.cells] == [True, False, True, False]
    assert [cell.loss for cell in cross.cells[:3]] == [
        "best",
        "\N{MINUS SIGN}1.4 pts",
        "\N{MINUS SIGN}0.07 pts",
    ]
    assert cross.cells[2].bar == 0
