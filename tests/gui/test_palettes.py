"""The shipped tile palettes: readable, distinguishable, and safe where they say so.

Colors are looked at with CIEDE2000 here, which the program does not use, so that a mistake in its
own measure shows.
"""

import colorsys
import itertools
import math

import pytest

from engine.platform import language
from gui.board.board_paint import locked_colors
from gui.style.color_ramp import RampError, parse_ramp
from gui.style.color_schemes import (
    CONTRAST,
    FAMILIES,
    STANDARD,
    ColorSchemeError,
    contrast,
    load_color_schemes,
    parse_color_schemes,
    tinted_ink,
)
from gui.style.oklch import Oklch, from_hex, to_hex
from gui.style.palette_check import VISIONS, Problem, distance, is_safe, problems
from gui.style.theme import make_theme

SCHEMES = load_color_schemes()
PALETTES = SCHEMES.palettes
SHADES = [
    pytest.param(palette.pairs(is_dark), id=f"{palette.name}-{'dark' if is_dark else 'light'}")
    for palette in PALETTES.values()
    for is_dark in (False, True)
]
SAFE = [name for name, palette in PALETTES.items() if is_safe(palette)]
# Machado, Oliveira, Fernandes 2009, severity 1.0, from the table that its authors publish.
MACHADO = {
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def light_of(color: str) -> list[float]:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def lab(color: str, vision: str = "normal") -> tuple[float, float, float]:
    light = light_of(color)
    if vision != "normal":
        numbers = [float(n) for n in MACHADO[vision].split()]
        rows = [numbers[i : i + 3] for i in (0, 3, 6)]
        mixed = [sum(m * c for m, c in zip(row, light, strict=True)) for row in rows]
        light = [min(max(c, 0.0), 1.0) for c in mixed]
    xyz = [sum(m * c for m, c in zip(row, light, strict=True)) for row in XYZ]
    shares = [part / white for part, white in zip(xyz, WHITE, strict=True)]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Sharma, Wu, Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = math.hypot(a1 * (1 + g), b1), math.hypot(a2 * (1 + g), b2)
    h1, h2 = (math.degrees(math.atan2(b, a * (1 + g))) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    ml, mc = (l1 + l2) / 2, (c1 + c2) / 2
    mh = h1 + h2 if not c1 * c2 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(mh - 30))
        + 0.24 * math.cos(math.radians(2 * mh))
        + 0.32 * math.cos(math.radians(3 * mh + 6))
        - 0.20 * math.cos(math.radians(4 * mh - 63))
    )
    sl = 1 + 0.015 * (ml - 50) ** 2 / math.sqrt(20 + (ml - 50) ** 2)
    sc, sh = 1 + 0.045 * mc, 1 + 0.015 * mc * t
    rc = 2 * math.sqrt(mc**7 / (mc**7 + 25**7))
    rt = -rc * math.sin(math.radians(60 * math.exp(-(((mh - 275) / 25) ** 2))))
    dc = c2 - c1
    return math.sqrt(
        ((l2 - l1) / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh)
    )


def test_the_measure_agrees_with_its_published_examples():
    """Pairs 1, 7, 17 and 25 of Sharma, Wu and Dalal."""
    for first, second, expected in (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert ciede2000(first, second) == pytest.approx(expected, abs=1e-4)


def test_there_are_forty_of_our_own_in_every_family():
    assert len(PALETTES) >= 43
    titles = [palette.title for palette in PALETTES.values()]
    assert len(set(titles)) == len(titles)
    assert {palette.family for palette in PALETTES.values()} == set(FAMILIES) - {"own"}
    assert len({palette.pairs(is_dark) for palette in PALETTES.values() for is_dark in (0, 1)}) == (
        2 * len(PALETTES)
    ), "each has two shades of its own"


def test_every_palette_has_a_chinese_title():
    language.use("zh_CN")
    try:
        titles = {palette.title for palette in PALETTES.values()}
    finally:
        language.use("en")
    assert len(titles) == len(PALETTES)
    assert all(any(char > "\u4e00" for char in title) for title in titles)


@pytest.mark.parametrize("pairs", SHADES)
def test_figures_can_be_read(pairs):
    """4.5, what WCAG asks of small text, though large bold figures would do with 3."""
    assert min(contrast(fill, ink) for fill, ink in pairs) >= 4.5


@pytest.mark.parametrize("pairs", SHADES)
def test_neighbors_can_be_told_apart(pairs):
    """CIEDE2000 of at least 2, twice of what is just noticeable side by side."""
    fills = [lab(fill) for fill, _ in pairs]
    assert min(itertools.starmap(ciede2000, itertools.pairwise(fills))) >= 2.0
    assert problems(pairs) == []


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("is_dark", [False, True])
def test_small_tiles_and_empty_cells_can_be_told_apart(name, is_dark):
    theme = make_theme(SCHEMES, is_dark, name)
    two, four = (theme.tile_colors(exponent)[0].name() for exponent in (1, 2))
    for tile in (two, four):
        assert distance(tile, theme.empty_cell.name()) >= 0.035
    assert distance(two, four) >= 0.025


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("scheme", [STANDARD, CONTRAST])
def test_locked_tiles_can_be_told_from_all_around_them(name, is_dark, scheme):
    theme = make_theme(SCHEMES, is_dark, name, scheme=scheme)
    locked = locked_colors(theme)[0].name()
    assert contrast(locked, theme.board.name()) >= 1.3
    if not is_dark:  # a dark tile on a light board is the loudest thing on it
        assert contrast(locked, "#000000") > contrast(theme.board.name(), "#000000")
    small = (theme.tile_colors(exponent)[0].name() for exponent in (1, 2))
    for other in (theme.empty_cell.name(), *small):
        assert distance(locked, other) >= 0.05


def test_classic_comes_first_and_is_our_own():
    assert next(iter(PALETTES)) == "classic"
    known = "eee4da ede0c8 f2b179 f59563 f67c5f f65e3b edcf72 edcc61 edc850 edc53f edc22e 3c3a32"
    fills = {fill for shade in (False, True) for fill, _ in PALETTES["classic"].pairs(shade)}
    assert not fills & {f"#{color}" for color in known.split()}


def test_high_contrast_means_seven():
    for palette in PALETTES.values():
        if palette.family == "contrast":
            pairs = (*palette.light, *palette.dark)
            assert min(contrast(fill, ink) for fill, ink in pairs) >= 7.0, palette.name


def test_eight_and_more_are_safe():
    assert len(SAFE) >= 8


@pytest.mark.parametrize("vision", MACHADO)
@pytest.mark.parametrize("name", SAFE)
def test_safe_palettes_are_safe_for_every_kind_of_color_vision(name, vision):
    for pairs in (PALETTES[name].light, PALETTES[name].dark):
        fills = [lab(fill, vision) for fill, _ in pairs]
        assert min(itertools.starmap(ciede2000, itertools.pairwise(fills))) >= 1.5
        two_apart = zip(fills, fills[2:], strict=False)
        assert min(itertools.starmap(ciede2000, two_apart)) >= 3.0


def test_a_palette_of_one_lightness_is_not_safe():
    text = "[tiles wheel]\ngenerate = lightness 70, chroma 10, hue 0 -> 337"
    wheel = parse_color_schemes(text, "my.txt", partial=True).palettes["wheel"]
    assert problems(wheel.light) == []
    assert not is_safe(wheel)


def test_problems_are_named():
    pairs = [(to_hex(Oklch(0.95 - i * 0.05, 0, 0)), "#000000") for i in range(11)]
    pairs[3] = (pairs[2][0], "#000000")
    found = problems(pairs)
    assert {(one.kind, one.exponent) for one in found} >= {("neighbors", 3), ("contrast", 11)}
    assert Problem("neighbors", 3, 0.0) in found


class TestColors:
    @pytest.mark.parametrize("color", ["#000000", "#ffffff", "#ff0000", "#0000ff", "#777777"])
    def test_there_and_back(self, color):
        assert to_hex(from_hex(color)) == color

    def test_what_a_screen_cannot_show_keeps_lightness_and_hue(self):
        shown = from_hex(to_hex(Oklch(0.7, 0.37, 150.0)))
        assert shown.lightness == pytest.approx(0.7, abs=0.005)
        assert shown.hue == pytest.approx(150.0, abs=1.0)
        assert 0.1 < shown.chroma < 0.37

    def test_published_colors(self):
        """Of CSS Color 4, section 9.4: lime and blue."""
        for color, expected in (
            ("#00ff00", (0.86644, 0.294803, 142.4953)),
            ("#0000ff", (0.45201, 0.31321, 264.052)),
        ):
            assert from_hex(color) == pytest.approx(expected, rel=1e-3)

    def test_grays_look_the_same_to_everybody(self):
        for vision in VISIONS:
            assert distance("#808080", "#909090", vision) == pytest.approx(
                distance("#808080", "#909090"), abs=2e-3
            )

    def test_red_and_green_are_alike_without_one_kind_of_cone(self):
        red, green = "#c03a30", "#6f6a00"
        for vision in ("protan", "deutan"):
            assert distance(red, green, vision) < 0.5 * distance(red, green)
        assert distance(red, green, "tritan") > 0.8 * distance(red, green)

    @pytest.mark.parametrize("hue", range(0, 360, 30))
    def test_figures_can_be_read_on_any_color(self, hue):
        for value in range(0, 101, 5):
            red, green, blue = colorsys.hsv_to_rgb(hue / 360, 0.8, value / 100)
            fill = f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"
            assert contrast(fill, tinted_ink(fill)) >= 4.5


class TestFormat:
    def test_a_palette_is_generated_from_its_ways(self):
        text = (
            "[tiles mine]\ngenerate = lightness 100 -> 0, chroma 0, hue 0\n2048 = #c00000 #ffffff\n"
        )
        palette = parse_color_schemes(text, "my.txt", partial=True).palettes["mine"]
        assert palette.light[0] == ("#ffffff", tinted_ink("#ffffff"))
        assert palette.light[10] == ("#c00000", "#ffffff")
        assert palette.light[15][0] == "#000000"
        assert palette.dark == palette.light

    def test_stops_lie_where_they_say(self):
        ramp = parse_ramp("lightness 90 -> 50 @64 -> 20, chroma 1 -> 4 -> 1, hue 350 -> 380")
        assert [round(ramp.at(i).lightness, 2) for i in (0, 5, 15)] == [0.9, 0.5, 0.2]
        assert ramp.at(7).chroma == pytest.approx(0.04, abs=0.003)
        assert ramp.at(15).hue == pytest.approx(20.0)

    def test_figures_have_a_way_of_their_own(self):
        text = (
            "[tiles mine]\ngenerate = lightness 20 -> 40, chroma 0, hue 0\n"
            "figures = lightness 90, chroma 12, hue 140"
        )
        palette = parse_color_schemes(text, "my.txt", partial=True).palettes["mine"]
        assert {ink for _, ink in palette.light} == {to_hex(Oklch(0.9, 0.12, 140))}

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("generate = lightness 90 -> 30, chroma 5", "'hue' is missing"),
            (
                "generate = lightness 90, lightness 80, chroma 5, hue 0",
                "'lightness' is given twice",
            ),
            ("generate = lightness 120, chroma 5, hue 0", "expected lightness from 0 to 100"),
            ("generate = lightness x, chroma 5, hue 0", "'x': expected lightness"),
            ("generate = lightness 9 -> 8 @100 -> 7, chroma 5, hue 0", "'100' is not a tile"),
            ("generate = lightness 9 @64 -> 8 @8 -> 7, chroma 5, hue 0", "must be in order"),
            ("generate = shine 9, chroma 5, hue 0", "'shine 9': expected lightness, chroma or hue"),
            ("family = loud", "'loud': expected one of single"),
        ],
    )
    def test_errors_name_the_line(self, line, message):
        with pytest.raises(ColorSchemeError, match=message) as caught:
            parse_color_schemes(f"# mine\n[tiles mine]\n{line}", "my.txt", partial=True)
        assert "my.txt, line 3" in str(caught.value)

    def test_a_ramp_alone_says_what_was_expected(self):
        with pytest.raises(RampError, match="from 0 to 40"):
            parse_ramp("lightness 50, chroma 90, hue 0")

    def test_the_first_three_are_what_they_were(self, project_root):
        """People know them by heart; see the file's history."""
        text = (project_root / "color_schemes.txt").read_text(encoding="utf-8")
        for line in ("2048 = #4561bb", "2048 = #7849a2", "2048 = #5c6065", "64 = #696c70"):
            assert f"\n{line}\n" in text
