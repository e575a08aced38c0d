"""Rows of widgets: their height is found out once for each width, and again after a change."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QSpacerItem, QWidget

from gui.widgets.flow_layout import FlowLayout

WIDTH, HEIGHT, SPACE = 100, 30, 8
ROOM = 2 * WIDTH + SPACE  # for two of them


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
    layout = FlowLayout(widget, SPACE)
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
    assert rows.heightForWidth(ROOM) == 2 * HEIGHT + SPACE
    rows.takeAt(2).widget().deleteLater()
    assert rows.heightForWidth(ROOM) == HEIGHT


def test_a_hidden_widget_takes_no_room(widget):
    rows = widget.rows
    assert rows.heightForWidth(WIDTH) == 2 * HEIGHT + SPACE
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
    assert rows.heightForWidth(ROOM) == 2 * HEIGHT + SPACE
    n_asked = item.n_asked
    for _ in range(3):
        rows.heightForWidth(ROOM)
    assert item.n_asked == n_asked > 0
