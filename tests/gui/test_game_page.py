"""The Game page as a person uses it: keys, swipes, the player, the files."""

import gc
import itertools
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ai.choice import CHOOSERS, Choice, ChooserKind
from engine.formats.game_replay import replay_of
from engine.formats.reading import read_replay
from engine.formats.verse import write_new, write_old
from engine.game import Game
from gui.game.auto_player import AutoPlayer
from gui.pages.game.page import GamePage
from gui.widgets.score_figure import GAIN_MS, ScoreFigure
from tests.gui.practice_theme import plain_theme

KEYS = {
    Qt.Key.Key_Left: 0, Qt.Key.Key_A: 0, Qt.Key.Key_H: 0,
    Qt.Key.Key_Right: 1, Qt.Key.Key_D: 1, Qt.Key.Key_L: 1,
    Qt.Key.Key_Up: 2, Qt.Key.Key_W: 2, Qt.Key.Key_K: 2,
    Qt.Key.Key_Down: 3, Qt.Key.Key_S: 3, Qt.Key.Key_J: 3,
}  # fmt: skip
MIDDLE = "0000 0120 0310 0000"
OVER = "1212 2121 1212 2121"


class FirstMove:
    """Takes the first legal move; waits for `delay_s`, or until stopped."""

    def __init__(self) -> None:
        self.delay_s, self.stopped, self.asked_ms, self.let_go_of = 0.0, False, 0.0, 0

    def choose(self, cells: Sequence[int], ms: float) -> Choice:
        self.asked_ms, self.stopped = ms, False
        until = time.monotonic() + self.delay_s
        while time.monotonic() < until and not self.stopped:
            time.sleep(0.002)
        legal = Game(list(cells)).legal_moves()
        values = tuple(100.0 - d if d in legal else None for d in range(4))
        return Choice(legal[0] if legal else None, values, "First move")

    def stop(self) -> None:
        self.stopped = True

    def let_go(self) -> None:
        self.let_go_of += 1


def make_page(qtbot, settings, tasks, folder: Path, chooser: FirstMove) -> GamePage:
    seeds = itertools.count(1)
    page = GamePage(
        folder / "game",
        folder / "replays",
        tasks,
        settings,
        plain_theme(),
        lambda: next(seeds),
        lambda: lambda after: (15 - list(after)[::-1].index(0), 2),
    )
    page.auto._kinds = dict.fromkeys(CHOOSERS, ChooserKind("First", "", lambda *_: chooser))
    qtbot.addWidget(page)
    page.resize(1100, 760)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    page.page_shown()
    qtbot.waitUntil(lambda: page.session is not None)
    page.board_view.setFocus()
    return page


@pytest.fixture
def chooser():
    return FirstMove()


@pytest.fixture
def page(qtbot, settings, tasks, data_dir, chooser):
    page = make_page(qtbot, settings, tasks, data_dir, chooser)
    yield page
    page.close_game()


def press(page: GamePage, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(page.board_view, key, modifier)


def n_moves(page: GamePage) -> int:
    return page.session.game.n_moves


@pytest.mark.parametrize("key", KEYS)
def test_each_key_moves_as_it_says(page, key):
    page._set_hex(MIDDLE)
    press(page, key)
    (move,) = page.session.game.played()[1]
    assert move[0] == KEYS[key]
    assert page.board_view.cells == list(page.session.game.cells)


@pytest.mark.parametrize(
    ("to", "direction"), [((-30, 5), 0), ((30, 5), 1), ((5, -30), 2), ((5, 30), 3)]
)
def test_a_swipe_moves_and_a_short_one_does_not(page, to, direction):
    page._set_hex(MIDDLE)
    start = QPoint(200, 200)
    for scale in (0.5, 1.0):
        QTest.mousePress(page.board_view, Qt.MouseButton.LeftButton, pos=start)
        end = start + QPoint(int(to[0] * scale), int(to[1] * scale))
        QTest.mouseRelease(page.board_view, Qt.MouseButton.LeftButton, pos=end)
        played = page.session.game.played()[1]
        assert [d for d, _ in played] == ([direction] if scale == 1.0 else [])


def test_undo_and_redo_lead_through_the_game(page):
    shown = [page.board_view.cells]
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down):
        press(page, key)
        if page.board_view.cells != shown[-1]:
            shown.append(page.board_view.cells)
    assert len(shown) >= 3
    back = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
    for i, want in enumerate(shown[-2::-1]):
        press(page, back[i % 2])
        assert page.board_view.cells == want
    press(page, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert page.board_view.cells == shown[1]
    press(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert page.board_view.cells == shown[0]


def test_the_score_tells_what_a_move_gained(page):
    page._set_hex("aa00 0000 0000 0000")
    press(page, Qt.Key.Key_Left)
    assert (page.score.value, page.score.gain) == (2048, 2048)
    assert page.best.value == page.session.best
    press(page, Qt.Key.Key_Backspace)
    assert (page.score.value, page.score.gain) == (0, 0)


def test_the_gain_floats_for_as_long_as_it_should(qtbot):
    now = [100.0]
    figure = ScoreFigure("Score", plain_theme(), is_main=True, clock=lambda: now[0])
    qtbot.addWidget(figure)
    figure.show()
    figure.show_value(4, 4)
    now[0] += (GAIN_MS - 1) / 1000
    figure._on_frame()
    assert figure.gain == 4
    figure.show_value(4, 0)  # a move without points leaves it
    assert figure.gain == 4
    now[0] += 0.01
    figure._on_frame()
    assert figure.gain == 0


def test_large_tiles_are_drawn_and_merge(page):
    page._set_hex("ggff 0000 0000 0000")
    press(page, Qt.Key.Key_Left)
    assert page.board_view.cells[:2] == [17, 16]
    assert page.panel.hex_field.edit.text().startswith("hg")
    assert page.score.value == (1 << 17) + (1 << 16)
    page.grab()


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

    def choose(cells, _ms):
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
        def choose(self, cells, ms):
            self.delay_s = 3 * ms / 1000
            return super().choose(cells, ms)

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


def test_a_new_game_asks_only_when_one_would_be_lost(page):
    seed = page.session.game.seed
    press(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert page.session.game.seed != seed
    page._set_hex(MIDDLE)
    seed = page.session.game.seed
    press(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert page.session.game.seed == seed
    assert page.panel.notice.title_label.text() == "Start a new game?"
    page.panel.notice.buttons[1].click()
    assert page.session.game.seed == seed
    assert page.panel.notice.title_label.text() == "Your move"
    press(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    page.panel.notice.buttons[0].click()
    assert page.session.game.seed != seed
    page._set_hex(OVER)
    seed = page.session.game.seed
    press(page, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert page.session.game.seed != seed


def test_the_end_is_told_counted_and_can_be_undone(page):
    while not page.session.is_over:
        page._play(page.session.game.legal_moves()[0])
    assert page.panel.notice.title_label.text() == "Game over"
    assert f"largest tile {1 << page.session.game.max_exponent}" in (
        page.panel.notice.text_label.text()
    )
    assert page.panel.statistics.all_labels["Games"].text() == "1"
    assert page.panel.statistics.all_labels["Games"].isVisible()
    assert not page._actions["auto"].isEnabled()
    page.panel.notice.buttons[2].click()
    assert not page.session.is_over
    assert page.panel.notice.title_label.text() == "Your move"


def test_a_bad_position_is_refused_in_words(page, qtbot):
    before = page.session.game.cells
    field = page.panel.hex_field
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "12x4")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert "'x' is not a hexadecimal digit" in field.error_label.text()
    assert page.session.game.cells == before
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "1234000000000000")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert page.session.game.cells[:4] == (1, 2, 3, 4)
    assert not field.error_label.isVisible()


def test_difficulty_is_remembered_and_used(page, qtbot, settings, tasks, data_dir, chooser):
    page.panel.hard_slider.setValue(100)
    assert settings.get("game.difficulty") == 100
    qtbot.waitUntil(lambda: page.session.adversary is not None)
    page._set_hex("1000 0000 0000 0000")
    press(page, Qt.Key.Key_Right)
    assert page.session.game.cells[15] == 2  # where the adversary of this test puts all
    again = make_page(qtbot, settings, tasks, data_dir / "other", chooser)
    assert again.panel.hard_slider.value() == again.session.difficulty == 100
    again.close_game()


@pytest.mark.parametrize(
    ("modifier", "write", "suffix"),
    [
        (Qt.KeyboardModifier.ControlModifier, write_old, ".txt"),
        (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
            write_new,
            ".vrs",
        ),
    ],
)
def test_export_after_a_restart_has_the_whole_game(
    page, qtbot, settings, tasks, data_dir, chooser, modifier, write, suffix
):
    for _ in range(20):
        page._play(page.session.game.legal_moves()[0])
    want = write(replay_of(page.session.game))
    want = want if isinstance(want, bytes) else want.encode()
    again = make_page(qtbot, settings, tasks, data_dir, chooser)  # the first was never closed
    press(again, Qt.Key.Key_S, modifier)
    qtbot.waitUntil(lambda: "Saved" in again.panel.message_label.text())
    (path,) = (data_dir / "replays").iterdir()
    assert path.suffix == suffix
    assert path.name.startswith(f"{again.session.game.score}_")
    assert path.read_bytes() == want
    assert len(want) > 20
    again.close_game()


def test_what_cannot_be_exported_is_told(page, qtbot, data_dir):
    page._set_hex(MIDDLE)
    press(page, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "two tiles" in page.panel.message_label.text())
    assert not (data_dir / "replays").exists()


def test_copy_and_paste_carry_a_position(page):
    page._set_hex(MIDDLE)
    press(page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    press(page, Qt.Key.Key_Left)
    press(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert page.session.game.text == MIDDLE.replace(" ", "")


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


def play_out(page: GamePage) -> None:
    while not page.session.is_over:
        page._play(page.session.game.legal_moves()[0])


@pytest.fixture
def asked_for_review(page):
    found: list[Path] = []
    page.review_asked.connect(found.append)
    return found


def test_a_finished_game_opens_in_review_with_its_times(page, qtbot, asked_for_review):
    play_out(page)
    button = next(b for b in page.panel.notice.buttons if b.text() == "Review")
    button.click()
    qtbot.waitUntil(lambda: bool(asked_for_review))
    kind, replay = read_replay(asked_for_review[0].read_bytes())
    start, moves = page.session.game.played()
    assert kind == "verse-new"
    assert replay.start == start
    assert [(m.direction, (m.cell, m.exponent)) for m in replay.moves] == moves
    assert None not in [m.ms for m in replay.moves]
    assert not replay.problem


def test_what_was_undone_is_not_reviewed_and_a_game_from_a_set_position_is(
    page, qtbot, asked_for_review
):
    page._set_hex("4310 2100 1000 0000")
    for _ in range(6):
        page._play(page.session.game.legal_moves()[0])
    press(page, Qt.Key.Key_Backspace)
    press(page, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: bool(asked_for_review))
    kind, replay = read_replay(asked_for_review[0].read_bytes())
    assert (kind, len(replay.moves)) == ("rpl", 5)
    assert tuple(replay.positions())[-1] == page.session.game.cells


def test_a_game_without_moves_has_nothing_to_review(page):
    assert not page._actions["review"].isEnabled()
    page._set_hex(OVER)
    assert [b.text() for b in page.panel.notice.buttons] == ["New game", "Undo"]


def test_the_share_of_fours_is_chosen_for_the_next_game_and_remembered(
    page, qtbot, settings, chooser
):
    made = []
    page.auto._kinds = dict.fromkeys(
        CHOOSERS, ChooserKind("First", "", lambda _, spawn4: made.append(spawn4) or chooser)
    )
    spin = page.panel.fours_spin
    page._set_hex(MIDDLE)
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, "25")
    assert settings.get("game.spawn4") == 0.1  # not while it is being typed
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert settings.get("game.spawn4") == 0.25
    assert page.panel.fours_label.text() == "next game"
    assert page.session.game.spawn4 == 0.1
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    page._new_game()
    assert page.session.game.spawn4 == 0.25
    assert page.panel.fours_label.text() == ""
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert made == [0.1, 0.25]
    assert chooser.let_go_of == 1  # the player that reckoned with the other share


def test_leaving_the_page_lets_go_of_tables_and_stops_the_watch(page, qtbot, chooser):
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    page.hide()
    qtbot.waitUntil(lambda: chooser.let_go_of == 1)
    qtbot.wait(120)
    page.show()
    began = time.monotonic()
    page._play(page.session.game.legal_moves()[0])
    assert page.session.game.times()[-1] <= 1000 * (time.monotonic() - began) + 60


def test_moves_time_and_fours_are_shown_for_this_game_and_all(page):
    table = page.panel.statistics
    assert table.this_labels["Moves"].text() == "0"
    play_out(page)
    game = page.session.game
    share = f"{100 * game.n_fours / game.n_moves:.1f}\N{NO-BREAK SPACE}%"
    assert table.this_labels["Moves"].text() == str(game.n_moves)
    assert table.this_labels["Fours"].text() == table.all_labels["Fours"].text() == share
    assert table.all_labels["Moves"].text() == str(game.n_moves)
    assert table.all_labels["Time"].isVisible()
    page._new_game()
    assert table.this_labels["Moves"].text() == "0"
    assert table.all_labels["Moves"].text() == str(game.n_moves)


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


def test_a_chart_shows_the_scores_of_the_finished_games(page):
    statistics = page.panel.statistics
    scores = []
    for _ in range(3):
        play_out(page)
        assert statistics.score_chart.isVisible() == (len(scores) > 0)
        scores.append(page.session.game.score)
        page._new_game()
    for at, score in enumerate(scores):
        read = statistics.score_chart.read_out(at).replace("\N{NARROW NO-BREAK SPACE}", "")
        assert read.startswith(f"Game {at + 1}: Score")
        assert "".join(filter(str.isdigit, read.split("Score")[1])) == str(score)
