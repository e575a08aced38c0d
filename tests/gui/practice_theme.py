"""The theme of color_schemes.txt without an application-wide manager."""

from functools import cache

from gui.style.color_schemes import load_color_schemes
from gui.style.theme import Theme, make_theme


@cache
def plain_theme(is_dark: bool = False) -> Theme:
    return make_theme(load_color_schemes(), is_dark, "")
