"""The heat map: one hue, dark is bad, figures that can be read."""

import pytest

from gui.board.board_paint import locked_colors
from gui.board.heat_paint import heat_color
from gui.style.color_schemes import contrast, readable_ink
from tests.gui.practice_theme import plain_theme

HEATS = [i / 20 for i in range(21)]


@pytest.mark.parametrize("is_dark", [False, True])
def test_it_gets_steadily_darker_in_one_hue(is_dark):
    theme = plain_theme(is_dark)
    colors = [heat_color(theme, heat) for heat in HEATS]
    lightness = [color.lightnessF() for color in colors]
    assert lightness == sorted(lightness, reverse=True)
    assert lightness[0] - lightness[-1] > 0.6
    hues = [color.hslHueF() for color in colors]
    assert max(hues) - min(hues) < 0.02


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_figures_can_be_read(is_dark):
    theme = plain_theme(is_dark)
    for heat in HEATS:
        fill = heat_color(theme, heat).name()
        assert contrast(readable_ink(fill), fill) >= 4.3  # large and bold: WCAG asks for 3
    fill_color, ink = locked_colors(theme)
    assert contrast(ink.name(), fill_color.name()) >= 4.3


@pytest.mark.parametrize("is_dark", [False, True])
def test_locked_tiles_are_quieter_than_those_one_plays_with(is_dark):
    theme = plain_theme(is_dark)
    ground = theme.board.name()
    quiet = contrast(locked_colors(theme)[0].name(), ground)
    tiles = [contrast(theme.tile_colors(e)[0].name(), ground) for e in range(1, 16)]
    assert quiet < 1.6
    assert sum(one > quiet for one in tiles) >= 10, "two thirds of the tiles stand out more"


def test_locked_tiles_have_one_hue_in_both_themes():
    light, dark = (locked_colors(plain_theme(is_dark))[0] for is_dark in (False, True))
    assert abs(light.hslHueF() - dark.hslHueF()) < 0.1


def test_what_lies_outside_is_the_end_of_the_scale():
    theme = plain_theme()
    assert heat_color(theme, 7) == heat_color(theme, 1)
    assert heat_color(theme, -1) == heat_color(theme, 0)
