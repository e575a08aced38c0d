"""The rules of the minigames in words, with the numbers that the rules themselves use. No Qt."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.platform.language import mark, sentences, tr, trn
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
    "blitzkrieg": mark("Beat the clock. Large tiles buy more time."),
    "design_master_1": mark("Make a checkered square in the middle."),
    "design_master_2": mark("Fill the diagonal with equal tiles."),
    "design_master_3": mark("Make equal tiles and keep them far apart."),
    "design_master_4": mark("Wind a chain of tiles around the largest one."),
    "column_chaos": mark("Every so often, two columns trade places."),
    "mystery_merge_1": mark("See only your last merges. Remember the rest."),
    "mystery_merge_2": mark("New tiles stay face down until they merge."),
    "gravity_twist_1": mark("After each move, all the tiles fall."),
    "gravity_twist_2": mark("All the tiles fall, and merge as they land."),
    "ferris_wheel": mark("Every so often, the outer ring turns a step."),
    "ice_age": mark("Tiles that stand still for too long freeze."),
    "isolated_island": mark("Portals get in the way and never merge with tiles."),
    "shape_shifter": mark("A board with a new shape in every run."),
    "tricky_tiles": mark("Some new tiles land where they hurt most."),
    "endless_factorization": mark("Split large tiles into smaller ones."),
    "endless_explosions": mark("Steer tiles into bombs to make room."),
    "endless_giftbox": mark("Open a gift: any tile may come out."),
    "endless_hybrid": mark("Bombs, splits, gifts, and portals at once."),
    "endless_air_raid": mark("Keep tiles off the target, or lose them."),
}
_TROPHIES = {
    "tile": mark(
        "Bronze for a {bronze} tile, silver for {silver}, gold for {gold}, and grand for {grand}."
    ),
    "pattern": mark(
        "Bronze for the pattern of {bronze}, silver for {silver}, gold for {gold}, "
        "and grand for {grand}."
    ),
    "score": mark(
        "Bronze for {bronze} points, silver for {silver}, gold for {gold}, and grand for {grand}."
    ),
}
_TURNS = {
    False: mark("The pattern stays where it is on every level."),
    True: mark("The pattern turns a quarter clockwise with each level."),
}


def summary(spec: GameSpec) -> str:
    return tr(_SUMMARIES[spec.name])


def rules(spec: GameSpec, hard: bool) -> list[str]:
    """Return the rules of a mode, for someone who knows 2048, a sentence or two per item."""
    return _RULES[spec.family](spec, spec.numbers(hard))


def changes(spec: GameSpec, hard: bool) -> list[str]:
    """Return the rules of the other mode that are not those of this one."""
    here = (*rules(spec, hard), *tool_rules(spec, hard))
    return [
        text for text in (*rules(spec, not hard), *tool_rules(spec, not hard)) if text not in here
    ]


def level_text(spec: GameSpec, level: int) -> str:
    """Return the requirement or the result for a trophy: a tile, or points as 40,000."""
    return format_whole(level) if spec.track == "score" else str(level)


def trophy_text(spec: GameSpec) -> str:
    names = ("bronze", "silver", "gold", "grand")
    levels = dict(zip(names, (level_text(spec, level) for level in spec.levels), strict=True))
    return sentences(
        tr(_TROPHIES[spec.track], **levels),
        tr("You get it when the run ends.") if spec.at_end else "",
        tr("A run in which you undo a move earns no trophy."),
    )


def tool_rules(spec: GameSpec, hard: bool) -> list[str]:
    numbers = spec.numbers(hard)
    least, below = format_whole(AWARD_FROM), format_whole(AWARD_BELOW)
    chance = _percent(numbers.award_percent)
    return [
        tr("You start with {n} of each tool.", n=numbers.tools),
        tr(
            "A move that scores at least {least} but less than {below} points may win you another "
            "one. The chance is {chance}.",
            least=least,
            below=below,
            chance=chance,
        ),
        tr("Using a tool isn't a move: no new tile comes, and you score nothing."),
    ]


def _peeks(numbers: Numbers) -> str:
    if numbers.peeks < 0:
        return tr("You can peek as often as you like.")
    return trn(
        "You start with {n} peek, and every {points} points bring one more.",
        "You start with {n} peeks, and every {points} points bring one more.",
        numbers.peeks,
        points=format_whole(numbers.points_per_peek),
    )


def _portal_chance(numbers: Numbers) -> str:
    return tr(
        "The chance is {chance} without portals on the board, and {less} less for each one there.",
        chance=_permille(numbers.portal_permille),
        less=_permille(numbers.portal_less_permille),
    )


def _span(ms: int) -> str:
    return format_seconds(ms / 1000)


def _percent(percent: int) -> str:
    return f"{percent}{NBSP}%"


def _permille(permille: int) -> str:
    return f"{permille / 10:g}{NBSP}%"


def _clock(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        tr("You have {time}. The clock starts with your first move.", time=_span(numbers.clock_ms)),
        tr(
            "Making a {tile} tile adds {time}. Each larger tile adds {more} more than the one "
            "before it.",
            tile=1 << FIRST_BONUS,
            time=_span(numbers.bonus_ms),
            more=_span(numbers.bonus_step_ms),
        ),
        tr("The clock keeps running while you think and while you use a tool."),
        tr("The run ends when the time is up or when you have no move left."),
    ]


def _goals(spec: GameSpec, numbers: Numbers) -> list[str]:
    offsets = [offset for row in PATTERNS[spec.name] for offset in row if offset is not None]
    return [
        tr(
            "Make the pattern that is marked on the board. It takes {n} tiles. "
            "All other cells can hold anything.",
            n=len(offsets),
        ),
        tr(
            "The first level is {first}. Each level doubles every tile of the pattern. "
            "The last one is {last}.",
            first=1 << FIRST_LEVEL,
            last=1 << LAST_LEVEL,
        ),
        tr(_TURNS[numbers.turns_pattern]),
        tr("A mirror image doesn't count. You may skip levels."),
    ]


def _permutations(spec: GameSpec, numbers: Numbers) -> list[str]:
    period = format_whole(numbers.period)
    if spec.name == "column_chaos":
        change = [
            tr("Every {period} moves, two columns trade places.", period=period),
            tr("It can be any two columns. Tiles keep their order from top to bottom."),
        ]
    else:
        change = [
            tr(
                "Every {period} moves, the outer ring of cells turns one step clockwise.",
                period=period,
            ),
            tr("Empty cells turn with it. The four cells in the middle stay."),
        ]
    return [
        *change,
        tr("Nothing merges or scores when this happens."),
        tr("A counter shows how many moves are left until then."),
    ]


def _fog(spec: GameSpec, numbers: Numbers) -> list[str]:
    if spec.name == "mystery_merge_1":
        hidden = [
            tr("You see the newest tile and the tiles that your last move merged."),
            tr("All other tiles show a question mark. They slide and merge as always."),
        ]
    else:
        hidden = [
            tr("A new tile lies face down and shows a question mark, wherever it slides."),
            tr("Once it merges, you see the tile it makes, and it stays visible."),
        ]
    return [
        *hidden,
        tr("Hold Peek to see the whole board."),
        _peeks(numbers),
        tr("When you have no move left, everything is shown."),
    ]


def _gravity(spec: GameSpec, numbers: Numbers) -> list[str]:
    if spec.name == "gravity_twist_1":
        fall = tr("Tiles don't merge when they fall.")
    else:
        fall = tr("Equal tiles merge and score when they fall, as in a move.")
    if numbers.period:
        period = format_whole(numbers.period)
        turn = tr("Every {period} moves, gravity turns a quarter clockwise.", period=period)
    else:
        turn = tr("Gravity always pulls down.")
    return [
        tr("After each move and its new tile, all the tiles fall as far as they can."),
        fall,
        tr("No other new tile appears after the fall."),
        turn,
    ]


def _ice(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        tr(
            "A tile freezes when it stays in its cell for {moves} moves without merging.",
            moves=format_whole(numbers.freeze_after),
        ),
        tr(
            "You can see the ice grow. If the tile slides to another cell or merges in time, "
            "the ice is gone."
        ),
        tr("A frozen tile never moves or merges again. It blocks its row and column."),
        tr("No tool works on a frozen tile."),
    ]


def _portals(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        sentences(tr("A portal may come instead of a new tile."), _portal_chance(numbers)),
        tr("Portals slide like tiles, but they never merge with a number."),
        tr("Portals that touch in a move become one. That scores nothing."),
        tr("The bomb and the glove don't work on portals. The twist does."),
    ]


def _shapes(_spec: GameSpec, numbers: Numbers) -> list[str]:
    least, most = numbers.rectangle
    return [
        tr("Each run has a board of its own: {n} connected cells in a random shape.", n=OPEN_CELLS),
        tr("The largest open rectangle in it has {least} to {most} cells.", least=least, most=most),
        tr("Tiles stop at the edge of the shape and at its gaps."),
        tr("The shape stays the same until the run ends."),
    ]


def _tricky(_spec: GameSpec, numbers: Numbers) -> list[str]:
    share = _percent(numbers.adversary_percent)
    return [
        tr("{share} of the new tiles are placed to hurt you most.", share=share),
        tr("For these, the game looks a few moves ahead and picks the cell and the number."),
        tr("All other new tiles come at random, as always."),
    ]


_OBJECTS = {  # how an object appears, and its effect
    "endless_explosions": (
        mark(
            "You start with a bomb on the board. When there is none, a new one may come instead "
            "of a tile. The chance is {chance}."
        ),
        mark("The bomb removes the tile."),
    ),
    "endless_factorization": (
        mark(
            "You start with a factorizer on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "The factorizer splits the tile into two that multiply to it. "
            "A tile too small to split disappears."
        ),
    ),
    "endless_giftbox": (
        mark(
            "You start with a gift box on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "The gift box turns the tile into another one, {small} to {large}. "
            "Small ones are more likely."
        ),
    ),
    "endless_hybrid": (
        mark(
            "You start with an object on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "A bomb removes the tile. A factorizer splits the tile into two that multiply to it. "
            "A tile too small to split disappears. A gift box turns the tile into another one, "
            "{small} to {large}. Small ones are more likely."
        ),
    ),
}


def _objects(spec: GameSpec, numbers: Numbers) -> list[str]:
    comes, does = _OBJECTS[spec.name]
    small, large = (1 << pick(GIFT_WEIGHTS) for pick in (min, max))
    items = [
        tr(comes, chance=_permille(numbers.object_permille)),
        tr(
            "When you move along its row or column, it meets the nearest tile ahead, or else the "
            "nearest tile behind. That uses it up."
        ),
        tr(does, small=small, large=large),
    ]
    if spec.name != "endless_hybrid":
        return [*items, tr("If there is no tile in that line, it slides to the edge.")]
    return [
        *items,
        sentences(
            tr("A portal may come too."),
            _portal_chance(numbers),
            tr("Portals merge only with portals."),
        ),
        tr("A bomb or factorizer removes a portal. A gift box turns it into a number."),
    ]


def _air_raid(_spec: GameSpec, numbers: Numbers) -> list[str]:
    return [
        tr(
            "After a move, an empty cell may become a target. The chance is {chance} without "
            "craters. Each crater takes {less} off, but it never falls below {least}.",
            chance=_permille(numbers.mark_permille),
            less=_permille(numbers.mark_less_permille),
            least=_permille(numbers.mark_least_permille),
        ),
        tr(
            "If a tile stands on the target after your next move, it is destroyed "
            "and leaves a crater. Sliding across the target is safe."
        ),
        tr("If no tile stands there, the target goes away."),
        tr(
            "A crater is a wall. It closes after {moves} moves.",
            moves=format_whole(numbers.crater_moves),
        ),
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
