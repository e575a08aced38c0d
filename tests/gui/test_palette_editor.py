"""Palettes: picked in Settings; one's own edited with undo and kept in the file."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.platform.errors import WriteError
from gui.settings.palette_picker import ALL, SAFE, PalettePicker
from gui.settings.palettes_section import PalettesSection
from gui.shell.app import Program
from gui.style.color_schemes import ColorSchemeError, load_color_schemes, parse_color_schemes
from gui.style.own_palettes import OwnPalettes
from gui.style.palette_check import is_safe
from gui.style.palette_draft import Draft, DraftHistory, draft_from_text, draft_of
from tests.gui.wheel import turn_wheel

PALETTES = load_color_schemes().palettes
FJORD = draft_of(PALETTES["fjord"])
BY_HAND = """# my colors
[window light]
{window}

# the one I like

[tiles first]
generate = lightness 90 -> 20, chroma 3, hue 20
# a remark inside
title = First

# about the second
[tiles second]
generate = lightness 95 -> 30, chroma 9, hue 200
"""


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    window = load_color_schemes().windows["light"]
    lines = "\n".join(f"{name} = {color}" for name, color in window.items())
    path = tmp_path / "color_schemes.txt"
    path.write_text(BY_HAND.format(window=lines), encoding="utf-8")
    return path


class TestDraft:
    def test_its_text_says_all_of_it(self):
        draft = FJORD.with_fill(True, 5, "#123456").with_ink(False, 11, "#fedcba")
        name, again = draft_from_text(draft.text("mine"), "here")
        assert (name, again) == ("mine", draft)
        palette = parse_color_schemes(draft.text("mine"), "here", partial=True).palettes["mine"]
        assert palette.dark[4][0] == "#123456"
        assert palette.light[10][1] == "#fedcba"

    def test_every_palette_can_be_copied(self):
        for palette in PALETTES.values():
            _, draft = draft_from_text(draft_of(palette).text("copy"), "here")
            assert (draft.pairs(False), draft.pairs(True)) == (palette.light, palette.dark)

    def test_the_usual_figure_follows_its_tile(self):
        draft = FJORD.with_ink(False, 1, "").with_fill(False, 1, "#000000")
        assert draft.pairs(False)[0] == ("#000000", "#ffffff")
        assert not draft.has_own_ink(False, 1)

    def test_changes_of_one_thing_are_one_step(self):
        history = DraftHistory(FJORD)
        for red in range(16, 32):
            history.change(FJORD.with_fill(False, 1, f"#{red:02x}0000"), "slider")
        history.end_step()
        history.change(history.now.with_fill(False, 1, "#00ff00"), "slider")
        history.undo()
        assert history.now.light[0][0] == "#1f0000"
        history.undo()
        assert (history.now, history.can_undo) == (FJORD, False)
        history.redo()
        assert history.now.light[0][0] == "#1f0000"
        history.change(FJORD.with_fill(False, 2, "#ffffff"))
        assert not history.can_redo, "what was undone is gone after another change"


class TestFile:
    def test_a_palette_is_added_and_the_rest_stays(self, by_hand):
        before = by_hand.read_text(encoding="utf-8")
        own = OwnPalettes(by_hand)
        own.put("mine", FJORD.text("mine"))
        assert by_hand.read_text(encoding="utf-8").startswith(before.rstrip())
        assert list(own.load().palettes) == ["first", "second", "mine"]
        own.remove("mine")
        assert by_hand.read_text(encoding="utf-8").rstrip() == before.rstrip()

    def test_a_palette_is_replaced_where_it_stands(self, by_hand):
        own = OwnPalettes(by_hand)
        own.put("first", FJORD.text("first"))
        text = by_hand.read_text(encoding="utf-8")
        for remark in ("# my colors", "# the one I like", "# a remark inside", "# about the sec"):
            assert text.count(remark) == 1
        assert text.index("[tiles first dark]") < text.index("# about the second")
        assert own.load().palettes["first"].light == PALETTES["fjord"].light
        assert own.load().windows

    def test_its_text_brings_a_deleted_palette_back(self, by_hand):
        own = OwnPalettes(by_hand)
        own.put("mine", FJORD.text("mine"))
        text = own.text_of("mine")
        own.remove("mine")
        assert own.text_of("mine") == ""
        own.put("mine", text)
        assert own.load().palettes["mine"].dark == PALETTES["fjord"].dark

    def test_names_that_begin_alike_are_different(self, by_hand):
        own = OwnPalettes(by_hand)
        own.put("first-2", FJORD.text("first-2"))
        own.remove("first")
        assert list(own.load().palettes) == ["second", "first-2"]

    def test_a_wrong_file_is_not_touched(self, tmp_path):
        path = tmp_path / "color_schemes.txt"
        path.write_text("[tiles mine]\n2 = red\n")
        for change in (
            lambda: OwnPalettes(path).put("other", FJORD.text("other")),
            lambda: OwnPalettes(path).remove("mine"),
        ):
            with pytest.raises(ColorSchemeError, match="line 2"):
                change()
        assert path.read_text() == "[tiles mine]\n2 = red\n"

    def test_what_cannot_be_written_is_said(self, tmp_path, monkeypatch):
        full = Mock(side_effect=OSError(28, "No space left on device"))
        monkeypatch.setattr("gui.style.own_palettes.write_file", full)
        with pytest.raises(WriteError, match="full"):
            OwnPalettes(tmp_path / "color_schemes.txt").put("mine", FJORD.text("mine"))


@pytest.fixture
def running(program: Callable[[], Program]) -> Program:
    return program("Settings")


@pytest.fixture
def section(running: Program) -> PalettesSection:
    running.pages["Settings"].show_section("appearance")
    return running.pages["Settings"].part("tile_palette")


def open_copy(section: PalettesSection, name: str = "fjord") -> None:
    section.picker.chosen.emit(name)
    section.copy_button.click()


def type_color(section: PalettesSection, qtbot: QtBot, text: str) -> None:
    assert section.editor
    section.editor.hex_edit.selectAll()
    qtbot.keyClicks(section.editor.hex_edit, text)
    qtbot.keyClick(section.editor.hex_edit, Qt.Key.Key_Return)


@pytest.mark.thorough
def test_the_wheel_scrolls_past_the_sliders(section):
    open_copy(section)
    QApplication.processEvents()  # as before any turn by a hand
    assert section.editor
    assert len(section.editor.sliders) > 1
    assert not any(turn_wheel(slider) for slider in section.editor.sliders)


@pytest.mark.thorough
def test_a_copy_is_edited_saved_used_and_found_again(running, section, program, qtbot):
    open_copy(section)
    editor = section.editor
    assert editor
    assert editor.title_edit.text() == "Fjord (copy)"
    qtbot.keyClick(editor.board, Qt.Key.Key_Down)
    assert editor.tile_label.text() == "Tile 32"
    type_color(section, qtbot, "#ABCDEF")
    editor.save_button.click()
    assert not section.is_editing
    assert running.services.settings.get("tile_palette") == "fjord-copy"
    assert running.services.themes.theme.tile_colors(5)[0].name() == "#abcdef"
    assert section.picker.value == "fjord-copy"
    running.close()
    again = program()
    assert again.services.themes.theme.tile_colors(5)[0].name() == "#abcdef"
    assert not again.pages["Settings"].part("tile_palette").delete_button.isHidden()


@pytest.mark.thorough
def test_undo_and_redo_go_through_the_steps(section, qtbot):
    open_copy(section)
    editor = section.editor
    assert editor
    before = editor.hex_edit.text()
    editor.sliders[0].setValue(300)
    editor.sliders[0].setValue(200)
    after = editor.hex_edit.text()
    assert after != before
    qtbot.keyClick(editor.board, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.hex_edit.text() == before
    assert not editor.undo_button.isEnabled()
    editor.redo_button.click()
    assert editor.hex_edit.text() == after


def test_a_wrong_color_changes_nothing(section, qtbot):
    open_copy(section)
    assert section.editor
    before = section.editor.history.now
    type_color(section, qtbot, "blue")
    assert section.editor.hex_edit.property("invalid")
    assert section.editor.history.now == before


@pytest.mark.thorough
def test_tiles_that_are_hard_to_use_are_named(section, qtbot):
    open_copy(section)
    editor = section.editor
    assert editor
    assert editor.problems_label.property("tone") == "good"
    type_color(section, qtbot, editor.history.now.light[1][0])
    assert "2 and 4 look alike." in editor.problems_label.text()
    editor.part_chips.buttons["figure"].click()
    type_color(section, qtbot, "#ffffff")
    assert "The number on 2 is hard to read" in editor.problems_label.text()
    editor.automatic_check.click()
    assert "hard to read" not in editor.problems_label.text()


@pytest.mark.thorough
def test_light_and_dark_are_edited_apart(section, qtbot):
    open_copy(section)
    editor = section.editor
    assert editor
    editor.shade_chips.buttons[True].click()
    type_color(section, qtbot, "#102030")
    assert editor.history.now.dark[0][0] == "#102030"
    assert editor.history.now.light == FJORD.light


@pytest.mark.thorough
def test_changes_that_were_not_saved_can_be_gone_on_with(running, section, qtbot):
    open_copy(section)
    type_color(section, qtbot, "#102030")
    assert section.editor
    section.editor.close_button.click()
    assert not section.is_editing
    running.pages["Settings"].banners.banners[0].buttons[0].click()
    assert section.is_editing
    assert section.editor.hex_edit.text() == "#102030"


@pytest.mark.thorough
def test_a_palette_is_deleted_and_brought_back(running, section):
    assert section.delete_button.isHidden(), "what is shipped stays"
    open_copy(section)
    assert section.editor
    section.editor.save_button.click()
    section.delete_button.click()
    assert running.services.settings.get("tile_palette") == "lagoon"
    assert "fjord-copy" not in section.picker.names
    running.pages["Settings"].banners.banners[0].buttons[0].click()
    assert running.services.settings.get("tile_palette") == "fjord-copy"
    assert running.services.themes.palette.light == PALETTES["fjord"].light


@pytest.mark.thorough
def test_a_palette_that_cannot_be_brought_back_can_be_later(running, section, monkeypatch):
    open_copy(section)
    assert section.editor
    section.editor.save_button.click()
    section.delete_button.click()
    banners = running.pages["Settings"].banners
    with monkeypatch.context() as patch:
        patch.setattr(OwnPalettes, "put", Mock(side_effect=WriteError("the drive is full")))
        banners.banners[0].buttons[0].click()
    assert banners.banners[0].text_label.text() == "the drive is full"
    banners.banners[0].buttons[0].click()
    assert running.services.settings.get("tile_palette") == "fjord-copy"


@pytest.mark.thorough
def test_palettes_travel_as_text(running, section):
    section.picker.chosen.emit("laser")
    section.export_button.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("[tiles laser]\ntitle = Laser\n2 = #")
    QGuiApplication.clipboard().setText(
        text.replace("laser]", "mine]").replace("laser dark", "mine dark")
    )
    section.import_button.click()
    assert running.services.themes.palette.name == "mine"
    assert running.services.themes.palette.dark == PALETTES["laser"].dark
    section.import_button.click()
    assert running.services.themes.palette.name == "mine-2", "nothing is overwritten"


@pytest.mark.thorough
def test_text_that_is_no_palette_is_refused(running, section):
    for text in ("", "hello", "[tiles mine]\n2 = red"):
        QGuiApplication.clipboard().setText(text)
        section.import_button.click()
        assert "the clipboard" in running.pages["Settings"].banners.banners[0].text_label.text()
    assert running.services.settings.get("tile_palette") == "lagoon"


@pytest.mark.thorough
def test_a_damaged_file_is_named_and_the_draft_stays(running, section, data_dir):
    open_copy(section)
    (data_dir / "color_schemes.txt").write_text("[tiles mine]\n2 = red\n")
    assert section.editor
    section.editor.save_button.click()
    assert section.is_editing
    assert "line 2" in running.pages["Settings"].banners.banners[0].text_label.text()


def test_an_empty_draft_has_no_title_line():
    draft = Draft("", FJORD.light, FJORD.light)
    assert draft.text("mine").splitlines()[1].startswith("2 = ")


SCHEMES = load_color_schemes()


@pytest.fixture
def picker(qtbot: QtBot) -> PalettePicker:
    picker = PalettePicker(SCHEMES, "heather")
    qtbot.addWidget(picker)
    picker.resize(720, 600)
    picker.show()
    return picker


def show(picker: PalettePicker, kind: str) -> list[str]:
    picker.filter_chips.buttons[kind].click()
    return picker.names


def said_of(picker: PalettePicker, name: str) -> str:
    index = picker.view.model().index(picker.names.index(name), 0)
    return str(index.data(Qt.ItemDataRole.AccessibleTextRole))


def test_families_narrow_the_palettes_down(picker):
    everything = list(SCHEMES.palettes)
    assert picker.names == everything[:12]
    assert not picker.view.verticalScrollBar().isVisible(), "the page is what scrolls"
    picker.all_button.click()
    assert picker.names == everything
    assert not picker.all_button.isVisible()
    assert show(picker, "neon") == [n for n in everything if SCHEMES.palettes[n].family == "neon"]
    assert show(picker, SAFE) == [n for n in everything if is_safe(SCHEMES.palettes[n])]
    assert picker.count_label.text().startswith(str(len(picker.names)))
    assert show(picker, ALL) == everything
    assert "own" not in picker.filter_chips.buttons, "there are none"


def test_a_click_chooses(picker, qtbot):
    name = picker.names[5]
    with qtbot.waitSignal(picker.chosen) as signal:
        place = picker.place_of(name).center()
        qtbot.mouseClick(picker.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert signal.args == [name]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_keys_go_through_the_grid_and_choose(picker, qtbot, key):
    heard: list[str] = []
    picker.chosen.connect(heard.append)
    picker.view.setFocus()
    qtbot.keyClick(picker.view, Qt.Key.Key_Right)
    qtbot.keyClick(picker.view, Qt.Key.Key_Down)
    assert heard == [], "nothing changes on the way"
    qtbot.keyClick(picker.view, key)
    at = picker.names.index("heather") + 1
    below = picker.names.index(heard[0])
    assert len(heard) == 1
    assert below > at
    assert picker.place_of(heard[0]).left() == picker.place_of(picker.names[at]).left()


def test_the_chosen_one_is_marked_and_said(picker):
    before = picker.view.grab().toImage()
    assert "laser" not in picker.names
    picker.choose("laser")
    picker.choose("heather")
    assert said_of(picker, "heather") == "Heather, chosen, color-blind safe"
    assert said_of(picker, "laser") == "Laser"
    picker.choose("laser")
    assert said_of(picker, "laser") == "Laser, chosen"
    assert picker.view.grab().toImage() != before


def test_palettes_are_shown_as_on_the_other_window(picker):
    def color() -> QColor:
        card = picker.place_of(picker.names[0])
        image = picker.view.viewport().grab().toImage()
        ratio = image.devicePixelRatio()
        return image.pixelColor(int((card.left() + 16) * ratio), int((card.top() + 34) * ratio))

    palette = SCHEMES.palettes[picker.names[0]]
    assert color() == QColor(palette.light[0][0])
    picker.shade_chips.buttons[True].click()
    assert color() == QColor(palette.dark[0][0])


def test_palettes_of_ones_own_are_a_family(picker):
    text = "[tiles mine]\ntitle = Mine\ngenerate = lightness 90 -> 20, chroma 3, hue 20"
    picker.show_schemes(SCHEMES.merged_with(parse_color_schemes(text, "own", partial=True)))
    assert show(picker, "own") == ["mine"]
    picker.show_schemes(SCHEMES)
    assert picker.names == list(SCHEMES.palettes)[:12], "the family is gone, so all are shown"
