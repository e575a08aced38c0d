"""Moves that a table does not hold, or knows a bound of: no loss, no star, on all pages."""

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ai.choice import Choice, ValueKind
from coach.exam.starts import ExamStarts
from coach.grading.grade import UINT32
from coach.grading.rated import LOWER_BOUNDS, Rated
from coach.play.judge import Lookup
from coach.play.player import Player
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of
from engine.bitboard import cells
from engine.formats.replay import Replay, ReplayMove
from engine.platform import language
from engine.spawn import Rng
from engine.trace import slide_cells
from gui.game.game_panel import GamePanel
from gui.play.services import PlayServices
from gui.practice.page import PracticePage
from gui.practice.tile_effects import rate_effects, unrated_effects
from gui.practice.tile_effects_view import describe, heat_of
from gui.review.page import ReviewPage
from gui.settings_model.settings import Settings
from gui.text.rates import describe_move, describe_rates, format_bound, format_rates
from gui.widgets.rate_cross import RateCross
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.patterns_file import load_formations
from tablebase.library.opening import open_table
from tablebase.probe.probes import Probe
from tablebase.store.options import TableOptions
from tests.coach.games import probed
from tests.gui.page_driver import ARROWS, click, press, show
from tests.gui.practice.driver import board, type_hex
from tests.gui.practice_fakes import L3_START, TABLE_PATH, FakeTable, FakeTasks, play_services

ELSEWHERE = 0xFFFFFF12_00201000  # of a real game; does not come up from the start of 442 to 64
REAL = Replay((15, 14, 13, 12, 11, 10, 1, 2, 0, 0, 2, 0, 1, 0, 0, 0), ())
LEFT, UP = 0, 2
REASON = "This position can't arise from the table's start, so a missing rate isn't a loss."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table 442_64."""
    path = tmp_path_factory.mktemp("tables") / "442_64"
    build(BuildPlan(load_formations()["442"], 64, path, TableOptions(), threads=1))
    return path


def info(folder: Path) -> SimpleNamespace:
    return SimpleNamespace(
        path=folder,
        pattern="442",
        target=64,
        state="complete",
        then="",
        spawn4=0.1,
        is_limited=False,
    )


@pytest.fixture
def page(qtbot: QtBot, settings: Settings, folder: Path) -> Iterator[PracticePage]:
    page = PracticePage(play_services(open_table, FakeTasks(), settings, Rng(3)))
    page.set_tables([info(folder)])
    page.open_table(folder)
    show(qtbot, page)
    type_hex(page, f"{ELSEWHERE:016x}")
    yield page
    page.close_table(folder)


@pytest.mark.thorough
def test_practice_says_that_a_move_is_not_in_the_table(page):
    cross = page.panel.cross
    assert cross.rates[UP] is None
    assert cross.cells[UP].text() == "not in the table"
    assert cross.cells[UP].isEnabled()
    assert cross.cells[LEFT].text().endswith("%")
    assert cross.sentence.text().endswith(REASON)
    assert page.game.answer is not None
    assert page.game.answer.best == LEFT


@pytest.mark.thorough
def test_practice_does_not_grade_where_a_rate_is_missing(page):
    click(page.panel.cross.cells[UP])
    assert board(page) != ELSEWHERE
    move = page.game.last_move
    assert (move.grade, move.verdict) == (None, "Up is not in the table.")
    press(page, Qt.Key.Key_Backspace, Qt.Key.Key_Left)
    grade, text = page.game.last_move.grade, page.game.last_move.verdict
    assert grade is None
    assert text.startswith("Left kept more than 99.99 %")
    assert text.endswith("Another move may have kept more.")


def test_the_positions_after_a_known_move_are_known_again(page):
    press(page, Qt.Key.Key_Left)
    answer = page.game.answer
    assert answer is not None
    assert answer.unknown_rates is None
    press(page, Qt.Key.Key_Left)
    assert page.game.last_move.verdict, "and graded"


def test_hidden_rates_do_not_hide_that_one_is_missing(page):
    page.panel.cross.hide_figures(True)
    assert page.panel.cross.cells[UP].text() == "not in the table"
    assert "Your guess first" in page.panel.cross.sentence.text()


def test_review_rated_by_a_table_does_not_grade_it(qtbot, settings, folder, tmp_path):
    after = slide_cells(REAL.start, UP).cells
    replay = Replay(REAL.start, (ReplayMove(UP, after.index(0), 1),))
    services = PlayServices(settings, open_table, FakeTasks(), FakeTasks(), tmp_path)
    page = ReviewPage(services, UserDatabase(tmp_path), load_formations)
    qtbot.addWidget(page)
    page.set_tables([info(folder)])
    page.show()
    page.review(recording_of(replay))
    page.actions_by_name["rate_all"].trigger()
    recording = page.game.recording
    assert recording is not None
    assert recording.source == "tables"  # by all there are, which is one
    panel = page.panel
    assert panel.cross.cells[UP].text() == "not in the table"
    assert panel.cross.cells[UP].is_played
    assert panel.verdict.text() == "Up is not in the table."
    assert panel.tile_label.text() == REASON
    assert panel.mark.isHidden()
    assert page.game.marks == []


def test_a_test_begins_only_where_all_is_known(folder):
    told: list[str] = []
    screen = SimpleNamespace(
        **{name: lambda *_: None for name in ("show_start", "show_ready", "show_failure")}
    )
    player = Player(open_table, FakeTasks(), screen)  # type: ignore[arg-type]
    starts = ExamStarts(
        player, Rng(1), lambda: datetime(2026, 5, 1, tzinfo=timezone.utc), screen.show_failure
    )
    starts.open(folder, "442_64")
    starts.start_at(f"{ELSEWHERE:016x}", told.append)
    assert len(told) == 1
    assert "can't arise" in told[0]
    assert player.run is not None
    assert player.run.setup.start != ELSEWHERE
    player.close()


@pytest.mark.thorough
def test_a_lost_position_that_is_typed_is_known_to_be_lost(folder):
    """Nothing that leads there is stored: that it comes up follows from boards long before."""
    lookup = Lookup(open_table, FakeTasks())
    lookup.open(folder, lambda _: None, lambda error: pytest.fail(str(error)))
    table = lookup.table
    assert table is not None
    _, _, lost = _into_the_dark(table)
    lookup.ask((lost,), lambda: None)
    first = lookup.answer(lost)
    assert first is not None
    assert first.unknown_rates is None
    assert 0.0 in first.rates
    assert not any(first.rates)
    lookup.close()


def test_a_typed_position_that_comes_up_later_is_known_then():
    """The table alone cannot tell whether it comes up; a game can."""

    class Unsure(FakeTable):
        def probe(self, board: int, comes_up: bool = False) -> Probe:
            if board == L3_START or comes_up:
                return super().probe(board, comes_up)
            return probed(board, (None,) * 4, None, tuple(range(4)))

    following = 0x1001_0000_1FFF_2FFF
    lookup = Lookup(lambda _: Unsure(), FakeTasks())
    lookup.open(TABLE_PATH, lambda _: None, lambda error: pytest.fail(str(error)))
    lookup.ask((following,), lambda: None)
    first = lookup.answer(following)
    assert first is not None
    assert first.unknown_rates is not None
    lookup.ask((L3_START, following), lambda: None, UP)
    then = lookup.answer(following)
    assert then is not None
    assert then.unknown_rates is None
    assert any(then.rates)


def _into_the_dark(table) -> tuple[int, int, int]:  # type: ignore[no-untyped-def]
    """Return a known position, a move that loses all there, and what follows."""
    from engine.bitboard import from_cells
    from engine.spawn import spawn

    for seed in range(500):
        rng = Rng(seed)
        here = table.start_board(rng)
        while (answer := table.get(here)) and answer.best is not None and answer.best_rate < 1:
            legal = [one for one, rate in enumerate(answer.rates) if rate is not None]
            legal = [one for one in legal if answer.rates[one] == 0.0] or legal
            direction = legal[rng.below(len(legal))]
            after = from_cells(slide_cells(cells(here), direction).cells)
            following = spawn(after, rng, table.spawn4)[0]
            if answer.rates[direction] == 0.0:
                found = table.get(following, comes_up=True)
                if (
                    found
                    and found.best is not None
                    and not _is_after_a_stored_one(table, following)
                ):
                    return here, direction, following
                break
            here = following
    raise AssertionError("no game loses all by a move")


def _is_after_a_stored_one(table, board: int) -> bool:  # type: ignore[no-untyped-def]
    shifts = [shift for shift in range(0, 64, 4) if board >> shift & 15 in (1, 2)]
    befores = [board & ~(15 << shift) for shift in shifts]
    return not np.isnan(table.many_rates(np.array(befores, np.uint64))).all()


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
