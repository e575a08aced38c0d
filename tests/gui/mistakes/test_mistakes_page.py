"""List, progress, files and mishaps of the Mistakes page, as a person meets them."""

import pickle
import sqlite3
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.days import today_of
from coach.grading.grade import GRADES, Grade
from coach.mistakes.mistake import TableKey
from coach.mistakes.statistics import Day
from engine.bitboard import format_board
from engine.symmetry import transform
from gui.mistakes.progress import DayChart
from gui.mistakes.text import day_text, due_text, lost_figure, lost_text, times_text
from gui.text.answers import table_title
from tests.gui.mistakes.stage import CHEAP, DEAR, WORST, Stage
from tests.gui.practice_fakes import NOON

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def listed(stage: Stage) -> Stage:
    stage.note_three()
    stage.open("list")
    return stage


def choose(stage: Stage, row: int, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    table = stage.page.list.table
    place = table.visualRect(stage.page.list.model.index(row, 2)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def click_header(stage: Stage, title: str) -> None:
    header = stage.page.list.table.horizontalHeader()
    model = stage.page.list.model
    titles = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    left = header.sectionViewportPosition(titles.index(title))
    QTest.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 12, header.height() // 2)
    )


def pick(_stage: Stage, combo, text: str) -> None:
    at = combo.findText(text)
    assert at >= 0, text
    combo.setCurrentIndex(at)
    combo.activated.emit(at)


def test_the_latest_comes_first_and_is_shown_beside(listed):
    assert listed.rows() == [CHEAP, DEAR, WORST]
    page = listed.page.list
    assert page.count_label.text() == "3 moves to drill"
    assert page.panel.title_label.text().startswith("L3")
    assert page.panel.hex_label.text() == format_board(CHEAP)
    assert page.panel.cross.cells[0].is_best
    assert "up, lost 1.2 points (test 1, move 7)" in page.panel.attempts_label.text()
    cells = [page.model.index(2, column).data() for column in range(7)]
    lost = "80 pts"
    assert cells[1:] == ["Disaster", table_title(TableKey("L3_256", 0.1)), lost, "1",
                         "Feb 19, 2026", "new"]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Lost", [CHEAP, DEAR, WORST]),
        ("Grade", [CHEAP, DEAR, WORST]),
        ("Table", [DEAR, CHEAP, WORST]),
        ("Board", [CHEAP, DEAR, WORST]),
    ],
)
def test_a_click_on_a_heading_sorts(listed, title, first):
    click_header(listed, title)
    assert listed.rows() == first
    click_header(listed, title)
    assert listed.rows()[0] == (CHEAP if title == "Table" else first[-1]) or listed.rows() == [
        WORST,
        CHEAP,
        DEAR,
    ]


def test_a_position_is_found_in_any_orientation(listed, qtbot):
    QTest.keyClick(listed.page, Qt.Key.Key_F, CONTROL)
    edit = listed.page.list.filter.search_edit
    assert edit.hasFocus()
    qtbot.keyClicks(edit, format_board(transform(DEAR, "rotate_left")))
    qtbot.waitUntil(lambda: listed.rows() == [DEAR])
    assert listed.page.list.count_label.text() == "1 of 3 moves to drill"
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(listed.rows()) == 3)


def test_what_is_no_position_is_said_below_the_field(listed, qtbot):
    edit, error = listed.page.list.filter.search_edit, listed.page.list.filter.error_label
    qtbot.keyClicks(edit, "12x")
    qtbot.waitUntil(error.isVisible)
    assert "hexadecimal" in error.text()
    edit.clear()
    qtbot.waitUntil(lambda: not error.isVisible())
    assert not listed.page.banners.banners


def test_filters_narrow_the_list_and_show_all_widens_it(listed):
    fields = listed.page.list.filter
    pick(listed, fields.grade_combo, "Mistake, or worse")
    assert listed.rows() == [DEAR, WORST]
    pick(listed, fields.date_combo, "Last 7 days")
    assert listed.rows() == [DEAR]
    pick(listed, fields.loss_combo, "25 points or more")
    assert listed.rows() == []
    assert not listed.page.list.panel.buttons["practice"].isEnabled()
    QTest.mouseClick(listed.page.list.clear_button, Qt.MouseButton.LeftButton)
    assert listed.rows() == [CHEAP, DEAR, WORST]
    pick(listed, fields.state_combo, "Retired")
    assert listed.rows() == []


def test_the_list_follows_the_table_chosen_above(listed):
    listed.page.table_combo.setCurrentIndex(1)
    listed.page.table_combo.activated.emit(1)
    assert listed.rows() == [DEAR]


def test_several_are_deleted_and_brought_back(listed):
    before = listed.dump()
    listed.rows()
    choose(listed, 0)
    choose(listed, 1, Qt.KeyboardModifier.ShiftModifier)
    assert listed.page.list.panel.title_label.text() == "2 selected"
    QTest.keyClick(listed.page.list.table, Qt.Key.Key_Delete)
    assert listed.rows() == [WORST]
    assert listed.page.list.mistake
    assert listed.page.list.mistake.board == WORST
    QTest.mouseClick(listed.banner("Deleted 2 mistakes").buttons[0], Qt.MouseButton.LeftButton)
    assert listed.rows() == [CHEAP, DEAR, WORST]
    assert listed.dump() == before


def test_retire_and_revive_by_key(listed):
    listed.rows()
    choose(listed, 2)
    for expected in (NOON, None):
        QTest.keyClick(listed.page.list.table, Qt.Key.Key_U)
        assert listed.mistakes()[WORST].retired == expected
        listed.rows()
    assert listed.page.list.mistake
    assert listed.page.list.mistake.board == WORST  # what was chosen stays chosen


def test_tags_are_typed_and_looked_for(listed, qtbot):
    listed.rows()
    choose(listed, 1)
    edit = listed.page.list.panel.tags_edit
    edit.setFocus()
    qtbot.keyClicks(edit, "corner, hard ,")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert listed.mistakes()[DEAR].tags == ("corner", "hard")
    pick(listed, listed.page.list.filter.tag_combo, "hard")
    assert listed.rows() == [DEAR]


def test_what_is_chosen_is_drilled(listed):
    listed.rows()
    choose(listed, 1)
    choose(listed, 2, CONTROL)
    QTest.keyClick(listed.page.list.table, Qt.Key.Key_Return)
    run = listed.page.run
    assert listed.page.view == "drill"
    assert run.question
    assert (run.question.board, run.tally.left) == (DEAR, 2)
    listed.press(Qt.Key.Key_Left, Qt.Key.Key_Return)
    assert run.question.board == WORST


def test_a_double_click_drills_from_there_on(listed):
    listed.rows()
    table = listed.page.list.table
    place = table.visualRect(listed.page.list.model.index(1, 2)).center()
    choose(listed, 1)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert listed.page.run.question
    assert listed.page.run.question.board == DEAR
    assert listed.page.run.tally.left == 2


def test_a_mistake_filed_elsewhere_appears_when_the_page_is_shown(listed):
    listed.page.hide()
    listed.note(CHEAP, source="test 2")
    listed.note(0x0000_0000_0000_0126, rates=(0.8, None, 0.1, None))
    listed.page.show()
    listed.page.page_shown()
    assert len(listed.rows()) == 4


@pytest.mark.thorough
def test_thousands_of_rows_are_fetched_as_they_are_seen(stage, qtbot):
    rows = [("L3_256", 0.1, f"{i:016x}", "full", 1, i) for i in range(5000)]
    sql = (
        "INSERT INTO mistake (table_name, spawn4, board, symmetry, best, last) "
        "VALUES (?, ?, ?, ?, ?, ?)"
    )
    stage.work(lambda m: m.connection.executemany(sql, rows) and None)
    stage.open("list")
    model, asked = stage.page.list.model, []
    model.rows_requested.connect(lambda ids: asked.append(len(ids)))
    assert model.rowCount() == 5000
    stage.page.list.table.scrollToBottom()
    qtbot.waitUntil(lambda: model.row_at(4999) is not None)
    found = model.row_at(4999)
    assert found.board == 0
    assert 0 < sum(asked) <= 300
    for row in range(0, 5000, 50):  # a long scroll
        qtbot.waitUntil(lambda row=row: model.row_at(row) is not None)
    asked.clear()
    known = [row for row in range(5000) if model.row_at(row)]
    assert len(known) <= 3200, "a long scroll does not fill the memory"
    qtbot.waitUntil(lambda: bool(asked))


def test_retired_ones_are_not_to_drill_and_drills_make_no_mistake(stage):
    stage.note_three()
    stage.open()
    stage.press(Qt.Key.Key_Up)  # wrong
    stage.page.actions_by_name["retire"].trigger()
    stage.page.show_view("progress")
    figures = stage.page.progress.figures
    assert [figures[name].value_label.text() for name in ("To drill", "Retired")] == ["2", "1"]
    mistake = max(stage.mistakes().values(), key=lambda one: one.n_wrong)
    assert (mistake.count, mistake.n_made) == (2, 1)


def test_progress_counts(stage):
    stage.note_three()
    stage.open()
    stage.press(Qt.Key.Key_Left)  # right
    stage.page.show_view("progress")
    progress = stage.page.progress
    values = [figure.value_label.text() for figure in progress.figures.values()]
    assert values == ["3", "0", "1", "100\N{NO-BREAK SPACE}%"]
    assert progress.grade_bar.counts[GRADES.index(Grade.DISASTER)] == 1
    assert len(progress.chart.days) == 30
    today = progress.chart.days[-1]
    assert (today.n_mistakes, today.n_right) == (1, 1)
    cells = [progress.tables.itemAtPosition(2, i).widget().text() for i in range(7)]
    assert cells == [
        table_title(TableKey("L3_256", 0.1)),
        "2",
        "0",
        "1",
        "0",
        "100\N{NO-BREAK SPACE}%",
        "Drill",
    ]
    button = progress.tables.itemAtPosition(1, 6).widget()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert stage.page.view == "drill"
    assert stage.page.run.question
    assert stage.page.run.question.board == DEAR
    assert stage.page.table_combo.currentIndex() == 1


def test_what_is_filed_is_set_here_and_holds_at_once(stage):
    stage.open("progress")
    combo = stage.page.progress.filing.grade_combo
    assert combo.currentText() == "inaccurate or worse"
    stage.note(CHEAP, rates=(0.8, None, 0.7996, None))  # keeps 99.95 %
    assert stage.mistakes() == {}
    pick(stage, combo, "excellent or worse")
    stage.note(CHEAP, rates=(0.8, None, 0.7996, None))
    assert set(stage.mistakes()) == {CHEAP}


def test_an_empty_book_invites_to_take_a_test(stage, qtbot):
    """Mistakes come from tests; few people have a notebook of another program."""
    stage.open("drill")
    empty = stage.page.frame.empty
    assert empty.button.property("primary")
    assert empty.button.text() == "Take a test"
    with qtbot.waitSignal(stage.page.first_test_requested):
        QTest.mouseClick(empty.button, Qt.MouseButton.LeftButton)


def test_an_empty_book_invites_to_import_a_notebook(stage):
    stage.open("list")
    empty = stage.page.frame.empty
    assert empty.isVisible()
    path = stage.folder / "mistakes_book.pkl"
    book = {"L3_256": {np.uint64(DEAR): (3, 0.6, "left"), np.uint64(WORST): (1, 0.1, "down")}}
    path.write_bytes(pickle.dumps(book))
    stage.dialogs.path = path
    QTest.mouseClick(empty.other_button, Qt.MouseButton.LeftButton)
    text = stage.banner("1 new, 0 already here").text_label.text()
    assert "1 couldn't be imported" in text
    assert "cannot be made there" in text
    assert not empty.isVisible()
    assert stage.rows() == [DEAR]
    assert stage.page.list.panel.board_view.hint == 0  # no rates, but the best move


def test_the_tables_here_say_what_a_notebook_does_not(stage):
    stage.open("list")
    stage.dialogs.path = stage.folder / "mistakes_book.pkl"
    positions = {np.uint64(board): (1, 0.1, "left") for board in (CHEAP, DEAR)}
    stage.dialogs.path.write_bytes(pickle.dumps({"L3_256": positions, "442_128": positions}))
    QTest.keyClick(stage.page, Qt.Key.Key_I, CONTROL)
    stage.banner("4 new")
    found = stage.work(lambda m: m.get(m.ids()).values())
    known = {(one.key.name, one.board): one.rates for one in found if one.has_rates}
    assert known == {("L3_256", CHEAP): (0.8, None, 0.4, None)}
    assert stage.table.is_closed


def test_export_and_import_bring_everything_back(listed):
    listed.dialogs.path = listed.folder / "out.json"
    QTest.keyClick(listed.page, Qt.Key.Key_E, CONTROL)
    listed.banner("Exported 3 mistakes")
    before = {board: one.total_loss for board, one in listed.mistakes().items()}
    listed.work(lambda m: m.delete(m.ids()))
    QTest.keyClick(listed.page, Qt.Key.Key_I, CONTROL)
    listed.banner("3 new, 0 already here")
    assert {board: one.total_loss for board, one in listed.mistakes().items()} == before
    assert listed.rows() == [CHEAP, DEAR, WORST]


def test_what_is_listed_is_what_is_exported(listed):
    pick(listed, listed.page.list.filter.loss_combo, "25 points or more")
    listed.dialogs.path = listed.folder / "out.csv"
    QTest.keyClick(listed.page, Qt.Key.Key_E, CONTROL)
    lines = listed.dialogs.path.read_text().splitlines()
    assert len(lines) == 2
    assert format_board(WORST) in lines[1]


def test_a_file_of_something_else_is_refused(listed):
    listed.dialogs.path = listed.folder / "letter.txt"
    listed.dialogs.path.write_text("Dear diary")
    QTest.keyClick(listed.page, Qt.Key.Key_I, CONTROL)
    listed.banner("no column board and no column table")
    assert len(listed.page.banners.banners) == 1
    listed.dialogs.path = None  # the user cancels
    QTest.keyClick(listed.page, Qt.Key.Key_I, CONTROL)
    assert len(listed.page.banners.banners) == 1


def test_a_damaged_book_is_set_aside_only_when_asked(stage):
    path = stage.folder / "user.db"
    path.write_bytes(b"dear diary " * 500)
    stage.open()
    banner = stage.banner("cannot be read")
    assert path.read_bytes() == b"dear diary " * 500
    QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    text = stage.banner("is kept as").text_label.text()
    kept = Path(text.partition("kept as ")[2].rstrip("."))
    assert kept.read_bytes() == b"dear diary " * 500
    stage.note(WORST)
    assert set(stage.mistakes()) == {WORST}
    assert stage.page.run.question


def test_mistakes_are_filed_on_a_thread_of_their_own(settings, tmp_path, tasks, qtbot):
    stage = Stage(qtbot, settings, tmp_path, filing=tasks)
    stage.open()
    assert stage.page.frame.empty.isHidden() or stage.page.run.question is None
    stage.note(WORST)
    qtbot.waitUntil(lambda: stage.page.run.question is not None)
    stage.press(Qt.Key.Key_Left)
    assert (
        stage.page.drill_panel.verdict.text() == "Correct \N{EN DASH} Left is best."
    )  # before it is stored
    qtbot.waitUntil(lambda: "Comes back" in stage.page.drill_panel.about_label.text())
    stage.close()


def test_no_empty_board_stands_in_for_the_first_question(stage):
    stage.note(WORST)
    stage.tasks.at_once = False
    page = stage.open()
    assert not page.board_view.isVisible()
    stage.tasks.at_once = True
    stage.tasks.work_off()
    stage.qtbot.waitUntil(page.board_view.isVisible)
    assert any(page.board_view.cells)
    assert page.board_view.hasFocus()


def test_what_was_filed_just_before_the_end_is_kept(stage):
    stage.open()
    stage.tasks.at_once = False
    stage.note(WORST)
    stage.note(DEAR)
    stage.tasks.work_off(1)  # the worker ends before the second
    stage.tasks.waiting.clear()
    stage.store.close()
    stage.tasks.at_once = True
    assert set(stage.mistakes()) == {WORST, DEAR}


def test_the_end_lets_go_of_the_file_whoever_still_holds_the_book(stage):
    """On Windows nobody could move or delete it otherwise."""
    stage.note(WORST)
    held = stage.work(lambda mistakes: mistakes)
    stage.store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        held.count()
    assert [path.name for path in stage.folder.glob("user.db*")] == ["user.db"]


def test_losses_days_and_times_in_words(listed):
    cheap = listed.mistakes()[CHEAP]
    losses = 0.5, 0.0123, 1.0, 0.0
    assert [lost_text(cheap, loss) for loss in losses] == [
        "40 points", "0.98 points", "everything", "nothing",
    ]  # fmt: skip
    unknown = replace(cheap, rates=(None,) * 4)
    assert [lost_text(unknown, loss) for loss in losses[:2]] == [
        "50\N{NO-BREAK SPACE}% of the chance",
        "1.2\N{NO-BREAK SPACE}% of the chance",
    ]
    assert lost_figure(replace(unknown, worst_loss=0.5)) == "50\N{NO-BREAK SPACE}%"
    assert [times_text(n) for n in (1, 2, 3)] == ["once", "twice", "3 times"]
    today = today_of(NOON, 0)
    days = [day_text(NOON - timedelta(days=n), today) for n in (0, 1, 2)]
    assert days == ["today", "yesterday", "Feb 27, 2026"]
    assert table_title(TableKey("my table", 0.2)) == "my table, 20\N{NO-BREAK SPACE}% fours"
    assert due_text(listed.mistakes()[CHEAP], today) == "new"


def test_what_was_made_in_the_evening_is_of_today_until_the_day_ends(listed):
    """In words, and for the filter by date."""
    evening = NOON.astimezone().replace(hour=23)
    dates = listed.page.list.filter.date_combo
    dates.setCurrentIndex(dates.findText("Today"))
    night = evening + timedelta(hours=3)
    for begins, word in ((4, "today"), (0, "yesterday")):
        today = today_of(night, begins)
        assert day_text(evening, today) == word
        assert (dates.since(today) <= evening) == (word == "today")


@pytest.mark.parametrize("width", [968, 1080])  # beside the rail at 1024 and at 1280
def test_all_columns_of_the_list_fit(listed, width):
    page = listed.page
    page.resize(width, 740)
    QApplication.processEvents()
    listed.rows()
    table = page.list.table
    widths = [table.columnWidth(i) for i in range(page.list.model.columnCount())]
    assert table.horizontalScrollBar().maximum() == 0, (table.viewport().width(), widths)
    for column in range(1, page.list.model.columnCount()):
        assert table.sizeHintForColumn(column) <= table.columnWidth(column), column


def test_columns_fit_again_in_a_window_that_was_small(listed):
    """They got the room of the panel as well, which stood below the list before."""
    page, widths = listed.page, []
    for width in (1112, 1120, 640, 1120):
        page.resize(width, 740)
        for _ in range(5):  # layouts that follow from others
            QApplication.processEvents()
        n_columns = page.list.model.columnCount()
        widths.append([page.list.table.columnWidth(i) for i in range(n_columns)])
    assert widths[3] == widths[1] != widths[2]


@pytest.mark.parametrize("width", [300, 440, 700, 1000])
def test_dates_below_the_days_do_not_lie_on_each_other(qtbot, width):
    chart = DayChart()
    qtbot.addWidget(chart)
    chart.show_days([Day(NOON.date() + timedelta(days=n)) for n in range(30)])
    chart.resize(width, 200)
    room = 90.0
    begins = [left for _, left in chart.date_places(room)]
    assert begins[0] == width - room, "the last one ends with the chart"
    assert all(later - left >= room for later, left in pairwise(begins))
    assert begins[-1] >= 0


def test_each_day_has_its_numbers_above_and_below_its_bars(qtbot, monkeypatch):
    chart, drawn = DayChart(), []
    qtbot.addWidget(chart)
    chart.resize(700, 200)
    chart.show_days([Day(NOON.date(), 6, n_right=2, n_wrong=1), Day(NOON.date(), 4)])
    draw = QPainter.drawText
    monkeypatch.setattr(QPainter, "drawText", lambda *a: (drawn.append(a[-1]), draw(*a)))
    chart.grab()
    assert drawn[:3] == ["6", "3", "4"]


def test_deleting_is_not_beside_retiring_and_the_position_is_the_last_filter(listed):
    bar = listed.page.action_bar.buttons
    assert ("retire" in bar, "delete" in bar) == (True, False)
    QApplication.processEvents()
    fields = listed.page.list.filter
    where = [one.mapTo(fields, QPoint()) for one in (fields.search_edit, *fields.combos)]
    assert max(where, key=lambda at: (at.y(), at.x())) == where[0]
