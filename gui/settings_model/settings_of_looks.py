"""The settings of colors, sizes, tiles and motion."""

from engine.platform.language import mark
from gui.settings_model.setting import Name, Number, OneOf, Place, Setting, Shown

_UI_SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
_NUMBER_SCALES = (70, 80, 90, 100, 110, 120, 130)
_WINDOW = Place("appearance", mark("Window"))
PALETTE = Place("appearance", mark("Palette"))
BOARD = Place("appearance", mark("Board"))

LOOK_SETTINGS = (
    Setting(
        "theme",
        "system",
        _WINDOW,
        mark("Theme"),
        mark("Light, dark, or what the system has at the moment."),
        kind=OneOf(
            (
                Shown("system", mark("Match system")),
                Shown("light", mark("Light")),
                Shown("dark", mark("Dark")),
            )
        ),
        also=mark("dark mode, night mode, colors of the window"),
        is_clear=True,
    ),
    Setting(
        "window_scheme",
        "system",
        _WINDOW,
        mark("Contrast"),
        mark("High contrast, or other colors from color_schemes.txt in your data folder."),
        kind=Name(mark("the name of window colors")),
    ),
    Setting(
        "ui_scale",
        100,
        _WINDOW,
        mark("Interface size"),
        mark("Text, buttons and boards; the size of the window stays."),
        kind=Number(
            80,
            200,
            is_whole=True,
            offered=tuple(Shown(scale, f"{scale} %") for scale in _UI_SCALES),
        ),
        needs_restart=True,
        also=mark("size of everything, zoom, font size"),
    ),
    Setting(
        "keys_under_tools",
        False,
        _WINDOW,
        mark("Keys under the buttons of a board"),
        mark("Without it, tooltips show them."),
    ),
    Setting(
        "tile_palette",
        "lagoon",
        PALETTE,
        mark("Palette"),
        mark("A palette for light and dark; make one of your own from a copy of any."),
        kind=Name(mark("the name of a tile palette")),
        also=mark("theme, tile colors, color scheme"),
    ),
    Setting(
        "board_size",
        "largest",
        BOARD,
        mark("Board size"),
        mark("The largest that boards get on Game, Practice, Test, Review and Mistakes."),
        kind=OneOf(
            (
                Shown("largest", mark("As large as fits")),
                Shown("large", mark("Large")),
                Shown("medium", mark("Medium")),
                Shown("small", mark("Small")),
            )
        ),
        also=mark("size of the board"),
        is_clear=True,
    ),
    Setting(
        "animation_ms",
        100,
        BOARD,
        mark("Tile speed"),
        mark("How long tiles slide."),
        kind=Number(
            0,
            1000,
            offered=(
                Shown(0, mark("Off")),
                Shown(60, mark("Fast")),
                Shown(100, mark("Normal")),
                Shown(180, mark("Slow")),
            ),
            unit=" ms",
        ),
        also=mark("speed of the tiles, animation"),
        is_clear=True,
    ),
    Setting(
        "motion",
        "system",
        BOARD,
        mark("Motion"),
        mark("With reduced motion, tiles appear in place without sliding."),
        kind=OneOf(
            (
                Shown("system", mark("Match system")),
                Shown("full", mark("Full")),
                Shown("reduced", mark("Reduced")),
            )
        ),
    ),
    Setting(
        "tile_corners",
        "rounded",
        BOARD,
        mark("Tile corners"),
        mark("The shape of tiles and boards."),
        kind=OneOf((Shown("rounded", mark("Rounded")), Shown("square", mark("Square")))),
        also=mark("corners of the tiles"),
        is_clear=True,
    ),
    Setting(
        "tile_font",
        "",
        BOARD,
        mark("Number font"),
        mark("Any font of this computer that has digits."),
        kind=Name(mark("the name of a font")),
        also=mark("font of the numbers"),
        is_clear=True,
    ),
    Setting(
        "tile_font_scale",
        100,
        BOARD,
        mark("Number size"),
        mark("How large the numbers on the tiles are."),
        kind=Number(
            70,
            130,
            is_whole=True,
            offered=tuple(Shown(scale, f"{scale} %") for scale in _NUMBER_SCALES),
        ),
        also=mark("size of the numbers"),
        is_clear=True,
    ),
    Setting(
        "merge_glow",
        True,
        BOARD,
        mark("Merges of 128 and more glow"),
        mark("A short light around large tiles that have just been merged."),
    ),
    Setting(
        "large_tile_numbers",
        True,
        BOARD,
        mark("Numbers on the large tiles"),
        mark("Without them, the large tiles of a formation are blank: only their place counts."),
    ),
)
