"""Converting and moving tables in the window: the forms, what they ask for, how it ends."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox

from gui.table_work.builds import BuildProgress, SpeedMeter, read_progress
from gui.table_work.checks import Checks
from gui.table_work.requests import BuildRequest, ConvertRequest, RelocateRequest
from gui.tables.move_panel import look_at
from gui.tables.outcomes import done_text
from gui.text.contents import describe_formation
from tablebase.store.options import TableOptions
from tablebase.store.replace_table import Conversion, new_folder
from tests.gui.event_fakes import convert_result, layer_progress, relocate_result
from tests.gui.wheel import turn_wheel, wait_until_watched
from tests.gui.window_fakes import child, table_info

NAME = ("442", 128)


def open_convert(stage, **fields):
    path = stage.table(**fields)
    stage.page.cards[path].menu_actions["convert"].trigger()
    return path, stage.page.changes.panel


def open_move(stage, folder="", **fields):
    path = stage.table(**fields)
    stage.page.cards[path].menu_actions["move"].trigger()
    panel = stage.page.changes.panel
    panel.folder_field.edit.setText(str(folder))
    return path, panel


def choose_rate(panel, rate):
    at = panel.rate.editor.findData(rate)
    panel.rate.editor.setCurrentIndex(at)
    panel.rate.editor.activated.emit(at)


@pytest.mark.parametrize("open_form", [open_convert, open_move])
def test_the_wheel_scrolls_past_the_fields_of_a_form(stage, open_form, qtbot):
    _, panel = open_form(stage)
    fields = [*panel.findChildren(QAbstractSpinBox), *panel.findChildren(QComboBox)]
    others = [field for field in fields if not field.hasFocus()]
    assert others
    wait_until_watched(qtbot, fields)
    assert [field.accessibleName() for field in others if turn_wheel(field)] == []


def test_the_new_size_is_shown_before_converting(stage, qtbot):
    path, panel = open_convert(stage)
    assert not panel.go_button.isEnabled(), "nothing is chosen yet"
    assert "what to leave out" in panel.note_label.text()
    choose_rate(panel, "uint16")
    value = panel.new_figure.value_label
    qtbot.waitUntil(lambda: "3.00" in value.text())
    assert panel.new_figure.note_label.text().replace("\u00a0", " ") == "25 % less"
    wanted = ConvertRequest(*NAME, stage.home, path, rate="uint16")
    assert stage.sized == [wanted]
    stage.click(panel.go_button)
    assert stage.requests == [wanted]
    assert stage.page.changes.panel is None


def test_only_what_is_changed_is_asked_for(stage):
    path, panel = open_convert(stage, threshold=0.05)
    panel.threshold.editor.setValue(20)
    panel.optimal_only.editor.click()
    panel.level.editor.buttons["small"].click()
    expected = ConvertRequest(
        *NAME, stage.home, path, threshold=0.2, optimal_only=True, level="small"
    )
    assert panel.request == expected
    panel.threshold.editor.setValue(1)
    assert panel.threshold.editor.value() == 5, "what was left out cannot come back"


def test_digits_and_layers_that_the_table_lacks_cannot_be_chosen(stage):
    _, panel = open_convert(stage, rate="uint32", sparse=4)
    model = panel.rate.editor.model()
    rates = {
        panel.rate.editor.itemData(i): model.item(i).isEnabled()
        for i in range(panel.rate.editor.count())
    }
    assert rates == {
        "uint32": True, "float32": True, "uint16": True, "uint64": False, "float64": False,
    }  # fmt: skip
    chips = panel.sparse.editor.buttons
    assert [k for k, button in chips.items() if button.isEnabled()] == [4, 8]
    assert "have no file" in chips[1].toolTip()
    assert not panel.threshold.editor.isEnabled()
    assert not panel.optimal_only.editor.isEnabled()


def test_a_sparse_table_leaves_out_nothing(stage):
    _, panel = open_convert(stage)
    panel.threshold.editor.setValue(10)
    assert not panel.sparse.editor.buttons[4].isEnabled()
    panel.threshold.editor.setValue(0)
    panel.sparse.editor.buttons[4].click()
    assert not panel.threshold.editor.isEnabled()
    assert panel.request.sparse == 4


def test_a_copy_needs_a_folder_of_its_own(stage, qtbot, settings):
    path, panel = open_convert(stage)
    choose_rate(panel, "uint16")
    panel.place_chips.buttons["copy"].click()
    for text, note in (
        ("", "Choose a folder for the new table."),
        ("somewhere", "Somewhere is not a full path: start it at the root of a drive."),
        (str(stage.home), "The current table is in this folder. Choose another one."),
        (str(stage.home / "smaller"), ""),
    ):
        panel.folder_field.edit.setText(text)
        qtbot.waitUntil(lambda note=note: panel.note_label.text() == note)
        assert panel.go_button.isEnabled() is (not note)
    stage.click(panel.go_button)
    (request,) = stage.requests
    assert request == ConvertRequest(
        *NAME, stage.home / "smaller", path, rate="uint16", is_copy=True
    )
    assert request.table == stage.home / "smaller" / "442_128"
    assert str(stage.home / "smaller") in settings.get("table_folders")
    assert stage.page.cards[path].menu_button.isEnabled(), "the original is not touched"


def test_a_table_in_parts_is_not_replaced(stage):
    _, panel = open_convert(stage, folders=(Path("/drive/442_128"),))
    assert not panel.place_chips.buttons["replace"].isEnabled()
    assert "bring it back first" in panel.place_chips.buttons["replace"].toolTip()
    assert panel.place_chips.value == "copy"


def test_a_stopped_conversion_is_offered_again(stage, qtbot):
    path = stage.table()
    begun = new_folder(path)
    begun.mkdir()
    Conversion("0", TableOptions(rate="uint16", threshold=0.25), "small").save(begun)
    stage.page.cards[path].menu_actions["convert"].trigger()
    panel = stage.page.changes.panel
    qtbot.waitUntil(lambda: panel.go_button.text() == "Resume")
    expected = ConvertRequest(*NAME, stage.home, path, rate="uint16", threshold=0.25, level="small")
    assert panel.request == expected
    assert "resumes where it stopped" in panel.note_label.text()
    panel.threshold.editor.setValue(30)
    assert panel.go_button.text() == "Convert"


def test_a_canceled_conversion_resumes_from_its_message(stage, qtbot):
    path, panel = open_convert(stage)
    choose_rate(panel, "uint16")
    stage.behave = "hang"
    stage.click(panel.go_button)
    card = stage.page.cards[path]
    assert stage.page.build_card.title_label.text() == "Converting 442 \u2192 128"
    assert card.state_label.text() == "Converting"
    assert card.main_button.isEnabled(), "it can be practiced all the while"
    assert not card.menu_button.isEnabled()
    with qtbot.waitSignal(stage.builds.progressed):
        pass
    stage.click(stage.page.build_card.cancel_button)
    banner = stage.wait_for_banner("Converting 442 \u2192 128 was canceled")
    stage.behave = "converted"
    removed = []
    stage.library.removed.connect(removed.append)
    stage.click(banner.buttons[0])
    stage.wait_for_banner("It takes")
    assert stage.requests[0] == stage.requests[1]
    assert removed == [path], "who has the old one open lets go of it"
    assert card.menu_button.isEnabled()


def test_a_conversion_that_fails_says_why(stage):
    _, panel = open_convert(stage)
    choose_rate(panel, "uint16")
    stage.behave = "refuse"
    stage.click(panel.go_button)
    stage.wait_for_banner("Converting 442 \u2192 128 stopped: the disk is full")


def test_one_form_is_open_at_a_time_and_esc_closes_it(stage, qtbot):
    path, first = open_convert(stage)
    card = stage.page.cards[path]
    card.menu_actions["move"].trigger()
    second = stage.page.changes.panel
    assert second is not first
    assert not first.isVisibleTo(card)
    assert second.isVisibleTo(card)
    qtbot.keyClick(second.folder_field.edit, Qt.Key.Key_Escape)
    assert stage.page.changes.panel is None
    assert not second.isVisibleTo(card)
    assert stage.requests == []


@pytest.mark.parametrize(("state", "origin"), [("partial", ""), ("damaged", ""), ("complete", "x")])
def test_what_cannot_be_converted_or_moved_is_not_offered(stage, state, origin):
    path = stage.table(state=state, origin=origin)
    card = stage.page.cards[path]
    for action in (
        card.menu_actions["convert"],
        card.menu_actions["move"],
        card.menu_actions["return"],
    ):
        assert not action.isVisible()
    assert card.menu_actions["import"].isVisible() == bool(origin)


def test_the_layers_of_a_table_move(stage, qtbot, tmp_path):
    drive = tmp_path / "drive"
    drive.mkdir()
    path, panel = open_move(stage, drive)
    qtbot.waitUntil(panel.go_button.isEnabled)
    assert "same drive" in panel.note_label.text()
    assert panel.free_figure.value_label.text() != "\u2013"
    panel.amount_chips.buttons["layers"].click()
    panel.first_spin.setValue(50)
    panel.last_spin.setValue(40)
    qtbot.waitUntil(lambda: "comes after" in panel.note_label.text())
    assert not panel.go_button.isEnabled()
    panel.last_spin.setValue(60)
    stage.click(panel.go_button)
    wanted = RelocateRequest(*NAME, stage.home, path, drive, (50, 60))
    assert stage.requests == [wanted]
    assert stage.page.cards[path].state_label.text() == "Moving"
    stage.page.cards[path].menu_actions["move"].trigger()
    edit = stage.page.changes.panel.folder_field.edit
    assert edit.text() == str(drive), "the drive of the last time"


def test_a_size_for_the_other_drive(stage, tmp_path):
    path, panel = open_move(stage, tmp_path)
    panel.amount_chips.buttons["bytes"].click()
    panel.size_spin.setValue(1.5)
    wanted = RelocateRequest(*NAME, stage.home, path, tmp_path, None, 1_500_000_000)
    assert panel.requests == [wanted]


def test_all_tables_move_one_after_the_other(stage, qtbot, tmp_path):
    drive = tmp_path / "drive"
    drive.mkdir()
    paths = [stage.home / name for name in ("442_128", "44_64", "L3_256", "L3_512")]
    for path in paths:
        path.mkdir()
    stage.put(
        *(table_info(path) for path in paths[:2]),
        table_info(paths[2], "partial"),
        table_info(paths[3], origin="x"),
    )
    stage.page.cards[paths[0]].menu_actions["move"].trigger()
    panel = stage.page.changes.panel
    assert panel.which_chips.buttons["all"].text() == "All 2 tables"
    panel.which_chips.buttons["all"].click()
    panel.folder_field.edit.setText(str(drive))
    qtbot.waitUntil(panel.go_button.isEnabled)
    stage.behave = "hang"
    stage.click(panel.go_button)
    assert [r.table for r in stage.builds.requests] == paths[:2]
    assert stage.page.cards[paths[1]].state_label.text() == "In the queue"


def test_layers_come_back(stage):
    path, whole = stage.home / "442_128", stage.home / "44_64"
    stage.put(table_info(path, folders=(Path("/drive/442_128"),)), table_info(whole))
    assert not stage.page.cards[whole].menu_actions["return"].isVisible()
    stage.page.cards[path].menu_actions["return"].trigger()
    assert stage.requests == [RelocateRequest(*NAME, stage.home, path, path)]


def test_a_folder_that_cannot_take_layers_is_told_in_a_sentence(stage, qtbot, tmp_path):
    path, panel = open_move(stage)
    assert panel.note_label.text() == "Choose a folder on the other drive."
    a_file = tmp_path / "file"
    a_file.write_text("")
    for folder, words in (
        ("relative", "not a full path"),
        (tmp_path / "none", "doesn't exist"),
        (a_file, "is a file"),
        (path / "inside", "doesn't exist"),
        (path, "inside the table itself"),
        (stage.home, "in this folder already"),
    ):
        panel.folder_field.edit.setText(str(folder))
        qtbot.waitUntil(lambda w=words: w in panel.note_label.text())
        assert not panel.go_button.isEnabled()
        assert panel.folder_field.edit.property("invalid")


def test_too_little_room_is_told_before_moving(stage, qtbot, tmp_path, monkeypatch):
    import gui.tables.move_panel as module

    def small(folder, tables):
        return replace(look_at(folder, tables), free_bytes=1_000_000, is_same_drive=False)

    monkeypatch.setattr(module, "look_at", small)
    _, panel = open_move(stage, tmp_path)
    qtbot.waitUntil(lambda: "Only 1.00" in panel.note_label.text())
    assert not panel.go_button.isEnabled()
    panel.amount_chips.buttons["bytes"].click()
    qtbot.waitUntil(panel.go_button.isEnabled)


def test_a_table_that_is_being_changed_is_not_verified(stage):
    path, other = stage.home / "442_128", stage.home / "L3_256"
    stage.put(table_info(path), table_info(other))
    stage.behave = "hang"
    stage.builds.add(ConvertRequest(*NAME, stage.home, path, rate="uint16"))
    stage.page.verify_action.trigger()
    assert (stage.checks.current, stage.checks.waiting) == (other, [])


def test_the_commands_are_understood(tmp_path):
    import main

    parse = main.build_parser().parse_args
    request = ConvertRequest(
        *NAME, tmp_path, Path("/x/442_128"), "uint16", 0.25, True, 0, "small", True
    )
    args = parse(request.command()[2:])
    assert (args.table, args.out, args.rate) == (str(Path("/x/442_128")), tmp_path, "uint16")
    assert (args.threshold, args.optimal_only, args.level) == (0.25, True, "small")
    assert not args.dry_run
    assert parse(replace(request, is_copy=False).command()[2:]).out is None
    assert parse(replace(request, sparse=4).size_command()[2:]).dry_run
    move = RelocateRequest(*NAME, tmp_path, Path("/x/442_128"), Path("/drive"))
    args = parse(move.command()[2:])
    assert (args.table, args.to, args.layers, args.bytes) == (
        str(Path("/x/442_128")), Path("/drive"), None, None,
    )  # fmt: skip
    assert parse(replace(move, layers=(3, 9)).command()[2:]).layers == range(3, 10)
    assert parse(replace(move, most_bytes=10**9).command()[2:]).bytes == 10**9


def test_layers_are_counted_in_the_order_of_the_work():
    events = [
        layer_progress(phase=phase, layer=3, layers=10)
        for phase in ("expand", "solve", "convert", "relocate", "import")
    ]
    shown = {
        event.phase: read_progress(event, BuildProgress(), SpeedMeter()).layer for event in events
    }
    assert shown == {"expand": 4, "solve": 7, "convert": 4, "relocate": 4, "import": 7}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"was_done": True}, "already has these options"),
        ({"bytes": 812_000, "bytes_before": 1_040_000}, "It takes 812 KB instead of 1.04 MB"),
        ({}, "is converted."),
    ],
)
def test_the_end_of_a_conversion_in_words(result, words):
    request = ConvertRequest(*NAME, Path("/t"), Path("/t/442_128"))
    assert words in done_text(request, convert_result(**result)).replace("\u00a0", " ")


def test_the_end_of_a_move_in_words():
    request = RelocateRequest(*NAME, Path("/t"), Path("/t/442_128"), Path("/drive"))
    result = relocate_result(3)
    text = done_text(request, result).replace("\u00a0", " ")
    assert text == f"3 layers of 442 \u2192 128 moved to {Path('/drive/442_128')} (4.00 MB)."
    assert "Nothing to move" in done_text(request, relocate_result(0))
    back = replace(request, to=request.source)
    assert "back in its own folder" in done_text(back, result)
    assert done_text(BuildRequest("44", 64, Path("/t")), None) == "44 \u2192 64 is built."


def test_verifying_tells_the_time_left(qtbot, tmp_path):
    times = iter([100.0, 106.0])
    checks = Checks(lambda _: child("hang"), clock=lambda: next(times))
    with qtbot.waitSignal(checks.progressed):
        checks.add(tmp_path)
    assert checks.seconds_left == pytest.approx(18.0), "a quarter took 6 s"
    checks.close()


def test_the_time_left_is_on_the_card(stage):
    path = stage.table()
    card = stage.page.cards[path]
    card.show_check(0.25, seconds_left=18.0)
    assert card.check_label.text().replace("\u00a0", " ") == "Verifying: 25 %, 18 s left"


@pytest.mark.parametrize("width", [1200, 1900, 3000])
def test_cards_stay_readable_in_a_wide_window(stage, qtbot, width):
    path = stage.table()
    stage.page.resize(width, 900)
    qtbot.waitUntil(lambda: 1100 < stage.page.cards[path].width() <= 1248)


@pytest.mark.parametrize("action", ["convert", "move"])
def test_nothing_is_cut_off_in_a_small_window(stage, qtbot, action):
    path = stage.table()
    stage.page.resize(744, 540)
    stage.page.cards[path].menu_actions[action].trigger()
    panel = stage.page.changes.panel
    view = stage.page.scroller.viewport()

    def is_seen() -> bool:
        top = panel.go_button.mapTo(view, panel.go_button.rect().topLeft()).y()
        return 0 <= top <= view.height() - panel.go_button.height()

    qtbot.waitUntil(is_seen)
    assert panel.width() <= view.width()
    assert panel.minimumSizeHint().width() <= panel.width()
    focus = QApplication.focusWidget()
    assert focus is None or panel.isAncestorOf(focus) or isinstance(focus, QAbstractSpinBox)


def test_a_form_taller_than_the_window_is_seen_from_its_beginning(stage, qtbot):
    path = stage.table()
    stage.page.resize(477, 320)
    stage.page.cards[path].menu_actions["convert"].trigger()
    panel, view = stage.page.changes.panel, stage.page.scroller.viewport()

    def is_seen() -> bool:
        title = panel.title_label
        top = title.mapTo(view, title.rect().topLeft()).y()
        return 0 <= top <= view.height() - title.height()

    qtbot.waitUntil(is_seen)
    qtbot.waitUntil(lambda: panel.minimumSizeHint().width() <= panel.width() <= view.width())


def test_a_form_that_closes_leaves_the_page_where_it_was(stage, qtbot):
    path, *others = (stage.home / f"{name}_128" for name in ("442", "L3", "t", "LL"))
    stage.put(*map(table_info, (path, *others)))
    stage.page.resize(477, 320)
    bar = stage.page.scroller.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 40)
    bar.setValue(40)
    stage.page.cards[path].menu_actions["convert"].trigger()
    qtbot.waitUntil(lambda: bar.value() > 40)
    stage.page.changes.panel.cancel_button.click()
    qtbot.waitUntil(lambda: bar.value() == 40)


@pytest.mark.parametrize("name", ["442", "442t", "t", "L3", "L3t", "44"])
def test_small_formations_say_what_they_are_good_for(stage, name):
    formation = stage.service.formations()[name]
    *_, purpose = describe_formation(formation).split(". ", 2)
    assert purpose
    others = [f for f in stage.service.formations().values() if f.name != name]
    assert all(purpose not in describe_formation(other) for other in others)


@pytest.mark.thorough
def test_what_is_said_at_the_end_is_kept_for_the_message(stage, qtbot):
    with qtbot.waitSignal(stage.builds.ended):
        stage.builds.add(BuildRequest("44", 64, stage.home))
    assert stage.builds.last_result.stored == 2000
    stage.behave = "refuse"
    with qtbot.waitSignal(stage.builds.ended):
        stage.builds.add(BuildRequest("44", 64, stage.home))
    assert stage.builds.last_result is None
