"""A player on the Game page: one move, all of them, its rhythm, its end."""

import gc
import itertools
import threading

import pytest
from PySide6.QtCore import Qt, QTimer

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.play.auto_player import AutoPlayer
from tests.gui.game.driver import (
    MIDDLE,
    FirstMove,
    all_answered,
    make_page,
    n_moves,
    only,
    set_board,
)
from tests.gui.page_driver import action, press
from tests.gui.practice_fakes import FakeTasks

TWO_TILES = (1, 1, *([0] * 14))


def is_timing(auto: AutoPlayer) -> bool:
    return any(timer.isActive() for timer in auto.findChildren(QTimer))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_one_step_shows_source_and_values(page, qtbot, key):
    set_board(page, MIDDLE)
    press(page, key)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert [cell.text() for cell in page.panel.cross.cells] == [""] * 4, "they have no unit"
    assert [cell.bar > 0 for cell in page.panel.cross.cells] == [False, True, True, True]
    assert page.panel.cross.isVisible()
    assert not page.auto.is_running
    assert page.session.helper == "network_search"


def test_a_player_without_values_says_so_until_the_person_moves(page, qtbot, chooser):
    set_board(page, MIDDLE)
    chooser.choose = lambda *_: Choice(0, (None,) * 4, "Chance")
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert page.panel.source_label.text() == "Left \N{MIDDLE DOT} Chance"
    assert not page.panel.cross.isVisible()
    press(page, Qt.Key.Key_Right)
    assert not page.panel.source_label.isVisible()


def test_the_player_plays_on_and_any_of_its_keys_stops_it(page, qtbot, tasks):
    page.panel.speed_slider.setValue(page.panel.speed_slider.maximum() - 1)
    press(page, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: n_moves(page) >= 5)
    assert action(page, "auto").text() == "Stop the AI"
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Backspace):
        if not page.auto.is_running:
            page.auto.start()
        press(page, key)
        assert not page.auto.is_running
        stopped = n_moves(page)
        all_answered(qtbot, tasks)
        assert n_moves(page) == stopped
        assert not is_timing(page.auto)
    assert action(page, "auto").text() == "Let the AI play"


def test_after_a_stop_the_values_of_the_last_move_stand(page, qtbot, chooser):
    set_board(page, MIDDLE)
    count = itertools.count(1)
    page.auto.speed = 60

    def choose(cells, _ms, _is_cancelled):
        legal = Game(list(cells)).legal_moves()
        return Choice(legal[0], (1.0,) * 4, f"choice {next(count)}")

    chooser.choose = choose
    page.auto.start()
    qtbot.waitUntil(lambda: n_moves(page) >= 7)
    page.auto.stop()
    assert page.panel.source_label.text().endswith(f"choice {n_moves(page)}")


def test_as_fast_as_possible_counts_its_moves_and_ends_with_the_board_as_it_is(page, qtbot):
    set_board(page, MIDDLE)
    panel = page.panel
    panel.speed_slider.setValue(panel.speed_slider.maximum())
    assert panel.speed_label.text() == "as fast as possible"
    page.auto.start()
    qtbot.waitUntil(lambda: panel.speed_label.text().endswith("moves/s") or page.session.is_over)
    page.auto.stop()
    assert panel.speed_label.text() == "as fast as possible"
    assert page.board_view.cells == list(page.session.game.cells)
    assert page.score.value == page.session.game.score


def test_the_end_of_a_fast_game_leaves_its_figures_and_no_chance(page, qtbot, tasks):
    page.panel.speed_slider.setValue(page.panel.speed_slider.maximum())
    page.auto.start()
    qtbot.waitUntil(lambda: page.session.is_over)
    all_answered(qtbot, tasks)
    assert page.panel.chance_label.text() == ""
    assert page.panel.statistics.this_labels["Moves"].text() == str(n_moves(page))
    assert page.score.value == page.session.game.score


def test_a_key_takes_over_from_the_player(page, qtbot, chooser):
    set_board(page, MIDDLE)
    chooser.ponders = True
    page.auto.start()
    qtbot.waitUntil(lambda: chooser.asked_ms > 0)
    press(page, Qt.Key.Key_Right)
    assert [d for d, _ in page.session.game.played()[1]] == [1]
    assert not page.auto.is_running
    chooser.ponders = False
    press(page, Qt.Key.Key_Return)  # and the thread is free again
    qtbot.waitUntil(lambda: n_moves(page) == 2)


class Rhythm:
    """A player whose thinking and clock advance when a test says so."""

    def __init__(self, chooser: FirstMove, speed: int) -> None:
        self.now, self.tasks, self.n_played = 100.0, FakeTasks(at_once=False), 0
        kinds = {"first": ChooserKind("First", "", lambda *_: chooser)}
        self.auto = AutoPlayer(self.tasks, lambda: TWO_TILES, None, kinds, clock=lambda: self.now)
        self.auto.speed = speed
        self.auto.chosen.connect(self._count)
        self.timer = self.auto.findChild(QTimer)

    def _count(self, _choice: Choice) -> None:
        self.n_played += 1

    def think_until(self, now: float) -> int:
        """Let it find its choice at that time; return how many moves it has made."""
        self.now = now
        self.tasks.work_off(1)
        return self.n_played

    def wait_until_due(self, qtbot) -> None:
        """Let the time pass that it waits with a choice in its hand."""
        n_played = self.n_played
        self.now += self.timer.interval() / 1000
        self.timer.start(0)
        qtbot.waitUntil(lambda: self.n_played > n_played)


@pytest.fixture
def rhythm(qapp, chooser):  # noqa: ARG001 - a timer needs it
    return Rhythm(chooser, speed=1)


def test_a_move_waits_until_it_is_due(rhythm, qtbot, chooser):
    rhythm.auto.start()
    assert rhythm.think_until(100.0) == 1
    assert rhythm.think_until(100.25) == 1
    assert rhythm.timer.isActive()
    assert rhythm.timer.interval() == 750
    rhythm.wait_until_due(qtbot)
    assert rhythm.n_played == 2
    assert chooser.asked_ms == 250  # half of the second would be more than it needs


def test_half_of_the_time_is_left_to_the_window(rhythm, chooser):
    rhythm.auto.speed = 5
    rhythm.auto.start()
    rhythm.think_until(100.0)
    assert chooser.asked_ms == 100


def test_the_rhythm_does_not_drift_when_a_move_comes_late(rhythm):
    rhythm.auto.start()
    assert rhythm.think_until(100.0) == 1
    assert rhythm.think_until(101.9) == 2
    assert rhythm.think_until(102.0) == 3, "due then, not a second after the move that was late"


def test_it_never_hurries_to_make_up_for_a_delay(rhythm):
    rhythm.auto.start()
    assert rhythm.think_until(100.0) == 1
    assert rhythm.think_until(109.0) == 2
    assert rhythm.think_until(109.5) == 2
    assert rhythm.timer.interval() == 500


def test_a_player_that_takes_longer_than_asked_is_asked_for_less(rhythm, chooser):
    answer = chooser.choose

    def take_long(cells, ms, is_cancelled):
        rhythm.now += 3 * ms / 1000
        return answer(cells, ms, is_cancelled)

    chooser.choose = take_long
    rhythm.auto.speed = 60
    rhythm.auto.start()
    for _ in range(60):
        rhythm.think_until(rhythm.now + 1)
    assert rhythm.n_played == 60
    assert chooser.asked_ms < 0.5 * 1000 / 60 / 2


def test_leaving_the_page_stops_the_player(page):
    page.auto.start()
    page.hide()
    assert not page.auto.is_running


def test_after_a_pause_the_page_says_so_and_goes_on_when_asked(page, qtbot):
    page.auto.start()
    page.hide()
    page.show()
    assert page.panel.notice.title_label.text() == "AI paused"
    (resume,) = page.panel.notice.buttons
    qtbot.mouseClick(resume, Qt.MouseButton.LeftButton)
    assert page.auto.is_running
    assert page.focusWidget() is page.board_view


def test_leaving_the_page_is_not_mentioned_where_no_ai_played(page):
    page.hide()
    page.show()
    assert page.panel.notice.title_label.text() == "Move with the arrow keys"


def test_escape_stops_an_ai_that_plays_and_one_that_thinks(page, qtbot, chooser):
    set_board(page, MIDDLE)
    page.auto.start()
    qtbot.waitUntil(lambda: n_moves(page) >= 2)
    press(page, Qt.Key.Key_Escape)
    assert not page.auto.is_running
    chooser.ponders = True
    page.auto.step()
    press(page, Qt.Key.Key_Escape)
    assert not page.auto.is_busy


def test_an_ai_that_is_being_made_says_so_until_it_moves(page, qtbot, kinds, chooser):
    may_load = threading.Event()

    def load(*_):
        assert may_load.wait(60)
        return chooser

    kinds.update(only(load))
    press(page, Qt.Key.Key_Return)
    assert page.panel.notice.title_label.text().startswith("Loading the AI")
    press(page, Qt.Key.Key_Escape)
    assert page.panel.notice.title_label.text() == "Move with the arrow keys"
    press(page, Qt.Key.Key_Return)
    assert page.panel.notice.title_label.text().startswith("Loading the AI")
    may_load.set()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert page.panel.cross.isVisible()
    chooser.ponders = True
    press(page, Qt.Key.Key_Return)
    assert page.panel.cross.isVisible(), "it is there by now"
    press(page, Qt.Key.Key_Escape)


def test_a_single_move_takes_less_than_a_tenth_of_a_second(rhythm, chooser):
    rhythm.auto.step()
    rhythm.think_until(100.0)
    assert chooser.asked_ms < 80, "the rest is for what is around it"


def test_a_player_that_fails_says_so(page, qtbot, kinds):
    kinds.update(only(lambda *_: 1 / 0))
    page.auto.start()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    assert "could not start" in page.banners.banners[0].text_label.text()
    assert not page.auto.is_running


def test_an_answer_to_a_question_withdrawn_is_not_played(qtbot, tasks):
    chooser = FirstMove()
    kinds = {"first": ChooserKind("First", "", lambda *_: chooser)}
    auto = AutoPlayer(tasks, lambda: TWO_TILES, None, kinds)
    played: list[Choice] = []
    auto.chosen.connect(played.append)
    auto.step()
    auto.stop()
    all_answered(qtbot, tasks)
    assert played == []
    auto.step()
    qtbot.waitUntil(lambda: len(played) == 1)


def test_leaving_the_page_lets_go_of_tables_and_stops_the_watch(
    qtbot, settings, tasks, data_dir, chooser, kinds
):
    now = [100.0]
    page = make_page(qtbot, settings, tasks, data_dir, kinds, lambda: now[0])
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    now[0] += 1
    page.hide()
    qtbot.waitUntil(lambda: chooser.let_go_of == 1)
    now[0] += 3600
    page.show()
    now[0] += 0.5
    legal = page.session.game.legal_moves()
    action(page, ("left", "right", "up", "down")[legal[0]]).trigger()
    assert n_moves(page) == 2
    assert page.session.game.times()[-1] == 1500
    page.close_page()


@pytest.mark.thorough
def test_a_player_is_made_without_the_collector_standing_in_the_way(page, qtbot, chooser, kinds):
    seen = []

    def make(*_):
        seen.append(gc.get_threshold()[0])
        return chooser

    kinds.update(only(make))
    before = gc.get_freeze_count()
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert seen == [0]
    assert gc.get_threshold()[0]
    assert gc.get_freeze_count() > before


def test_the_collector_works_again_after_a_player_that_cannot_be_made(page, qtbot, kinds):
    kinds.update(only(lambda *_: 1 / 0))
    page.auto.start()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    assert gc.get_threshold()[0]


def test_b_shows_the_move_of_the_ai_and_plays_nothing(page, qtbot):
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)
    assert page.board_view.hint == 0
    assert n_moves(page) == 0
    press(page, Qt.Key.Key_B)
    assert page.board_view.hint is None
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)
    press(page, Qt.Key.Key_Left)
    assert page.board_view.hint is None, "it was for the position before"


def test_the_best_move_is_never_that_of_a_weak_player(qtbot, settings, tasks, data_dir):
    made: list[str] = []

    def kind(name: str, tables: tuple[str, ...] = ()) -> ChooserKind:
        def make(*_: object) -> FirstMove:
            made.append(name)
            return FirstMove()

        return ChooserKind(name, "", make, tables=tables)

    kinds = {name: kind(name) for name in CHOOSERS}
    kinds |= {name: kind(name, ("L3_512",)) for name in ("network_search", "tables")}
    page = make_page(qtbot, settings, tasks, data_dir, kinds)
    settings.set("game.player", "random")
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)
    assert made == ["network_search"]
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert made == ["network_search"]
    assert page.session.helper == "network_search"
    press(page, Qt.Key.Key_Space)  # plays as it was chosen to
    qtbot.waitUntil(lambda: n_moves(page) == 2)
    assert made == ["network_search", "random"]
    page.auto.stop()
    settings.set("game.player", "tables")
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)
    assert made == ["network_search", "random", "tables"]
    page.close_page()


def test_a_move_is_wanted_more_than_advice(page, qtbot, chooser):
    set_board(page, MIDDLE)
    chooser.ponders = True
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: chooser.asked_ms > 0)
    chooser.ponders = False
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert page.board_view.hint is None


def test_nobody_advises_while_the_ai_plays(page):
    assert action(page, "hint").isEnabled()
    press(page, Qt.Key.Key_Space)
    assert not action(page, "hint").isEnabled()


def test_g_goes_to_a_position(page, qtbot):
    press(page, Qt.Key.Key_G)
    edit = page.panel.hex_field.edit
    assert edit.hasFocus()
    qtbot.keyClicks(edit, MIDDLE.replace(" ", ""))  # replaces what was there
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert page.session.game.text.replace(" ", "") == MIDDLE.replace(" ", "")
    assert page.board_view.hasFocus()
    press(page, Qt.Key.Key_G)
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert page.board_view.hasFocus()
