"""The list of the Puzzles page: sorted, solved again, removed and sent as lines."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from coach.mistakes.mistake import TableKey
from coach.puzzles.text_line import to_line
from tests.gui.page_driver import CTRL, KEYS, SHIFT
from tests.gui.puzzles.stage import Stage


@pytest.fixture
def listing(asking: Stage) -> Stage:
    asking.press_with(CTRL, Qt.Key.Key_H)
    assert asking.page.list.view.hasFocus()
    return asking


def listed(stage: Stage) -> list[int]:
    return [one.id for one in stage.page.list.model.rows]


def press_in_list(
    stage: Stage, key: Qt.Key, how: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.keyClick(stage.page.list.view, key, how)


def test_all_puzzles_are_listed_and_sorted_by_difficulty_date_and_success(listing):
    kept, model = listing.kept(), listing.page.list.model
    assert sorted(listed(listing)) == [one.id for one in kept]
    assert listing.page.list.count_label.text() == "50 puzzles"
    titles = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    view, up = listing.page.list.view, Qt.SortOrder.AscendingOrder
    view.sort_by(titles.index("Difficulty"), up)
    values = [one.rating.value for one in model.rows]
    assert values == sorted(values)
    one, other = kept[3], kept[7]
    for stored, direction in ((one, one.puzzle.best), (other, other.puzzle.natural)):
        listing.now += timedelta(minutes=1)
        now = listing.now
        listing.puzzles.change(lambda p, s=stored, d=direction, n=now: p.answer(s.id, d, n, 1.0))
    view.sort_by(titles.index("Solved"), Qt.SortOrder.DescendingOrder)
    assert listed(listing)[:2] == [one.id, other.id]
    cell = model.data(model.index(1, titles.index("Solved")))
    assert cell == "0 of 1"
    view.sort_by(titles.index("Last seen"), Qt.SortOrder.DescendingOrder)
    assert listed(listing)[:2] == [other.id, one.id]
    view.sort_by(titles.index("Found"), up)
    assert [row.found for row in model.rows] == sorted(row.found for row in model.rows)


@pytest.mark.thorough
def test_a_listed_puzzle_is_solved_again(listing):
    view = listing.page.list.view
    view.selectRow(5)
    wanted = view.chosen
    assert wanted
    press_in_list(listing, Qt.Key.Key_Return)
    assert not listing.page.frame.shows_list
    assert listing.question.id == wanted.id
    assert listing.page.board_view.hasFocus()
    listing.answer(wanted.puzzle.best)
    assert listing.page.run.verdict
    listing.press_with(CTRL, Qt.Key.Key_H)
    assert listing.page.frame.shows_list


def test_answers_by_keys_count_only_where_the_puzzle_is_seen(listing):
    for names in KEYS:
        press_in_list(listing, names[0])
    assert listing.page.run.verdict is None


@pytest.mark.parametrize("is_by_key", [True, False])
def test_removed_puzzles_come_back(listing, is_by_key):
    before = listed(listing)
    view = listing.page.list.view
    view.selectRow(0)
    press_in_list(listing, Qt.Key.Key_Down, SHIFT)
    press_in_list(listing, Qt.Key.Key_Delete)
    assert listed(listing) == before[2:]
    banner = listing.banner("Removed 2 puzzles.")
    if is_by_key:
        press_in_list(listing, Qt.Key.Key_Z, CTRL)
    else:
        QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    assert sorted(listed(listing)) == sorted(before)
    assert listing.page.banners.banners == [listing.banner("Found 50 new puzzles")]


def test_a_puzzle_chosen_in_the_list_is_not_called_that_of_the_day(listing):
    listing.page.show_daily()
    about = listing.page.panel.about_label
    assert "Puzzle of the day." in about.text()
    listing.press_with(CTRL, Qt.Key.Key_H)
    listing.page.list.view.selectRow(5)
    press_in_list(listing, Qt.Key.Key_Return)
    assert "Puzzle of the day." not in about.text()


def test_the_puzzle_in_front_gives_way_when_it_is_removed(listing):
    rows = listing.page.list.model.rows
    asked = listing.question.id
    listing.page.list.view.selectRow([one.id for one in rows].index(asked))
    press_in_list(listing, Qt.Key.Key_Delete)
    assert listing.question.id != asked
    assert listing.page.frame.shows_list, "the list stays in front"


def test_chosen_puzzles_go_out_as_lines(listing, tmp_path):
    view = listing.page.list.view
    place = view.visualRect(view.model().index(2, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    press_in_list(listing, Qt.Key.Key_Down, SHIFT)
    lines = [to_line(one.puzzle) for one in view.all_chosen]
    assert len(lines) == 2
    press_in_list(listing, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().splitlines() == lines
    listing.banner("2 puzzles are copied as lines of text.")
    listing.dialogs.path = tmp_path / "some.txt"
    QTest.mouseClick(listing.page.list.export_button, Qt.MouseButton.LeftButton)
    assert (tmp_path / "some.txt").read_text(encoding="utf-8").splitlines() == lines
    view.selectRow(2)  # one is no selection: all go out
    press_in_list(listing, Qt.Key.Key_E, CTRL)
    text = (tmp_path / "some.txt").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 50


@pytest.mark.thorough
def test_a_list_without_puzzles_says_what_will_be_there(stage):
    page = stage.open(has_table=False)
    page.show_list(True)
    assert page.list.count_label.text().startswith("Puzzles that are found or imported")
    assert not page.list.copy_button.isEnabled()


@pytest.mark.thorough
def test_new_puzzles_and_other_tables_are_listed_at_once(listing):
    press_in_list(listing, Qt.Key.Key_F, CTRL)
    assert len(listed(listing)) == 100
    other = replace(listing.kept()[0].puzzle, key=TableKey("L3_512", 0.1))
    listing.keep(other)
    assert len(listed(listing)) == 101
    combo = listing.page.table_combo
    listing.page.page_shown()
    combo.setCurrentIndex(combo.findText("L3", Qt.MatchFlag.MatchContains))
    combo.activated.emit(combo.currentIndex())
    assert [one.puzzle for one in listing.page.list.model.rows] == [other]


@pytest.mark.thorough
def test_the_daily_puzzle_leads_away_from_the_list(listing):
    listing.page.show_daily()
    assert not listing.page.frame.shows_list
    assert "Puzzle of the day" in listing.page.panel.about_label.text()
