"""The sheet in which one chooses a table to build, over the list of tables."""

import pytest
from PySide6.QtCore import QPoint, Qt

from gui.table_work.requests import BuildRequest
from tests.gui.window_fakes import table_info


@pytest.mark.parametrize("size", [(1280, 700), (744, 500), (500, 400)])
def test_the_button_that_builds_is_always_in_sight(stage, qtbot, size):
    stage.panel.options.disclosure.set_open(True)
    stage.page.resize(*size)
    stage.page.form_button.click()
    button, area = stage.panel.build_button, stage.page.sheet.area
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    for value in (0, area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(value)
        assert button.visibleRegion().boundingRect() == button.rect()
        assert stage.page.rect().contains(stage.page.sheet.panel.geometry())


def test_what_one_chooses_first_is_in_sight_without_scrolling_in_a_small_window(stage, qtbot):
    stage.page.resize(732, 537)  # that of a window of 800 x 600
    stage.page.form_button.click()
    figure = stage.panel.figures["time"]
    qtbot.waitUntil(lambda: figure.note_label.isVisible())
    assert figure.visibleRegion().boundingRect() == figure.rect()


def test_escape_a_click_beside_it_and_the_cross_close_it(stage, qtbot):
    sheet = stage.page.sheet
    beside = lambda: qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))  # noqa: E731
    escape = lambda: qtbot.keyClick(stage.panel.folder_field.edit, Qt.Key.Key_Escape)  # noqa: E731
    for close in (escape, beside, sheet.close_button.click):
        stage.page.form_action.trigger()
        stage.click(sheet.panel)
        assert sheet.isVisible()
        close()
        assert not sheet.isVisible()


def test_tab_stays_in_it(stage):
    sheet = stage.page.sheet
    stage.page.activateWindow()
    sheet.open()
    assert stage.page.focusWidget() is stage.panel.category_combo
    for forward in (True, False):
        for _ in range(12):
            stage.page.focusWidget().focusNextPrevChild(forward)
            assert sheet.panel.isAncestorOf(stage.page.focusWidget())


def test_it_goes_when_the_build_begins_and_leaves_messages_in_sight(stage, qtbot):
    stage.behave = "hang"
    stage.page.offer_builds([("442", 256), ("442", 64)])
    stage.click(stage.panel.build_button)
    banner = stage.wait_for_banner("The next one is in the form")
    sheet = stage.page.sheet
    qtbot.waitUntil(lambda: sheet.height() <= stage.page.banners.y())
    assert banner.visibleRegion().boundingRect() == banner.rect()
    stage.click(stage.panel.build_button)
    assert not sheet.isVisible()


def test_the_first_table_is_one_click_away(stage, qtbot):
    stage.page.page_shown()
    qtbot.waitUntil(lambda: stage.page.empty.isVisible())
    assert not stage.page.form_button.property("primary"), "one button at a time"
    stage.click(stage.page.empty.button)
    assert stage.requests == [BuildRequest("442", 128, stage.home)]
    stage.put(table_info(stage.home / "442_128"))
    assert stage.page.form_button.property("primary")


def test_a_folder_at_fault_is_shown(stage, qtbot):
    stage.page.sheet.open()
    stage.panel.folder_field.edit.setText("tables")
    edit = stage.panel.folder_field.edit
    qtbot.waitUntil(edit.isVisible)
    stage.panel.options.disclosure.set_open(False)
    assert "tables" in stage.panel.options.disclosure.summary_label.text()


def test_a_formation_that_was_drawn_comes_back_to_it(stage, qtbot):
    stage.page.sheet.open()
    stage.panel.edit_button.click()
    stage.page.formation_actions.close()
    assert not stage.page.sheet.isVisible()
    stage.page.formation_actions.changed.emit("442")
    qtbot.waitUntil(stage.page.sheet.isVisible)
