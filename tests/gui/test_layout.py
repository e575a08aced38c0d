"""Columns, rows and cards have the items, room and margins that they were given."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from gui.style.layout import SPACE, STRETCH, card, column, laid_out, placed, row

TOP = Qt.AlignmentFlag.AlignTop


def margins_of(box: QBoxLayout) -> tuple[int, int, int, int]:
    margins = box.contentsMargins()
    return margins.left(), margins.top(), margins.right(), margins.bottom()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("make", [column, row])
class TestBox:
    def test_direction_and_defaults(self, make):
        box = make(QLabel(), QLabel())
        directions = QBoxLayout.Direction
        assert box.direction() == (
            directions.TopToBottom if make is column else directions.LeftToRight
        )
        assert box.spacing() == SPACE
        assert margins_of(box) == (0, 0, 0, 0)

    def test_items_keep_their_order(self, make):
        first, inner, last = QLabel(), make(), QLabel()
        box = make(first, inner, last)
        assert [box.indexOf(item) for item in (first, inner, last)] == [0, 1, 2]

    def test_space_and_margins_are_those_given(self, make):
        assert make(space=3).spacing() == 3
        assert margins_of(make(margins=5)) == (5, 5, 5, 5)
        assert margins_of(make(margins=(1, 2, 3, 4))) == (1, 2, 3, 4)

    def test_stretch_and_side_of_widgets_and_layouts(self, make):
        inner = make()
        box = make(placed(QLabel(), stretch=2, align=TOP), placed(inner, stretch=3, align=TOP))
        assert [box.stretch(i) for i in range(2)] == [2, 3]
        assert [box.itemAt(i).alignment() for i in range(2)] == [TOP, TOP]

    def test_usual_item_has_neither(self, make):
        box = make(QLabel(), make())
        assert [box.stretch(i) for i in range(2)] == [0, 0]
        assert [box.itemAt(i).alignment().value for i in range(2)] == [0, 0]

    def test_number_is_that_many_pixels_and_stretch_all_that_is_left(self, make):
        box = make(7, STRETCH, placed(STRETCH, stretch=2))
        sizes = [box.itemAt(i).spacerItem().sizeHint() for i in range(3)]
        assert [max(size.width(), size.height()) for size in sizes] == [7, 0, 0]
        assert [box.stretch(i) for i in range(3)] == [0, 0, 2]
        along = Qt.Orientation.Vertical if make is column else Qt.Orientation.Horizontal
        assert [box.itemAt(i).expandingDirections() == along for i in range(3)] == [
            False,
            True,
            True,
        ]

    def test_parent_is_laid_out(self, make):
        parent, label = QWidget(), QLabel()
        box = make(label, parent=parent)
        assert parent.layout() is box
        assert label.parentWidget() is parent

    def test_tab_order_is_that_of_the_items(self, make):
        labels = [QLabel() for _ in range(4)]
        widget = laid_out(make(labels[0], make(*labels[1:3]), labels[3]))
        assert [child for child in widget.children() if isinstance(child, QLabel)] == labels


@pytest.mark.usefixtures("qapp")
def test_laid_out_widget_has_layout():
    box = row(QLabel())
    assert laid_out(box).layout() is box


@pytest.mark.usefixtures("qapp")
def test_card_has_its_look_and_room():
    label = QLabel()
    frame = card(label, space=10, margins=12)
    box = frame.layout()
    assert frame.property("card") is True
    assert isinstance(box, QBoxLayout)
    assert (box.spacing(), margins_of(box), box.indexOf(label)) == (10, (12, 12, 12, 12), 0)
