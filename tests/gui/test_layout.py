"""Columns, rows, cards and windows have the items, room and margins that they were given."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QBoxLayout, QDialog, QLabel, QSpacerItem, QWidget

from gui.settings_model.settings import Settings
from gui.shell.main_window import MainWindow
from gui.style.layout import SPACE, STRETCH, card, column, fitting_size, laid_out, placed, row
from gui.widgets.flow_layout import FlowLayout

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


WIDTH, HEIGHT, GAP = 100, 30, 8


ROOM = 2 * WIDTH + GAP  # for two of them


class Box(QLabel):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(WIDTH, HEIGHT)


class Asked(QSpacerItem):
    """Counts how often it is asked for its size."""

    n_asked = 0

    def sizeHint(self):  # noqa: N802
        self.n_asked += 1
        return super().sizeHint()


@pytest.fixture
def widget(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    layout = FlowLayout(widget, GAP)
    for _ in range(2):
        layout.addWidget(Box())
    widget.show()
    widget.rows = layout  # alive as long as the widget is
    return widget


def test_another_widget_makes_another_row(widget):
    rows = widget.rows
    assert rows.heightForWidth(ROOM) == HEIGHT
    rows.addWidget(Box())
    QApplication.processEvents()  # it is shown
    assert rows.heightForWidth(ROOM) == 2 * HEIGHT + GAP
    rows.takeAt(2).widget().deleteLater()
    assert rows.heightForWidth(ROOM) == HEIGHT


def test_a_hidden_widget_takes_no_room(widget):
    rows = widget.rows
    assert rows.heightForWidth(WIDTH) == 2 * HEIGHT + GAP
    rows.itemAt(1).widget().hide()
    assert rows.heightForWidth(WIDTH) == HEIGHT


def test_a_widget_that_grew_takes_more(widget):
    rows = widget.rows
    assert rows.heightForWidth(ROOM) == HEIGHT
    rows.itemAt(0).widget().setFixedHeight(2 * HEIGHT)
    assert rows.heightForWidth(ROOM) == 2 * HEIGHT


def test_a_width_is_tried_once(widget):
    rows, item = widget.rows, Asked(WIDTH, HEIGHT)
    rows.addItem(item)
    assert rows.heightForWidth(ROOM) == 2 * HEIGHT + GAP
    n_asked = item.n_asked
    for _ in range(3):
        rows.heightForWidth(ROOM)
    assert item.n_asked == n_asked > 0


HUGE = QSize(9000, 9000)


@pytest.fixture
def shown(qtbot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def test_a_size_that_fits_is_left_as_it_is(shown):
    assert fitting_size(shown, QSize(200, 100)) == QSize(200, 100)


def test_a_window_takes_the_room_that_its_frame_leaves(shown):
    room, frame = shown.screen().availableSize(), shown.frameGeometry().size() - shown.size()
    assert frame.height() > 0
    assert fitting_size(shown, HUGE) == room - frame
    assert fitting_size(QDialog(shown), HUGE) == room - frame, "it will have the same frame"


def test_a_first_window_leaves_room_for_a_title_bar(qtbot):
    window = MainWindow(Settings())
    qtbot.addWidget(window)
    window.restore()
    left = window.screen().availableSize() - window.size()
    assert left.height() >= 30
