"""Tables of rows don't scroll sideways: texts without room are shortened or left out."""

import pytest
from PySide6.QtWidgets import QApplication

from gui.widgets.row_model import Column, RowModel, RowView, fitting_widths

ROWS = [("Nov 25, 2026 13:19", "1,024", "A move left the formation", "5 s")] * 3
DATE, COUNT, END, PACE = range(4)


@pytest.fixture
def view(qtbot):
    model = RowModel(
        (
            Column("Date", lambda row: row[DATE]),
            Column("A number", lambda row: row[COUNT], is_number=True),
            Column("How it ended", lambda row: row[END]),
            Column("Pace", lambda row: row[PACE], is_number=True, is_spare=True),
        ),
        lambda _: "",
    )
    made = RowView(model, "Rows")
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    model.set_rows(ROWS)
    return made


def needed(view: RowView, column: int) -> int:
    return max(view.sizeHintForColumn(column), view.horizontalHeader().sectionSizeHint(column))


def room_for(view: RowView, *columns: int) -> int:
    return sum(needed(view, column) for column in columns) + view.width() - view.viewport().width()


def is_moved_by_a_bar(view: RowView) -> bool:
    return view.horizontalScrollBar().maximum() > 0


def test_with_room_for_all_every_column_has_what_it_needs(view):
    for column in range(4):
        assert view.columnWidth(column) >= needed(view, column)
    assert not is_moved_by_a_bar(view)


def test_a_spare_column_is_left_out_first_and_comes_back(view):
    view.resize(room_for(view, DATE, COUNT, END) + 5, 300)
    QApplication.processEvents()
    assert view.isColumnHidden(PACE)
    assert view.columnWidth(DATE) >= needed(view, DATE)
    assert not is_moved_by_a_bar(view)
    view.resize(1000, 300)
    QApplication.processEvents()
    assert not view.isColumnHidden(PACE)
    assert view.columnWidth(PACE) >= needed(view, PACE), "its heading is whole, too"


def test_then_texts_give_way_and_numbers_stay_whole(view):
    view.resize(room_for(view, DATE, COUNT, END) - 60, 300)
    QApplication.processEvents()
    assert view.columnWidth(COUNT) >= needed(view, COUNT)
    assert view.columnWidth(END) < needed(view, END)
    assert not is_moved_by_a_bar(view)


def test_rows_with_longer_texts_are_fitted_again(view):
    view.resize(room_for(view, DATE, COUNT, END) + 5, 300)
    QApplication.processEvents()
    view.model().set_rows([("Nov 25, 2026 13:19:01.123456", *ROWS[0][1:])])
    QApplication.processEvents()
    assert not is_moved_by_a_bar(view)


def test_the_widest_give_way_first():
    assert fitting_widths({0: 150, 1: 80, 2: 120}, (0, 2), 300) == [110, 80, 110]
    assert fitting_widths({0: 150, 1: 80, 2: 120}, (0, 2), 400) == [150, 80, 120]
    assert fitting_widths({0: 150, 1: 400}, (0,), 300) == [80, 400]  # no further
