"""The rules of the minigames in words, with the numbers that the rules themselves use. No Qt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


def hard_changes(spec: GameSpec) -> list[str]:
    """Return the differences of hard mode, one sentence for each number that differs."""
    normal, hard = spec.normal, spec.hard
    return [
        change(spec, normal, hard)
        for fields, change in _CHANGES
        if any(getattr(normal, field) != getattr(hard, field) for field in fields)
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


def _peeks_before(numbers: Numbers) -> str:
    if numbers.peeks < 0:
        return tr("In normal mode, you can peek as often as you like.")
    return trn(
        "In normal mode, you start with {n} peek, and every {points} points bring one more.",
        "In normal mode, you start with {n} peeks, and every {points} points bring one more.",
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


@dataclass(frozen=True)
class _ObjectTexts:
    """The texts on an object: how it appears, what it meets, its effect, and how often."""

    comes: str
    meets: str
    does: str
    less_often: str
    more_often: str


_OBJECTS = {
    "endless_explosions": _ObjectTexts(
        mark(
            "You start with a bomb on the board. When there is none, a new one may come instead "
            "of a tile. The chance is {chance}."
        ),
        mark(
            "When you move along its row or column, the bomb meets the nearest tile ahead, "
            "or else the nearest tile behind. That uses it up."
        ),
        mark("The bomb removes the tile."),
        mark("Bombs come less often: the chance is {now} instead of {before}."),
        mark("Bombs come more often: the chance is {now} instead of {before}."),
    ),
    "endless_factorization": _ObjectTexts(
        mark(
            "You start with a factorizer on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "When you move along its row or column, the factorizer meets the nearest tile ahead, "
            "or else the nearest tile behind. That uses it up."
        ),
        mark(
            "The factorizer splits the tile into two that multiply to it. "
            "A tile too small to split disappears."
        ),
        mark("Factorizers come less often: the chance is {now} instead of {before}."),
        mark("Factorizers come more often: the chance is {now} instead of {before}."),
    ),
    "endless_giftbox": _ObjectTexts(
        mark(
            "You start with a gift box on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "When you move along its row or column, the gift box meets the nearest tile ahead, "
            "or else the nearest tile behind. That uses it up."
        ),
        mark(
            "The gift box turns the tile into another one, {small} to {large}. "
            "Small ones are more likely."
        ),
        mark("Gift boxes come less often: the chance is {now} instead of {before}."),
        mark("Gift boxes come more often: the chance is {now} instead of {before}."),
    ),
    "endless_hybrid": _ObjectTexts(
        mark(
            "You start with an object on the board. When there is none, a new one may come "
            "instead of a tile. The chance is {chance}."
        ),
        mark(
            "When you move along its row or column, the object meets the nearest tile ahead, "
            "or else the nearest tile behind. That uses it up."
        ),
        mark(
            "A bomb removes the tile. A factorizer splits the tile into two that multiply to it. "
            "A tile too small to split disappears. A gift box turns the tile into another one, "
            "{small} to {large}. Small ones are more likely."
        ),
        mark("Objects come less often: the chance is {now} instead of {before}."),
        mark("Objects come more often: the chance is {now} instead of {before}."),
    ),
}


def _objects(spec: GameSpec, numbers: Numbers) -> list[str]:
    texts = _OBJECTS[spec.name]
    small, large = (1 << pick(GIFT_WEIGHTS) for pick in (min, max))
    items = [
        tr(texts.comes, chance=_permille(numbers.object_permille)),
        tr(texts.meets),
        tr(texts.does, small=small, large=large),
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


Change = Callable[[GameSpec, Numbers, Numbers], str]


def _plain(
    field: str, text: str, words: Callable[[int], str] = format_whole
) -> tuple[tuple[str], Change]:
    """Return the change of one number: a text, marked, with {now} and {before} in it."""

    def change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
        before, now = getattr(normal, field), getattr(hard, field)
        return tr(text, now=words(now), before=words(before))

    return (field,), change


def _bonus_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    return tr(
        "Making a {tile} tile adds {now} instead of {before}.",
        tile=1 << FIRST_BONUS,
        now=_span(hard.bonus_ms),
        before=_span(normal.bonus_ms),
    )


_NEW_PERIODS = {
    "column_chaos": mark("Two columns trade places every {now} moves."),
    "ferris_wheel": mark("The ring turns every {now} moves."),
    "gravity_twist_1": mark("Gravity turns a quarter clockwise every {now} moves."),
    "gravity_twist_2": mark("Gravity turns a quarter clockwise every {now} moves."),
}
_OTHER_PERIODS = {
    "column_chaos": mark("Two columns trade places every {now} moves instead of every {before}."),
    "ferris_wheel": mark("The ring turns every {now} moves instead of every {before}."),
    "gravity_twist_1": mark(
        "Gravity turns a quarter clockwise every {now} moves instead of every {before}."
    ),
    "gravity_twist_2": mark(
        "Gravity turns a quarter clockwise every {now} moves instead of every {before}."
    ),
}


def _period_change(spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    text = (_OTHER_PERIODS if normal.period else _NEW_PERIODS)[spec.name]
    return tr(text, now=format_whole(hard.period), before=format_whole(normal.period))


def _object_change(spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    texts = _OBJECTS[spec.name]
    is_less = hard.object_permille < normal.object_permille
    text = texts.less_often if is_less else texts.more_often
    now, before = _permille(hard.object_permille), _permille(normal.object_permille)
    return tr(text, now=now, before=before)


def _shape_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    (least, most), (least_before, most_before) = hard.rectangle, normal.rectangle
    return tr(
        "The largest open rectangle has {least} to {most} cells instead of "
        "{least_before} to {most_before}.",
        least=least,
        most=most,
        least_before=least_before,
        most_before=most_before,
    )


def _peek_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    return sentences(_peeks(hard), _peeks_before(normal))


def _portal_change(_spec: GameSpec, normal: Numbers, hard: Numbers) -> str:
    now, before = _permille(hard.portal_permille), _permille(normal.portal_permille)
    if hard.portal_permille < normal.portal_permille:
        text = mark(
            "Portals come less often: with none on the board, the chance is {now} instead of "
            "{before}."
        )
    else:
        text = mark(
            "Portals come more often: with none on the board, the chance is {now} instead of "
            "{before}."
        )
    return tr(text, now=now, before=before)


def _pattern_change(_spec: GameSpec, _normal: Numbers, hard: Numbers) -> str:
    return tr(_TURNS[hard.turns_pattern])


# A change is listed if one of the numbers before it differs.
_CHANGES: tuple[tuple[tuple[str, ...], Change], ...] = (
    _plain("clock_ms", mark("You have {now} instead of {before}."), _span),
    (("bonus_ms",), _bonus_change),
    _plain(
        "bonus_step_ms",
        mark("Each larger tile adds {now} more than the one before it, instead of {before}."),
        _span,
    ),
    (("period",), _period_change),
    (("peeks", "points_per_peek"), _peek_change),
    _plain("freeze_after", mark("A tile freezes after {now} moves instead of {before}.")),
    (("portal_permille",), _portal_change),
    _plain(
        "portal_less_permille",
        mark("Each portal takes {now} off the chance of another one instead of {before}."),
        _permille,
    ),
    (("rectangle",), _shape_change),
    _plain(
        "adversary_percent",
        mark("{now} of the new tiles are placed to hurt you most, instead of {before}."),
        _percent,
    ),
    (("object_permille",), _object_change),
    _plain(
        "mark_permille", mark("The chance of a target is {now} instead of {before}."), _permille
    ),
    _plain(
        "mark_less_permille",
        mark("Each crater takes {now} off the chance of a target instead of {before}."),
        _permille,
    ),
    _plain(
        "mark_least_permille",
        mark("The chance of a target never falls below {now} instead of {before}."),
        _permille,
    ),
    _plain("crater_moves", mark("A crater closes after {now} moves instead of {before}.")),
    (("turns_pattern",), _pattern_change),
    _plain("tools", mark("You start with {now} of each tool instead of {before}.")),
    _plain(
        "award_percent", mark("The chance to win a tool is {now} instead of {before}."), _percent
    ),
)
