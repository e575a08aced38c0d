"""The grid of tile palettes in Settings: found by family, by keys and by clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gui.settings.palette_picker import ALL, SAFE, PalettePicker
from gui.style.color_schemes import load_color_schemes, parse_color_schemes
from gui.style.palette_check import is_safe

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
