"""Moves made in Practice while the rates are hidden count in the profile."""

import math
from datetime import datetime, timezone

import pytest
from PySide6.QtCore import Qt

from coach.mistakes.mistake import NotedMove
from engine.spawn import Rng
from gui.practice.page import PracticePage
from gui.practice.session import PracticeSession, SpawnMode
from tablebase.probe.probes import Probe
from tests.coach.games import probed
from tests.gui.page_driver import press, show
from tests.gui.practice.driver import board
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    TABLES,
    FakeClock,
    FakeTable,
    play_services,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
Key = Qt.Key


@pytest.fixture
def noted() -> list[tuple[NotedMove, bool]]:
    return []


@pytest.fixture
def watch() -> FakeClock:
    return FakeClock(100.0)


@pytest.fixture
def open_page(qtbot, opener, tasks, settings, noted, watch):
    """Give a way to open the page, its rates hidden."""

    def open_it() -> PracticePage:
        page = PracticePage(
            play_services(opener, tasks, settings, Rng(11), now=lambda: NOON, clock=watch),
            note_guess=lambda move, walls: noted.append((move, walls)),
        )
        page.set_tables(TABLES)
        page.open_table(TABLE_PATH)
        show(qtbot, page)
        page.panel.guess_box.setChecked(True)
        page.board_view.setFocus()
        return page

    return open_it


def test_a_guess_is_told_with_all_there_is_to_know(open_page, noted, table):
    table.rates[L3_START] = (0.99378, 0.98, 0.9931, None)
    press(open_page(), Key.Key_Right)
    ((move, walls),) = noted
    assert (move.key, move.board, move.when) == (("L3_256", 0.1), L3_START, NOON)
    assert (move.judgement.direction, move.judgement.best) == (1, (0,))
    assert (move.rates, walls) == (table.rates[L3_START], False)
    assert move.symmetry == "full"


def test_moves_with_the_rates_in_sight_say_nothing(open_page, noted):
    page = open_page()
    page.panel.guess_box.setChecked(False)
    press(page, Key.Key_Right)
    assert noted == []


@pytest.mark.parametrize("look", ["hint", "why"])
def test_a_move_after_a_look_at_what_is_best_says_nothing_the_next_one_does(open_page, noted, look):
    page = open_page()
    for _ in range(2):  # and away with it
        page.actions_by_name[look].trigger()
    page.panel.show_tab("play")
    before = board(page)
    press(page, Key.Key_Right)
    assert board(page) != before
    assert noted == []
    press(page, Key.Key_Left)
    assert len(noted) == 1


def test_the_best_move_that_is_asked_for_is_no_guess(open_page, noted):
    open_page().actions_by_name["step"].trigger()
    assert noted == []


def test_what_the_table_has_not_answered_yet_says_nothing(open_page, noted, tasks):
    page = open_page()
    tasks.at_once = False
    press(page, Key.Key_Right, Key.Key_Left)
    assert len(noted) == 1


@pytest.mark.parametrize("rates", [(None, 0.98, None, None), (None, None, None, None)])
def test_what_was_forced_or_is_lost_says_nothing(open_page, noted, table, rates):
    table.rates[L3_START] = rates
    page = open_page()
    press(page, Key.Key_Right)
    assert board(page) != L3_START
    assert noted == []


def test_a_guess_took_as_long_as_its_position_was_in_sight(open_page, noted, watch):
    page = open_page()
    watch.seconds += 2.5
    press(page, Key.Key_Right)
    watch.seconds += 1
    page.hide()
    watch.seconds += 60
    page.show()
    watch.seconds += 0.25
    press(page, Key.Key_Left)
    assert [move.ms for move, _ in noted] == [2500, 1250]


class FadingTable(FakeTable):
    """Knows one rate for all moves of a position, by the number of positions it knew before."""

    fading = (0.8, 0.4, 0.4, 0.4, 0.4, 0.8)

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        if board not in self.probed:
            self.probed.append(board)
        return probed(board, (self.fading[self.probed.index(board)],) * 4, 0)


def play_any(page: PracticePage) -> None:
    assert page.game.session is not None
    ways = (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)
    press(page, ways[page.game.session.legal_moves()[0]])


def test_a_guess_knows_the_worst_of_the_last_three_tiles(open_page, noted, opener):
    opener.gives = FadingTable()
    page = open_page()
    for _ in range(5):
        play_any(page)
    halved = pytest.approx(math.log(0.5))
    assert [move.luck for move, _ in noted] == [None, halved, halved, halved, 0.0]


def test_tiles_that_somebody_chooses_are_no_luck(open_page, noted, opener):
    opener.gives = FadingTable()
    page = open_page()
    play_any(page)
    page.playing.choose_spawn_mode(SpawnMode.MANUAL)
    play_any(page)
    page.playing.walk(PracticeSession.undo)
    page.playing.choose_spawn_mode(SpawnMode.RANDOM)
    page.playing.walk(lambda session: session.turn("flip"))
    play_any(page)
    assert [move.luck for move, _ in noted] == [None, None, None]


def test_the_rates_that_were_hidden_show_after_the_move(open_page, table):
    table.rates[L3_START] = (0.99378, 0.98, 0.9931, None)
    page = open_page()
    cells = page.panel.cross.cells
    assert cells[0].accessibleDescription() == "hidden"
    press(page, Key.Key_Right)
    assert [cell.text() for cell in cells[:3]] == ["99.38 %", "98.00 %", "99.31 %"]
    assert [cell.is_played for cell in cells] == [False, True, False, False]
    page.panel.guess_box.setChecked(False)
    assert not any(cell.is_played for cell in cells), "those of the position on the board"
