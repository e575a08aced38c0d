"""The Puzzles page: found, asked, answered by keys, explained, and sent as text."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import oracle
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from coach.exam.history import History
from coach.grading.grade import Grade, grade_of
from coach.mistakes.mistake import TableKey
from coach.profile.words import THEMES, themes_of
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.questions import question_of
from coach.puzzles.rating import Rating
from coach.puzzles.text_line import to_line
from engine.bitboard import cells, format_board
from engine.platform import language
from engine.platform.quantities import loss_text
from gui.mistakes.sources import NoSourceError, find_source
from gui.mistakes.text import attempt_text
from gui.puzzles.text import change_text, rating_text
from tests.gui.page_driver import CTRL, SHIFT
from tests.gui.puzzles.stage import Stage


def wrong_move(stage: Stage) -> int:
    return stage.puzzle.natural


@pytest.mark.thorough
def test_one_button_makes_an_empty_page_useful(asking):
    assert not asking.page.frame.invites
    asking.banner("Found 50 new puzzles")
    assert len(asking.kept()) == 50
    assert asking.page.board_view.cells == cells(asking.puzzle.board)
    assert asking.page.board_view.hasFocus()
    assert "Which move is best?" in asking.page.panel.verdict.text()
    assert {cell.text() for cell in asking.page.panel.cross.cells if cell.isEnabled()} == {
        "\N{BULLET}" * 3
    }, "the rates are hidden"


@pytest.mark.thorough
def test_more_are_found_each_time_and_none_twice(asking):
    before = asking.question
    asking.press_with(CTRL, Qt.Key.Key_F)
    asking.banner("Found 50 new puzzles")
    assert len({one.puzzle.board for one in asking.kept()}) == 100
    assert asking.question is before, "what is asked stays"


def test_a_search_that_is_stopped_keeps_what_it_found(stage):
    page = stage.open()
    page.search.progressed.connect(lambda n: n == 3 and stage.page.search.cancel())
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert 3 <= len(stage.kept()) < 50
    assert not page.search.is_running


def test_while_a_search_runs_it_can_be_stopped_and_not_begun_again(stage):
    page = stage.open()
    stage.seeking.at_once = False
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    actions = {action.objectName(): action for action in page.actions()}
    assert not actions["find"].isEnabled()
    assert actions["cancel"].isEnabled()
    assert page.empty.title_label.text() == "Looking for puzzles"
    assert page.empty.button.text() == "Stop"
    page.empty.button.click()
    stage.seeking.work_off()
    assert actions["find"].isEnabled()
    stage.banner("No new puzzle found")
    assert page.frame.invites


@pytest.mark.thorough
def test_mistakes_of_ones_own_are_puzzles_too(asking):
    """A wrong answer that was added to the mistakes is one, and is there already."""
    asking.answer(wrong_move(asking))
    asking.press(Qt.Key.Key_M)
    asking.banner("Added to your mistakes")
    filed: list[Any] = []
    asking.book.ask(lambda m: list(m.get(m.ids()).values()), filed.append)
    assert [one.board for one in filed[0]] == [asking.puzzle.board]
    assert filed[0][0].best == (asking.puzzle.best,)
    assert filed[0][0].rates == asking.puzzle.rates
    made: list[Any] = []
    asking.book.ask(lambda m: m.attempts(filed[0][0].id), made.append)
    ((attempt,),) = made
    assert attempt_text(attempt, filed[0][0]).endswith("(in a puzzle)")
    with (
        closing(History(asking.book.database)) as tests,
        pytest.raises(NoSourceError, match="in a puzzle; only tests"),
    ):
        find_source(attempt, tests)
    board = asking.puzzle.board
    other = Stage(asking.qtbot, asking.settings, asking.folder / "other", asking.table)
    other.book.close()
    other.book = asking.book
    page = other.open()
    page.find_puzzles()
    other.banner("Found 51 new puzzles")
    (kept,) = (one for one in other.kept() if one.origin == "games")
    assert kept.puzzle.board == board
    page.run.ask(question_of(kept))
    assert "From your own games" in page.panel.about_label.text()
    other.close()


def test_without_a_table_the_page_says_where_to_get_one(stage):
    page = stage.open(has_table=False)
    page.show_daily()
    (button,) = stage.banner("There's no table").buttons
    assert page.empty.button.text() == "Build a table"
    for one in (button, page.empty.button):
        with stage.qtbot.waitSignal(page.tables_requested):
            one.click()


def test_puzzles_come_by_themselves_first_a_few_then_more_when_they_run_out(stage):
    page = stage.open(finds_more=True)
    assert not page.frame.invites
    assert len(stage.kept()) == 10
    assert page.board_view.hasFocus()
    for _ in range(10):
        stage.answer(stage.puzzle.best)
        stage.press(Qt.Key.Key_N)
    assert len(stage.kept()) == 60, "the first ten were all seen"
    assert stage.page.banners.banners == [], "nobody asked for them"
    stage.press(Qt.Key.Key_N)
    assert stage.question.item.last_seen is None


def test_the_puzzle_of_the_day_does_not_wait_for_a_search(stage):
    stage.seeking.at_once = False
    page = stage.open(finds_more=True)
    assert page.search.is_running
    page.show_daily()
    stage.seeking.work_off()
    assert "Puzzle of the day" in page.panel.about_label.text()


def test_a_search_by_itself_that_finds_nothing_is_not_repeated(stage, monkeypatch):
    searched: list[int] = []

    def nothing(_table: object, seed: int, _goes_on: object) -> Iterator[Puzzle]:
        searched.append(seed)
        return iter(())

    monkeypatch.setattr("gui.puzzles.search.find_puzzles", nothing)
    page = stage.open(finds_more=True)
    page.page_shown()
    assert len(searched) == 1
    stage.banner("No new puzzle found")
    assert page.frame.invites


@pytest.mark.parametrize("which", range(3))
@pytest.mark.thorough
def test_the_right_key_is_right(asking, which):
    page, puzzle = asking.page, asking.puzzle
    asking.answer(puzzle.best, which)
    assert page.run.verdict.is_right
    assert page.panel.verdict.text().startswith("Correct")
    assert page.board_view.hint == puzzle.best
    figures = {name: one.value_label.text() for name, one in page.panel.figures.items()}
    assert (figures["Streak"], figures["Days in a row"]) == ("1", "1")
    assert float(figures["Your rating"].rstrip("?")) > 1500


def test_a_wrong_answer_shows_the_rates_and_why(asking):
    with_a_line(asking)
    page, puzzle = asking.page, asking.puzzle
    natural = wrong_move(asking)
    asking.answer(natural)
    assert not page.run.verdict.is_right
    ratio = puzzle.rates[natural] / puzzle.rates[puzzle.best]
    assert page.run.verdict.grade is grade_of(ratio)
    names = ("Left", "Right", "Up", "Down")
    lost = loss_text(puzzle.rates[natural], puzzle.rates[puzzle.best])
    assert page.panel.verdict.text().startswith(f"{names[natural]} loses {lost}. ")
    assert f"{names[puzzle.best]} is best." in page.panel.verdict.text()
    assert page.panel.cross.cells[puzzle.best].is_best
    assert page.panel.cross.cells[natural].is_played
    assert "%" in page.panel.cross.cells[puzzle.best].text()
    assert f"{names[natural]} looks natural because" in page.panel.about_label.text()
    assert "Best line:" in page.panel.about_label.text()
    assert "It ends at" in page.panel.about_label.text()
    assert float(page.panel.figures["Your rating"].value_label.text().rstrip("?")) < 1500
    assert page.panel.figures["Your rating"].note_label.text() == "provisional", "it leaps"
    lines = page.panel.about_label.text().split("\n")
    assert [line.split(" ")[0] for line in lines[1:]] == ["Best", "Themes:"], "a line for each"
    assert lines[-1][8:].islower(), "inside a sentence"


@pytest.mark.thorough
def test_arrows_answer_once_puzzles_are_found_whatever_had_the_keyboard(stage):
    page = stage.open()
    assert not page.theme_combo.isVisible(), "there is nothing to choose from"
    stage.seeking.at_once = False
    page.empty.button.click()
    page.theme_combo.show()
    page.theme_combo.setFocus()
    stage.seeking.work_off(1)
    assert page.board_view.hasFocus()


def test_puzzles_of_a_theme_are_asked_and_the_rating_is_a_curve(asking):
    page = asking.page
    combo, chart = page.theme_combo, page.panel.chart
    kept = [themes_of(one.puzzle) for one in asking.kept()]
    theme = max({theme for themes in kept for theme in themes}, key=sum(kept, ()).count)
    combo.setCurrentIndex(combo.findData(theme))
    combo.activated.emit(combo.currentIndex())
    for n in range(3):
        assert theme in themes_of(asking.puzzle)
        assert theme.lower() not in page.panel.about_label.text(), "it would give the answer away"
        assert chart.isVisible() == (n > 1), "one rating is no curve"
        asking.answer(asking.puzzle.best)
        assert theme.lower() in page.panel.about_label.text()
        asking.press(Qt.Key.Key_N)
    assert page.panel.figures["Streak"].value_label.text() == "3"
    rare = next(theme for theme in THEMES if theme not in sum(kept, ()))
    combo.setCurrentIndex(combo.findData(rare))
    combo.activated.emit(combo.currentIndex())
    assert page.empty.title_label.text() == "No puzzle with this theme yet"


def test_only_the_first_answer_counts(asking):
    for direction in (asking.puzzle.natural, asking.puzzle.best, asking.puzzle.best):
        asking.answer(direction)
    stored = next(one for one in asking.kept() if one.id == asking.question.id)
    assert (stored.n_right, stored.n_wrong) == (0, 1)
    assert asking.page.run.tally.wrong == 1


def test_a_move_that_is_none_is_no_answer(asking):
    page = asking.page
    for _ in range(60):  # until a puzzle has a move that is not possible
        board = cells(asking.puzzle.board)
        blocked = [d for d in range(4) if oracle.move(board, d, True)[0] == board]
        if blocked:
            break
        asking.press(Qt.Key.Key_N)
    asking.answer(blocked[0])
    assert page.run.verdict is None
    assert "isn't possible" in page.panel.verdict.text()


def test_a_move_that_breaks_the_formation_is_refused_and_counts_nothing(stage):
    board = int("00ff10ff20ff1221", 16)  # up merges nothing that left doesn't
    stage.keep(Puzzle(TableKey("L3_512", 0.1), board, "full", (None, 0.9, 0.5, None)))
    page = stage.open()
    before = page.panel.figures["Your rating"].value_label.text()
    stage.answer(0)
    assert page.run.verdict is None
    assert page.panel.verdict.text() == (
        "Left breaks the formation, so the L3 \N{RIGHTWARDS ARROW} 512 table can't rate it. "
        "Try another move."
    )
    assert not page.actions_by_name["file"].isEnabled()
    (stored,) = stage.kept()
    assert (stored.n_right, stored.n_wrong, stored.last_seen) == (0, 0, None)
    assert page.panel.figures["Your rating"].value_label.text() == before
    stage.answer(1)
    assert page.run.verdict.is_right


@pytest.mark.parametrize("key", [Qt.Key.Key_N, Qt.Key.Key_Return])
def test_the_next_puzzle_is_another_one(asking, key):
    asking.answer(asking.puzzle.best)
    before = asking.puzzle.board
    asking.press(key)
    assert asking.puzzle.board != before
    assert asking.page.run.verdict is None
    assert asking.page.board_view.hint is None
    assert asking.page.panel.figures["Puzzle"].value_label.text() == "", (
        "it would tell how hard to look"
    )


@pytest.mark.thorough
def test_the_rating_stays_where_a_puzzle_comes_again(stage):
    page = stage.open()
    page.find_puzzles()
    only = stage.puzzle
    other = Stage(stage.qtbot, stage.settings, stage.folder / "other", stage.table)
    other.keep(only)
    page = other.open()
    other.answer(only.best)
    rating = page.panel.figures["Your rating"].value_label.text()
    other.now += timedelta(days=1)
    other.press(Qt.Key.Key_N)
    assert other.puzzle == only, "the only one"
    other.answer(only.natural)
    assert "You saw this one within a week" in page.panel.about_label.text()
    assert page.panel.figures["Your rating"].value_label.text() == rating
    other.close()


def test_the_position_is_opened_in_practice(asking):
    asking.press_with(CTRL, Qt.Key.Key_P)
    assert asking.asked_of_practice == [(asking.table, format_board(asking.puzzle.board))]


def test_a_click_on_a_rate_answers(asking):
    cell = asking.page.panel.cross.cells[asking.puzzle.best]
    QTest.mouseClick(cell, Qt.MouseButton.LeftButton)
    assert asking.page.run.verdict.is_right


def test_the_rules_of_verdicts(asking):
    question = replace(asking.question, rates=(0.9, 0.6, None, 0.0), best=(0,))
    told = [question.verdict(direction) for direction in range(4)]
    assert [one.is_right for one in told] == [True, False, False, False]
    assert [one.loss for one in told] == [0.0, pytest.approx(1 / 3), None, 1.0]
    assert [one.grade for one in told] == [Grade.PERFECT, Grade.DISASTER, None, Grade.DISASTER]
    assert [rating_text(Rating(1499.6, d)) for d in (60, 300)] == ["1500", "1500?"]
    assert rating_text(Rating()) == "", "nothing is known before the first answer"
    assert change_text(Rating(1500, 60), Rating(1487, 60)) == "\N{MINUS SIGN}13"


def with_a_line(stage: Stage) -> None:
    """Ask a puzzle that goes on after its first move."""
    for stored in stage.kept():
        stage.page.run.ask(question_of(stored))
        if len(stage.page.line) > 2:
            return
    raise AssertionError("no puzzle with a line")


def test_a_line_is_solved_move_by_move_and_counts_once(asking):
    page = asking.page
    page.actions_by_name["line"].trigger()
    assert asking.settings.get("puzzles.line") is True
    with_a_line(asking)
    first, line = asking.question, page.line
    asking.answer(line[0].best)
    rating = page.panel.figures["Your rating"].value_label.text()
    asking.press(Qt.Key.Key_Return)
    assert asking.question.id == first.id
    assert page.board_view.cells == cells(line[1].board)
    assert "Move 2 of the line." in page.panel.about_label.text()
    asking.answer(line[1].best)
    assert page.panel.verdict.text().startswith("Correct")
    assert page.run.tally.right == 1
    assert page.panel.figures["Your rating"].value_label.text() == rating
    stored = next(one for one in asking.kept() if one.id == first.id)
    assert (stored.n_right, stored.n_wrong) == (1, 0)


def test_without_the_wish_the_next_puzzle_comes(asking):
    with_a_line(asking)
    before = asking.question.id
    asking.answer(asking.puzzle.best)
    asking.press(Qt.Key.Key_Return)
    assert asking.question.id != before


def test_the_line_does_not_take_the_place_of_a_puzzle_that_is_on_its_way(asking):
    """A table chosen in the middle of a line had the puzzle of the line go on."""
    asking.page.actions_by_name["line"].trigger()
    with_a_line(asking)
    before = asking.question.id
    asking.answer(asking.puzzle.best)
    asking.tasks.at_once = False
    asking.page.table_combo.activated.emit(0)
    asking.press(Qt.Key.Key_Return)
    asking.tasks.at_once = True
    asking.tasks.work_off()
    assert asking.question.number == 0
    assert asking.question.id != before


def test_a_wrong_answer_ends_the_line(asking):
    asking.page.actions_by_name["line"].trigger()
    with_a_line(asking)
    before = asking.question.id
    asking.answer(asking.puzzle.natural)
    asking.press(Qt.Key.Key_Return)
    assert asking.question.id != before


@pytest.mark.thorough
def test_the_puzzle_of_the_day_is_the_same_for_everybody(asking):
    asking.press_with(SHIFT, Qt.Key.Key_D)
    assert "Puzzle of the day." in asking.page.panel.about_label.text()
    today = asking.puzzle
    asking.press(Qt.Key.Key_N)
    assert "Puzzle of the day." not in asking.page.panel.about_label.text()
    opened = len(asking.opened)
    asking.press_with(SHIFT, Qt.Key.Key_D)
    assert asking.puzzle == today
    assert len(asking.opened) == opened, "it is kept"
    assert "practice" not in asking.page.panel.about_label.text()
    other = Stage(asking.qtbot, asking.settings, asking.folder / "other", asking.table)
    page = other.open()
    page.show_daily()
    assert other.puzzle == today
    other.now += timedelta(days=1)
    page.show_daily()
    assert other.puzzle != today
    other.close()


@pytest.mark.thorough
def test_the_puzzle_of_the_day_is_that_of_the_evening_until_the_day_ends(asking):
    asking.now = asking.now.astimezone().replace(hour=23)
    asking.page.show_daily()
    evening = asking.puzzle
    asking.now += timedelta(hours=3)
    asking.page.show_daily()
    assert asking.puzzle == evening
    asking.settings.set("day.begins", 2)
    asking.page.show_daily()
    assert asking.puzzle != evening


def test_the_puzzle_of_the_day_is_answered_once(asking):
    asking.press_with(SHIFT, Qt.Key.Key_D)
    today = asking.puzzle
    asking.answer(wrong_move(asking))
    assert asking.page.run.tally.wrong == 1
    asking.press_with(SHIFT, Qt.Key.Key_D)
    assert asking.puzzle == today
    text = asking.page.panel.about_label.text()
    assert text.endswith("You got it wrong today, so this time is just practice.")
    asking.answer(today.best)
    assert asking.page.panel.verdict.text().startswith("Correct")
    assert (asking.page.run.tally.right, asking.page.run.tally.wrong) == (0, 1)
    (stored,) = (one for one in asking.kept() if one.puzzle == today)
    assert (stored.n_right, stored.n_wrong) == (0, 1)


def test_a_puzzle_is_copied_and_pasted_as_a_line(asking):
    asking.press_with(CTRL, Qt.Key.Key_C)
    line = QGuiApplication.clipboard().text()
    assert line == to_line(asking.puzzle)
    asking.press_with(CTRL, Qt.Key.Key_V)
    asking.banner("0 new, 1 already here.")
    other = Stage(asking.qtbot, asking.settings, asking.folder / "other", asking.table)
    page = other.open()
    QGuiApplication.clipboard().setText(f"Look at this:\n> {line}")
    next(a for a in page.actions() if a.objectName() == "paste").trigger()
    text = other.banner("1 new").text_label.text()
    assert "1 line isn't a puzzle" in text
    assert "Line 1:" in text
    assert other.puzzle == asking.puzzle
    assert "Imported." in page.panel.about_label.text()
    other.close()


def test_what_is_pasted_is_shown_as_it_is(asking):
    QGuiApplication.clipboard().setText("<b>2048-puzzle/1</b> <img src='/dev/zero'>")
    asking.press_with(CTRL, Qt.Key.Key_V)
    banner = asking.banner("1 line isn't a puzzle")
    assert "<b>2048-puzzle/1</b>" in banner.text_label.text()
    assert banner.text_label.textFormat() is Qt.TextFormat.PlainText


def test_nothing_on_the_clipboard_is_told(asking):
    QGuiApplication.clipboard().setText("")
    asking.press_with(CTRL, Qt.Key.Key_V)
    asking.banner("no text on the clipboard")


def test_a_file_goes_out_and_comes_back(asking, tmp_path):
    asking.dialogs.path = path = tmp_path / "puzzles.txt"
    asking.press_with(CTRL, Qt.Key.Key_E)
    asking.banner("Exported 50 puzzles")
    assert len(path.read_text().splitlines()) == 50
    asking.press_with(CTRL, Qt.Key.Key_I)
    asking.banner("0 new, 50 already here.")
    path.write_text(path.read_text().replace("2x4", "4x2"))
    asking.press_with(CTRL, Qt.Key.Key_I)
    asking.banner("50 lines aren't puzzles. Line 1: it was changed on its way")
    path.write_bytes(b"\xff\xfe\x00")
    asking.press_with(CTRL, Qt.Key.Key_I)
    assert asking.page.banners.banners
    assert len(asking.kept()) == 50


def test_a_puzzle_of_a_table_that_is_not_here_is_kept_as_it_came(asking):
    line = to_line(replace(asking.puzzle, key=asking.puzzle.key._replace(spawn4=0.2)))
    QGuiApplication.clipboard().setText(line)
    asking.press_with(CTRL, Qt.Key.Key_V)
    asking.banner("1 couldn't be checked")
    combo = asking.page.table_combo
    combo.setCurrentIndex(combo.count() - 1)
    combo.activated.emit(combo.count() - 1)
    assert asking.puzzle.key.spawn4 == 0.2
    asking.press_with(CTRL, Qt.Key.Key_P)
    asking.banner("isn't on this computer")
    asking.answer(asking.puzzle.natural)
    assert "Best line" not in asking.page.panel.about_label.text()


@pytest.mark.thorough
def test_a_damaged_file_can_be_set_aside(stage):
    (stage.folder / "user.db").write_bytes(b"this is not a database" * 100)
    page = stage.open()
    (button,) = stage.banner("cannot be read").buttons
    button.click()
    stage.banner("start from scratch")
    page.find_puzzles()
    assert stage.question


def test_a_deleted_table_is_let_go(asking):
    asking.page.close_table(asking.table)
    asking.page.set_tables([])
    asking.press(Qt.Key.Key_N)
    asking.answer(asking.puzzle.best)
    assert asking.page.run.verdict.is_right, "it has its rates"


@pytest.mark.thorough
def test_it_speaks_chinese(stage):
    language.use("zh_CN")
    try:
        page = stage.open()
        assert page.frame.title.label.text() == "谜题"
        QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
        stage.banner("50")
        natural = stage.puzzle.natural
        stage.answer(natural)
        name = ("左", "右", "上", "下")[natural]
        assert name in page.panel.verdict.text()
        stage.press(Qt.Key.Key_N)
        stage.answer(stage.puzzle.best)
        assert page.run.verdict.is_right
    finally:
        language.use("en")


def test_the_puzzles_of_a_session_are_asked_in_order_and_what_became_of_it_is_told(asking):
    wanted = [one.id for one in asking.kept()[5:8]]
    asking.page.train(wanted, 7, 9)
    asking.banner("3 puzzles in this session.")
    asked = []
    for i in range(3):
        asked.append(asking.question.id)
        asking.answer(wrong_move(asking) if i == 0 else asking.puzzle.best)
        asking.press(Qt.Key.Key_Return)
    assert asked == wanted
    asking.banner("Session done: 7 of 9 positions and 2 of 3 puzzles right.")
    assert asking.question.id not in wanted, "there are more"
    asking.answer(asking.puzzle.best)
    asking.press(Qt.Key.Key_Return)
    assert asking.page.run.question


def test_a_puzzle_of_a_session_that_is_gone_leaves_room_for_another(asking):
    asking.page.train([10**6])
    assert asking.page.run.question
