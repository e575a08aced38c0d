"""The page of settings: a control for each, search, reset to defaults; other pages follow it."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication

from engine.platform import language
from gui.settings.page import SettingsPage
from gui.settings.search_results import found
from gui.settings_model.setting import Number
from gui.settings_model.settings_table import SECTIONS, SETTINGS
from gui.shell.app import Program
from gui.style.color_schemes import ColorSchemes, WindowScheme
from gui.widgets.controls import (
    ChipsControl,
    Control,
    FolderControl,
    MenuControl,
    NumberControl,
    SwitchControl,
)

MORE_THAN_A_ROW = {"tile_palette", "table_folders", "shortcuts"}


@pytest.fixture
def running(program: Callable[[], Program]) -> Program:
    return program("Settings")


@pytest.fixture
def page(running: Program) -> SettingsPage:
    return running.pages["Settings"]


def change(control: Control) -> Any:
    """Choose another value as a person does, and return the value that it should be now."""
    if isinstance(control, SwitchControl):
        control.box.click()
        return control.box.isChecked()
    if isinstance(control, ChipsControl):
        value, button = next((v, b) for v, b in control.chips.buttons.items() if not b.isChecked())
        button.click()
        return value
    if isinstance(control, MenuControl):
        control.fill()
        at = (control.combo.currentIndex() + 1) % control.combo.count()
        control.combo.setCurrentIndex(at)
        control.combo.activated.emit(at)
        return control.combo.itemData(at)
    if isinstance(control, NumberControl):
        control.spin.stepUp()
        return control.spin.value()
    assert isinstance(control, FolderControl)
    control.field.edit.setText("/tmp/elsewhere")
    return "/tmp/elsewhere"


def shown(control: Control) -> Any:
    if isinstance(control, SwitchControl):
        return control.box.isChecked()
    if isinstance(control, ChipsControl):
        return control.chips.value
    if isinstance(control, MenuControl):
        return control.combo.currentData()
    if isinstance(control, NumberControl):
        return control.spin.value()
    assert isinstance(control, FolderControl)
    return control.field.edit.text()


@pytest.mark.thorough
def test_every_setting_has_a_control_that_changes_it_and_follows_it(running):
    page, settings = running.pages["Settings"], running.services.settings
    for key, setting in SETTINGS.items():
        if setting.page or key in MORE_THAN_A_ROW or key == "language":
            continue
        row = page.row(key)
        value = change(row.control)
        factor = setting.kind.factor if isinstance(setting.kind, Number) else 1
        kept = settings.get(key)
        assert (kept * factor if factor != 1 else kept) == value, key
        assert kept != setting.default, key
        assert row.reset_button is not None
        assert not row.reset_button.isHidden(), key
        settings.reset(key)
        assert shown(row.control) != value, key
        assert row.reset_button.isHidden(), key


@pytest.mark.thorough
def test_settings_of_other_pages_have_no_row_but_a_way(page, running):
    assert "practice.guess" not in page.view("coach").rows
    page.show_setting("practice.guess")
    assert running.window.page is running.pages["Practice"]


@pytest.mark.thorough
def test_the_button_beside_a_setting_puts_it_back(page, running):
    row = page.row("build.rate")
    assert row.reset_button is None
    running.services.settings.set("build.rate", "uint16")
    assert "coarse" in row.note
    assert row.reset_button
    row.reset_button.click()
    assert running.services.settings.get("build.rate") == "uint32"
    assert row.note == ""


@pytest.mark.thorough
def test_what_excludes_each_other_is_locked_with_the_reason(page, running):
    running.services.settings.set("build.sparse", 4)
    row = page.row("build.threshold")
    assert not row.control.isEnabled()
    assert "sparse" in row.note
    running.services.settings.set("build.sparse", 1)
    assert row.control.isEnabled()


@pytest.mark.thorough
def test_a_section_is_put_back_and_that_can_be_undone(page, running):
    settings = running.services.settings
    settings.set("build.level", "small")
    settings.set("table_folders", ["/tmp/more"])
    settings.set("theme", "dark")
    page.show_section("tables")
    view = page.view("tables")
    view.finish()
    assert view.reset_button
    view.reset_button.click()
    assert (settings.get("build.level"), settings.get("table_folders")) == ("fast", [])
    assert settings.get("theme") == "dark"
    page.banners.banners[0].buttons[0].click()
    assert (settings.get("build.level"), settings.get("table_folders")) == ("small", ["/tmp/more"])
    settings.set("theme", "system")


def search(page: SettingsPage, text: str) -> set[str]:
    page.search_edit.setText(text)
    page.search_edit.returnPressed.emit()
    return {*page.results.rows, *page.results.pointers}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("precision", {"build.rate"}),
        ("FLOATING point", {"build.rate"}),  # a value
        ("advice.hours", {"advice.hours"}),
        ("working disk", {"build.pack_scratch"}),  # its help
        ("streak", {"test.ends_at_miss"}),
        ("licenses", {"about"}),
        ("backup", {"data"}),
    ],
)
def test_the_search_looks_at_all_that_is_said(page, text, found):
    assert search(page, text) == found


@pytest.mark.thorough
def test_what_was_found_can_be_changed_at_once(page, running):
    search(page, "glow")
    control = page.results.rows["merge_glow"].control
    assert isinstance(control, SwitchControl)
    control.box.click()
    assert running.services.settings.get("merge_glow") is False
    running.services.settings.reset("merge_glow")
    assert control.box.isChecked()


@pytest.mark.thorough
def test_the_search_leads_to_what_is_more_than_a_row(page):
    assert "tile_palette" in search(page, "palette")
    page.results.pointers["tile_palette"].button.click()
    assert page.results.isHidden()
    assert page.search_edit.text() == ""
    assert not page.view("appearance").isHidden()


@pytest.mark.thorough
def test_nothing_found_is_said_and_esc_leaves(page, qtbot):
    page.show_section("game")
    assert search(page, "xyzzy") == set()
    assert not page.results.empty.isHidden()
    assert page.view("game").isHidden()
    qtbot.keyClick(page.search_edit, Qt.Key.Key_Escape)
    assert page.results.isHidden()
    assert not page.view("game").isHidden()


@pytest.mark.thorough
def test_every_way_out_of_the_search_leaves_the_field_as_empty_as_it_looks(page, qtbot):
    edit = page.search_edit

    def by_escape() -> None:
        qtbot.keyClick(edit, Qt.Key.Key_Escape)

    for leave in (by_escape, edit.clear_button.click, lambda: page.show_section("game")):
        search(page, "font")
        assert edit.clear_button.isVisible()
        leave()
        assert edit.text() == ""
        assert not edit.clear_button.isVisible()
        assert page.results.isHidden()


@pytest.mark.thorough
def test_the_search_speaks_the_language_shown_and_english(page):
    language.use(language.PSEUDO)
    try:
        assert "build.rate" in search(page, "precision")
        assert "build.rate" in search(page, language.tr("Precision").strip("[]~"))
    finally:
        language.use("en")


@pytest.mark.thorough
def test_sections_are_made_when_they_are_needed_and_remembered(page, running, qtbot):
    assert not page.view("appearance").isHidden(), "the first one is in front"
    qtbot.keyClick(page.section_list, Qt.Key.Key_Down)
    assert page.view("appearance").isHidden()
    assert not page.view("game").isHidden()
    assert running.services.settings.state.get("settings.section") == "game"


@pytest.mark.thorough
def test_rows_in_sight_stay_as_they_are_while_those_below_are_made(running, qtbot):
    window, page = running.window, running.pages["Settings"]
    window.resize(1280, 800)
    window.show()
    window.show_page_named("Settings")
    QCoreApplication.processEvents()
    page.show_section("tables")
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    first = list(page.view("tables").rows.values())[:7]
    before, seen = [row.height() for row in first], set()
    assert len(page.view("tables").rows) < 12, "some are still to come"

    def is_whole() -> bool:
        seen.add(tuple(row.height() for row in first))
        return page.view("tables").reset_button is not None

    qtbot.waitUntil(is_whole, timeout=100_000)
    assert seen == {tuple(before)}


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1280, 900, 520])
@pytest.mark.parametrize(
    ("key", "value"), [("build.sparse", 3), ("build.large_from", 128), ("build.most_equal", 2)]
)
def test_what_is_chosen_stays_under_the_pointer(page, running, qtbot, width, key, value):
    running.services.settings.set("build.small_sum", 96)
    running.window.resize(width, 700)
    page.show_section("tables")
    control = page.row(key).control
    assert isinstance(control, ChipsControl)
    button = control.chips.buttons[value]
    content = page.scroller.widget()
    places, notes = set[int](), page.row("build.threshold")

    def place() -> int:
        return button.mapTo(content, QPoint()).y()

    def is_settled() -> bool:
        before = place()
        QApplication.processEvents()
        return place() == before

    qtbot.waitUntil(is_settled)
    places.add(place())
    for chosen in (button, control.chips.buttons[SETTINGS[key].default]):
        chosen.click()
        qtbot.waitUntil(is_settled)
        places.add(place())
        assert ("sparse" in notes.note) is (key == "build.sparse" and chosen is button)
    assert len(places) == 1


@pytest.mark.thorough
def test_a_folder_for_working_files_that_is_not_named_is_beside_the_table(page, running):
    told = {}
    for key in ("build.folder", "build.scratch"):
        control = page.row(key).control
        assert isinstance(control, FolderControl)
        told[key] = control.field.edit.placeholderText()
    home = str(running.services.tables.home)
    assert told == {"build.folder": home, "build.scratch": "Beside the table"}


@pytest.mark.thorough
def test_a_narrow_window_has_a_menu_of_sections(page, running):
    running.window.resize(500, 500)
    QApplication.processEvents()
    assert page.section_list.isHidden()
    assert not page.section_combo.isHidden()
    at = [one.key for one in SECTIONS].index("data")
    page.section_combo.setCurrentIndex(at)
    page.section_combo.activated.emit(at)
    assert not page.view("data").isHidden()


@pytest.mark.thorough
def test_more_window_colors_are_offered_where_there_are_some(page, running):
    windows = running.services.themes.schemes.windows
    evening = WindowScheme("evening", {"title": "Evening"}, windows["light"], windows["dark"])
    running.services.themes.use_own(ColorSchemes({}, {}, {"evening": evening}))
    row = page.row("window_scheme")
    assert not row.isHidden()
    assert isinstance(row.control, MenuControl)
    row.control.fill()
    texts = [row.control.combo.itemText(i) for i in range(row.control.combo.count())]
    assert texts == ["Match system", "Standard", "High contrast", "Evening"]


@pytest.mark.thorough
def test_other_pages_follow_what_is_chosen_here(running):
    settings = running.services.settings
    options = running.pages["Tables"].panel.options
    settings.set("build.rate", "float64")
    settings.set("build.sparse", 6)
    assert (options.fields["rate"].editor.currentData(), options.fields["sparse"].editor.value) == (
        "float64",
        6,
    )
    rate = options.fields["rate"]
    rate.editor.setCurrentIndex(0)
    assert settings.get("build.rate") == rate.value
    settings.set("build.folder", "/tmp/elsewhere")
    assert running.pages["Tables"].panel.folder_field.edit.text() == "/tmp/elsewhere"
    settings.set("game.speed", 12)
    assert running.pages["Game"].auto.speed == 12
    settings.set("practice.speed", 9)
    assert running.pages["Practice"].panel.speed_slider.value() == 9
    settings.set("review.speed", 9)
    assert running.pages["Review"].auto_player.speed == 9
    settings.set("test.seconds_per_move", 10)
    assert running.pages["Test"].panel.rules.rules.seconds_per_move == 10
    settings.set("mistakes.turn", True)
    assert running.pages["Mistakes"].actions_by_name["turn"].isChecked()
    settings.set("mistakes.new_per_day", 7)
    assert running.pages["Mistakes"].progress.filing.new_spin.value() == 7
    settings.set("analysis.files_mistakes", True)
    assert running.pages["Games"].file_action.isChecked()
    settings.set("advice.hours", 3)
    assert running.pages["Tables"].advice.spins["advice.hours"].value() == 3


@pytest.mark.thorough
def test_the_board_is_as_large_as_is_chosen(running):
    running.window.resize(1280, 1000)
    for page in (
        running.pages["Game"],
        running.pages["Practice"],
        running.pages["Test"],
        running.pages["Review"],
    ):
        running.window.show_page(page)
        QCoreApplication.processEvents()
        sizes = []
        for size in ("small", "medium", "large", "largest"):
            running.services.settings.set("board_size", size)
            QCoreApplication.processEvents()
            sizes.append(page.board_view.maximumHeight())
        assert sizes == sorted({*sizes}), page.title


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("theme", {"theme", "tile_palette"}),
        ("four", {"game.spawn4", "build.spawn4"}),
        ("undo", {"test.allows_undo", "shortcuts"}),
        ("size of everything", {"ui_scale"}),
        ("leave out chances", {"build.threshold"}),
    ],
)
def test_what_people_call_it_finds_a_setting(text, keys):
    assert keys <= {setting.key for setting in found(text)}


@pytest.mark.thorough
def test_a_size_that_waits_for_the_next_start_offers_one(page, running, qtbot):
    row = page.row("ui_scale")
    assert row.restart_button is None
    running.services.settings.set("ui_scale", 125)
    with qtbot.waitSignal(page.restart_requested):
        row.restart_button.click()
    running.services.settings.set("ui_scale", 100)
    assert row.restart_button.isHidden()


@pytest.mark.thorough
def test_only_names_that_need_it_are_explained(page):
    assert page.row("tile_corners").help_label.isHidden()
    assert not page.row("motion").help_label.isHidden()
