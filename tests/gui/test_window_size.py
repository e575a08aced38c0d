"""Windows that choose their own size leave room for the frame that the desktop adds."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QWidget

from gui.settings_model.settings import Settings
from gui.shell.main_window import MainWindow
from gui.style.layout import fitting_size

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
