"""The keyboard stays with what is in front on the Mistakes page, whatever is clicked."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.every_control import click_every_control, press
from tests.gui.mistakes.stage import CHEAP, Stage
from tests.gui.page_driver import ARROWS

Key = Qt.Key
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def full(stage: Stage) -> Stage:
    for place, board in enumerate(range(CHEAP, CHEAP + 12)):
        stage.note(board, days=place, rates=(0.8, None, 0.5, None))
    return stage


def test_an_arrow_answers_as_soon_as_the_page_is_in_front(full):
    page = full.open()
    page.list.table.setFocus()
    page.setFocus()  # what the window does once the page is in front
    press(Key.Key_Left)
    assert page.run.verdict is not None


def test_rows_answer_as_soon_as_the_list_is_in_front(full):
    page = full.open("list")
    full.rows()
    page.setFocus()
    press(Key.Key_Down)
    assert page.list.table.currentIndex().row() == 1


def test_the_board_answers_whatever_was_clicked(full):
    page = full.open()

    def check(name: str) -> None:
        if page.view != "drill":
            return  # another view is in front: its own test follows
        press(Key.Key_Escape)
        assert page.board_view.hasFocus(), f"{name} has taken the keyboard"
        if page.run.question and not page.run.verdict:
            possible = next(d for d in range(4) if page.run.question.can_move(d))
            press(ARROWS[possible])
            assert page.run.verdict is not None, name
        for key in (Key.Key_Return, Key.Key_Escape):
            before = page.run.question
            press(key)
            asks_another = page.run.question is not before
            assert asks_another is (key != Key.Key_Escape and before is not None), (name, key)
        if "Retire" in name:
            page.actions_by_name["delete"].trigger()

    names = click_every_control(page, check, lambda: page.show_view("drill"))
    assert any("Retire" in name for name in names)
    assert any("Undo" in name for name in names), "what appears later is clicked too"
    assert len(names) > 11


@pytest.mark.thorough
def test_the_rows_answer_whatever_was_clicked(full):
    page = full.open("list")
    full.rows()

    def check(name: str) -> None:
        if page.view != "list":
            return
        full.rows()
        press(Key.Key_Escape)
        table = page.list.table
        assert table.hasFocus(), f"{name} has given the keyboard to {QApplication.focusWidget()}"
        table.selectRow(0)
        press(Key.Key_Down)
        assert table.currentIndex().row() == 1, name

    def restore() -> None:
        page.show_view("list")
        full.rows()

    names = click_every_control(page, check, restore)
    assert any("Tags" in name for name in names)
    assert len(names) > 11


def test_esc_leads_from_the_tags_to_the_rows(full):
    page = full.open("list")
    full.rows()
    page.list.panel.tags_edit.setFocus()
    QTest.keyClick(page.list.panel.tags_edit, Key.Key_Escape)
    assert page.list.table.hasFocus()
