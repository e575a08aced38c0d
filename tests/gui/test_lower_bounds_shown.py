"""Lower bounds as the window shows them: with a sign, without stars, losses and bars."""

import pytest
from PySide6.QtTest import QTest

from ai.choice import Choice, ValueKind
from coach.grading.grade import UINT32
from coach.grading.rated import LOWER_BOUNDS, Rated
from engine.platform import language
from gui.game.game_panel import GamePanel
from gui.practice.page import PracticePage
from gui.practice.tile_effects import rate_effects, unrated_effects
from gui.practice.tile_effects_view import describe, heat_of
from gui.text.rates import describe_move, describe_rates, format_bound, format_rates
from gui.widgets.rate_cross import RateCross
from tests.gui.page_driver import ARROWS
from tests.gui.practice_fakes import TABLE_PATH, FakeTable, FakeTasks, play_services

RATES = (0.853, None, 0.84, 0.0)


@pytest.fixture
def cross(qtbot):
    cross = RateCross()
    qtbot.addWidget(cross)
    return cross


def test_figures_have_a_sign():
    assert format_bound(0.853) == "≥\u00a085.30 %"
    assert (format_bound(1.0), format_bound(None)) == ("100 %", "")
    figures = ["≥\u00a085.30 %", "", "≥\u00a084.00 %", "≥\u00a00 %"]
    assert format_rates(RATES, are_bounds=True) == figures
    assert format_rates((1 - 3.2e-9, 1.0, None, None), are_bounds=True)[1] == "100 %"


def test_the_cross_names_no_best_move_and_no_loss(cross):
    cross.show_rates(RATES, unknown_rates=LOWER_BOUNDS)
    assert [cell.text() for cell in cross.cells] == format_rates(RATES, are_bounds=True)
    assert not any(cell.is_best for cell in cross.cells)
    assert {cell.loss for cell in cross.cells} == {""}
    assert {cell.bar for cell in cross.cells} == {0.0}
    assert cross.cells[0].accessibleDescription() == "≥\u00a085.30 %"
    assert "lower bounds" in cross.sentence.text()
    cross.show_rates(RATES)
    assert cross.cells[0].is_best, "exact rates as before"
    assert cross.cells[2].loss


def test_of_bounds_a_sure_success_is_the_best(cross):
    cross.show_rates((0.853, 1.0, None, 1.0), unknown_rates=LOWER_BOUNDS)
    assert [cell.is_best for cell in cross.cells] == [False, True, False, True]


def test_sentences_say_at_least():
    assert describe_move(2, RATES, UINT32, LOWER_BOUNDS) == (
        "Up kept at least 84.00 %. Another move may have kept more."
    )
    assert "a lower one, or none, isn't a loss" in describe_rates(RATES, LOWER_BOUNDS)
    nothing = describe_rates((None,) * 4, LOWER_BOUNDS, breaking=(1,))
    assert nothing == "Every move breaks the formation."


def test_the_game_shows_what_the_ai_goes_by(qtbot):
    panel = GamePanel()
    qtbot.addWidget(panel)
    panel.show_choice(Choice(0, RATES, "free12_512", ValueKind.BOUNDS), "")
    assert panel.cross.cells[0].text() == "≥\u00a085.30 %"
    assert panel.source_label.text() == "free12 \N{RIGHTWARDS ARROW} 512"


def test_practice_grades_no_move_on_them(qtbot, settings):
    page = PracticePage(play_services(lambda _: FakeTable(is_limited=True), FakeTasks(), settings))
    qtbot.addWidget(page)
    page.show()
    page.open_table(TABLE_PATH)
    cells = page.panel.cross.cells
    legal = [direction for direction, cell in enumerate(cells) if cell.text()]
    assert legal
    assert all(cells[direction].text().startswith("≥") for direction in legal)
    QTest.keyClick(page.board_view, ARROWS[legal[0]])
    assert page.game.last_move.grade is None
    assert "kept at least" in page.game.last_move.verdict
    page.close_page()


def test_chinese_says_it_too():
    language.use("zh_CN")
    try:
        assert "至少 84.00 %" in describe_move(2, RATES, UINT32, LOWER_BOUNDS)
    finally:
        language.use("en")


def test_why_says_that_what_tiles_leave_are_bounds():
    answer = Rated.of((0.6, 0.5, None, None), LOWER_BOUNDS)
    start = unrated_effects(0x1230_0000_0000_0000, 1, walls=False, spawn4=0.1)
    *_, effects = rate_effects(start, False, 0.1, lambda boards: [answer for _ in boards])
    assert effects.are_bounds
    text = describe(effects)
    assert text.startswith("Right keeps at least 60.00 % on average.")
    assert "points" not in text
    shown = {(one.heat, one.figure, one.below) for one in heat_of(effects, 1).values()}
    assert shown == {(0.0, "≥\u00a060.00 %", "")}
    exact = Rated.of((0.6, 0.5, None, None))
    *_, effects = rate_effects(start, False, 0.1, lambda boards: [exact for _ in boards])
    assert not effects.are_bounds
    assert describe(effects).startswith("Right keeps 60.00 % on average.")
