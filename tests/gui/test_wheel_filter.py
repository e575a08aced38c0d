"""What scrolls does so over its fields, too."""

import pytest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from gui.pages.page import ScrolledPage
from gui.widgets.board_layout import scroll_area
from tests.gui.wheel import turn_wheel, wait_until_watched


def slider() -> QSlider:
    field = QSlider()
    field.setValue(5)
    return field


def combo() -> QComboBox:
    field = QComboBox()
    field.addItems(list("abc"))
    field.setCurrentIndex(1)
    return field


def spin() -> QDoubleSpinBox:
    field = QDoubleSpinBox()
    field.setValue(5)
    return field


def value_of(field: QWidget) -> float:
    return field.currentIndex() if isinstance(field, QComboBox) else field.value()


@pytest.fixture(params=["area", "page", "header"])
def column(request, qtbot):
    """Where fields go, in each of the two things that scroll, and above one."""
    if request.param in ("page", "header"):
        shown = ScrolledPage()
        column = shown.body if request.param == "page" else shown.header
    else:
        inside = QWidget()
        column = QVBoxLayout(inside)
        shown = scroll_area(inside)
    qtbot.addWidget(shown)
    shown.show()
    shown.activateWindow()
    yield column
    shown.close()


@pytest.mark.parametrize("make", [slider, combo, spin])
def test_a_field_takes_the_wheel_only_with_the_keyboard(column, qtbot, make):
    form, field = QWidget(), make()
    QVBoxLayout(form).addWidget(field)
    column.addWidget(form)  # later than the rest
    qtbot.waitUntil(field.isVisible)
    wait_until_watched(qtbot, [field])
    before = value_of(field)
    assert not turn_wheel(field), "the page gets it"
    assert value_of(field) == before
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert turn_wheel(field)
    assert value_of(field) != before


@pytest.mark.thorough
def test_on_no_page_does_the_wheel_change_a_field_without_the_keyboard(program, qtbot):
    started = program()
    started.start()
    window = started.window
    changed, n_asked = [], 0
    for page in window.doors.pages:
        window.show_page(page)
        qtbot.waitUntil(page.isVisible)
        kinds = (QSlider, QComboBox, QAbstractSpinBox)
        fields = [field for kind in kinds for field in page.findChildren(kind)]
        wait_until_watched(qtbot, [field for field in fields if field.isVisible()])
        for field in fields:
            if field.isVisible() and field.isEnabled() and not field.hasFocus():
                n_asked += 1
                if turn_wheel(field):
                    changed.append(f"{type(page).__name__}: {field.accessibleName()}")
    assert changed == []
    assert n_asked > 5
