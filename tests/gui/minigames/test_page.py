"""The Minigames page as a person uses it: cards, moves, tools, peeks, undo, files, old runs."""

import json
import threading
from dataclasses import replace
from datetime import date, datetime, timezone

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QLabel,
    QScrollArea,
    QToolButton,
)

from minigames.registry import GAMES
from minigames.run import daily_game, play_again
from minigames.state import Action, move
from minigames.store import load_slot
from tests.gui.minigames.conftest import last_cell
from tests.gui.minigames.minigame_driver import opened, play, press
from tests.gui.page_driver import ARROWS, action, banner_texts

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
KEYS_OF_TOOLS = {"bomb": Qt.Key.Key_1, "glove": Qt.Key.Key_2, "twist": Qt.Key.Key_3}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.thorough
def test_every_variant_is_played_by_keys_alone(qtbot, page, name):
    session = opened(qtbot, page, name)
    play(qtbot, page, 30)
    assert session.run.state.n_moves == 30 or session.run.state.over
    board = page.view.board
    qtbot.waitUntil(lambda: not board.isVisible() or board.view == session.view())
    assert page.view.score.value == session.run.state.score


def test_a_card_opens_its_variant_and_escape_leads_back(qtbot, page):
    page.gallery.chosen.emit("ferris_wheel")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert page.view.frame.title.label.text() == "Ferris Wheel"
    press(page, Qt.Key.Key_Escape)
    assert page.stack.currentWidget() is page.front


def test_the_way_back_to_the_gallery_is_not_called_like_a_step_back(page):
    """Else it could not be translated otherwise."""
    assert action(page, "back").iconText() not in ("Back", "Prev.")  # as in Review


def test_an_illegal_key_changes_nothing_on_the_board(qtbot, page):
    session = opened(qtbot, page, "mystery_merge_1")
    while len(session.run.rules.legal(session.run.state)) == 4:
        play(qtbot, page, 1)
    seen = page.view.board.view
    illegal = min(set(range(4)) - set(session.run.rules.legal(session.run.state)))
    press(page, ARROWS[illegal])
    assert page.view.board.view == seen


@pytest.mark.sample(2)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_every_key_in_every_state_raises_nothing(qtbot, make_page, settings, name, hard):
    """Also moves that are impossible while a clock runs: only time passes."""
    settings.state.set("minigames.hard", hard)
    page = make_page()
    opened(qtbot, page, name)
    for _ in range(12):
        for key in (*ARROWS, *KEYS_OF_TOOLS.values(), Qt.Key.Key_Escape):
            if page.stack.currentWidget() is page.view:
                press(page, key)


def test_an_impossible_move_while_the_clock_runs_lets_time_pass_only(qtbot, page):
    session = opened(qtbot, page, "blitzkrieg")
    play(qtbot, page, 1)
    while len(session.run.rules.legal(session.run.state)) == 4:
        play(qtbot, page, 1)
    illegal = min(set(range(4)) - set(session.run.rules.legal(session.run.state)))
    left, cells = session.time_left_ms(), session.view().cells
    qtbot.waitUntil(lambda: session.time_left_ms() < left - 1)
    press(page, ARROWS[illegal])
    assert page.view.board.view.cells == cells


@pytest.mark.parametrize("tool", ["bomb", "twist"])
def test_a_tool_is_used_by_keyboard(qtbot, page, tool):
    session = opened(qtbot, page, "column_chaos")
    play(qtbot, page, 6)
    before = session.run.state
    press(page, KEYS_OF_TOOLS[tool])
    assert page.view.aim.tool == tool
    press(page, Qt.Key.Key_Left)  # the cursor, not the tiles
    assert session.run.state is before
    press(page, Qt.Key.Key_Return)
    assert page.view.aim.tool is None
    assert sum(session.run.state.tools) == sum(before.tools) - 1
    assert session.run.state.n_moves == before.n_moves


def test_the_glove_asks_twice_and_escape_puts_it_away(qtbot, page):
    session = opened(qtbot, page, "column_chaos")
    play(qtbot, page, 4)
    before = session.run.state
    press(page, KEYS_OF_TOOLS["glove"])
    press(page, Qt.Key.Key_Return)
    press(page, Qt.Key.Key_Escape)
    assert session.run.state is before
    assert page.stack.currentWidget() is page.view
    press(page, KEYS_OF_TOOLS["glove"])
    press(page, Qt.Key.Key_Return)
    press(page, Qt.Key.Key_Return)
    after = session.run.state
    assert sorted(after.tiles) == sorted(before.tiles)
    assert after.tiles != before.tiles


def test_a_tool_is_used_by_mouse(qtbot, page):
    session = opened(qtbot, page, "column_chaos")
    board = page.view.board
    cell = next(i for i, tile in enumerate(session.run.state.tiles) if tile)
    page.view.panel.tool_buttons["bomb"].click()
    assert board.hasFocus()
    assert action(page, "back").iconText() == "Put away", "it doesn't go back yet"
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=center(board, cell))
    assert action(page, "back").iconText() == "Go back"
    assert session.run.state.tiles[cell] == 0
    assert session.run.state.tools == (4, 5, 5)


def test_any_corner_of_a_block_can_be_clicked_to_twist_it(qtbot, page):
    session = opened(qtbot, page, "column_chaos")
    board = page.view.board
    press(page, KEYS_OF_TOOLS["twist"])
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=center(board, 15))
    if not any(session.run.state.tiles[c] for c in (10, 11, 14, 15)):
        assert session.run.state.tools[2] == 5
    else:
        assert session.run.state.tools[2] == 4


def middle_of_block(board, cell) -> QPoint:
    """Return the gap where its four cells meet."""
    below = board.rect_of(cell + 5)
    return ((board.rect_of(cell).bottomRight() + below.topLeft()) / 2).toPoint()


def test_a_block_is_twisted_by_a_click_where_its_cells_meet(qtbot, page):
    session = opened(qtbot, page, "column_chaos")
    play(qtbot, page, 6)
    board, state = page.view.board, session.run.state
    cells = session.run.rules.tool_cells(state, "twist")
    for cell in cells:
        press(page, KEYS_OF_TOOLS["twist"])
        QTest.mouseMove(board, middle_of_block(board, cell))
        qtbot.waitUntil(lambda cell=cell: board.cursor_cell == cell)  # the frame follows
        press(page, Qt.Key.Key_Escape)
    press(page, KEYS_OF_TOOLS["twist"])
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=middle_of_block(board, cells[-1]))
    assert session.run.state.tools[2] == state.tools[2] - 1
    want = session.run.rules.play(state, Action("twist", (cells[-1],)))[0]
    assert session.run.state.tiles == want.tiles


STUCK = {  # tools that can be used on a full board, by what is left of each
    (0, 1, 0): (),
    (1, 0, 0): ("bomb",),
    (0, 0, 1): ("twist",),
}


@pytest.mark.parametrize("tools", STUCK)
def test_a_tool_is_offered_at_the_end_only_if_it_can_be_used(qtbot, page, tools):
    session = opened(qtbot, page, "column_chaos")
    tiles = tuple(1 + (i + i // 4) % 2 for i in range(16))
    session.run.state = replace(session.run.state, tiles=tiles, tools=tools, over="stuck")
    page.view.show_session(session, None)
    text = page.view.panel.notice.text_label.text()
    assert text.endswith("A tool may still help.") == bool(STUCK[tools])
    panel = page.view.panel
    usable = [name for name, button in panel.tool_buttons.items() if button.isEnabled()]
    assert usable == list(STUCK[tools])
    if not usable:
        assert panel.tool_buttons["glove"].toolTip() == "It can't be used now."


def center(board, cell) -> QPoint:
    return board.rect_of(cell).center().toPoint()


def test_a_tool_that_is_used_up_says_so(qtbot, page):
    session = opened(qtbot, page, "column_chaos")
    for _ in range(5):
        press(page, KEYS_OF_TOOLS["twist"])
        press(page, Qt.Key.Key_Return)
    assert session.run.state.tools[2] == 0
    press(page, KEYS_OF_TOOLS["twist"])
    assert page.view.aim.tool is None
    button = page.view.panel.tool_buttons["twist"]
    assert not button.isEnabled()
    assert "You have none" in button.toolTip()
    assert page.view.panel.tool_buttons["bomb"].isEnabled()


@pytest.mark.parametrize("tool", KEYS_OF_TOOLS)
def test_a_tool_is_offered_only_where_its_game_is_in_sight(qtbot, page, tool):
    opened(qtbot, page, "column_chaos")
    assert action(page, tool).isEnabled()
    press(page, Qt.Key.Key_Escape)
    assert not action(page, tool).isEnabled(), "the gallery"
    action(page, tool).trigger()
    opened(qtbot, page, "column_chaos")
    assert page.view.aim.tool is None
    assert page.view.board.cursor_cell is None
    page.hide()
    assert not action(page, tool).isEnabled(), "another page"
    page.show()
    assert action(page, tool).isEnabled()


def test_a_tool_in_hand_is_put_away_when_the_game_is_left(qtbot, page):
    opened(qtbot, page, "column_chaos")
    press(page, KEYS_OF_TOOLS["bomb"])
    page.show_gallery()
    assert page.view.aim.tool is None
    opened(qtbot, page, "ice_age")
    assert page.view.aim.tool is None
    assert page.view.board.cursor_cell is None


@pytest.mark.parametrize("name", ["undo", "new_run", "same_run", "daily", "left", "back"])
def test_nothing_happens_to_a_game_behind_the_gallery(qtbot, page, name):
    session = opened(qtbot, page, "column_chaos")
    play(qtbot, page, 3)
    run, state = session.run, session.run.state
    press(page, Qt.Key.Key_Escape)
    assert not action(page, name).isEnabled()
    action(page, name).trigger()
    assert session.run is run
    assert session.run.state is state


def test_a_peek_lasts_as_long_as_the_key_is_held(qtbot, page):
    session = opened(qtbot, page, "mystery_merge_2")
    play(qtbot, page, 3)
    board = page.view.board
    faces = lambda: {seen.face for seen in board.view.cells}  # noqa: E731
    assert "hidden" in faces()
    QTest.keyPress(board, Qt.Key.Key_C)
    assert "hidden" not in faces()
    assert session.run.state.own["peeks"] == 1
    QTest.keyRelease(board, Qt.Key.Key_C)
    assert "hidden" in faces()


def test_the_last_peek_of_hard_mode_shows_the_board_and_is_kept(qtbot, page, make_page):
    page.gallery.set_hard(True)
    session = opened(qtbot, page, "mystery_merge_2")
    board = page.view.board
    assert session.view().peeks_left == 1
    for is_left in (True, False):
        QTest.keyPress(board, Qt.Key.Key_C)
        assert ("hidden" in {seen.face for seen in board.view.cells}) is not is_left
        QTest.keyRelease(board, Qt.Key.Key_C)
        assert "hidden" in {seen.face for seen in board.view.cells}
    page.close_page()
    again = make_page()
    again.gallery.set_hard(True)
    assert opened(qtbot, again, "mystery_merge_2").view().peeks_left == 0


def test_a_hidden_tile_stays_hidden_in_a_glove(qtbot, page):
    session = opened(qtbot, page, "mystery_merge_2")
    hidden = session.run.state.own["hidden"].index(1)
    press(page, KEYS_OF_TOOLS["glove"])
    board = page.view.board
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=center(board, hidden))
    assert board.view.cells[hidden].face == "hidden"
    assert board.view.cells[hidden].exponent is None


def test_undo_goes_back_and_is_said_to_cost_the_trophy(qtbot, page):
    session = opened(qtbot, page, "ice_age")
    play(qtbot, page, 2)
    before = session.run.past[-1]
    press(page, Qt.Key.Key_Backspace)
    assert session.run.state == before
    assert page.view.board.view == session.view()
    assert session.run.is_assisted


BEGINNINGS = {
    "Start a new run?": (Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier),
    "Start this run over?": (Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier),
    "Start today's run?": (Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier),
}


@pytest.mark.parametrize("question", BEGINNINGS)
def test_a_run_that_goes_on_is_not_given_up_without_asking(qtbot, page, question):
    session = opened(qtbot, page, "ice_age")
    play(qtbot, page, 12)
    run, notice = session.run, page.view.panel.notice
    press(page, *BEGINNINGS[question])
    assert session.run is run
    assert notice.title_label.text() == question
    assert f"{run.state.score:,} points" in notice.text_label.text()
    notice.buttons[1].click()
    assert session.run is run
    assert page.view.panel.rules_box.isVisible()
    press(page, *BEGINNINGS[question])
    notice.buttons[0].click()
    assert session.run is not run
    assert session.slot.record.n_runs == 1
    assert (session.run.seed == run.seed) is (question == "Start this run over?")
    assert bool(session.run.day) is (question == "Start today's run?")


@pytest.mark.parametrize("question", BEGINNINGS)
def test_enter_gives_the_run_up_and_escape_keeps_it(qtbot, page, question):
    session = opened(qtbot, page, "ice_age")
    play(qtbot, page, 12)
    run = session.run
    press(page, *BEGINNINGS[question])
    press(page, Qt.Key.Key_Escape)
    assert page.stack.currentWidget() is page.view
    assert page.view.panel.rules_box.isVisible()
    press(page, Qt.Key.Key_Return)
    assert session.run is run, "there is no question any more"
    press(page, *BEGINNINGS[question])
    press(page, Qt.Key.Key_Return)
    assert session.run is not run
    press(page, Qt.Key.Key_Escape)
    assert page.stack.currentWidget() is page.front


@pytest.mark.thorough
def test_who_plays_on_has_answered_the_question(qtbot, page):
    session = opened(qtbot, page, "ice_age")
    play(qtbot, page, 12)
    run, notice = session.run, page.view.panel.notice
    for go_on in (
        lambda: play(qtbot, page, 1),
        lambda: press(page, Qt.Key.Key_Backspace),
        lambda: press(page, KEYS_OF_TOOLS["bomb"]),
    ):
        press(page, Qt.Key.Key_N)
        assert notice.title_label.text() == "Start a new run?"
        go_on()
        assert notice.title_label.text() in ("", "Bomb")
    press(page, Qt.Key.Key_Return)  # for the bomb
    assert session.run is run
    assert session.run.state.tools[0] == 4


def is_in_sight(widget):
    return widget.visibleRegion().boundingRect().size() == widget.size()


def scroll_down(qtbot, page):
    """Open what is folded in a low window and read its end."""
    page.resize(900, 560)
    view = page.view
    if not view.panel.more.is_open:
        view.panel.more.button.click()
    last = view.panel.more.content.children()[-1]
    area = next(a for a in view.findChildren(QScrollArea) if a.widget() is view.panel)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200 and last.isVisible())
    bar.setValue(bar.maximum())
    assert not is_in_sight(view.panel.notice)


@pytest.mark.parametrize("key", [Qt.Key.Key_N, Qt.Key.Key_1])
def test_what_is_said_comes_into_sight(qtbot, page, key):
    opened(qtbot, page, "column_chaos")
    play(qtbot, page, 12)
    scroll_down(qtbot, page)
    press(page, key)
    qtbot.waitUntil(lambda: is_in_sight(page.view.panel.notice))


def test_a_game_opens_with_the_top_of_its_panel(qtbot, page):
    opened(qtbot, page, "column_chaos")
    scroll_down(qtbot, page)
    page.show_gallery()
    opened(qtbot, page, "ice_age")
    qtbot.waitUntil(lambda: is_in_sight(page.view.panel.rules_box))


def test_what_is_opened_at_the_fold_comes_into_sight(qtbot, page):
    page.resize(900, 560)
    opened(qtbot, page, "column_chaos")
    more = page.view.panel.more
    area = next(a for a in page.view.findChildren(QScrollArea) if a.widget() is page.view.panel)
    before = area.verticalScrollBar().value()
    more.button.click()
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > before)
    assert is_in_sight(more.button)


def heights(page):
    """Return the height of the notice and the place of the tools, once both are laid out."""
    panel = page.view.panel
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    return panel.rules_box.parentWidget().height(), panel.tool_label.mapTo(panel, QPoint()).y()


@pytest.mark.parametrize("size", [(1280, 860), (900, 600)])
def test_nothing_moves_when_a_message_comes(qtbot, page, size):
    page.resize(*size)
    session = opened(qtbot, page, "column_chaos")
    want = heights(page)
    play(qtbot, page, 12)
    for keys in BEGINNINGS.values():
        press(page, *keys)
        assert heights(page) == want
        press(page, Qt.Key.Key_Escape)
        assert heights(page) == want
    while not session.run.state.over:
        play(qtbot, page, 50)
    press(page, Qt.Key.Key_Backspace)
    play(qtbot, page, 1)
    assert "undid moves" in page.view.panel.notice.text_label.text()
    assert heights(page) == want


@pytest.mark.parametrize("question", BEGINNINGS)
def test_a_run_of_a_few_moves_is_given_up_at_once(qtbot, page, question):
    session = opened(qtbot, page, "ice_age")
    play(qtbot, page, 3)
    run = session.run
    press(page, *BEGINNINGS[question])
    assert session.run is not run
    assert session.run.state.n_moves == 0


def test_what_was_played_is_there_after_a_restart(qtbot, page, make_page):
    session = opened(qtbot, page, "isolated_island")
    play(qtbot, page, 10)
    page.close_page()
    again = opened(qtbot, make_page(), "isolated_island")
    assert again.run.state == session.run.state


def test_modes_are_slots_of_their_own(qtbot, page, data_dir):
    opened(qtbot, page, "ice_age")
    play(qtbot, page, 5)
    press(page, Qt.Key.Key_Escape)
    page.gallery.set_hard(True)
    page.gallery.mode_changed.emit(True)
    hard = opened(qtbot, page, "ice_age")
    assert hard.slot.hard
    assert hard.run.state.n_moves == 0
    assert hard.run.state.tools == (1, 1, 1)
    page.close_page()
    kept = {path.name for path in (data_dir / "minigames").glob("*.json")}
    assert kept == {"ice_age-normal.json", "ice_age-hard.json"}


def test_the_daily_run_is_begun_once_and_goes_on(qtbot, page):
    page.gallery.daily_requested.emit()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    session = page.view.session
    assert session.run.day == "2026-03-01"
    play(qtbot, page, 4)
    state = session.run.state
    press(page, Qt.Key.Key_Escape)
    page.open_daily()
    qtbot.waitUntil(lambda: page.view.session is not session)
    assert page.view.session.run.state == state


def test_the_card_of_the_daily_game_begins_the_run_of_the_day(qtbot, page):
    """It said "Today", began any other run, and Home asked for the game again."""
    daily = daily_game(date(2026, 3, 1))
    page.gallery.chosen.emit(daily)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert page.view.session.run.day == "2026-03-01"
    page.show_gallery()
    other = next(name for name in GAMES if name not in (daily, "tricky_tiles"))
    page.gallery.chosen.emit(other)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert page.view.session.run.day == ""


@pytest.mark.parametrize(("begins", "day"), [(4, "2026-02-28"), (0, "2026-03-01")])
def test_the_daily_run_is_that_of_the_evening_until_the_day_ends(
    qtbot, make_page, settings, begins, day
):
    settings.set("day.begins", begins)
    page = make_page(now=lambda: datetime(2026, 3, 1, 3, 59, tzinfo=timezone.utc))
    page.open_daily()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert page.view.session.spec.name == daily_game(date.fromisoformat(day))
    assert page.view.session.run.day == day


def test_the_card_of_the_daily_game_goes_on_with_a_run_in_play(qtbot, page):
    daily = daily_game(date(2026, 3, 1))
    opened(qtbot, page, daily)
    play(qtbot, page, 12)
    page.show_gallery()
    qtbot.waitUntil(lambda: page.gallery.state_of(daily).has_run)
    page.gallery.chosen.emit(daily)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert page.view.session.run.state.n_moves == 12


def test_the_daily_run_asks_before_it_ends_another_one(qtbot, page):
    daily = daily_game(date(2026, 3, 1))
    run = opened(qtbot, page, daily).run
    play(qtbot, page, 12)
    page.save()
    page.show_gallery()
    page.open_daily()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    session, notice = page.view.session, page.view.panel.notice
    assert session.run.seed == run.seed
    assert session.run.state.n_moves == 12
    assert notice.title_label.text() == "Start today's run?"
    notice.buttons[0].click()
    assert session.run.day == "2026-03-01"


@pytest.mark.parametrize("is_same", [True, False])
def test_what_is_played_while_the_daily_run_is_read_is_kept(qtbot, page, tasks, data_dir, is_same):
    daily = daily_game(START.date())
    name = daily if is_same else next(one for one in GAMES if one not in (daily, "tricky_tiles"))
    opened(qtbot, page, name)
    play(qtbot, page, 12)
    go_on, answered = threading.Event(), []
    tasks.run(lambda: go_on.wait(60), lambda _: None)
    page.open_daily()
    play(qtbot, page, 3)
    go_on.set()
    tasks.run(lambda: None, lambda _: answered.append(True))
    qtbot.waitUntil(lambda: bool(answered))
    qtbot.waitUntil(lambda: page.view.session.spec.name == daily)
    play(qtbot, page, 1)
    page.show_gallery()
    page.save()
    tasks.run(lambda: None, lambda _: answered.append(True))
    qtbot.waitUntil(lambda: len(answered) == 2)
    slot = load_slot(data_dir / "minigames", name, False, lambda: START)
    assert slot.run.state.n_moves == (16 if is_same else 15)


@pytest.mark.thorough
def test_an_end_says_what_was_reached_and_a_tool_revives_it(qtbot, page):
    session = opened(qtbot, page, "ferris_wheel")
    while not session.run.state.over:
        play(qtbot, page, 50)
    notice = page.view.panel.notice
    assert notice.title_label.text() == "No moves left"
    assert f"{session.run.state.score:,} points" in notice.text_label.text()
    press(page, KEYS_OF_TOOLS["bomb"])
    press(page, Qt.Key.Key_Return)
    assert session.run.state.over == ""
    assert page.view.panel.rules_box.isVisible()


def test_enter_begins_another_run_when_no_move_is_left(qtbot, page):
    session = opened(qtbot, page, "ferris_wheel")
    while not session.run.state.over:
        play(qtbot, page, 50)
    run = session.run
    press(page, Qt.Key.Key_Return)
    assert session.run is not run
    assert session.run.state.n_moves == 0
    assert page.view.panel.rules_box.isVisible()


def test_the_board_answers_after_every_control_of_the_page(qtbot, page):
    session = opened(qtbot, page, "mystery_merge_1")
    play(qtbot, page, 3)
    view = page.view
    kinds = (QAbstractButton, QAbstractSlider)
    controls = [w for kind in kinds for w in view.findChildren(kind) if w.isVisible()]
    controls = [w for w in controls if not (isinstance(w, QToolButton) and w.menu())]
    assert len(controls) >= 8
    for control in controls:
        QTest.mouseClick(control, Qt.MouseButton.LeftButton)
        view.aim.put_away()
        if page.stack.currentWidget() is not view:
            opened(qtbot, page, "mystery_merge_1")
        qtbot.waitUntil(view.board.hasFocus)
    assert session.spec.name == "mystery_merge_1"


def test_a_key_pressed_while_the_adversary_thinks_counts_afterwards(qtbot, page):
    session = opened(qtbot, page, "tricky_tiles")
    rules, state = session.run.rules, session.run.state
    pressed = [rules.legal(state)[0], rules.legal(state)[-1]]
    for direction in pressed:
        press(page, ARROWS[direction])
        state, _ = rules.play(state, move(direction), last_cell)
    qtbot.waitUntil(lambda: session.run.state == state)


def test_while_the_adversary_is_made_the_gallery_says_so(qtbot, page):
    page.open_game("tricky_tiles")
    assert banner_texts(page) == ["Loading the AI\u2026"]
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    assert not page.banners.banners
    page.show_gallery()
    page.open_game("tricky_tiles")
    assert not page.banners.banners, "it is there already"


def test_what_cannot_be_written_is_said_and_tried_again(qtbot, page, data_dir):
    session = opened(qtbot, page, "ice_age")
    folder = data_dir / "minigames"
    qtbot.waitUntil(lambda: folder.exists())
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    play(qtbot, page, 1)
    qtbot.waitUntil(lambda: bool(page.view.banners.banners))
    assert "cannot write" in page.view.banners.banners[0].text_label.text().lower()
    folder.unlink()
    play(qtbot, page, 1)
    qtbot.waitUntil(lambda: (folder / "ice_age-normal.json").exists())
    qtbot.waitUntil(lambda: not page.view.banners.banners)
    kept = json.loads((folder / "ice_age-normal.json").read_text())
    assert kept["run"]["state"]["n_moves"] == session.run.state.n_moves


def test_an_old_run_plays_the_same_whatever_was_done(qtbot, page):
    session = opened(qtbot, page, "endless_hybrid")
    for _ in range(40):
        run = session.run
        session.do(move(run.rules.legal(run.state)[0]))
        session.do(Action("twist", (5,)))
        if run.state.over:
            break
    session.undo()
    assert play_again(session.run.replay)[0].state == session.run.state


def test_a_damaged_file_is_told_in_the_gallery(qtbot, page, data_dir):
    opened(qtbot, page, "ice_age")
    play(qtbot, page, 3)
    page.save()
    path = data_dir / "minigames" / "ice_age-normal.json"
    path.write_bytes(path.read_bytes()[:-200])
    page.view.session.take_unsaved()
    page.show_gallery()
    qtbot.waitUntil(lambda: bool(page.banners.banners))
    assert "ice_age-normal.json is damaged" in page.banners.banners[0].text_label.text()


def test_the_first_card_has_the_keyboard_when_the_page_comes_to_the_front(qtbot, program):
    running = program()
    running.window.activateWindow()
    running.window.show_page(running.pages["Minigames"])
    page = running.pages["Minigames"]
    qtbot.waitUntil(lambda: page.gallery.isAncestorOf(QApplication.focusWidget() or page))
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.view)
    qtbot.waitUntil(page.view.board.hasFocus)
    press(page, Qt.Key.Key_Escape)
    assert page.gallery.isAncestorOf(QApplication.focusWidget())


@pytest.mark.thorough
def test_the_rules_stand_where_messages_come(qtbot, page):
    opened(qtbot, page, "column_chaos")
    panel = page.view.panel
    texts = [one.text() for one in panel.rules_box.findChildren(QLabel)]
    assert texts[0].startswith("Every 40 moves, two columns trade places.")
    press(page, KEYS_OF_TOOLS["bomb"])
    assert panel.rules_box.isHidden()
    assert panel.notice.text_label.text().startswith("Choose the tile to remove.")
    press(page, Qt.Key.Key_Escape)
    assert panel.rules_box.isVisible()


@pytest.mark.thorough
def test_figures_of_the_panel_come_when_there_are_any(qtbot, page):
    opened(qtbot, page, "column_chaos")
    figures = page.view.panel.figures
    assert [name for name, one in figures.items() if one.isVisible()] == ["trophy"]
    assert not page.view.best.isVisible()
    play(qtbot, page, 12)
    press(page, Qt.Key.Key_N)
    press(page, Qt.Key.Key_Return)
    assert all(one.isVisible() for one in figures.values())
    assert page.view.best.isVisible()
