"""The heat map: one hue, dark is bad, figures that can be read."""

import pytest

from gui.board.board_paint import locked_colors
from gui.board.heat_paint import heat_color
from gui.style.color_schemes import contrast, readable_ink
from tests.gui.practice_theme import plain_theme

HEATS = [i / 20 for i in range(21)]


@pytest.mark.parametrize("is_dark", [False, True])
def test_it_gets_steadily_darker_in_one_hue(is_dark: bool) -> None:
    theme = plain_theme(is_dark)
    colors = [heat_color(theme, heat) for heat in HEATS]
    lightness = [color.lightnessF() for color in colors]
    assert lightness == sorted(lightness, reverse=True)
    assert lightness[0] - lightness[-1] > 0.6
    hues = [color.hslHueF() for color in colors]
    assert max(hues) - min(hues) < 0.02


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_figures_can_be_read(is_dark: bool) -> None:
    theme = plain_theme(is_dark)
    for heat in HEATS:
        fill = heat_color(theme, heat).name()
        assert contrast(readable_ink(fill), fill) >= 4.3  # large and bold: WCAG asks for 3
    for exponent in range(1, 16):
        fill_color, ink = locked_colors(theme, exponent)
        assert contrast(ink.name(), fill_color.name()) >= 4.3, exponent


def test_what_lies_outside_is_the_end_of_the_scale() -> None:
    theme = plain_theme()
    assert heat_color(theme, 7) == heat_color(theme, 1)
    assert heat_color(theme, -1) == heat_color(theme, 0)
