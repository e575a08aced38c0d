"""The page Routes, played with keys."""

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove
from coach.play.rules import End
from coach.routes.code import Route, code_of, read_code
from coach.routes.daily import DAILY_MOVES, daily_route
from coach.routes.result import line_of, read_result, result_of
from coach.routes.setup import route_of, route_on
from gui.routes.comparison import Comparison
from gui.routes.page import RoutesPage
from gui.text.rates import format_points
from tests.coach.routes.route_stage import is_over, new_run
from tests.gui.page_driver import ARROWS, click, press
from tests.gui.practice_fakes import NOON, TABLE_PATH, TABLES
from tests.gui.routes.route_driver import RouteTable, arrow, play_to_the_end, run_of

Key = Qt.Key


def enter(page: RoutesPage, text: str) -> None:
    page.start_view.code_edit.setFocus()
    page.start_view.code_edit.setText(text)
    QTest.keyClick(page.start_view.code_edit, Key.Key_Return)


def short(table: RouteTable, n_moves: int = 3, seed: int = 5) -> Route:
    return route_on(table, seed, n_moves, is_corrected=True)


def test_the_route_of_today_is_that_of_the_day_and_the_table(page, table):
    click(page.start_view.daily_button)
    assert route_of(run_of(page)) == daily_route(NOON.date(), table)
    assert run_of(page).setup.goal.moves == DAILY_MOVES
    assert page.board_view.cells == list(run_of(page).cells)
    assert page.board_view.hasFocus()
    assert page.panel.progress_label.text() == "Move 0 of at most 100"
    assert not page.panel.progress_bar.isVisible(), "the target may end it sooner"
    assert page.panel.right.isHidden(), "there is no move to rate yet"


def test_the_route_of_today_is_that_of_the_evening_until_the_day_ends(new_page, table, settings):
    evening = NOON.astimezone().replace(hour=23)
    page = new_page(seconds=(evening + timedelta(hours=3) - NOON).total_seconds())
    click(page.start_view.daily_button)
    assert route_of(run_of(page)) == daily_route(evening.date(), table)
    settings.set("day.begins", 2)
    click(page.start_view.daily_button)
    assert route_of(run_of(page)) == daily_route(evening.date() + timedelta(days=1), table)


def test_a_code_brings_everyone_the_same_boards(page, table):
    enter(page, code_of(short(table, 9)).lower())
    run = run_of(page)
    assert route_of(run) == short(table, 9)
    assert page.panel.cross.isHidden(), "no empty figures before the first move"
    assert page.panel.right.isHidden()
    press(page, arrow(page, is_best=True))
    twin = new_run(short(table, 9), table)
    twin.play(run.moves[0].direction, table.probe(twin.board).rates)
    assert page.board_view.cells == list(twin.cells)


def test_who_has_no_code_yet_sees_what_they_look_like(page):
    text = page.start_view.code_edit.placeholderText()
    example = text.removeprefix("Code or result, such as ")
    assert code_of(read_code(example)) == example


def test_a_typing_error_is_told_and_the_code_stays(page, table):
    code = code_of(short(table))
    enter(page, code[:-1] + ("0" if code[-1] != "0" else "1"))
    assert "typing error" in page.start_view.error_label.text()
    assert page.start_view.code_edit.text()
    assert page.start_view.isVisible()
    assert page.player.run is None


def test_a_route_without_its_table_says_which_to_build(page, qtbot):
    with qtbot.waitSignal(page.tables_requested):
        enter(page, code_of(Route("442", "512", 1)))
        (banner,) = page.banners.banners
        assert "442 \N{RIGHTWARDS ARROW} 512" in banner.text_label.text()
        click(banner.buttons[0])


def test_the_next_route_ends_what_is_said_of_a_missing_table(page, table):
    page.play(Route("442", "512", 1))
    assert page.banners.banners
    page.play(short(table))
    assert not page.banners.banners


def test_a_route_for_another_formation_of_that_name_is_told(page):
    enter(page, code_of(Route("L3", "256", 1, fingerprint=1)))
    assert "another formation" in page.start_view.error_label.text()


def test_a_wrong_move_is_shown_then_the_best_is_made(page, table, qtbot):
    page.play(short(table, 9))
    before = page.board_view.cells
    wrong = arrow(page, is_best=False)
    press(page, wrong)
    move = run_of(page).moves[0]
    assert move.is_corrected
    assert page.display.correction.isVisible()
    assert page.board_view.cells == before, "the board waits"
    assert page.board_view.hint == move.made
    assert page.display.correction.yours.text().startswith("You: ")
    assert page.display.correction.best.text().startswith("Best: left 99.38")
    assert page.display.correction.lost.text().endswith(" lost")
    press(page, Key.Key_Down)  # pressed before one can have seen it
    assert page.display.correction.isVisible()

    def has_seen_enough() -> bool:
        press(page, Key.Key_Down)  # makes no move
        return not page.display.correction.isVisible()

    qtbot.waitUntil(has_seen_enough)
    assert page.board_view.cells == list(run_of(page).cells)
    assert run_of(page).n_moves == 1
    assert page.panel.right.value_label.text() == "0 of 1"


def test_the_correction_goes_away_by_itself(page, table, settings, qtbot):
    settings.set("routes.correction_ms", 30)
    page.play(short(table, 9))
    press(page, arrow(page, is_best=False))
    qtbot.waitUntil(lambda: not page.display.correction.isVisible())
    assert page.board_view.cells == list(run_of(page).cells)


def test_without_a_stop_the_best_is_made_at_once(page, table, settings):
    settings.set("routes.correction_ms", 0)
    page.play(short(table, 9))
    press(page, arrow(page, is_best=False))
    assert not page.display.correction.isVisible()
    assert page.board_view.cells == list(run_of(page).cells)
    assert "Corrected: left." in page.panel.cross.sentence.text()


def test_where_nothing_is_corrected_a_wrong_move_stands(page, table):
    page.play(route_on(table, 5, 9, is_corrected=False))
    press(page, arrow(page, is_best=False))
    assert not page.display.correction.isVisible()
    assert not run_of(page).moves[0].is_corrected
    assert page.panel.right.value_label.text() == "0 of 1"


def test_a_move_that_is_none_is_refused_in_words(page, table):
    page.play(short(table, 60))
    while all(run_of(page).is_legal(d) for d in range(4)):
        press(page, arrow(page, is_best=True))
    n_moves = run_of(page).n_moves
    press(page, ARROWS[next(d for d in range(4) if not run_of(page).is_legal(d))])
    assert "isn't possible" in page.panel.line.text()
    assert run_of(page).n_moves == n_moves


def test_the_end_says_how_it_went_and_keeps_it(page, table):
    page.play(short(table))
    assert page.panel.lost.isHidden(), "no zeros"
    play_to_the_end(page, is_best=False)
    assert page.panel.score.isHidden(), "the card says it"
    run = run_of(page)
    assert run.end is End.MOVES
    result = page.panel.result
    assert result.isVisible()
    assert result.title_label.text() == "0 of 3 moves correct"
    assert result.text_label.text().startswith("Route finished: 3 moves in ")
    lost = format_points(run.totals.points_lost)
    assert f". {lost} lost in 3 moves." in result.text_label.text()
    assert "percentage point" in result.text_label.toolTip(), "what a point is"
    assert len(result.worst_buttons) == 3
    page.show_list(True)
    (kept,) = page.start_view.list.model.rows
    assert kept.result == result_of(run)


def test_a_button_at_the_end_works_or_shows_that_it_does_not(page, table):
    page.play(short(table))
    play_to_the_end(page)
    buttons = page.panel.result.buttons
    assert all(button.isEnabled() for button in buttons.values())
    page.play(Route("", "", 5, 4, is_corrected=False))
    while page.player.is_playing:
        for key in (Key.Key_Left, Key.Key_Down, Key.Key_Right, Key.Key_Up):
            press(page, key)
    assert page.panel.result.isVisible()
    shut = [name for name, button in buttons.items() if not button.isEnabled()]
    assert shut == ["practice"], "no table plays whole games"


def test_a_second_try_is_compared_with_the_first(page, table):
    page.play(short(table))
    play_to_the_end(page, is_best=False)
    assert page.panel.result.ranking_label.isHidden()
    QTest.keyClick(page.board_view, Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert run_of(page).n_moves == 0
    assert route_of(run_of(page)) == short(table)
    play_to_the_end(page)
    first, second = page.panel.result.ranking_label.text().splitlines()
    assert first == "1. This run: 0 points lost in 3 moves"
    assert second.startswith("2. You: ")


def test_a_result_that_was_passed_on_is_compared(page, table):
    route = short(table)
    run = new_run(route, table)
    while not is_over(run, table.probe(run.board).rates, table):
        rates = table.probe(run.board).rates
        run.play([d for d in range(4) if run.is_legal(d)][-1], rates)
    enter(page, line_of(result_of(run)))
    assert page.start_view.code_edit.text() == ""
    assert page.start_view.list.model.rowCount() == 1
    page.play(route)
    play_to_the_end(page)
    assert "2. A friend: " in page.panel.result.ranking_label.text()
    damaged = line_of(result_of(run)).replace("mistakes", "mistakes 1")
    page.show_list(True)
    enter(page, damaged)
    assert "typing error" in page.start_view.error_label.text()


def test_code_and_result_are_copied(page, table):
    page.play(short(table))
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(page.board_view, Key.Key_C, control)
    assert read_code(QGuiApplication.clipboard().text()) == short(table)
    play_to_the_end(page)
    QTest.keyClick(page.board_view, Key.Key_C, control | Qt.KeyboardModifier.ShiftModifier)
    received = read_result(QGuiApplication.clipboard().text())
    assert received.n_moves == 3
    QGuiApplication.clipboard().setText(code_of(short(table, seed=6)))
    QTest.keyClick(page.board_view, Key.Key_V, control)
    assert route_of(run_of(page)) == short(table, seed=6)


def test_the_ai_and_where_it_loses_something_the_table_go_along_the_route_too(
    page, table, tasks, monkeypatch
):
    monkeypatch.setattr(Comparison, "_played", played)
    for is_corrected, players in ((True, ["search"]), (False, ["table", "search"])):
        page.play(route_on(table, 5, 3, is_corrected))
        play_to_the_end(page)
        result = page.panel.result
        assert result.standing_label.text().startswith("The AI is playing")
        assert result.buttons["compare"].isHidden(), "it plays by itself"
        tasks[2].work_off()
        assert result.standing_label.text().startswith("You beat the AI (0.068 points lost ")
        assert result.ranking_label.text().count("\n") == len(players)
        page.show_list(True)
        rows = page.start_view.list.model
        assert [run.result.who for run in rows.rows] == [""] * (1 + (not is_corrected))
        ai = next(column for column in rows.columns if column.title == "The AI")
        assert ai.text(rows.rows[0]) == "0.068 pts"


def played(_self, who, make, _path, _is_cancelled):
    run = new_run(make(RouteTable()), RouteTable())
    run.play(2, RouteTable().probe(run.board).rates)
    run.finish(End.MOVES, NOON)
    return result_of(run, who)


def test_the_ai_plays_todays_route_while_the_list_is_shown(page, tasks, monkeypatch):
    monkeypatch.setattr(Comparison, "_played", played)
    tasks[2].work_off()
    _, line = page.start_view.ranking_label.text().splitlines()
    assert line.startswith("1. The AI: ")
    assert page.start_view.daily_button.text() == "Play"
    page.show_list(True)
    assert not tasks[2].waiting, "once a day"
    page.play_today()
    press(page, arrow(page, is_best=True))
    page.show_list(True)
    assert page.start_view.daily_button.text() == "Continue"


def test_who_leaves_the_route_is_told_nothing_more_of_others(page, table, tasks):
    page.play(short(table))
    play_to_the_end(page)
    press(page, Key.Key_N)
    tasks[2].work_off()
    page.show_list(True)
    assert [run.result.who for run in page.start_view.list.model.rows] == [""]


def test_a_table_that_fails_is_told_and_the_route_goes_on_later(page, table):
    page.play(short(table, 9))
    run = run_of(page)
    probe, table.probe = table.probe, broken
    press(page, arrow(page, is_best=True))
    assert page.panel.line.text().startswith("Cannot read L3")
    table.probe = probe
    press(page, arrow(page, is_best=True), arrow(page, is_best=True))
    assert run.n_moves >= 2


def broken(_board: int, comes_up: bool = False) -> None:  # noqa: ARG001
    raise OSError(5, "Input/output error")


def test_new_tiles_on_a_route_like_this_one(page, table):
    page.play(short(table))
    press(page, Key.Key_N)
    route = route_of(run_of(page))
    assert route != short(table)
    assert (route.table, route.n_moves, route.is_corrected) == ("L3_256", 3, True)


def test_in_the_list_a_key_begins_a_new_route_on_the_chosen_table(page, table):
    page.play(short(table))
    for control in (page.start_view.daily_button, page.start_view.list.view):
        press(page, arrow(page, is_best=True))
        page.show_list(True)
        control.setFocus()
        QTest.keyClick(control, Key.Key_N)
        assert page.shows_board, control
        assert route_of(run_of(page)).n_moves == page.start_view.n_moves


def test_the_figures_say_whose_they_are(page, table):
    page.play(short(table))
    press(page, arrow(page, is_best=True))
    assert page.panel.cross_label.text() == "Your last move"
    play_to_the_end(page, is_best=False)
    click(page.panel.result.worst_buttons[0])
    assert page.panel.cross_label.text() == "Your move here"
    page.play(Route("", "", 5, 4, is_corrected=False))
    assert page.panel.cross_label.isHidden(), "nobody judges"


def test_what_is_saved_again_without_a_move_keeps_its_time(new_page, table):
    first = new_page()
    first.play(short(table))
    press(first, arrow(first, is_best=True))
    first.show_list(True)
    (before,) = first.start_view.list.model.rows
    first.close_page()
    page = new_page(seconds=3600)
    page.show_list(True)
    page.start_view.list.view.setFocus()
    QTest.keyClick(page.start_view.list.view, Key.Key_Return)
    page.save()  # as when the language changes
    page.show_list(True)
    (kept,) = page.start_view.list.model.rows
    assert kept.played == before.played
    page.show_list(False)
    press(page, arrow(page, is_best=True))
    page.show_list(True)
    (kept,) = page.start_view.list.model.rows
    assert kept.played - before.played >= timedelta(hours=1)


def test_wrong_moves_go_to_the_mistakes(new_page, table):
    noted: list[NotedMove] = []
    page = new_page(note_mistake=noted.append)
    page.play(short(table))
    press(page, arrow(page, is_best=False), Key.Key_Escape, arrow(page, is_best=True))
    (told,) = noted
    assert told.key == ("L3_256", 0.1)
    assert told.judgement == judge(told.rates, run_of(page).moves[0].direction, UINT32)
    assert (told.source, told.number) == (f"route {code_of(short(table))}", 1)
    assert told.symmetry == "full"


def test_a_worst_move_is_one_click_from_practice(page, table, qtbot):
    page.play(short(table))
    play_to_the_end(page, is_best=False)
    click(page.panel.result.worst_buttons[0])
    move = run_of(page).moves[run_of(page).worst(1)[0]]
    assert page.board_view.cells == list(move.before)
    assert page.board_view.hint == move.made
    with qtbot.waitSignal(page.practice_requested) as asked:
        QTest.keyClick(page.board_view, Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    path, board = asked.args
    assert path == TABLE_PATH
    assert [int(digit, 16) for digit in board.replace(" ", "")] == list(move.before)


def test_keys_go_from_mistake_to_mistake(page, table):
    page.play(short(table))
    play_to_the_end(page, is_best=False)
    press(page, Key.Key_Comma)
    assert page.board_view.cells == list(run_of(page).moves[2].before)
    press(page, Key.Key_Comma)
    assert page.board_view.cells == list(run_of(page).moves[1].before)
    press(page, Key.Key_Period)
    assert page.board_view.cells == list(run_of(page).moves[2].before)


@pytest.mark.thorough
def test_what_was_broken_off_goes_on_where_it_was(new_page, table):
    first = new_page()
    first.play(short(table, 9))
    press(first, arrow(first, is_best=True), arrow(first, is_best=True))
    cells = run_of(first).cells
    first.close_page()
    second = new_page()
    second.page_shown()
    (kept,) = second.start_view.list.model.rows
    assert kept.is_unfinished
    second.start_view.list.view.setFocus()
    QTest.keyClick(second.start_view.list.view, Key.Key_Return)
    assert run_of(second).cells == cells
    assert run_of(second).n_moves == 2
    play_to_the_end(second)
    second.show_list(True)
    assert second.start_view.list.model.rowCount() == 1


def test_a_run_is_removed_and_brought_back(page, table):
    page.play(short(table))
    play_to_the_end(page)
    page.show_list(True)
    page.start_view.list.view.setFocus()
    QTest.keyClick(page.start_view.list.view, Key.Key_Delete)
    assert page.start_view.list.model.rowCount() == 0
    (banner,) = page.banners.banners
    click(banner.buttons[0])
    assert page.start_view.list.model.rowCount() == 1


def test_a_whole_game_needs_no_table(page):
    page.set_tables([])
    assert page.start_view.table_combo.currentText() == "Whole game"
    click(page.start_view.new_button)
    assert not run_of(page).setup.is_judged
    play_to_the_end(page, is_best=True)
    run = run_of(page)
    assert run.n_moves == 100 or run.end is End.NO_MOVE
    assert page.panel.result.title_label.text() == f"{run.totals.points:,} points"
    assert page.panel.result.buttons["compare"].isVisible(), "a whole game takes long"
    assert not page.panel.cross.isVisible()


def test_a_table_that_goes_takes_its_route_along(page, table):
    page.play(short(table, 9))
    press(page, arrow(page, is_best=True))
    page.close_table(TABLE_PATH)
    assert page.player.run is None
    assert page.start_view.isVisible()
    assert page.start_view.list.model.rowCount() == 1


def test_choices_are_remembered(new_page, settings):
    first = new_page()
    view = first.start_view
    view.table_combo.setCurrentIndex(len(TABLES))
    view.table_combo.activated.emit(len(TABLES))
    view.length_combo.setCurrentIndex(0)
    view.length_combo.activated.emit(0)
    second = new_page()
    assert second.start_view.path is None
    assert second.start_view.n_moves == 30
    assert settings.get("routes.n_moves") == 30


def test_a_route_that_is_over_opens_in_review(page, table, qtbot):
    page.play(short(table))
    press(page, arrow(page, is_best=False), Key.Key_Escape)
    assert not page.panel.result.buttons["review"].isVisible(), "it is not over"
    play_to_the_end(page, is_best=False)
    run = run_of(page)
    button = page.panel.result.buttons["review"]
    control = Qt.KeyboardModifier.ControlModifier
    for ask, at in (
        (lambda: click(button), 0),
        (lambda: QTest.keyClick(page.board_view, Key.Key_R, control), 2),
    ):
        with qtbot.waitSignal(page.review_requested) as asked:
            ask()
        recording, position = asked.args
        assert position == at
        assert list(recording.positions[:-1]) == [move.before for move in run.moves]
        assert [one.grade for one in recording.judgements] == [
            move.judgement.grade for move in run.moves
        ]
        press(page, Key.Key_Comma)


def test_the_route_of_today_goes_on_and_is_shown_when_it_is_over(new_page):
    first = new_page()
    first.play_today()
    press(first, arrow(first, is_best=True), arrow(first, is_best=True))
    first.close_page()
    second = new_page()
    second.play_today()
    assert run_of(second).n_moves == 2
    play_to_the_end(second)
    run = run_of(second)
    standing = second.panel.result.standing_label.text()
    assert "is playing" in standing, "Home tells how the AI did"
    second.show_list(True)
    second.play_today()
    assert run_of(second).end is not None
    assert run_of(second).moves == run.moves
    assert second.panel.result.isVisible()
    second.show_list(True)
    assert "1. You: " in second.start_view.ranking_label.text()
    assert second.start_view.daily_button.text() == "Show result"


def test_in_a_low_window_the_start_scrolls_and_nothing_is_squeezed(page, table):
    page.play(short(table))
    play_to_the_end(page)
    QTest.keyClick(page.board_view, Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    assert page.start_view.list.view.isVisible()
    page.setMinimumSize(1, 1)  # as in the window, which may be as low as it likes
    page.resize(620, 360)
    QApplication.processEvents()
    view = page.start_view
    view.others.set_open(True)
    QApplication.processEvents()
    for control in (view.table_combo, view.daily_button, view.code_edit, view.code_button):
        assert control.height() >= control.minimumSizeHint().height(), control
