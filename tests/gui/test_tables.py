"""The Tables page: choose, estimate, Build, cancel, resume, verify, delete and undo."""

import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt

from engine.platform.errors import AppError
from gui.table_work.builds import BuildProgress, Builds, SpeedMeter, read_progress
from gui.table_work.requests import BuildRequest
from gui.table_work.table_service import Cost
from gui.text.numbers import format_seconds
from gui.widgets.build_card import BuildCard
from tests.gui.event_fakes import layer_progress
from tests.gui.window_fakes import FakeService, table_info


def test_build_runs_a_child_and_says_when_it_is_done(stage, qtbot):
    stage.click(stage.panel.build_button)
    assert stage.requests == [BuildRequest("442", 128, stage.home)]
    assert stage.page.build_card.isVisible()
    assert "442" in stage.page.build_card.title_label.text()
    banner = stage.wait_for_banner("is built")
    assert not stage.page.build_card.isVisible()
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        stage.click(banner.buttons[0])
    assert signal.args == [stage.home / "442_128"]
    assert stage.page.banners.banners == []


def test_progress_is_shown_while_it_runs(stage, qtbot):
    stage.behave = "hang"
    stage.click(stage.panel.build_button)
    card = stage.page.build_card
    qtbot.waitUntil(lambda: card.bar.value() > 0)
    assert card.bar.value() == 250
    assert card.phase_label.text() == "Step 1: finding all positions"
    assert card.figures["left"].value_label.text().startswith("3")
    assert card.figures["layer"].value_label.text() == "2 of 4"
    assert not stage.panel.build_button.isEnabled()
    assert stage.panel.note_label.text() == "Building."


@pytest.mark.thorough
def test_cancel_keeps_what_is_finished_and_offers_to_resume(stage, qtbot):
    stage.behave = "hang"
    stage.click(stage.panel.build_button)
    with qtbot.waitSignal(stage.builds.progressed):
        pass
    stage.click(stage.page.build_card.cancel_button)
    assert not stage.page.build_card.cancel_button.isEnabled()
    banner = stage.wait_for_banner("was canceled")
    stage.behave = "build"
    stage.click(banner.buttons[0])
    stage.wait_for_banner("is built")
    assert len(stage.requests) == 2


@pytest.mark.thorough
def test_a_build_that_fails_says_why_and_can_be_tried_again(stage):
    stage.behave = "refuse"
    stage.click(stage.panel.build_button)
    banner = stage.wait_for_banner("the disk is full")
    stage.behave = "build"
    stage.click(banner.buttons[0])
    stage.wait_for_banner("is built")


def test_a_second_build_waits_in_line(stage):
    stage.behave = "hang"
    stage.click(stage.panel.build_button)
    stage.panel.target_field.tile_chips.buttons[256].click()
    assert stage.panel.build_button.text() == "Add to queue"
    stage.click(stage.panel.build_button)
    assert [r.target for r in stage.builds.waiting] == [256]


@pytest.mark.thorough
def test_several_tables_are_offered_one_after_the_other(stage):
    stage.behave = "hang"
    stage.page.offer_builds([("442", 256), ("442", 64), ("442", 128)])
    stage.click(stage.panel.build_button)
    stage.wait_for_banner("The next one is in the form: 442 \N{RIGHTWARDS ARROW} 64")
    assert stage.panel.build_button.text() == "Add to queue"
    assert stage.panel.build_button.hasFocus()
    stage.click(stage.panel.build_button)
    stage.wait_for_banner("The next one is in the form: 442 \N{RIGHTWARDS ARROW} 128")
    assert sum("in the form" in text for text in stage.banner_texts()) == 1
    stage.click(stage.panel.build_button)
    assert stage.builds.current.target == 256
    assert [request.target for request in stage.builds.waiting] == [64, 128]
    assert not any("in the form" in text for text in stage.banner_texts())


def test_who_builds_another_table_first_is_offered_no_more(stage):
    stage.behave = "hang"
    stage.page.offer_builds([("442", 256), ("442", 64)])
    stage.panel.target_field.tile_chips.buttons[128].click()
    stage.click(stage.panel.build_button)
    assert stage.panel.request.target == 128
    assert stage.banner_texts() == []
    stage.page.offer_builds([("442", 256), ("442", 64)])
    stage.page.offer_build("442", 256)  # as advice does
    stage.click(stage.panel.build_button)
    assert stage.panel.request.target == 256


def test_the_choice_reaches_the_builder(stage):
    panel = stage.panel
    panel.category_combo.setCurrentIndex(panel.category_combo.findData("variant"))
    panel.category_combo.activated.emit(panel.category_combo.currentIndex())
    panel.pattern_chips.buttons["3x3"].click()
    panel.target_field.tile_chips.buttons[512].click()
    panel.folder_field.edit.setText(str(stage.home / "elsewhere"))
    panel.options.fields["spawn4"].editor.setValue(25)
    panel.options.fields["rate"].editor.setCurrentIndex(
        panel.options.fields["rate"].editor.findData("float64")
    )
    stage.click(panel.build_button)
    expected = BuildRequest("3x3", 512, stage.home / "elsewhere", 0.25, "float64")
    assert stage.requests == [expected]


def test_a_target_without_a_table_is_disabled_with_the_reason(stage):
    stage.panel.choose("3x405", 8192)
    buttons = stage.panel.target_field.tile_chips.buttons
    assert [target for target, b in buttons.items() if b.isEnabled()] == [4096, 8192]
    assert "already have a 2048" in buttons[512].toolTip()
    assert stage.panel.target_field.tile_chips.value == 8192
    stage.panel.choose("3x3", 512)
    assert stage.panel.target_field.tile_chips.value == 512


def write_formation(path: Path, name: str, **changes: object) -> None:
    """Write a file with one formation of one's own, as one does while the window is open."""
    fields = {"name": name, "category": "my own", "masks": ["0xffffffff"], "walls": False}
    fields |= {"target_cells": "0xffff00000000", "symmetry": "identity", "extra_steps": 48}
    entry = fields | {"seeds": ["0x1000ffffffff"]} | changes
    path.write_text(json.dumps({"version": 1, "formations": [entry]}))


def test_an_edited_file_of_formations_is_seen_when_the_page_is_shown(stage, qtbot):
    combo, own = stage.panel.category_combo, stage.own
    assert combo.findText("my own") == -1
    write_formation(own, "mine")
    stage.page.page_shown()
    qtbot.waitUntil(lambda: combo.findText("my own") >= 0)
    stage.panel.choose("mine", 256)
    write_formation(own, "mine", extra_steps="many")
    stage.page.page_shown()
    stage.wait_for_banner("formation 'mine': field extra_steps")
    assert combo.findText("442") == -1
    assert combo.findText("10 free cells") >= 0
    write_formation(own, "other")
    stage.page.page_shown()
    qtbot.waitUntil(lambda: combo.findText("my own") >= 0)
    stage.panel.choose("other", 256)
    assert stage.panel.request.pattern == "other"


def test_the_estimate_is_that_of_the_last_choice(stage, qtbot):
    stage.panel.target_field.tile_chips.buttons[256].click()
    stage.panel.target_field.tile_chips.buttons[512].click()
    figures = stage.panel.figures
    qtbot.waitUntil(lambda: figures["boards"].value_label.text() != "\u2013")
    request, _ = stage.service.asked[-1]
    assert request == BuildRequest("442", 512, stage.home)
    texts = [figures[n].value_label.text().replace("\u00a0", " ") for n in ("boards", "bytes")]
    assert texts == ["98.5 M", "1.00 GB"]


def test_of_a_table_that_is_here_the_real_size_is_told(stage, qtbot):
    figures = stage.panel.figures

    def told() -> list[str]:
        texts = [figures[n].value_label.text() for n in ("boards", "bytes")]
        return [text.replace("\u00a0", " ") for text in (*texts, stage.panel.name_label.text())]

    qtbot.waitUntil(lambda: figures["boards"].value_label.text() != "\u2013")
    estimated = told()
    stage.put(table_info(stage.home / "442_128", boards=2_570_000, bytes=3_600_000))
    real = told()
    assert real[:2] == ["2.57 M", "3.60 MB"]
    assert real[2].endswith("3.60 MB")
    stage.panel.options.fields["spawn4"].editor.setValue(20)
    assert told() == estimated, "another table"


def test_a_full_disk_is_warned_of_before_building(stage, qtbot):
    stage.service.cost_of = Cost(10**9, 10**10, 10**9, 100.0, 10**9, 10**10)
    stage.panel.target_field.tile_chips.buttons[256].click()
    qtbot.waitUntil(lambda: "Not enough space" in stage.panel.note_label.text())
    assert stage.panel.figures["bytes"].value_label.property("tone") == "bad"


def test_each_drive_is_looked_at_when_working_files_lie_elsewhere(stage, qtbot):
    stage.panel.options.fields["scratch"].editor.edit.setText(str(stage.home / "fast"))
    enough = Cost(10**9, 10**10, 10**9, 1.0, 2 * 10**10, 10**10, scratch_bytes=4 * 10**9)
    assert replace(enough, free_bytes=12 * 10**9, free_scratch_bytes=5 * 10**9).fits_disk
    assert not replace(enough, free_bytes=12 * 10**9).fits_disk
    stage.service.cost_of = replace(enough, free_scratch_bytes=4 * 10**9)
    stage.panel.target_field.tile_chips.buttons[256].click()
    qtbot.waitUntil(lambda: "for the working files" in stage.panel.note_label.text())
    assert stage.panel.options.fields["scratch"].editor.edit.property("invalid")


def test_working_files_need_a_folder_that_can_be_written(stage, qtbot, tmp_path):
    (tmp_path / "file").write_text("x")
    stage.panel.options.fields["scratch"].editor.edit.setText(str(tmp_path / "file"))
    qtbot.waitUntil(lambda: "is a file" in stage.panel.note_label.text())
    assert not stage.panel.build_button.isEnabled()
    stage.panel.options.fields["scratch"].editor.edit.clear()
    assert stage.panel.build_button.isEnabled()


def test_little_memory_is_warned_of(stage, qtbot):
    stage.service.cost_of = Cost(10**9, 10**10, 10**10, 100.0, 10**12, 10**9)
    stage.panel.target_field.tile_chips.buttons[256].click()
    qtbot.waitUntil(lambda: "more memory" in stage.panel.note_label.text())


def test_an_estimate_that_fails_becomes_a_banner(stage):
    stage.service.cost_of = AppError("no such formation")
    stage.panel.target_field.tile_chips.buttons[256].click()
    stage.wait_for_banner("no such formation")


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("tables", "not a full path"), ("", "not a full path"), ("/proc/tables", "cannot be written")],
)
def test_a_folder_that_does_not_serve_is_refused_with_the_reason(stage, qtbot, folder, reason):
    if folder.startswith("/proc") and not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    if reason == "cannot be written":
        import os

        if os.access("/proc", os.W_OK):
            pytest.skip("root may write everywhere")
    stage.panel.folder_field.edit.setText(folder)
    qtbot.waitUntil(lambda: reason in stage.panel.note_label.text())
    assert not stage.panel.build_button.isEnabled()


def test_a_table_that_is_here_shows_the_time_that_it_took(stage, settings, qtbot):
    table = table_info(stage.home / "442_128")
    settings.state.set("build.times", {str(table.path): [754.0, table.boards]})
    stage.put(table)
    time = stage.panel.figures["time"].value_label
    qtbot.waitUntil(lambda: time.text() == format_seconds(754.0))


def test_a_table_that_is_here_is_not_built_twice(stage):
    stage.put(table_info(stage.home / "442_128"))
    assert "Already built" in stage.panel.note_label.text()
    assert not stage.panel.build_button.isEnabled()
    stage.panel.options.fields["spawn4"].editor.setValue(20)
    assert "other options" in stage.panel.note_label.text()
    assert not stage.panel.build_button.isEnabled()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "You already have this table in {folder}. Building makes another copy."),
        ({"rate": "uint16"}, "You already have this table with other options in {folder}."),
        ({"state": "away"}, "You already have this table in {folder}."),
        ({"state": "partial"}, "Partly built in {folder}. Building here starts over."),
    ],
)
def test_a_table_in_another_folder_is_told_and_may_be_copied(stage, tmp_path, fields, words):
    elsewhere = tmp_path / "elsewhere"
    stage.put(table_info(elsewhere / "L3_256"), table_info(elsewhere / "442_128", **fields))
    assert stage.panel.request.table == stage.home / "442_128"
    assert words.format(folder=elsewhere) in stage.panel.note_label.text()
    assert stage.panel.build_button.isEnabled()
    stage.panel.target_field.tile_chips.buttons[256].click()
    assert str(elsewhere) not in stage.panel.note_label.text()


def test_a_table_of_another_program_is_not_one_that_is_had(stage, tmp_path):
    stage.put(table_info(tmp_path / "442_128", origin="another program"))
    assert stage.panel.note_label.text() == ""


def test_cards_tell_the_state_and_offer_what_fits_it(stage):
    paths = [stage.home / name for name in ("442_128", "L3_256", "44_64")]
    states = ("complete", "partial", "damaged")
    stage.put(*(table_info(p, s) for p, s in zip(paths, states, strict=True)))
    cards = stage.page.cards
    assert [cards[p].state_label.text() for p in paths] == [
        "Complete",
        "Partly built, layer 40 of 112",
        "Damaged",
    ]
    assert [cards[p].main_button.text() for p in paths] == ["Practice", "Resume", "Repair"]
    assert [cards[p].mark.state for p in paths] == list(states)
    assert cards[paths[2]].message_label.text() == "A file is missing"
    assert not cards[paths[1]].menu_actions["verify"].isVisible()


@pytest.mark.parametrize(
    ("fields", "state", "about"),
    [
        (
            {"layers_done": 0, "boards": 0, "bytes": 0, "layers_expanded": 31},
            "Partly built, layer 31 of 112",
            "Step 1: finding all positions \u00b7 55.0 MB with working files",
        ),
        (
            {"layers_done": 12, "boards": 30, "bytes": 5_000_000, "layers_expanded": 112},
            "Partly built, layer 12 of 112",
            "Step 2: computing success rates \u00b7 30 boards \u00b7 60.0 MB with working files",
        ),
        ({"layers_done": 0, "boards": 0, "bytes": 0, "work_bytes": 0}, "Partly built", "0 B"),
    ],
)
def test_a_card_tells_how_far_an_unfinished_table_is(stage, fields, state, about):
    path = stage.table(state="partial", **{"work_bytes": 55_000_000, **fields})
    card = stage.page.cards[path]
    assert card.state_label.text() == state
    assert card.about_label.text().replace("\u00a0", " ") == about
    stage.behave = "hang"
    stage.click(card.main_button)
    assert card.state_label.text() == "Building"
    assert "Step" not in card.about_label.text(), "it goes on from there"


def test_practice_asks_for_the_page(stage, qtbot):
    path = stage.table()
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        stage.click(stage.page.cards[path].main_button)
    assert signal.args == [path]


def test_resume_goes_on_with_the_same_parameters(stage):
    path = stage.table("L3_256", state="partial", spawn4=0.2, rate="float32")
    stage.behave = "hang"
    stage.click(stage.page.cards[path].main_button)
    assert stage.requests == [BuildRequest("L3", 256, stage.home, 0.2, "float32")]
    card = stage.page.cards[path]
    assert card.state_label.text() == "Building"
    assert not card.menu_button.isEnabled(), "what is being built cannot be deleted"


def test_verify_shows_the_verdict(stage, qtbot):
    path = stage.table()
    stage.behave = "verify"
    stage.page.cards[path].menu_actions["verify"].trigger()
    card = stage.page.cards[path]
    assert card.stop_button.isVisibleTo(card)
    qtbot.waitUntil(lambda: card.check_label.text().startswith("Verified"))
    assert not card.stop_button.isVisible()
    assert not card.bar.isVisible()


def test_a_bad_verdict_offers_to_build_again(stage, qtbot):
    path = stage.table()
    stage.behave = "bad"
    stage.page.cards[path].menu_actions["verify"].trigger()
    banner = stage.wait_for_banner("another checksum")
    card = stage.page.cards[path]
    assert (card.state_label.text(), card.main_button.text()) == ("Damaged", "Build again")
    stage.behave = "hang"
    stage.click(banner.buttons[0])
    qtbot.waitUntil(lambda: bool(stage.requests))
    assert not path.exists(), "the bad one was moved aside first"


def test_undo_is_offered_only_while_nothing_is_in_the_place_of_a_table(stage, qtbot):
    path = stage.table(state="damaged", rate="")
    stage.behave = "hang"
    stage.click(stage.page.cards[path].main_button)  # Repair
    banner = stage.wait_for_banner("was deleted")
    assert banner.buttons == []
    assert "no new one in its place" in banner.text_label.text()
    path.mkdir()  # by the build
    stage.builds.cancel()
    with qtbot.waitSignal(stage.library.looked):
        qtbot.waitUntil(lambda: stage.builds.current is None)
    assert stage.wait_for_banner("was deleted").buttons == []
    path.rmdir()
    stage.page.page_shown()
    qtbot.waitUntil(lambda: bool(stage.wait_for_banner("was deleted").buttons))
    stage.click(stage.wait_for_banner("was deleted").buttons[0])
    qtbot.waitUntil(lambda: (path / "manifest.json").exists())
    qtbot.waitUntil(lambda: not (stage.home / ".trash").exists())


@pytest.mark.thorough
def test_a_table_that_passes_again_is_complete_again(stage, qtbot):
    path = stage.table()
    for behave, state in (("bad", "Damaged"), ("verify", "Complete")):
        stage.behave = behave
        stage.page.cards[path].menu_actions["verify"].trigger()
        qtbot.waitUntil(
            lambda state=state: (
                stage.checks.current is None and stage.page.cards[path].state_label.text() == state
            )
        )
    assert stage.banner_texts() == [], "it is not damaged any more"


@pytest.mark.parametrize(
    ("behave", "why"), [("crash", "killed from outside"), ("refuse", "the disk is full")]
)
def test_a_check_that_breaks_down_says_nothing_of_the_table(stage, behave, why):
    path = stage.table()
    stage.behave = behave
    stage.page.cards[path].menu_actions["verify"].trigger()
    banner = stage.wait_for_banner("couldn't be verified")
    assert why in banner.text_label.text()
    assert [button.text() for button in banner.buttons] == ["Try again"]
    assert stage.page.cards[path].state_label.text() == "Complete"


def test_verify_can_be_stopped(stage, qtbot):
    path = stage.table()
    stage.behave = "hang"
    card = stage.page.cards[path]
    with qtbot.waitSignal(stage.checks.progressed):
        card.menu_actions["verify"].trigger()
    assert card.bar.isVisible()
    stage.click(card.stop_button)
    qtbot.waitUntil(lambda: stage.checks.current is None)
    assert not card.check_label.isVisible()


def test_delete_can_be_undone(stage, qtbot):
    path = stage.table()
    removed = []
    stage.library.removed.connect(removed.append)
    stage.page.cards[path].menu_actions["delete"].trigger()
    banner = stage.wait_for_banner("was deleted")
    assert removed == [path], "who has it open was told"
    assert not path.exists()
    stage.click(banner.buttons[0])
    qtbot.waitUntil(lambda: (path / "manifest.json").exists())
    qtbot.waitUntil(lambda: not (stage.home / ".trash").exists())


def test_undo_that_fails_says_why_and_can_be_tried_again(stage, qtbot):
    path = stage.table()
    stage.page.cards[path].menu_actions["delete"].trigger()
    banner = stage.wait_for_banner("was deleted")
    path.mkdir()
    stage.click(banner.buttons[0])
    banner = stage.wait_for_banner("There is a new 442_128")
    assert str(stage.home / ".trash") in banner.text_label.text(), "where it is kept"
    path.rmdir()
    stage.click(banner.buttons[0])
    qtbot.waitUntil(lambda: (path / "manifest.json").exists())
    qtbot.waitUntil(lambda: not (stage.home / ".trash").exists())


@pytest.mark.thorough
def test_with_a_table_goes_what_was_offered_for_it(stage):
    path = stage.home / "442_128"
    stage.panel.choose("442", 128)
    stage.click(stage.panel.build_button)
    stage.wait_for_banner("is built")
    path.mkdir()
    stage.put(table_info(path))
    stage.behave = "bad"
    stage.page.cards[path].menu_actions["verify"].trigger()
    stage.wait_for_banner("is damaged")
    stage.page.cards[path].menu_actions["delete"].trigger()
    stage.wait_for_banner("was deleted")
    assert len(stage.banner_texts()) == 1


def test_closing_the_message_gives_the_room_back(stage, qtbot):
    path = stage.table()
    stage.page.cards[path].menu_actions["delete"].trigger()
    banner = stage.wait_for_banner("was deleted")
    stage.click(banner.close_button)
    qtbot.waitUntil(lambda: not (stage.home / ".trash").exists())
    assert not path.exists()


def test_a_delete_that_fails_says_so(stage):
    path = stage.home / "442_128"  # not there at all
    stage.put(table_info(path))
    stage.page.cards[path].menu_actions["delete"].trigger()
    stage.wait_for_banner("could not be deleted")


def test_without_tables_the_page_says_what_it_is_for(stage, qtbot):
    stage.page.page_shown()
    qtbot.waitUntil(lambda: stage.page.empty.isVisible())
    stage.put(table_info(stage.home / "442_128"))
    assert not stage.page.empty.isVisible()


def test_the_list_survives_a_folder_that_cannot_be_read(stage, monkeypatch):
    monkeypatch.setattr(stage.service, "scan", Mock(side_effect=AppError("the drive is gone")))
    stage.page.page_shown()
    stage.wait_for_banner("the drive is gone")


def test_actions_work_from_the_keyboard(stage, qtbot):
    stage.behave = "hang"
    stage.page.build_action.trigger()
    assert stage.builds.current is None, "nobody has seen yet what would be built"
    stage.page.build_action.trigger()
    assert stage.builds.current
    assert stage.page.cancel_action.isEnabled()
    with qtbot.waitSignal(stage.builds.progressed):
        pass
    stage.page.cancel_action.trigger()
    qtbot.waitUntil(lambda: stage.builds.current is None)
    assert not stage.page.cancel_action.isEnabled()


def test_arrow_keys_choose_among_what_can_be_chosen(stage, qtbot):
    chips = stage.panel.target_field.tile_chips
    stage.page.sheet.open()
    chips.buttons[128].setFocus()
    with qtbot.waitSignal(chips.chosen) as signal:
        qtbot.keyClick(chips.buttons[128], Qt.Key.Key_Right)
    assert signal.args == [256]
    assert chips.value == 256


@pytest.mark.parametrize("width", [340, 600, 1200])
def test_nothing_is_cut_off(stage, qtbot, width):
    stage.put(
        table_info(stage.home / "442_128"),
        table_info(stage.home / "L3_256", "damaged", message="a long message " * 10),
    )
    stage.page.resize(width, 500)
    content, view = stage.page.scroller.widget(), stage.page.scroller.viewport()
    qtbot.waitUntil(lambda: stage.page.width() == width and content.width() <= view.width())


def test_services_keep_foreign_files_out_of_the_trash(data_dir):
    earlier, service = FakeService(data_dir / "tables"), FakeService(data_dir / "tables")
    table = service.home / "442_128"
    table.mkdir()
    trashed = earlier.trash.put(table)
    del earlier  # with it goes who could bring the table back
    mine = service.home / ".trash" / "not ours"
    mine.mkdir()
    service.empty_trash()
    assert not trashed.kept.exists()
    assert mine.exists()


def test_cards_stay_as_small_as_what_is_in_them(stage, qtbot):
    path = stage.table()
    card = stage.page.cards[path]
    qtbot.waitUntil(lambda: card.height() <= card.sizeHint().height())
    assert stage.page.advice.height() <= stage.page.advice.sizeHint().height()


@pytest.mark.thorough
def test_one_message_tells_of_builds_and_goes_with_its_first_use(stage, qtbot):
    stage.click(stage.panel.build_button)
    stage.wait_for_banner("442 \u2192 128 is built")
    path = stage.home / "L3_128"
    stage.panel.choose("L3", 128)
    stage.click(stage.panel.build_button)
    stage.wait_for_banner("L3 \u2192 128 is built")
    assert len(stage.page.banners.banners) == 1
    stage.put(table_info(path))
    with qtbot.waitSignal(stage.page.practice_requested):
        stage.click(stage.page.cards[path].main_button)
    assert stage.page.banners.banners == []


def test_what_another_page_had_built_is_not_told_here(stage, qtbot):
    with qtbot.waitSignal(stage.builds.ended):
        stage.builds.add(BuildRequest("442", 128, stage.home))
    assert stage.page.banners.banners == []


def test_the_keyboard_goes_from_the_build_to_what_can_be_done_next(stage):
    stage.page.activateWindow()
    stage.panel.build_button.setFocus()
    stage.click(stage.panel.build_button)
    assert stage.page.focusWidget() is stage.page.build_card
    banner = stage.wait_for_banner("is built")
    assert stage.page.focusWidget() is banner.buttons[0]


@pytest.mark.parametrize("asked_here", [True, False])
def test_the_keyboard_stays_on_the_page_when_a_build_is_canceled(stage, qtbot, asked_here):
    stage.page.activateWindow()
    stage.behave = "hang"
    if asked_here:
        stage.click(stage.panel.build_button)
    else:
        stage.builds.add(BuildRequest("L3", 256, stage.home))
    with qtbot.waitSignal(stage.builds.progressed):
        pass
    card = stage.page.build_card
    card.cancel_button.setFocus()
    qtbot.keyClick(card.cancel_button, Qt.Key.Key_Space)
    assert stage.page.focusWidget() is card
    qtbot.waitUntil(card.isHidden)
    if asked_here:
        wanted = stage.wait_for_banner("was canceled").buttons[0]
    else:
        wanted = stage.page.form_button
    assert stage.page.focusWidget() is wanted


def test_the_figures_of_a_build_do_not_vanish_in_its_second_half():
    speed, before = SpeedMeter(), BuildProgress()
    for boards, elapsed_s in ((0, 0.5), (1000, 1.0)):
        event = layer_progress(layer=3, layers=4, boards=boards, elapsed_s=elapsed_s)
        before = read_progress(event, before, speed)
    event = layer_progress(phase="solve", layer=3, layers=4, elapsed_s=1.1)
    assert read_progress(event, before, speed).boards_per_s == before.boards_per_s == 2000


def test_the_card_of_a_build_shows_figures_from_the_first_layer_of_each_step(qtbot):
    class Half(Builds):
        """Has done half of a build."""

        current = BuildRequest("442", 128, Path("/t"))
        progress = BuildProgress("solve", 1, 112, 0, 0, 10.0, 9.0, 0.35, 2e6)

    card = BuildCard(Half())
    qtbot.addWidget(card)
    texts = [card.figures[name].value_label.text() for name in ("speed", "layer")]
    assert "\u2013" not in texts
    assert card.phase_label.text().startswith("Step 2")


def test_formations_are_told_in_plain_words(stage):
    panel = stage.panel
    words = [panel.category_combo.itemText(i) for i in range(panel.category_combo.count())]
    assert "10 free cells" in words
    assert not any("space" in one for one in words)
    told = {}
    for name in ("442", "442t", "t", "free10"):
        panel.choose(name, 128)
        told[name] = panel.about_label.text()
    assert "10 free cells" in told["442"]
    assert "first table" in told["442"]
    assert "10 arrangements" in told["442t"]
    assert "3 arrangements" in told["t"]
    assert "anywhere" in told["free10"]


def test_the_form_opens_with_the_table_to_build_next(stage, qtbot):
    stage.panel.choose("442", 128)
    stage.put(table_info(stage.home / "442_128"))
    qtbot.waitUntil(lambda: stage.panel.is_built)
    stage.click(stage.page.form_button)
    qtbot.waitUntil(lambda: not stage.panel.is_built)
    wanted = stage.service.next_table(stage.service.formations(), {("442", 128): 17_000_000})
    request = stage.panel.request
    assert (request.pattern, request.target) == (wanted.pattern, wanted.target)


def test_the_card_of_a_build_leaves_out_what_is_not_known(stage):
    stage.behave = "hang"
    stage.click(stage.panel.build_button)
    card = stage.page.build_card
    stage.builds.progressed.emit(BuildProgress("solve", 1, 4, eta_s=3.0))
    shown = {name for name, figure in card.figures.items() if not figure.isHidden()}
    assert shown == {"left", "layer"}
