"""The rules of the minigames in words, with the numbers that the rules themselves use. No Qt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gui.text.numbers import NBSP, format_seconds, format_whole
from minigames.families.clock import FIRST_BONUS
from minigames.parameters import (
    AWARD_BELOW,
    AWARD_FROM,
    FIRST_LEVEL,
    GIFT_WEIGHTS,
    LAST_LEVEL,
    OPEN_CELLS,
    PATTERNS,
    GameSpec,
    Numbers,
)

_SUMMARIES = {
    "blitzkrieg": "Beat the clock. Large tiles buy more time.",
    "design_master_1": "Make a checkered square in the middle.",
    "design_master_2": "Fill the diagonal with equal tiles.",
    "design_master_3": "Make equal tiles and keep them far apart.",
    "design_master_4": "Wind a chain of tiles around the largest one.",
    "column_chaos": "Every so often, two columns trade places.",
    "mystery_merge_1": "See only your last merges. Remember the rest.",
    "mystery_merge_2": "New tiles stay face down until they merge.",
    "gravity_twist_1": "After each move, all the tiles fall.",
    "gravity_twist_2": "All the tiles fall, and merge as they land.",
    "ferris_wheel": "Every so often, the outer ring turns a step.",
    "ice_age": "Tiles that stand still for too long freeze.",
    "isolated_island": "Portals get in the way and never merge with tiles.",
    "shape_shifter": "A board with a new shape in every run.",
    "tricky_tiles": "Some new tiles land where they hurt most.",
    "endless_factorization": "Split large tiles into smaller ones.",
    "endless_explosions": "Steer tiles into bombs to make room.",
    "endless_giftbox": "Open a gift: any tile may come out.",
    "endless_hybrid": "Bombs, splits, gifts, and portals at once.",
    "endless_air_raid": "Keep tiles off the target, or lose them.",
}
_LEVELS = ("Bronze", "silver", "gold", "grand")
_FIRST_BONUS = f"Making a {1 << FIRST_BONUS:,} tile"
_TURNS = {
    False: "The pattern stays where it is on every level.",
    True: "The pattern turns a quarter clockwise with each level.",
}


@dataclass(frozen=True)
class ToolText:
    """How a tool is presented.

    Attributes
    ----------
    icon_name : str
    title : str
    text : str
        What it does and how to use it.
    """

    icon_name: str
    title: str
    text: str


TOOL_TEXTS: Mapping[str, ToolText] = MappingProxyType(
    {
        "bomb": ToolText("bomb", "Bomb", "Removes a tile. Choose the tile."),
        "glove": ToolText(
            "glove",
            "Glove",
            "Moves a tile to an empty cell. Choose the tile, then the cell.",
        ),
        "twist": ToolText(
            "twist",
            "Twist",
            "Turns a square of four cells one step clockwise. Choose its top left cell.",
        ),
    }
)


def summary(spec: GameSpec) -> str:
    """Return the game in one line."""
    return _SUMMARIES[spec.name]


def rules(spec: GameSpec, hard: bool) -> list[str]:
    """Return the rules of a mode, for a person who knows 2048, a sentence or two an item."""
    return _RULES[spec.family](spec, spec.numbers(hard))


def hard_changes(spec: GameSpec) -> list[str]:
    """Return what is different in hard mode, one sentence for each number that differs."""
    normal, hard = spec.normal, spec.hard
    return [
        change(spec, normal, hard)
        for fields, change in _CHANGES
        if any(getattr(normal, field) != getattr(hard, field) for field in fields)
    ]


def trophy_text(spec: GameSpec) -> str:
    """Return what the trophies of a game take."""
    first, *more = map(format_whole, spec.levels)
    thing = {
        "tile": f"a {first} tile",
        "pattern": f"the pattern of {first}",
        "score": f"{first} points",
    }
    names = [f"{name} for {level}" for name, level in zip(_LEVELS[1:], more, strict=True)]
    text = f"{_LEVELS[0]} for {thing[spec.track]}, {', '.join(names[:-1])}, and {names[-1]}."
    end = " You get it when the run ends." if spec.at_end else ""
    return f"{text}{end} A run in which you undo a move earns no trophy."


def tool_rules(spec: GameSpec, hard: bool) -> list[str]:
    """Return how many tools there are, how to win more, and what using one costs."""
    numbers = spec.numbers(hard)
    least, below = format_whole(AWARD_FROM), format_whole(AWARD_BELOW)
    return [
        f"You start with {numbers.tools} of each tool.",
        f"A move that scores at least {least} but less than {below} "
        f"points may win you another one. The chance is {_percent(numbers.award_percent)}.",
        "Using a tool isn't a move: no new tile comes, and you score nothing.",
    ]


# Numbers in words --------------------------------------------------------------------------------


def _peeks(numbers: Numbers) -> str:
    if numbers.peeks < 0:
        return "You can peek as often as you like."
    looks = f"{numbers.peeks} peek" if numbers.peeks == 1 else f"{numbers.peeks} peeks"
    points = format_whole(numbers.points_per_peek)
    return f"You start with {looks}, and every {points} points bring one more."


def _portal_chance(numbers: Numbers) -> str:
    return (
        f"The chance is {_permille(numbers.portal_permille)} without portals on the board, "
        f"and {_permille(numbers.portal_less_permille)} less for each one there."
    )


def _span(ms: int) -> str:
    return format_seconds(ms / 1000)


def _percent(percent: int) -> str:
    return f"{percent}{NBSP}%"


def _permille(permille: int) -> str:
    return f"{permille / 10:g}{NBSP}%"


# The rules ---------------------------------------------------------------------------------------


def _clock(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        f"You have {_span(numbers.clock_ms)}. The clock starts with your first move.",
        f"{_FIRST_BONUS} adds {_span(numbers.bonus_ms)}. "
        f"Each larger tile adds {_span(numbers.bonus_step_ms)} more than the one before it.",
        "The clock keeps running while you think and while you use a tool.",
        "The run ends when the time is up or when you have no move left.",
    ]


def _goals(spec: GameSpec, numbers: Numbers) -> list[str]:
    offsets = [offset for row in PATTERNS[spec.name] for offset in row if offset is not None]
    return [
        f"Make the pattern that is marked on the board. It takes {len(offsets)} tiles. "
        "All other cells can hold anything.",
        f"The first level is {format_whole(1 << FIRST_LEVEL)}. Each level doubles every tile of "
        f"the pattern. The last one is {format_whole(1 << LAST_LEVEL)}.",
        _TURNS[numbers.turns_pattern],
        "A mirror image doesn't count. You may skip levels.",
    ]


def _permutations(spec: GameSpec, numbers: Numbers) -> list[str]:
    period = format_whole(numbers.period)
    if spec.name == "column_chaos":
        change = [
            f"Every {period} moves, two columns trade places.",
            "It can be any two columns. Tiles keep their order from top to bottom.",
        ]
    else:
        change = [
            f"Every {period} moves, the outer ring of cells turns one step clockwise.",
            "Empty cells turn with it. The four cells in the middle stay.",
        ]
    return [
        *change,
        "Nothing merges or scores when this happens.",
        "A counter shows how many moves are left until then.",
    ]


def _fog(spec: GameSpec, numbers: Numbers) -> list[str]:
    if spec.name == "mystery_merge_1":
        hidden = [
            "You see the newest tile and the tiles that your last move merged.",
            "All other tiles show a question mark. They slide and merge as always.",
        ]
    else:
        hidden = [
            "A new tile lies face down and shows a question mark, wherever it slides.",
            "Once it merges, you see the tile it makes, and it stays visible.",
        ]
    return [
        *hidden,
        "Hold Peek to see the whole board.",
        _peeks(numbers),
        "When you have no move left, everything is shown.",
    ]


def _gravity(spec: GameSpec, numbers: Numbers) -> list[str]:
    if spec.name == "gravity_twist_1":
        fall = "Tiles don't merge when they fall."
    else:
        fall = "Equal tiles merge and score when they fall, as in a move."
    turn = (
        f"Every {format_whole(numbers.period)} moves, gravity turns a quarter clockwise."
        if numbers.period
        else "Gravity always pulls down."
    )
    return [
        "After each move and its new tile, all the tiles fall as far as they can.",
        fall,
        "No other new tile comes after the fall.",
        turn,
    ]


def _ice(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        f"A tile freezes when it stays in its cell for {format_whole(numbers.freeze_after)} moves "
        "without merging.",
        "You can see the ice grow. If the tile slides to another cell or merges in time, "
        "the ice is gone.",
        "A frozen tile never moves or merges again. It blocks its row and column.",
        "No tool works on a frozen tile.",
    ]


def _portals(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        f"A portal may come instead of a new tile. {_portal_chance(numbers)}",
        "Portals slide like tiles, but they never merge with a number.",
        "Portals that touch in a move become one. That scores nothing.",
        "The bomb and the glove don't work on portals. The twist does.",
    ]


def _shapes(_spec: GameSpec, numbers: Numbers) -> list[str]:
    least, most = numbers.rectangle
    return [
        f"Each run has a board of its own: {OPEN_CELLS} connected cells in a random shape.",
        f"The largest open rectangle in it has {least} to {most} cells.",
        "Tiles stop at the edge of the shape and at its gaps.",
        "The shape stays the same until the run ends.",
    ]


def _tricky(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        f"{_percent(numbers.adversary_percent)} of the new tiles are placed to hurt you most.",
        "For these, the game looks a few moves ahead and picks the cell and the number.",
        "All other new tiles come at random, as always.",
    ]


_OBJECTS = {
    "endless_explosions": ("bomb", "Bombs"),
    "endless_factorization": ("factorizer", "Factorizers"),
    "endless_giftbox": ("gift box", "Gift boxes"),
    "endless_hybrid": ("object", "Objects"),
}


def _objects(spec: GameSpec, numbers: Numbers) -> list[str]:
    small, large = (format_whole(1 << pick(GIFT_WEIGHTS)) for pick in (min, max))
    bomb = "removes the tile."
    factorizer = (
        "splits the tile into two that multiply to it. A tile too small to split disappears."
    )
    gift = f"turns the tile into another one, {small} to {large}. Small ones are more likely."
    name, _ = _OBJECTS[spec.name]
    article = "an" if name == "object" else "a"
    comes = (
        f"You start with {article} {name} on the board. When there is none, "
        f"a new one may come instead of a tile. The chance is {_permille(numbers.object_permille)}."
    )
    meets = (
        f"When you move along its row or column, the {name} meets the nearest tile ahead, "
        "or else the nearest tile behind. That uses it up."
    )
    room = "If there is no tile in that line, it slides to the edge."
    if spec.name == "endless_explosions":
        return [comes, meets, f"The bomb {bomb}", room]
    if spec.name == "endless_factorization":
        return [comes, meets, f"The factorizer {factorizer}", room]
    if spec.name == "endless_giftbox":
        return [comes, meets, f"The gift box {gift}", room]
    return [
        comes,
        meets,
        f"A bomb {bomb} A factorizer {factorizer} A gift box {gift}",
        f"A portal may come too. {_portal_chance(numbers)} Portals merge only with portals.",
        "A bomb or factorizer removes a portal. A gift box turns it into a number.",
    ]


def _air_raid(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        "After a move, an empty cell may become a target. "
        f"The chance is {_permille(numbers.mark_permille)} without craters. Each crater takes "
        f"{_permille(numbers.mark_less_permille)} off, but it never falls below "
        f"{_permille(numbers.mark_least_permille)}.",
        "If a tile stands on the target after your next move, it is destroyed "
        "and leaves a crater. Sliding across the target is safe.",
        "If no tile stands there, the target goes away.",
        f"A crater is a wall. It closes after {format_whole(numbers.crater_moves)} moves.",
    ]


_RULES: Mapping[str, Callable[[GameSpec, Numbers], list[str]]] = MappingProxyType(
    {
        "clock": _clock,
        "goals": _goals,
        "permutations": _permutations,
        "fog": _fog,
        "gravity": _gravity,
        "ice": _ice,
        "portals": _portals,
        "shapes": _shapes,
        "tricky": _tricky,
        "objects": _objects,
        "air_raid": _air_raid,
    }
)


# What is different in hard mode ------------------------------------------------------------------

Change = Callable[[GameSpec, Numbers, Numbers], str]


def _plain(field: str, text: str, words: Callable[[int], str] = format_whole) -> Change:
    """Return the change of one number: a text with {now} and {before} in it."""

    def change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
        before, now = getattr(normal, field), getattr(hard, field)
        return text.format(now=words(now), before=words(before))

    return change


def _period_change(spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    thing = {"column_chaos": "Two columns trade places", "ferris_wheel": "The ring turns"}
    what = thing.get(spec.name, "Gravity turns a quarter clockwise")
    before = f" instead of every {format_whole(normal.period)}" if normal.period else ""
    return f"{what} every {format_whole(hard.period)} moves{before}."


def _object_change(spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    how = "less often" if hard.object_permille < normal.object_permille else "more often"
    now, before = _permille(hard.object_permille), _permille(normal.object_permille)
    return f"{_OBJECTS[spec.name][1]} come {how}: the chance is {now} instead of {before}."


def _shape_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    now, before = (f"{least} to {most}" for least, most in (hard.rectangle, normal.rectangle))
    return f"The largest open rectangle has {now} cells instead of {before}."


def _peek_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    before = _peeks(normal)
    return f"{_peeks(hard)} In normal mode, {before[0].lower()}{before[1:]}"


def _portal_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    how = "less often" if hard.portal_permille < normal.portal_permille else "more often"
    now, before = _permille(hard.portal_permille), _permille(normal.portal_permille)
    none = "with none on the board, the chance is"
    return f"Portals come {how}: {none} {now} instead of {before}."


def _pattern_change(_spec: GameSpec, _normal: Numbers, hard: Numbers) -> str:
    return _TURNS[hard.turns_pattern]


# A change is told when one of the numbers before it differs.
_CHANGES: tuple[tuple[tuple[str, ...], Change], ...] = (
    (("clock_ms",), _plain("clock_ms", "You have {now} instead of {before}.", _span)),
    (
        ("bonus_ms",),
        _plain("bonus_ms", f"{_FIRST_BONUS} adds {{now}} instead of {{before}}.", _span),
    ),
    (
        ("bonus_step_ms",),
        _plain(
            "bonus_step_ms",
            "Each larger tile adds {now} more than the one before it, instead of {before}.",
            _span,
        ),
    ),
    (("period",), _period_change),
    (("peeks", "points_per_peek"), _peek_change),
    (
        ("freeze_after",),
        _plain("freeze_after", "A tile freezes after {now} moves instead of {before}."),
    ),
    (("portal_permille",), _portal_change),
    (
        ("portal_less_permille",),
        _plain(
            "portal_less_permille",
            "Each portal takes {now} off the chance of another one instead of {before}.",
            _permille,
        ),
    ),
    (("rectangle",), _shape_change),
    (
        ("adversary_percent",),
        _plain(
            "adversary_percent",
            "{now} of the new tiles are placed to hurt you most, instead of {before}.",
            _percent,
        ),
    ),
    (("object_permille",), _object_change),
    (
        ("mark_permille",),
        _plain("mark_permille", "The chance of a target is {now} instead of {before}.", _permille),
    ),
    (
        ("mark_less_permille",),
        _plain(
            "mark_less_permille",
            "Each crater takes {now} off the chance of a target instead of {before}.",
            _permille,
        ),
    ),
    (
        ("mark_least_permille",),
        _plain(
            "mark_least_permille",
            "The chance of a target never falls below {now} instead of {before}.",
            _permille,
        ),
    ),
    (
        ("crater_moves",),
        _plain("crater_moves", "A crater closes after {now} moves instead of {before}."),
    ),
    (("turns_pattern",), _pattern_change),
    (("tools",), _plain("tools", "You start with {now} of each tool instead of {before}.")),
    (
        ("award_percent",),
        _plain("award_percent", "The chance to win a tool is {now} instead of {before}.", _percent),
    ),
)
