"""Lists of what is kept: rows sorted by a heading, done with by buttons and keys."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList


@dataclass(frozen=True)
class Thing:
    name: str
    weight: int


HEAVY, LIGHT, ALIKE = Thing("a stone", 9), Thing("a leaf", 1), Thing("a sheet", 1)
COLUMNS = (
    Column[Thing]("Name", lambda one: one.name, key=lambda one: one.name),
    Column[Thing]("Weight", lambda one: f"{one.weight} g", True, lambda one: one.weight, "Weighed"),
    Column[Thing]("Note", lambda _: "-"),
)
ACTIONS = (
    RowAction("show_thing", "Show", "Show the thing", "best"),
    RowAction("remove_thing", "Remove", "Remove the thing", "delete"),
)


@pytest.fixture
def things(qtbot):
    def make(is_many: bool = False) -> StoredList[Thing]:
        model = RowModel(COLUMNS, lambda one: f"tip of {one.name}")
        things = StoredList("Things", model, ACTIONS, "things", is_many)
        qtbot.addWidget(things)
        things.show()
        things.view.setFocus()
        things.activateWindow()
        qtbot.waitUntil(things.isActiveWindow)
        return things

    return make


def names(things: StoredList[Thing]) -> list[str]:
    return [one.name for one in things.model.rows]


def cell(model: RowModel[Thing], row: int, column: int, role=Qt.ItemDataRole.DisplayRole):
    return model.data(model.index(row, column), role)


def test_cells_and_headings_say_what_the_columns_say():
    model = RowModel(COLUMNS, lambda one: f"tip of {one.name}")
    model.set_rows([HEAVY, LIGHT])
    assert [[cell(model, row, n) for n in range(3)] for row in range(2)] == [
        ["a stone", "9 g", "-"],
        ["a leaf", "1 g", "-"],
    ]
    assert cell(model, 1, 0, Qt.ItemDataRole.ToolTipRole) == "tip of a leaf"
    assert cell(model, 0, 0, Qt.ItemDataRole.DecorationRole) is None
    sideways = Qt.Orientation.Horizontal
    assert model.headerData(1, sideways) == "Weight"
    assert model.headerData(1, sideways, Qt.ItemDataRole.ToolTipRole) == "Weighed"
    assert model.headerData(0, sideways, Qt.ItemDataRole.ToolTipRole) is None
    assert model.headerData(1, Qt.Orientation.Vertical) is None
    at_right = int(Qt.AlignmentFlag.AlignRight)
    places = [cell(model, 0, n, Qt.ItemDataRole.TextAlignmentRole) for n in (0, 1)]
    assert [bool(place & at_right) for place in places] == [False, True]


def test_rows_keep_their_order_until_a_heading_is_chosen_then_sort_stably():
    model = RowModel(COLUMNS, lambda _: "")
    model.set_rows([HEAVY, LIGHT, ALIKE])
    model.sort(2)  # nothing to sort by
    assert model.rows == [HEAVY, LIGHT, ALIKE]
    model.sort(1)
    assert model.rows == [LIGHT, ALIKE, HEAVY]
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert model.rows == [HEAVY, LIGHT, ALIKE]
    model.sort(0)
    model.set_rows([HEAVY, ALIKE, LIGHT])
    assert model.rows == [LIGHT, ALIKE, HEAVY], "the order stays for other rows"
    model.set_columns((COLUMNS[1], *COLUMNS[1:]))
    assert model.rows == [LIGHT, ALIKE, HEAVY]
    assert cell(model, 0, 0) == "1 g"


def test_what_is_chosen_stays_chosen_when_rows_are_sorted(things):
    shown = things()
    shown.show_rows([HEAVY, LIGHT, ALIKE], "3 things")
    shown.view.sort_by(0, Qt.SortOrder.AscendingOrder)
    shown.view.selectRow(names(shown).index("a stone"))
    shown.view.sort_by(1, Qt.SortOrder.DescendingOrder)
    assert shown.view.chosen is HEAVY
    shown.view.sort_by(1, Qt.SortOrder.AscendingOrder)
    assert shown.view.chosen is HEAVY


def test_a_key_a_button_and_a_double_click_ask(things):
    shown = things()
    shown.show_rows([HEAVY, LIGHT], "2 things")
    asked: list[tuple[str, Thing]] = []
    shown.action_requested.connect(lambda name, thing: asked.append((name, thing)))
    QTest.keyClick(shown.view, Qt.Key.Key_Return)
    QTest.keyClick(shown.view, Qt.Key.Key_Down)
    QTest.keyClick(shown.view, Qt.Key.Key_Delete)
    QTest.mouseClick(shown.buttons["remove_thing"], Qt.MouseButton.LeftButton)
    shown.view.doubleClicked.emit(shown.model.index(1, 0))
    assert asked == [("show_thing", HEAVY), *[("remove_thing", LIGHT)] * 2, ("show_thing", LIGHT)]


def test_without_rows_it_says_so_and_nothing_can_be_asked(things):
    shown = things()
    shown.show_rows([], "Nothing yet.")
    assert not shown.view.isVisible()
    assert shown.count_label.text() == "Nothing yet."
    assert not any(button.isEnabled() for button in shown.buttons.values())
    assert not any(action.isEnabled() for action in shown.key_actions)
    shown.show_rows([HEAVY], "1 thing")
    assert all(action.isEnabled() for action in shown.key_actions)
    shown.hide()
    assert not any(action.isEnabled() for action in shown.key_actions)


def test_the_place_stays_when_a_row_is_gone(things):
    shown = things()
    shown.show_rows([HEAVY, LIGHT, ALIKE], "")
    shown.view.selectRow(1)
    shown.show_rows([HEAVY, ALIKE], "")
    assert shown.view.chosen is ALIKE
    shown.show_rows([HEAVY], "")
    assert shown.view.chosen is HEAVY


def test_several_are_chosen_where_that_is_meant(things):
    shown = things(is_many=True)
    shown.show_rows([HEAVY, LIGHT, ALIKE], "")
    flags = QItemSelectionModel.SelectionFlag
    index = shown.model.index(2, 0)
    shown.view.selectionModel().select(index, flags.Select | flags.Rows)
    assert shown.view.all_chosen == [HEAVY, ALIKE]
    assert shown.view.chosen is HEAVY


def test_the_rows_have_all_the_room_that_others_leave(things, qtbot):
    shown = things()
    for text in ("a filter", "a chart"):
        shown.column.insertWidget(1, QLabel(text))
    shown.resize(600, 500)
    shown.show_rows([HEAVY], "1 thing")
    qtbot.waitUntil(lambda: shown.height() == 500)
    shown.column.activate()
    assert shown.height() - shown.count_label.geometry().bottom() < 20
