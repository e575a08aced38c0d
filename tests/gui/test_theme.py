"""Colors: the file's format, contrast, color vision, and the switch while the window is open."""

import itertools
from dataclasses import fields

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QApplication, QLabel

from coach.grading.grade import Grade
from gui.board.grade_mark import GradeMark
from gui.shell.nav_rail import NavRail
from gui.style import current_theme
from gui.style.color_schemes import (
    TOKENS,
    ColorSchemeError,
    contrast,
    load_color_schemes,
    parse_color_schemes,
)
from gui.style.current_theme import CurrentTheme
from gui.style.stylesheet import stylesheet, tints
from gui.style.theme import Theme, app_theme, body_font, make_theme, theme_source
from gui.widgets.status_line import StatusLine
from tests.gui.practice_theme import plain_theme

GROUNDS = ("background", "surface", "raised")
INKS = ("text", "text-muted", "accent", "good", "warning", "bad", "best-move")
SCHEMES = load_color_schemes()
PALETTES = [
    pytest.param(pairs, id=f"{palette.name}-{shade}")
    for palette in SCHEMES.palettes.values()
    for shade, pairs in (("light", palette.light), ("dark", palette.dark))
]
# Those that get steadily darker or brighter; see test_palettes.py for what all have to be.
STEADY = [one for one in PALETTES if str(one.id).startswith(("lagoon", "heather", "graphite"))]
# Linear-light RGB as seen without one kind of cone: Vienot, Brettel, Mollon 1999 (two rows of
# the product) and, for tritan, Brettel 1997 in the half plane that our blues and greens lie in.
VISION = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "gray": ((0.2126, 0.7152, 0.0722),) * 3,
}


def linear(color: str) -> list[float]:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def lightness(rgb: list[float]) -> float:
    luminance = sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), rgb, strict=True))
    return 116 * max(luminance, 1e-9) ** (1 / 3) - 16


@pytest.mark.parametrize("shade", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), list(itertools.product(INKS, GROUNDS)))
def test_text_stands_out_from_every_ground(shade, ink, ground):
    window = SCHEMES.windows[shade]
    assert contrast(window[ink], window[ground]) >= 4.5


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_accent_and_focus_stand_out(shade):
    window = SCHEMES.windows[shade]
    assert contrast(window["accent-text"], window["accent"]) >= 4.5
    for ground in GROUNDS:
        assert contrast(window["focus"], window[ground]) >= 3


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_scheme_of_high_contrast_is_what_its_name_says(is_dark):
    window = SCHEMES.window("contrast", is_dark)
    theme = make_theme(SCHEMES, is_dark, "", scheme="contrast")
    grounds = {ground: window[ground] for ground in GROUNDS}
    grounds |= {name: tints(theme)[name] for name in ("hover", "pressed")}
    for ink, ground in itertools.product(INKS, grounds):
        assert contrast(window[ink], grounds[ground]) >= 7, (ink, ground)
    chosen = tints(theme)["accent_tint"]
    assert min(contrast(window[ink], chosen) for ink in ("text", "text-muted")) >= 7
    assert min(contrast(window[ink], chosen) for ink in (*INKS, "focus")) >= 4.5
    for line, ground in itertools.product(("border", "focus"), grounds):
        assert contrast(window[line], grounds[ground]) >= 4.5, (line, ground)
    for fill in (window["accent"], tints(theme)["accent_hover"], tints(theme)["accent_pressed"]):
        assert contrast(window["accent-text"], fill) >= 7
    assert contrast(window["board"], window["empty-cell"]) >= 4.5
    assert theme.focus_px == 3
    sheet = stylesheet(theme, dict.fromkeys(("up", "down", "check"), ""))
    assert f"border: 3px solid {window['focus']}" in sheet


@pytest.mark.parametrize("pairs", PALETTES)
def test_figures_stand_out_from_their_tiles(pairs):
    assert min(contrast(fill, ink) for fill, ink in pairs) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("pairs", STEADY)
def test_neighboring_tiles_differ_for_every_kind_of_color_vision(pairs, vision):
    """Steady lightness is what no color vision takes away."""
    seen = [
        [sum(m * c for m, c in zip(row, linear(fill), strict=True)) for row in VISION[vision]]
        for fill, _ in pairs
    ]
    steps = [lightness(b) - lightness(a) for a, b in itertools.pairwise(seen)]
    assert all(step > 0 for step in steps) or all(step < 0 for step in steps)
    assert min(map(abs, steps)) >= 1.5


def test_there_is_a_choice_of_palettes():
    assert len(SCHEMES.palettes) >= 2


def test_a_theme_has_the_colors_that_the_file_names():
    names = {field.name.replace("_", "-") for field in fields(Theme)}
    assert set(TOKENS) == names - {"is-dark", "tiles", "look", "focus-px", "scheme"}


def minimal(**changes: str) -> str:
    lines = {"head": "[window light]"}
    for shade in ("light", "dark"):
        lines[f"{shade}"] = f"[window {shade}]"
        lines |= {f"{shade} {token}": f"{token} = #123456" for token in TOKENS}
    del lines["head"]
    lines["tiles"] = "[tiles mine]"
    lines |= {f"tile {1 << e}": f"{1 << e} = #ffffff" for e in range(1, 17)}
    lines |= changes
    return "\n".join(line for line in lines.values() if line)


def test_a_minimal_file_is_enough():
    schemes = parse_color_schemes(minimal(), "my.txt")
    palette = schemes.palettes["mine"]
    assert palette.title == "mine"
    assert palette.dark == palette.light
    assert palette.light[0] == ("#ffffff", "#0e1116")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"light text": "text = red"}, r"line 6: 'red'.*#5a45b5"),
        ({"light text": "txet = #123456"}, r"line 6: 'txet'.*did you mean 'text'"),
        ({"light text": "text #123456"}, r"line 6:.*NAME = #rrggbb"),
        ({"light text": ""}, r"line 1: \[window light\] lacks 'text'"),
        ({"light text": "text = #123456 #123456"}, "line 6"),
        ({"light text": "text = #123456\ntext = #123456"}, r"line 7: 'text' is given twice"),
        ({"tile 64": ""}, r"\[tiles mine\] lacks the tile 64"),
        ({"tile 64": "63 = #ffffff"}, "'63' is not a name here"),
        ({"tiles": "[tiles mine dark]"}, r"needs \[tiles mine\]"),
        ({"tiles": "[tile mine]"}, r"line 33: '\[tile mine\]': expected"),
        ({"dark": "[window dim]"}, r"expected \[window light\]"),
        ({"dark": "[window standard dark]"}, "the usual colors have no name"),
        ({"dark": "[window night dark]"}, r"line 17: \[window night dark\] needs \[.* light\]"),
        ({"light": "[window light]\nfocus-width = 3"}, "line 2: 'focus-width' is not a name here"),
        ({"dark": "[window night dark]\nfocus-width = 9"}, "line 18: '9': expected 1 to 4"),
        ({"light": "text = #123456\n[window light]"}, "line 1: .* before the first"),
        ({"dark": "[window light]"}, "appears twice"),
    ],
)
def test_errors_name_the_line_and_say_what_was_expected(changes, message):
    with pytest.raises(ColorSchemeError, match=message) as caught:
        parse_color_schemes(minimal(**changes), "my.txt")
    assert str(caught.value).startswith("my.txt")


def test_missing_and_foreign_files_are_errors_of_the_user(tmp_path):
    with pytest.raises(ColorSchemeError, match="cannot read"):
        load_color_schemes(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"# caf\xe9")
    with pytest.raises(ColorSchemeError, match="UTF-8"):
        load_color_schemes(tmp_path / "latin.txt")


def test_an_own_file_adds_palettes():
    tiles = minimal().partition("[tiles mine]")[2]
    own = parse_color_schemes(f"[tiles mine]\ntitle = My own{tiles}", "own.txt", partial=True)
    merged = SCHEMES.merged_with(own)
    assert merged.palettes["mine"].title == "My own"
    assert set(merged.palettes) == {*SCHEMES.palettes, "mine"}
    assert merged.windows == SCHEMES.windows


def test_an_own_file_adds_colors_of_the_window():
    halves = minimal().partition("[tiles mine]")[0].replace("[window ", "[window night ")
    text = halves.replace("[window night light]", "[window night light]\ntitle = Night")
    own = parse_color_schemes(text, "own.txt", partial=True)
    merged = SCHEMES.merged_with(own)
    assert merged.named["night"].title == "Night"
    assert merged.window("night", True)["text"] == "#123456"
    assert merged.window("gone", True) == SCHEMES.windows["dark"]
    assert "contrast" in merged.named


def test_tiles_beyond_the_palette_have_its_last_color():
    theme = make_theme(SCHEMES, False, "no such palette")
    assert theme.tile_colors(40) == theme.tile_colors(16)
    assert theme.tile_colors(0) == theme.tile_colors(1)


def test_the_theme_switches_while_the_window_is_open(qtbot, settings):
    app = QApplication.instance()
    settings.set("theme", "light")
    manager = CurrentTheme(app, SCHEMES, settings)
    with qtbot.waitSignal(theme_source().changed):
        settings.set("theme", "dark")
    assert app_theme().is_dark
    text = SCHEMES.windows["dark"]["text"]
    assert app.palette().windowText().color() == QColor(text)
    assert text in manager.sheet
    assert app.styleSheet() == "", "that would take seconds; the window's parts have it"
    with qtbot.waitSignal(theme_source().changed):
        settings.set("tile_palette", "heather")
    assert manager.theme.tiles != make_theme(SCHEMES, True, "lagoon").tiles
    settings.set("theme", "light")


def test_the_system_is_followed_by_default(settings, monkeypatch):
    app = QApplication.instance()
    manager = CurrentTheme(app, SCHEMES, settings)

    class Hints:
        scheme = Qt.ColorScheme.Dark

        def colorScheme(self):  # noqa: N802
            return self.scheme

    monkeypatch.setattr(QApplication, "styleHints", lambda *_: Hints())
    manager.refresh()
    assert manager.theme.is_dark
    Hints.scheme = Qt.ColorScheme.Light
    manager.refresh()
    assert not manager.theme.is_dark


def test_high_contrast_is_chosen_or_asked_for_by_the_system(qtbot, settings, monkeypatch):
    settings.set("theme", "light")
    manager = CurrentTheme(QApplication.instance(), SCHEMES, settings)
    usual = manager.theme
    with qtbot.waitSignal(theme_source().changed):
        settings.set("window_scheme", "contrast")
    assert manager.theme.border == QColor(SCHEMES.window("contrast", False)["border"])
    assert manager.theme.tiles == usual.tiles
    assert manager.window_schemes == {"contrast": "High contrast"}
    settings.set("window_scheme", "system")
    assert manager.theme == usual
    monkeypatch.setattr(current_theme, "system_wants_contrast", lambda _: True)
    manager.refresh()
    assert manager.theme.is_contrast
    settings.set("window_scheme", "standard")
    assert manager.theme == usual


@pytest.mark.usefixtures("qapp")
def test_the_font_has_chinese_glyphs_where_they_are_installed():
    font = body_font()
    assert font.pixelSize() == 14
    assert font.families()


def test_an_icon_of_the_rail_has_as_much_room_above_as_below(qtbot):
    rail = NavRail(StatusLine())
    qtbot.addWidget(rail)
    theme = make_theme(SCHEMES, is_dark=False, palette="")
    rail.setStyleSheet(stylesheet(theme, dict.fromkeys(("up", "down", "check"), "")))
    for title in ("Page", "Other", "Last"):
        rail.add_door(title, "dot", QAction(rail))
    rail.set_narrow(True)
    rail.resize(rail.width(), 100)  # too low for names
    rail.show()
    image = rail.buttons[0].grab().toImage()
    middle = image.width() // 2
    column = [image.pixelColor(middle, y) for y in range(image.height())]
    inked = [y for y, color in enumerate(column) if color != column[5]]
    assert inked
    assert abs(inked[0] - (image.height() - 1 - inked[-1])) <= 1  # of an odd height


def test_folders_of_any_name_leave_the_style_sheet_whole(qapp, qtbot, qtlog):
    shown = QLabel()  # a sheet is read when there is something to style
    qtbot.addWidget(shown)
    shown.show()
    theme, before = make_theme(load_color_schemes(), is_dark=False, palette=""), qapp.styleSheet()
    for folder in ("C:/Users/O'Brien/Temp", "/tmp/<stdin>-a", "/tmp/a (b) c"):
        arrows = {name: f"{folder}/{name}.png" for name in ("up", "down", "check")}
        qapp.setStyleSheet(stylesheet(theme, arrows))
    qapp.setStyleSheet(before)
    assert [one.message for one in qtlog.records if "parse" in one.message] == []


def test_a_widget_follows_the_theme_until_it_is_gone(qtbot):
    shown, gone = GradeMark(), GradeMark()
    qtbot.addWidget(shown)
    shown.show_grade(Grade.DISASTER)
    gone.deleteLater()
    QApplication.sendPostedEvents(gone, QEvent.Type.DeferredDelete)
    with qtbot.waitExposed(shown):
        shown.show()
    colors = {}
    for is_dark in (False, True):
        theme = plain_theme(is_dark)
        theme_source().use(theme)
        image = shown.grab().toImage()
        middle = image.rect().center()
        colors[is_dark] = image.pixelColor(middle.x(), middle.y() - 4)
    assert colors[False] != colors[True]


def test_a_color_is_a_name_or_a_function_of_the_theme():
    theme = plain_theme()
    assert theme.color("accent") == theme.accent
    assert theme.color(QColor("#123456")) == QColor("#123456")
    assert theme.color(lambda theme: theme.bad) == theme.bad
