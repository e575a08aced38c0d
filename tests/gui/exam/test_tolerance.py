"""A person chooses how much a perfect move may lose: from the rules to the history."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from coach.grading.grade import Grade, Tolerance
from coach.mistakes.mistake import NotedMove
from gui.exam.page import ExamPage
from gui.exam.rules import ALLOWANCES
from gui.settings_model.settings import Settings
from gui.text.rates import describe_move, describe_rates, format_rates
from gui.widgets.rate_cross import RateCross
from tests.gui.exam.driver import NEAR_START, session, type_hex
from tests.gui.page_driver import press
from tests.gui.practice_fakes import L3_START, FakeTable

Key = Qt.Key
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
    page.player.new_start()


def test_a_move_within_the_tolerance_is_perfect_everywhere(page: ExamPage) -> None:
    press(page, Key.Key_Down)
    assert session(page).moves[0].judgement.grade is Grade.EXCELLENT
    assert "0.040 points" in page.panel.verdict.text()
    assert not page.panel.perfect_label.isVisible()
    choose(page, 0.1)
    press(page, Key.Key_Down)
    assert session(page).moves[0].judgement.grade is Grade.PERFECT
    assert page.panel.word.text() == "Perfect"
    assert page.panel.verdict.text() == "Down was within 0.1 pts of the best move."
    assert page.panel.combo.value_label.text() == "1"
    assert page.panel.match.value_label.text() == "100 %"
    assert page.panel.perfect_label.text() == "Perfect: within 0.1 pts"
    assert page.panel.perfect_label.isVisible()
    assert page.panel.rows.lines()[:2] == ["Up 99.31 %, best", "Down 99.27 %, equal, played"]


def test_it_counts_from_the_next_test_on_and_is_remembered(
    page: ExamPage, new_page: Callable[[], ExamPage]
) -> None:
    combo = page.panel.rules.perfect_combo
    assert [combo.itemText(i) for i in range(combo.count())] == [
        "Best only",
        "Within 0.001 pts",
        "Within 0.01 pts",
        "Within 0.1 pts",
    ]
    combo.setCurrentIndex(2)
    combo.activated.emit(2)
    assert session(page).setup.perfect_within == 0
    assert "perfect within 0.01 pts" in page.panel.rules.disclosure.summary_label.text()
    page.player.new_start()
    assert session(page).setup.perfect_within == 0.01
    again = new_page()
    assert again.panel.rules.rules.perfect_within == 0.01


def test_the_result_and_the_history_say_it(page: ExamPage) -> None:
    type_hex(page, NEAR_START)
    press(page, Key.Key_Up)
    page.player.leave()
    choose(page, 0.1)
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    assert session(page).end is not None
    assert "Perfect: within 0.1 pts." in page.panel.result.text_label.text()
    page.show_history(True)
    history = page.history
    assert "Different tolerances" in history.list.count_label.text()
    assert history.filter.perfect_combo.isVisible()
    history.filter.perfect_combo.setCurrentIndex(2)
    history.filter.perfect_combo.activated.emit(2)
    assert [test.perfect_within for test in history.list.model.rows] == [0.1]
    assert "Different tolerances" not in history.list.count_label.text()
    cells = [history.list.model.data(history.list.model.index(0, column)) for column in range(6)]
    assert cells[-1] == "0.0 % (0.1 pts)"


def test_there_is_nothing_to_choose_among_tests_that_were_graded_alike(page: ExamPage) -> None:
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    page.show_history(True)
    assert not page.history.filter.perfect_combo.isVisible()
    assert page.history.list.count_label.text() == "1 test"


def test_drills_know_the_best_moves_of_the_table(
    table: FakeTable, new_page: Callable[..., ExamPage]
) -> None:
    table.rates[L3_START] = (None, 0.98, 0.9931, 0.9927)
    filed: list[NotedMove] = []
    page = new_page(note_mistake=filed.append)
    page.player.rules = replace(page.player.rules, is_turned=False, perfect_within=0.1)
    page.player.new_start()
    press(page, Key.Key_Down)
    assert filed == []
    page.player.new_start()
    press(page, Key.Key_Right)
    (told,) = filed
    assert [told.rates[d] for d in told.judgement.best] == [0.9931]
    assert len(session(page).moves[-1].judgement.best) == 2


def test_figures_stay_true_where_two_moves_count_as_equal(qtbot: QtBot) -> None:
    assert format_rates(RATES, WITHIN) == ["99.38 %", "98.00 %", "99.31 %", ""]
    assert describe_rates(RATES, tolerance=WITHIN) == (
        "Left keeps 99.38 %. Up is within 0.1 pts of that. Right loses 1.4 points."
    )
    assert describe_move(2, RATES, WITHIN) == "Up was within 0.1 pts of the best move."
    assert describe_move(0, RATES, WITHIN) == "Left was one of the best moves."
    cross = RateCross()
    qtbot.addWidget(cross)
    cross.show_rates(RATES, tolerance=WITHIN)
    assert [cell.is_best for cell in cross.cells] == [True, False, True, False]
    assert [cell.loss for cell in cross.cells[:3]] == ["best", "\N{MINUS SIGN}1.4 pts", "equal"]
    assert cross.cells[2].bar == 0
