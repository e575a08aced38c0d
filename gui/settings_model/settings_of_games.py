"""The settings of games and the AI: who plays, how fast, and the screen saver."""

from ai.choice import CHOOSERS
from engine.platform.language import mark
from engine.spawn import DEFAULT_SPAWN4
from gui.settings_model.setting import Number, OneOf, Place, Setting, Shown, is_not

TOP_SPEED = 1000
SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60, TOP_SPEED)
"""Moves a second that can be chosen; the last stands for as many as the computer can do."""
_GAME = Place("game", mark("Game"))
SAVER = Place("game", mark("Screen saver"))

GAME_SETTINGS = (
    Setting(
        "game.player",
        next(iter(CHOOSERS)),
        _GAME,
        mark("AI"),
        mark("Who gives hints and plays by itself on the Game page."),
        kind=OneOf(tuple(Shown(name, kind.title) for name, kind in CHOOSERS.items()), is_menu=True),
    ),
    Setting(
        "game.speed",
        5,
        _GAME,
        mark("Moves per second"),
        mark("How fast the AI plays; the strongest one may take longer to think."),
        kind=OneOf(
            (
                *(Shown(speed, str(speed)) for speed in SPEEDS[:-1]),
                Shown(TOP_SPEED, mark("As fast as possible")),
            ),
            is_menu=True,
        ),
        is_clear=True,
    ),
    Setting(
        "game.reasons",
        "hint",
        _GAME,
        mark("Say why"),
        mark("A sentence at the bottom of the page says why the AI makes its move."),
        kind=OneOf(
            (
                Shown("hint", mark("With the hint")),
                Shown("always", mark("With every AI move")),
                Shown("never", mark("Never")),
            )
        ),
    ),
    Setting(
        "game.difficulty",
        0,
        _GAME,
        mark("Difficulty"),
        mark("How many of the new tiles are placed where they hurt most."),
        kind=Number(0, 100, is_whole=True, unit=" %", step=5),
        warnings={
            mark("At 50 % or more, even the strongest AI soon loses."): lambda value, _: bool(
                value >= 50
            )
        },
    ),
    Setting(
        "game.spawn4",
        DEFAULT_SPAWN4,
        _GAME,
        mark("Chance of a 4"),
        mark("Applies from the next game on."),
        kind=Number(0.0, 1.0, factor=100, unit=" %"),
        warnings={
            mark(
                "With only one kind of new tile it's a different game, which the AI doesn't know."
            ): lambda value, _: value in (0, 1),
            mark(
                "Tables computed for the standard 10 % are only a rough guide in such a game."
            ): is_not(DEFAULT_SPAWN4),
        },
        also=mark("fours, spawn of 4, new tile is a 4"),
    ),
    Setting(
        "screensaver.speed",
        5,
        SAVER,
        mark("Speed of the screen saver"),
        mark("How many moves per second the AI plays on the screen saver."),
        kind=OneOf(
            tuple(Shown(speed, str(speed)) for speed in SPEEDS if speed <= 12),
            hidden=tuple(speed for speed in SPEEDS if speed > 12),
        ),
        is_clear=True,
    ),
)
