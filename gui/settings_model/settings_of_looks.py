"""The settings of colors, sizes, tiles and motion."""

from engine.platform.language import mark
from gui.settings_model.setting import Name, Number, OneOf, Setting, Shown, Switch

_UI_SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
_NUMBER_SCALES = (70, 80, 90, 100, 110, 120, 130)
_WINDOW = mark("Window")
PALETTE = mark("Colors of the tiles")
BOARD = mark("Board")

LOOK_SETTINGS = (
    Setting(
        "theme",
        OneOf(
            (
                Shown("system", mark("Like the system")),
                Shown("light", mark("Light")),
                Shown("dark", mark("Dark")),
            )
        ),
        "system",
        "appearance",
        _WINDOW,
        mark("Colors of the window"),
        mark("Light, dark, or what the system has at the moment."),
    ),
    Setting(
        "window_scheme",
        Name(mark("the name of window colors")),
        "system",
        "appearance",
        _WINDOW,
        mark("Contrast"),
        mark("High contrast, or other colors from color_schemes.txt in your data folder."),
    ),
    Setting(
        "ui_scale",
        Number(
            80,
            200,
            is_whole=True,
            offered=tuple(Shown(scale, f"{scale} %") for scale in _UI_SCALES),
        ),
        100,
        "appearance",
        _WINDOW,
        mark("Size of everything"),
        mark("Text, buttons and boards; the size of the window stays."),
        needs_restart=True,
    ),
    Setting(
        "tile_palette",
        Name(mark("the name of a tile palette")),
        "lagoon",
        "appearance",
        PALETTE,
        mark("Colors of the tiles"),
        mark("A palette for light and dark; make one of your own from a copy of any."),
    ),
    Setting(
        "board_size",
        OneOf(
            (
                Shown("largest", mark("As large as fits")),
                Shown("large", mark("Large")),
                Shown("medium", mark("Medium")),
                Shown("small", mark("Small")),
            )
        ),
        "largest",
        "appearance",
        BOARD,
        mark("Size of the board"),
        mark("The largest that boards get on Game, Practice, Test, Review and Mistakes."),
    ),
    Setting(
        "animation_ms",
        Number(
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
        100,
        "appearance",
        BOARD,
        mark("Speed of the tiles"),
        mark("How long tiles slide."),
    ),
    Setting(
        "motion",
        OneOf(
            (
                Shown("system", mark("Like the system")),
                Shown("full", mark("Full")),
                Shown("reduced", mark("Reduced")),
            )
        ),
        "system",
        "appearance",
        BOARD,
        mark("Motion"),
        mark("With reduced motion, tiles appear in place without sliding."),
    ),
    Setting(
        "tile_corners",
        OneOf((Shown("rounded", mark("Rounded")), Shown("square", mark("Square")))),
        "rounded",
        "appearance",
        BOARD,
        mark("Corners of the tiles"),
        mark("The shape of tiles and boards."),
    ),
    Setting(
        "tile_font",
        Name(mark("the name of a font")),
        "",
        "appearance",
        BOARD,
        mark("Font of the numbers"),
        mark("Any font of this computer that has digits."),
    ),
    Setting(
        "tile_font_scale",
        Number(
            70,
            130,
            is_whole=True,
            offered=tuple(Shown(scale, f"{scale} %") for scale in _NUMBER_SCALES),
        ),
        100,
        "appearance",
        BOARD,
        mark("Size of the numbers"),
        mark("How large the numbers on the tiles are."),
    ),
    Setting(
        "merge_glow",
        Switch(),
        True,
        "appearance",
        BOARD,
        mark("Merges of 128 and more glow"),
        mark("A short light around large tiles that have just been merged."),
    ),
    Setting(
        "large_tile_numbers",
        Switch(),
        True,
        "appearance",
        BOARD,
        mark("Numbers on the large tiles"),
        mark("Without them, the large tiles of a formation are blank: only their place counts."),
    ),
)
