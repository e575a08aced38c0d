"""The Game page as a person uses it: keys, swipes, scores, new games."""

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from gui.game.game_panel import GamePanel
from gui.widgets.score_figure import GAIN_MS, ScoreFigure
from tests.gui.game.driver import (
    MIDDLE,
    OVER,
    all_answered,
    chance_of_most,
    make_page,
    n_moves,
    new_game,
    only,
    play_out,
    set_board,
)
from tests.gui.page_driver import CTRL, KEYS, action, press, press_with
from tests.gui.wheel import turn_wheel


@pytest.mark.parametrize(
    ("direction", "key"), [(d, key) for d, keys in enumerate(KEYS) for key in keys]
)
def test_each_key_moves_as_it_says(page, direction, key):
    set_board(page, MIDDLE)
    press(page, key)
    (move,) = page.session.game.played()[1]
    assert move[0] == direction
    assert page.board_view.cells == list(page.session.game.cells)


@pytest.mark.parametrize(
    ("to", "direction"), [((-30, 5), 0), ((30, 5), 1), ((5, -30), 2), ((5, 30), 3)]
)
def test_a_swipe_moves_and_a_short_one_does_not(page, to, direction):
    set_board(page, MIDDLE)
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
    back = (Qt.Key.Key_Backspace, Qt.Key.Key_Backspace)
    for i, want in enumerate(shown[-2::-1]):
        press(page, back[i % 2])
        assert page.board_view.cells == want
    press_with(page, CTRL, Qt.Key.Key_Y)
    assert page.board_view.cells == shown[1]
    press_with(page, CTRL, Qt.Key.Key_Z)
    assert page.board_view.cells == shown[0]


def test_the_score_tells_what_a_move_gained(page):
    set_board(page, "aa00 0000 0000 0000")
    press(page, Qt.Key.Key_Left)
    assert (page.score.value, page.score.gain) == (2048, 2048)
    assert page.best.value == page.session.best
    press(page, Qt.Key.Key_Backspace)
    assert (page.score.value, page.score.gain) == (0, 0)


def test_the_score_is_written_one_way_everywhere(page):
    set_board(page, "aa00 0000 0000 0000")
    press(page, Qt.Key.Key_Left)
    press(page, Qt.Key.Key_N)
    assert "2,048 points" in page.panel.notice.text_label.text()
    assert page.panel.statistics.this_labels["Score"].text() == "2,048"


def test_the_gain_floats_for_as_long_as_it_should(qtbot):
    now = [100.0]
    figure = ScoreFigure("Score", is_main=True, clock=lambda: now[0])
    qtbot.addWidget(figure)
    figure.show()
    figure.show_value(4, 4)
    now[0] += (GAIN_MS - 1) / 1000
    assert figure.gain == 4
    figure.show_value(4, 0)  # a move without points leaves it
    assert figure.gain == 4
    now[0] += 0.01
    assert figure.gain == 0


def test_nothing_is_said_of_a_score_of_zero(qtbot):
    figure = ScoreFigure("Score")
    qtbot.addWidget(figure)

    def colors():
        image = figure.grab().toImage()
        places = itertools.product(range(image.width()), range(image.height()))
        return {image.pixel(*place) for place in places}

    assert len(colors()) == 1
    figure.show_value(4)
    assert len(colors()) > 1


def test_large_tiles_are_drawn_and_merge(page):
    set_board(page, "ggff 0000 0000 0000")
    press(page, Qt.Key.Key_Left)
    assert page.board_view.cells[:2] == [17, 16]
    assert page.panel.hex_field.edit.text().startswith("hg")
    assert page.score.value == (1 << 17) + (1 << 16)
    page.grab()


def test_a_new_game_asks_only_when_one_would_be_lost(page):
    seed = page.session.game.seed
    press_with(page, CTRL, Qt.Key.Key_N)
    assert page.session.game.seed != seed
    set_board(page, MIDDLE)
    seed = page.session.game.seed
    press_with(page, CTRL, Qt.Key.Key_N)
    assert page.session.game.seed == seed
    assert page.panel.notice.title_label.text() == "Start a new game?"
    page.panel.notice.buttons[1].click()
    assert page.session.game.seed == seed
    assert not page.panel.has_notice
    press_with(page, CTRL, Qt.Key.Key_N)
    page.panel.notice.buttons[0].click()
    assert page.session.game.seed != seed
    set_board(page, OVER)
    seed = page.session.game.seed
    press_with(page, CTRL, Qt.Key.Key_N)
    assert page.session.game.seed != seed


def test_enter_and_escape_answer_the_question_for_a_new_game(page):
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_Left)
    game, notice = page.session.game, page.panel.notice
    cells = game.cells
    press(page, Qt.Key.Key_N)
    assert "Enter starts it" in notice.text_label.text()
    press(page, Qt.Key.Key_Escape)
    assert not page.panel.has_notice
    press(page, Qt.Key.Key_N)
    assert not action(page, "step").isEnabled(), "Enter is for the answer"
    press(page, Qt.Key.Key_Right)
    assert not page.panel.has_notice, "who plays on has answered"
    assert page.session.game is game
    press(page, Qt.Key.Key_Backspace)
    assert game.cells == cells
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        press(page, Qt.Key.Key_Left)
        game = page.session.game
        press(page, Qt.Key.Key_N)
        press(page, key)
        assert page.session.game is not game
        assert page.session.game.n_moves == 0
        press(page, Qt.Key.Key_Up)


def test_the_question_for_a_new_game_comes_into_sight(page, qtbot):
    page.resize(900, 440)
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_Left)
    panel = page.panel
    area = next(one for one in page.findChildren(QScrollArea) if one.widget() is panel)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    bar.setValue(bar.maximum())
    assert panel.notice.visibleRegion().boundingRect().height() < panel.notice.height()
    press(page, Qt.Key.Key_N)
    qtbot.waitUntil(
        lambda: panel.notice.visibleRegion().boundingRect().height() == panel.notice.height()
    )


def test_the_hint_takes_the_question_and_its_keys_away(page, qtbot):
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_Left)
    game = page.session.game
    press(page, Qt.Key.Key_N)
    press(page, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: page.board_view.hint is not None)
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: game.n_moves == 2)
    assert page.session.game is game


def test_the_end_is_told_counted_and_can_be_undone(page):
    play_out(page)
    assert page.panel.notice.title_label.text() == "No moves left"
    assert f"largest tile {1 << page.session.game.max_exponent}" in (
        page.panel.notice.text_label.text()
    )
    assert page.panel.statistics.all_labels["Games played"].text() == "1"
    page.panel.statistics_fold.set_open(True)
    assert page.panel.statistics.all_labels["Games played"].isVisible()
    assert not action(page, "auto").isEnabled()
    page.panel.notice.buttons[2].click()
    assert not page.session.is_over
    assert not page.panel.has_notice


def test_a_bad_position_is_refused_in_words(page, qtbot):
    before = page.session.game.cells
    field = page.panel.hex_field
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "12x4")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.error_label.text() == "'x' is not a hexadecimal digit."
    assert page.session.game.cells == before
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "1234000000000000")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert page.session.game.cells[:4] == (1, 2, 3, 4)
    assert not field.error_label.isVisible()


def test_difficulty_is_remembered_and_used(page, qtbot, settings, tasks, data_dir, kinds):
    page.panel.hard_slider.setValue(100)
    assert settings.get("game.difficulty") == 100
    qtbot.waitUntil(lambda: page.session.adversary is not None)
    set_board(page, "1000 0000 0000 0000")
    press(page, Qt.Key.Key_Right)
    assert page.session.game.cells[15] == 2  # where the adversary of this test puts all
    again = make_page(qtbot, settings, tasks, data_dir / "other", kinds)
    assert again.panel.hard_slider.value() == again.session.difficulty == 100
    again.close_page()


def test_the_share_of_fours_is_chosen_for_the_next_game_and_remembered(
    page, qtbot, settings, chooser, kinds
):
    made = []
    kinds.update(only(lambda _, spawn4: made.append(spawn4) or chooser))
    spin = page.panel.fours_spin
    set_board(page, MIDDLE)
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
    new_game(page)
    assert page.session.game.spawn4 == 0.25
    assert page.panel.fours_label.text() == ""
    page.auto.step()
    qtbot.waitUntil(lambda: n_moves(page) == 1)
    assert made == [0.1, 0.25]
    assert chooser.let_go_of == 1  # the player that reckoned with the other share


def test_moves_time_and_fours_are_shown_for_this_game_and_all(page):
    table = page.panel.statistics
    assert not page.panel.statistics_fold.isVisible()
    play_out(page)
    page.panel.statistics_fold.set_open(True)
    game = page.session.game
    share = f"{100 * game.n_fours / game.n_moves:.1f}\N{NO-BREAK SPACE}%"
    assert table.this_labels["Moves"].text() == str(game.n_moves)
    assert (
        table.this_labels["Share of 4s"].text() == table.all_labels["Share of 4s"].text() == share
    )
    assert table.all_labels["Moves"].text() == str(game.n_moves)
    assert table.all_labels["Time"].isVisible()
    new_game(page)
    assert table.this_labels["Moves"].text() == "0"
    assert table.all_labels["Moves"].text() == str(game.n_moves)


@pytest.mark.thorough
def test_a_chart_shows_the_scores_of_the_finished_games(page):
    statistics = page.panel.statistics
    page.panel.statistics_fold.set_open(True)
    scores = []
    for _ in range(3):
        play_out(page)
        assert statistics.score_chart.isVisible() == (len(scores) > 0)
        scores.append(page.session.game.score)
        new_game(page)
    for at, score in enumerate(scores):
        read = statistics.score_chart.read_out(at)
        assert read.startswith(f"Game {at + 1}: Score")
        assert "".join(filter(str.isdigit, read.split("Score")[1])) == str(score)


@pytest.mark.parametrize(
    ("cells", "want"),
    [
        ((14, 13, 12, 11, 8) + (0,) * 11, 32768),
        ((14, 13, 12, 11, 10) + (0,) * 11, 32768),
        ((14, 13, 11, 10, 8) + (0,) * 11, 4096),
        ((15, 14, 13, 12, 11) + (0,) * 11, 2048),  # 65536 is not announced
    ],
)
def test_a_chance_says_which_tile_it_is_of(qtbot, cells, want):
    panel = GamePanel()
    qtbot.addWidget(panel)
    panel.show_chance(chance_of_most(cells), cells)
    assert panel.chance_caption.text() == f"Chance of reaching {want}"
    assert panel.chance_label.text() == "87.5 %"
    panel.show_chance(None, cells)
    assert panel.chance_caption.text() == panel.chance_label.text() == ""


def test_a_game_in_play_has_a_chance_and_a_new_one_nothing_yet(page, qtbot):
    chance = page.panel.chance_label
    set_board(page, MIDDLE)
    qtbot.waitUntil(lambda: chance.text() == "87.5 %")
    new_game(page)
    assert chance.text() == ""


def test_no_chance_is_said_of_a_game_with_other_tiles(page, qtbot, settings, tasks):
    settings.set("game.spawn4", 0.5)
    press(page, Qt.Key.Key_Left)
    press(page, Qt.Key.Key_Up)
    all_answered(qtbot, tasks)
    assert page.panel.chance_label.text() == ""


def ask_for_new_game(page) -> int:
    """Play a move, ask for a new game, and return the seed of the game then on the board."""
    set_board(page, MIDDLE)
    press(page, Qt.Key.Key_Left)
    press(page, Qt.Key.Key_N)
    assert page.panel.notice.title_label.text() == "Start a new game?"
    return page.session.game.seed


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_N])
def test_enter_or_the_key_again_begins_the_new_game(page, key):
    seed = ask_for_new_game(page)
    press(page, key)
    assert page.session.game.seed != seed
    assert n_moves(page) == 0, "and no move was played in either"
    assert page.panel.notice.title_label.text() == "Move with the arrow keys"
    assert action(page, "step").isEnabled()


def test_escape_keeps_the_game_and_enter_plays_the_best_move_again(page, qtbot):
    seed = ask_for_new_game(page)
    press(page, Qt.Key.Key_Escape)
    assert not page.panel.has_notice
    press(page, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: n_moves(page) == 2)
    assert page.session.game.seed == seed


def is_in_sight(widget) -> bool:
    return widget.visibleRegion().boundingRect() == widget.rect()


def test_what_is_wrong_with_a_position_is_short_and_in_sight(page, qtbot):
    page.resize(1100, 480)
    field = page.panel.hex_field
    press(page, Qt.Key.Key_G)
    qtbot.waitUntil(field.edit.hasFocus)
    QTest.keyClicks(field.edit, "12345")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert field.error_label.text() == "It ends after 5 of 16 digits."
    assert is_in_sight(field.error_label)
    assert is_in_sight(field.edit)


def test_what_matters_is_in_sight_in_a_small_window(page, qtbot):
    page.resize(853, 440)  # 1280 x 800 at 150 %, without menus and rail
    set_board(page, MIDDLE)
    panel = page.panel
    qtbot.waitUntil(lambda: bool(panel.chance_label.text()))
    parts = (page.score, page.best, panel.ai.box, panel.speed_slider, panel.chance_label)
    assert all(map(is_in_sight, parts))
    assert not panel.hard_slider.isVisible(), "options fold away"
    press(page, Qt.Key.Key_G)
    assert panel.hard_slider.isVisible(), "and unfold for who goes to a position"


@pytest.mark.thorough
def test_the_wheel_over_the_panel_chooses_nothing(page, settings):
    before = settings.get("game.difficulty"), settings.get("game.speed")
    for field in (page.panel.hard_slider, page.panel.speed_slider, page.panel.ai.box):
        turn_wheel(field)
    assert (settings.get("game.difficulty"), settings.get("game.speed")) == before
    page.panel.hard_slider.setFocus()
    turn_wheel(page.panel.hard_slider, 120)
    assert settings.get("game.difficulty") > 0
