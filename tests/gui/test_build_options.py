"""The sheet in which a build is chosen, and its options: what they do and exclude."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from gui.table_work.queue_file import request_from_json, request_to_json
from gui.table_work.requests import BuildRequest, rebuild_request
from gui.table_work.table_service import Cost
from gui.tables.build_options import OptionsForm
from gui.widgets.folder_field import FolderField
from gui.widgets.reading_order import tab_stops
from tablebase.formation.goal import SumGoal
from tablebase.library.arguments import content_of
from tests.gui.window_fakes import table_info


@pytest.fixture
def options(stage):
    return stage.panel.options


def new_form(settings):
    return OptionsForm(settings, FolderField(""), "")


def choose_rate(options, name):
    options.fields["rate"].editor.setCurrentIndex(options.fields["rate"].editor.findData(name))


def test_they_are_closed_until_wanted_and_stay_open_then(stage, options, settings):
    stage.page.sheet.open()
    assert not options.disclosure.content.isVisible()
    assert options.disclosure.summary_label.text() == "default"
    stage.click(options.disclosure.button)
    assert options.disclosure.content.isVisible()
    assert settings.state.get("build.options_open") is True
    assert new_form(settings).disclosure.is_open


def test_space_opens_them(options, qtbot):
    options.disclosure.button.setFocus()
    qtbot.keyClick(options.disclosure.button, Qt.Key.Key_Space)
    assert options.disclosure.is_open


def test_tab_goes_through_the_form_from_top_to_bottom(stage, options):
    options.disclosure.set_open(True)
    panel = stage.panel
    stops = [
        panel.category_combo,
        panel.pattern_chips.buttons["442"],
        panel.target_field.tile_chips.buttons[128],
        options.disclosure.button,
        *(options.fields[name].editor for name in ("rate", "spawn4", "threshold", "optimal_only")),
        options.fields["sparse"].editor.buttons[1],
        panel.folder_field.edit,
        options.fields["level"].editor.buttons["fast"],
        *(options.fields[name].editor for name in ("pack_scratch", "threads", "memory_bytes")),
        panel.build_button,
    ]
    stage.page.sheet.open()
    assert panel.build_button.isEnabled()
    chain = list(tab_stops(stage.page.sheet.panel))
    places = [chain.index(stop) for stop in stops]
    assert places == sorted(places)


def test_every_option_reaches_the_builder(stage, options):
    options.fields["spawn4"].editor.setValue(20)
    choose_rate(options, "float32")
    options.fields["threshold"].editor.setValue(5)
    options.fields["optimal_only"].editor.setChecked(True)
    stage.click(stage.panel.build_button)  # closed or not makes no difference
    options.fields["level"].editor.buttons["small"].click()
    options.fields["pack_scratch"].editor.setChecked(True)
    options.fields["threads"].editor.setValue(3)
    options.fields["memory_bytes"].editor.setValue(2.5)
    options.fields["scratch"].editor.edit.setText(f" {stage.home / 'fast'} ")
    stage.panel.target_field.tile_chips.buttons[256].click()
    stage.click(stage.panel.build_button)
    usual = BuildRequest("442", 128, stage.home)
    first = replace(usual, spawn4=0.2, rate="float32", threshold=0.05, optimal_only=True)
    manner = {"level": "small", "pack_scratch": True, "threads": 3, "memory_bytes": 2_500_000_000}
    manner["scratch"] = str(stage.home / "fast")
    assert stage.builds.requests == [first, replace(first, target=256, **manner)]


def test_the_command_says_what_is_not_as_usual(data_dir):
    usual = BuildRequest("442", 128, data_dir)
    words = usual.command()
    assert not {"--threshold", "--optimal-only", "--sparse", "--pack-scratch"} & set(words)
    assert not {"--threads", "--memory", "--scratch"} & set(words)
    other = replace(usual, threshold=0.05, optimal_only=True, level="small", memory_bytes=10**9)
    other = replace(other, pack_scratch=True, threads=2, sparse=4, scratch="/fast")
    text = " ".join(other.command())
    for part in (
        *("--threshold 0.05", "--optimal-only", "--level small", "--memory 1000000000"),
        *("--pack-scratch", "--threads 2", "--sparse 4", "--scratch /fast"),
    ):
        assert part in text


def test_the_command_is_understood(data_dir):
    import main

    request = BuildRequest(
        *("442", 128, data_dir, 0.2, "uint16", 0.05, True, 1, 2, 96, 32),
        *("300", "normal", True, "/fast", 2, 10**9, "L3_128"),
    )
    words = request.command()[2:]
    args = main.build_parser().parse_args(words)
    assert (content_of(args), args.extra_steps, args.then or "") == request.content
    assert (args.level, args.pack_scratch, args.threads, args.memory) == ("normal", True, 2, 10**9)
    assert args.scratch == Path("/fast")


def test_a_sparse_table_and_left_out_positions_exclude_each_other(options):
    options.fields["sparse"].editor.buttons[4].click()
    assert not options.fields["threshold"].editor.isEnabled()
    assert not options.fields["optimal_only"].editor.isEnabled()
    assert "sparse" in options.fields["threshold"].editor.toolTip()
    assert "sparse" in options.fields["threshold"].note.text()
    options.fields["sparse"].editor.buttons[1].click()
    assert options.fields["threshold"].editor.isEnabled()
    assert options.fields["threshold"].editor.toolTip() == ""
    options.fields["threshold"].editor.setValue(1)
    chips = options.fields["sparse"].editor.buttons
    assert [k for k, chip in chips.items() if chip.isEnabled()] == [1]
    assert "leave nothing out" in chips[8].toolTip()
    options.fields["threshold"].editor.setValue(0)
    assert all(chip.isEnabled() for chip in chips.values())
    options.fields["optimal_only"].editor.setChecked(True)
    assert not chips[3].isEnabled()


def test_limits_reach_the_builder_and_say_what_they_cost(stage, options):
    assert "advanced algorithm" in options.limits_note.text()
    assert not options.fields["large_from"].editor.buttons[32].isEnabled()
    options.fields["most_equal"].editor.buttons[2].click()
    options.fields["small_sum"].editor.buttons[96].click()
    options.fields["large_from"].editor.buttons[32].click()
    assert "lower bounds" in options.limits_note.text()
    assert "at most 2 equal tiles from 32 on" in options.disclosure.summary_label.text()
    stage.click(stage.panel.build_button)
    wanted = BuildRequest("442", 128, stage.home, most_equal=2, small_sum=96, large_from=32)
    assert stage.builds.requests == [wanted]
    options.fields["most_equal"].editor.buttons[0].click()
    options.fields["small_sum"].editor.buttons[0].click()
    assert options.disclosure.summary_label.text() == "default"


def test_the_length_reaches_the_builder_and_says_what_it_means(stage, options):
    assert "a little too low" in options.fields["extra_steps"].note.text()
    options.fields["extra_steps"].editor.buttons["full"].click()
    assert "every rate is exact" in options.fields["extra_steps"].note.text()
    assert options.disclosure.summary_label.text() == "all layers"
    stage.click(stage.panel.build_button)
    assert stage.builds.requests == [BuildRequest("442", 128, stage.home, extra_steps="full")]
    words = stage.builds.requests[0].command()
    assert words[words.index("--extra-steps") + 1] == "full"
    sums = options.apply(BuildRequest("442", SumGoal(200), stage.home))
    assert sums.extra_steps == ""  # its table ends at the sum in any case


def test_a_table_of_another_length_is_not_the_one_that_is_wanted(stage, options):
    stage.put(table_info(stage.home / "442_128", extra_steps="full"))
    assert not stage.panel.build_button.isEnabled()
    assert "other options" in stage.panel.note_label.text()
    options.fields["extra_steps"].editor.buttons["full"].click()
    assert "Already built" in stage.panel.note_label.text()


def test_the_sum_of_small_tiles_leaves_room_for_a_large_one(options):
    options.fields["small_sum"].editor.buttons[64].click()
    assert options.fields["small_sum"].editor.buttons[64].isEnabled()
    options.fields["large_from"].editor.buttons[128].click()
    assert options.fields["small_sum"].editor.value == 128
    assert not options.fields["small_sum"].editor.buttons[64].isEnabled()


def test_limits_on_tiles_that_are_no_less_than_the_target_are_refused(stage, options):
    options.fields["most_equal"].editor.buttons[2].click()
    options.fields["large_from"].editor.buttons[128].click()
    assert not stage.panel.build_button.isEnabled()
    assert "not below this target" in stage.panel.note_label.text()
    stage.panel.target_field.tile_chips.buttons[256].click()
    assert stage.panel.build_button.isEnabled()


def test_each_rate_type_is_explained(options):
    told = set()
    for i in range(options.fields["rate"].editor.count()):
        options.fields["rate"].editor.setCurrentIndex(i)
        told.add(options.fields["rate"].note.text())
    assert len(told) == options.fields["rate"].editor.count() == 5
    assert all(told)


def test_the_summary_names_what_is_not_as_usual(options):
    options.fields["sparse"].editor.buttons[6].click()
    options.fields["threads"].editor.setValue(1)
    text = options.disclosure.summary_label.text().replace("\u00a0", " ")
    assert text == "2 of every 6 layers stored, 1 thread"


def test_what_was_built_with_is_remembered(stage, options, settings):
    options.fields["sparse"].editor.buttons[8].click()
    options.fields["level"].editor.buttons["normal"].click()
    options.fields["memory_bytes"].editor.setValue(3)
    stage.click(stage.panel.build_button)
    again = new_form(settings)
    nothing = BuildRequest("", 0, stage.home)
    assert again.apply(nothing) == options.apply(nothing)
    assert again.apply(nothing).sparse == 8


def test_the_estimate_follows_the_options(stage, options, qtbot):
    usual = stage.service.cost_of
    stage.service.cost_of = replace(usual, is_most=True, threads=1)
    options.fields["threshold"].editor.setValue(10)
    options.fields["threads"].editor.setValue(1)
    figures = stage.panel.figures

    def is_asked() -> bool:  # an estimate of before may be under way yet
        return [(one.threshold, n) for one, n in stage.service.asked[-1:]] == [(0.1, 1)]

    qtbot.waitUntil(is_asked)
    qtbot.waitUntil(lambda: figures["bytes"].value_label.text().startswith("\u2264"))
    assert figures["time"].note_label.text() == "on an idle machine"
    options.fields["level"].editor.buttons["small"].click()
    assert figures["boards"].value_label.text() != "\u2013", "they stay until the new ones come"


def test_a_memory_limit_below_the_need_is_told_and_one_too_small_refused(stage, options, qtbot):
    stage.service.cost_of = Cost(10**9, 10**9, 2 * 10**9, 100.0, 10**12, 10**11)
    stage.panel.target_field.tile_chips.buttons[256].click()
    options.fields["memory_bytes"].editor.setValue(1.5)
    panel = stage.panel
    qtbot.waitUntil(lambda: "goes to disk" in panel.note_label.text())
    assert "limit of 1.50 GB" in panel.note_label.text().replace("\u00a0", " ")
    assert panel.build_button.isEnabled()
    options.fields["memory_bytes"].editor.setValue(0.2)
    qtbot.waitUntil(lambda: "at least" in panel.note_label.text())
    assert not panel.build_button.isEnabled()
    assert options.fields["memory_bytes"].editor.property("invalid") is True
    assert options.disclosure.is_open, "the field at fault can be seen"
    options.fields["memory_bytes"].editor.setValue(2.5)
    assert panel.build_button.isEnabled()
    assert options.fields["memory_bytes"].editor.property("invalid") is False


def test_an_unfinished_table_goes_on_with_its_own_options(stage, options):
    stage.table(state="partial", sparse=4, rate="float64")
    panel = stage.panel
    assert panel.build_button.text() == "Resume"
    assert "built with other options (64-bit floating-point rates" in panel.note_label.text()
    options.fields["threads"].editor.setValue(2)
    stage.click(panel.build_button)
    expected = BuildRequest("442", 128, stage.home, rate="float64", sparse=4, threads=2)
    assert stage.requests == [expected]


@pytest.mark.thorough
def test_resume_on_the_card_keeps_every_option_of_the_table(stage, options):
    path = stage.table("L3_256", state="partial", threshold=0.05, optimal_only=True)
    stage.behave = "hang"
    options.fields["level"].editor.buttons["normal"].click()
    stage.click(stage.page.cards[path].main_button)
    assert stage.requests == [
        BuildRequest("L3", 256, stage.home, threshold=0.05, optimal_only=True, level="normal")
    ]


def test_a_card_says_what_its_table_keeps(stage):
    path = stage.table(threshold=0.05, optimal_only=True, spawn4=0.2, rate="uint16")
    about = stage.page.cards[path].about_label.text().replace("\u00a0", " ")
    for part in ("16-bit rates", "20 % fours", "only chances above 5 %", "best play only"):
        assert part in about


def test_the_wheel_scrolls_the_page_and_changes_no_number(stage, options):
    stage.click(options.disclosure.button)
    spin = options.fields["threads"].editor
    stage.panel.folder_field.edit.setFocus()

    def turn() -> QWheelEvent:
        zero, up = QPoint(0, 0), QPoint(0, 120)
        none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
        return QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), zero, up, none, Qt.KeyboardModifier(0), phase, False
        )

    QApplication.sendEvent(spin, turn())
    assert spin.value() == 0


def test_a_table_is_chained_to_one_whose_formation_goes_on(stage):
    panel = stage.panel
    names = "L3_128", "L3_64", "442_128"
    chain = replace(table_info(stage.home / "4421thenL3_64"), then="L3_64")
    tables = [table_info(stage.home / name) for name in names]
    elsewhere = table_info(stage.home / "other" / "L3_128")
    other_game = replace(table_info(stage.home / "t_128"), spawn4=0.2)
    panel.set_tables([*tables, chain, elsewhere, other_game], {})
    panel.choose("442", 128)
    assert not panel.then_part.isVisibleTo(panel), "it has as many large tiles as the others"
    panel.choose("4421", 128)
    box = panel.then_combo
    panel.choose("4431", 128)
    assert [box.itemData(i) for i in range(box.count())] == ["", chain.name], "a longer chain"
    panel.choose("4421", 128)
    assert [box.itemData(i) for i in range(box.count())] == ["", *names]
    assert panel.request == BuildRequest("4421", 128, stage.home)
    box.setCurrentIndex(1)
    box.activated.emit(1)
    wanted = BuildRequest("4421", 128, stage.home, then="L3_128")
    assert panel.request == wanted
    assert wanted.table.name == "4421thenL3_128"
    assert wanted.command()[-4:-2] == ["--then", "L3_128"]
    panel.options.fields["optimal_only"].editor.setChecked(True)
    assert "chained table holds all boards" in panel.note_label.text()
    assert not panel.build_button.isEnabled()
    panel.options.fields["optimal_only"].editor.setChecked(False)
    stage.click(panel.build_button)
    assert stage.requests == [wanted]


def test_a_chained_table_is_resumed_as_it_was_begun(tmp_path):
    begun = replace(
        table_info(tmp_path / "4421thenL3_128", "partial"), pattern="4421thenL3", then="L3_128"
    )
    request = rebuild_request(begun)
    assert request == BuildRequest("4421", 128, tmp_path, then="L3_128")
    assert request.table == begun.path
    assert request_from_json(request_to_json(request)) == request


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
