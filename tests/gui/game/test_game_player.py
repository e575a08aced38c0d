"""A player on the Game page: one move, all of them, its rhythm, its end."""

import gc
import itertools
import time

import pytest
from PySide6.QtCore import Qt

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.game import Game
from gui.game.auto_player import AutoPlayer
from tests.gui.game.driver import MIDDLE, FirstMove, n_moves, press


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_one_step_shows_source_and_values(page, qtbot, key):
    page._set_hex(MIDDLE)
    press(page, key)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert page.panel.source_label.text() == "Left \N{MIDDLE DOT} First move"
    assert page.panel.cross.rates == (100.0, 99.0, 98.0, 97.0)
    assert page.panel.stack.currentWidget() is page.panel.cross
    assert not page.auto.is_running
    assert page.session.helper == "tables"


def test_a_player_without_values_says_so_until_the_person_moves(page, qtbot, chooser):
    page._set_hex(MIDDLE)
    chooser.choose = lambda *_: Choice(0, (None,) * 4, "Chance")
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert page.panel.notice.title_label.text() == "Chance"
    assert page.panel.source_label.text() == "Left \N{MIDDLE DOT} Chance"
    press(page, Qt.Key.Key_Right)
    assert page.panel.notice.title_label.text() == "Your move"


def test_the_player_plays_on_and_any_of_its_keys_stops_it(page, qtbot):
    page.panel.speed_slider.setValue(page.panel.speed_slider.maximum())
    press(page, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: n_moves(page) >= 5)
    assert page._actions["auto"].text() == "Stop the player"
    for key in (Qt.Key.Key_P, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Backspace):
        if not page.auto.is_running:
            page.auto.start()
        press(page, key)
        assert not page.auto.is_running
        stopped = n_moves(page)
        qtbot.wait(60)
        assert n_moves(page) == stopped
    assert page._actions["auto"].text() == "Let the player play"


def test_after_a_stop_the_values_of_the_last_move_stand(page, qtbot, chooser):
    page._set_hex(MIDDLE)
    count = itertools.count(1)
    page.auto.speed = 60

    def choose(cells, _ms, _is_wanted):
        legal = Game(list(cells)).legal_moves()
        return Choice(legal[0], (1.0,) * 4, f"choice {next(count)}")

    chooser.choose = choose
    page.auto.start()
    qtbot.waitUntil(lambda: n_moves(page) >= 7)
    page.auto.stop()
    assert page.panel.source_label.text().endswith(f"choice {n_moves(page)}")


def test_a_key_takes_over_from_the_player(page, qtbot, chooser):
    page._set_hex(MIDDLE)
    chooser.delay_s = 30
    page.auto.start()
    qtbot.waitUntil(lambda: chooser.asked_ms > 0)
    began = time.monotonic()
    press(page, Qt.Key.Key_Right)
    assert time.monotonic() - began < 0.1
    assert [d for d, _ in page.session.game.played()[1]] == [1]
    assert not page.auto.is_running
    qtbot.waitUntil(lambda: chooser.stopped)  # and the thread is free again
    chooser.delay_s = 0
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 2)


def test_the_player_keeps_its_rhythm_and_leaves_time_to_the_window(page, qtbot, chooser):
    page.panel.speed_slider.setValue(3)  # 5 moves a second
    page.auto.start()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    began = time.monotonic()
    qtbot.waitUntil(lambda: n_moves(page) == 4)
    assert 0.5 < time.monotonic() - began < 0.9
    assert chooser.asked_ms == pytest.approx(100)


def test_a_player_that_takes_longer_than_asked_is_asked_for_less(qtbot, tasks):
    class Slow(FirstMove):
        def choose(self, cells, ms, is_wanted):
            self.delay_s = 3 * ms / 1000
            return super().choose(cells, ms, is_wanted)

    chooser = Slow()
    kinds = {"slow": ChooserKind("Slow", "", lambda *_: chooser)}
    auto = AutoPlayer(tasks, lambda: (1, 1, *([0] * 14)), None, kinds)
    auto.speed = 60
    played: list[Choice] = []
    auto.chosen.connect(played.append)
    auto.start()
    qtbot.waitUntil(lambda: len(played) >= 60, timeout=10_000)
    auto.stop()
    assert chooser.asked_ms < 0.5 * 1000 / 60 / 2


def test_leaving_the_page_stops_the_player(page):
    page.auto.start()
    page.hide()
    assert not page.auto.is_running


def test_a_player_that_fails_says_so(page, qtbot):
    page.auto._kinds = dict.fromkeys(CHOOSERS, ChooserKind("Broken", "", lambda *_: 1 / 0))
    page.auto.start()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    assert "cannot play" in page.banners.banners[0].text_label.text()
    assert not page.auto.is_running


def test_an_answer_to_a_question_withdrawn_is_not_played(qtbot, tasks):
    chooser = FirstMove()
    kinds = {"first": ChooserKind("First", "", lambda *_: chooser)}
    auto = AutoPlayer(tasks, lambda: (1, 1, *([0] * 14)), None, kinds)
    played: list[Choice] = []
    auto.chosen.connect(played.append)
    auto.step()
    auto.stop()
    done = []
    tasks.run(lambda: None, lambda _: done.append(1))
    qtbot.waitUntil(lambda: bool(done))
    assert played == []
    auto.step()
    qtbot.waitUntil(lambda: len(played) == 1)


def test_leaving_the_page_lets_go_of_tables_and_stops_the_watch(page, qtbot, chooser):
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    page.hide()
    qtbot.waitUntil(lambda: chooser.let_go_of == 1)
    qtbot.wait(120)
    began = time.monotonic()
    page.show()
    page._play(page.session.game.legal_moves()[0])
    assert page.session.game.times()[-1] <= 1000 * (time.monotonic() - began) + 60


def test_a_player_is_made_without_the_collector_standing_in_the_way(page, qtbot, chooser):
    seen = []

    def make(*_):
        seen.append(gc.isenabled())
        return chooser

    page.auto._kinds = dict.fromkeys(CHOOSERS, ChooserKind("First", "", make))
    before = gc.get_freeze_count()
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert seen == [False]
    assert gc.isenabled()
    assert gc.get_freeze_count() > before


def test_the_collector_works_again_after_a_player_that_cannot_be_made(page, qtbot):
    page.auto._kinds = dict.fromkeys(CHOOSERS, ChooserKind("Broken", "", lambda *_: 1 / 0))
    page.auto.start()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    assert gc.isenabled()
