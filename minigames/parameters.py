"""Every number of every variant, in normal and in hard mode, for rules, help and tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.platform.language import mark, tr

# Of all variants ---------------------------------------------------------------------------------
SPAWN_4_PERCENT = 10
AWARD_FROM, AWARD_BELOW = 300, 1024  # points of one move that can win a tool
FIRST_TILES = 2

TILE_LEVELS = (1024, 2048, 4096, 8192)
PATTERN_LEVELS = (256, 512, 1024, 2048)
SCORE_LEVELS = (40_000, 100_000, 200_000, 300_000)
HYBRID_LEVELS = (20_000, 50_000, 100_000, 150_000)

# Gifts: the new exponents and their probabilities, k to the power of -1.5 in millionths.
GIFT_WEIGHTS = MappingProxyType(
    {2: 353_553, 3: 192_450, 4: 125_000, 5: 89_443, 6: 68_041}
    | {7: 53_995, 8: 44_194, 9: 37_037, 10: 31_623}
)
OBJECTS = ("bomb", "factorizer", "gift")

# Of Shape Shifter.
CANVAS_SIDE = 12
OPEN_CELLS = 18

# Ice grows over a tile at these hundredths of the moves after which it freezes.
ICE_STAGES_PERCENT = (25, 45, 62, 80, 93)

# Patterns by row: offsets to the exponent of the level; None is any tile.
Pattern = tuple[tuple[int | None, ...], ...]
_X = None
PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "design_master_1": ((_X, _X, _X, _X), (_X, 1, 0, _X), (_X, 0, 1, _X), (_X, _X, _X, _X)),
        "design_master_2": ((0, _X, _X, _X), (_X, 0, _X, _X), (_X, _X, 0, _X), (_X, _X, _X, 0)),
        "design_master_3": ((_X, _X, 0, _X), (_X, _X, _X, _X), (0, _X, _X, _X), (_X, _X, _X, 0)),
        "design_master_4": ((_X, _X, _X, _X), (_X, -7, 0, -1), (_X, -6, 1, -2), (_X, -5, -4, -3)),
    }
)
FIRST_LEVEL, LAST_LEVEL = 8, 14  # exponents


@dataclass(frozen=True)
class Numbers:
    """The numbers of one variant in one mode; 0 for features the variant doesn't have."""

    tools: int = 5  # bombs, gloves and twists at the start, of each
    award_percent: int = 25  # chance to win a tool with a move of the right size
    clock_ms: int = 0  # time at the start
    # Time won by making a 512, and how much more for each doubling.
    bonus_ms: int = 0
    bonus_step_ms: int = 0
    period: int = 0  # moves from one change of the board to the next
    peeks: int = 0  # peeks under the cover at the start; -1 is without limit
    points_per_peek: int = 0  # points that earn one more
    freeze_after: int = 0  # moves without moving after which a tile freezes
    # Chance that a portal spawns instead of a tile, and the reduction for each existing one.
    portal_permille: int = 0
    portal_less_permille: int = 0
    # (int, int): least and most cells of the largest open rectangle.
    rectangle: tuple[int, int] = (0, 0)
    adversary_percent: int = 0  # percentage of tiles placed where they hurt most
    object_permille: int = 0  # chance that an object spawns instead of a tile while there is none
    # Chance of a mark, the reduction for each crater, and the minimum.
    mark_permille: int = 0
    mark_less_permille: int = 0
    mark_least_permille: int = 0
    crater_moves: int = 0  # number of moves that a crater lasts
    turns_pattern: bool = False  # whether the pattern is turned by a quarter with each level


@dataclass(frozen=True)
class GameSpec:
    """A variant: its name, its trophies, its numbers."""

    name: str  # in files and commands
    english_title: str  # the key for translation; `title` is the translated text
    family: str  # the file in `families` with its rules
    track: str  # the basis of trophies: "tile", "pattern" or "score"
    levels: tuple[int, int, int, int]  # tile, level or score for bronze, silver, gold and grand
    normal: Numbers
    hard: Numbers
    at_end: bool = False  # whether a trophy is given when the run ends, not before
    version: int = 1  # of the rules; a run of another version can't be played on

    @property
    def title(self) -> str:
        return tr(self.english_title)

    def numbers(self, hard: bool) -> Numbers:
        return self.hard if hard else self.normal


def _tile(name: str, title: str, family: str, **numbers: Any) -> GameSpec:
    return _spec(name, title, family, "tile", TILE_LEVELS, numbers)


def _score(name: str, title: str, family: str, **numbers: Any) -> GameSpec:
    return _spec(name, title, family, "score", SCORE_LEVELS, numbers)


def _spec(
    name: str,
    title: str,
    family: str,
    track: str,
    levels: tuple[int, int, int, int],
    numbers: dict[str, tuple[Any, Any]],
    at_end: bool = False,
) -> GameSpec:
    """Return a spec from pairs: the number in normal mode, the one in hard mode."""
    pairs = {"tools": (5, 1), "award_percent": (25, 5), **numbers}
    normal = Numbers(**{key: pair[0] for key, pair in pairs.items()})
    hard = Numbers(**{key: pair[1] for key, pair in pairs.items()})
    return GameSpec(name, title, family, track, levels, normal, hard, at_end)


_PORTALS = {"portal_permille": (40, 50), "portal_less_permille": (20, 20)}
_HYBRID_PORTALS = {"portal_permille": (30, 45), "portal_less_permille": (20, 20)}
_PEEKS = {"peeks": (-1, 1), "points_per_peek": (0, 10_000)}
# Fewer objects are harder: each one makes room, and while one is there a move is left.
_OBJECTS = {"object_permille": (30, 15)}

_DESIGN_MASTERS = (
    mark("Design Master 1"),
    mark("Design Master 2"),
    mark("Design Master 3"),
    mark("Design Master 4"),
)

SPECS = (
    _spec(
        "blitzkrieg",
        mark("Blitzkrieg"),
        "clock",
        "tile",
        TILE_LEVELS,
        {
            "tools": (10, 3),
            "clock_ms": (180_000, 180_000),
            # Per move of good play, all merges to a tile together: 129 ms for a 512, 226 for a
            # 1024, 290, 330, 354 ... in normal mode, two thirds of that in hard mode.
            "bonus_ms": (30_000, 20_000),
            "bonus_step_ms": (15_000, 10_000),
        },
        at_end=True,
    ),
    *(
        _spec(
            f"design_master_{i}",  # no text
            title,
            "goals",
            "pattern",
            PATTERN_LEVELS,
            {"turns_pattern": (False, True)},
        )
        for i, title in enumerate(_DESIGN_MASTERS, start=1)
    ),
    _tile("column_chaos", mark("Column Chaos"), "permutations", period=(40, 30)),
    _tile("mystery_merge_1", mark("Mystery Merge 1"), "fog", **_PEEKS),
    _tile("mystery_merge_2", mark("Mystery Merge 2"), "fog", **_PEEKS),
    _tile("gravity_twist_1", mark("Gravity Twist 1"), "gravity", period=(0, 20)),
    _tile("gravity_twist_2", mark("Gravity Twist 2"), "gravity", period=(0, 20)),
    _tile("ferris_wheel", mark("Ferris Wheel"), "permutations", period=(40, 30)),
    _tile("ice_age", mark("Ice Age"), "ice", freeze_after=(80, 60)),
    _tile("isolated_island", mark("Isolated Island"), "portals", **_PORTALS),
    _tile("shape_shifter", mark("Shape Shifter"), "shapes", rectangle=((8, 13), (6, 11))),
    _tile("tricky_tiles", mark("Tricky Tiles"), "tricky", adversary_percent=(33, 43)),
    _score("endless_factorization", mark("Endless Factorization"), "objects", **_OBJECTS),
    _score("endless_explosions", mark("Endless Explosions"), "objects", **_OBJECTS),
    _score("endless_giftbox", mark("Endless Giftbox"), "objects", **_OBJECTS),
    _spec(
        "endless_hybrid",
        mark("Endless Hybrid"),
        "objects",
        "score",
        HYBRID_LEVELS,
        {"object_permille": (50, 50), **_HYBRID_PORTALS},
    ),
    _score(
        "endless_air_raid",
        mark("Endless AirRaid"),
        "air_raid",
        mark_permille=(80, 80),
        mark_less_permille=(25, 25),
        mark_least_permille=(10, 10),
        crater_moves=(60, 100),
    ),
)
