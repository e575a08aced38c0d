"""Checks of an entry of patterns_config.json: the fields one by one, then their combination.

Every error names the formation, the field and the value, and says what was expected.
"""

import re
from collections.abc import Mapping

from engine.geometry import MODES, destinations, permute
from engine.platform.language import tr
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation, count_f, f_cells, half_sum, hex_text

SEED_MODES = ("explicit", "generated")
MIN_EXTRA_STEPS, MAX_EXTRA_STEPS = -8191, 16379
FIELDS = {
    "name": str,
    "category": str,
    "masks": list,
    "target_cells": str,
    "symmetry": str,
    "seeds": list,
    "extra_steps": int,
    "walls": bool,
}
OPTIONAL_FIELDS = ("seed_mode",)

_MAX_QUOTE_LENGTH = 160
# These act on a part of the board, which is only the whole game if walls surround it.
WALLS_AROUND = {"square3x3": 0x000F_000F_000F_FFFF, "rect3x4": 0x0000_0000_0000_FFFF}


class FieldError(FormationError):
    """A field of a formation is invalid; `detail` says why without naming the formation."""

    detail = ""


def refusal(name: object, field: str, value: object, expected: str) -> FieldError:
    facts = {"field": field, "value": _quoted(value), "expected": expected}
    detail = tr("{field}: {value}: expected {expected}", **facts)
    error = FieldError("formation {name}: field {detail}", name=_quoted(name), detail=detail)
    error.detail = detail
    return error


def check_fields(name: object, entry: Mapping[str, object]) -> None:
    for field, kind in FIELDS.items():
        if field not in entry:
            expected = tr("a value of type {type}, but it is missing", type=kind.__name__)
            raise refusal(name, field, None, expected)
        value = entry[field]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise refusal(name, field, value, tr("a value of type {type}", type=kind.__name__))
    for field in entry:
        if field not in FIELDS and field not in OPTIONAL_FIELDS:
            names = ", ".join((*FIELDS, *OPTIONAL_FIELDS))
            raise refusal(
                name, _short(str(field)), entry[field], tr("only the fields {known}", known=names)
            )
    _check_words(name, entry)


def parse_mask(name: object, field: str, text: object) -> int:
    mask = _parse_hex(name, field, text)
    if mask != f_cells(mask):
        raise refusal(name, field, text, tr("only the digits 0 and f"))
    return mask


def parse_boards(name: object, field: str, texts: list[object]) -> tuple[int, ...]:
    parse = parse_mask if field == "masks" else _parse_hex
    boards = tuple(parse(name, field, text) for text in texts)
    for i, board in enumerate(boards):
        if board in boards[:i]:
            raise refusal(name, field, texts[i], tr("no board twice"))
    return boards


def check_consistency(formation: Formation) -> None:
    _check_seeds(formation)
    _check_masks(formation)
    _check_generated(formation)
    check_steps(formation)
    _check_target_cells(formation)
    _check_symmetry(formation)


def _quoted(value: object) -> str:
    try:
        return _short(repr(value))
    except (ValueError, RecursionError):  # an int of thousands of digits, or nested too deeply
        return tr("a {type} that is too large to show", type=type(value).__name__)


def _short(text: str) -> str:
    return text if len(text) <= _MAX_QUOTE_LENGTH else text[: _MAX_QUOTE_LENGTH - 3] + "..."


def _check_words(name: object, entry: Mapping[str, object]) -> None:
    if not re.fullmatch(r"[A-Za-z0-9]{1,32}", str(name)):
        raise refusal(name, "name", name, tr("1 to 32 letters and digits, nothing else"))
    category = str(entry["category"])
    if not category.strip() or not category.isprintable() or len(category) > 32:
        raise refusal(name, "category", category, tr("the name of a menu, 1 to 32 letters"))
    if entry["symmetry"] not in MODES:
        raise refusal(
            name, "symmetry", entry["symmetry"], tr("one of {values}", values=", ".join(MODES))
        )
    seed_mode = entry.get("seed_mode", SEED_MODES[0])
    if seed_mode not in SEED_MODES:
        raise refusal(
            name, "seed_mode", seed_mode, tr("one of {values}", values=", ".join(SEED_MODES))
        )


def _parse_hex(name: object, field: str, text: object) -> int:
    if not isinstance(text, str):
        raise refusal(name, field, text, tr("a text of up to 16 hex digits"))
    digits = text.removeprefix("0x").replace("_", "")
    if not re.fullmatch(r"[0-9a-fA-F]{1,16}", digits):
        raise refusal(name, field, text, tr("up to 16 hex digits, after an optional 0x"))
    return int(digits, 16)


def _check_masks(formation: Formation) -> None:
    name, masks = formation.name, formation.masks
    if formation.walls and masks:
        raise refusal(name, "masks", [*map(hex_text, masks)], tr("none when walls is true"))
    for mask in masks:
        if not mask:
            expected = tr("at least one f; without any mask the large tiles may stand anywhere")
            raise refusal(name, "masks", hex_text(mask), expected)
        if count_f(mask) > formation.n_large:
            facts = {"most": formation.n_large, "count": count_f(mask)}
            expected = tr("at most the {most} f of a seed, this mask has {count}", **facts)
            raise refusal(name, "masks", hex_text(mask), expected)


def _check_seeds(formation: Formation) -> None:
    name, seeds = formation.name, formation.seeds
    if not seeds:
        raise refusal(name, "seeds", [], tr("at least one board"))
    first, first_sum, n_first = hex_text(seeds[0]), half_sum(seeds[0]), count_f(seeds[0])
    for seed in seeds:
        if half_sum(seed) != first_sum:
            facts = {"first": first, "sum": 2 * first_sum, "other": 2 * half_sum(seed)}
            expected = tr("the tile sum of {first}: {sum}, not {other}", **facts)
            raise refusal(name, "seeds", hex_text(seed), expected)
        if count_f(seed) != n_first:
            facts = {"first": first, "count": n_first, "other": count_f(seed)}
            expected = tr("the f count of {first}: {count}, not {other}", **facts)
            raise refusal(name, "seeds", hex_text(seed), expected)
        if formation.walls and f_cells(seed) != f_cells(seeds[0]):
            raise refusal(name, "seeds", hex_text(seed), tr("the walls of {first}", first=first))
        if not formation.is_inside(seed):
            raise refusal(name, "seeds", hex_text(seed), tr("a board that has all f of a mask"))
    if formation.seed_mode == "explicit" and all("0" not in f"{seed:016x}" for seed in seeds):
        raise refusal(name, "seeds", first, tr("a board with an empty cell for the new tile"))


def _check_generated(formation: Formation) -> None:
    if formation.seed_mode == "explicit":
        return
    name = formation.name
    if formation.masks or formation.walls:
        expected = tr("explicit seeds, for large tiles that do not move freely")
        raise refusal(name, "seed_mode", formation.seed_mode, expected)
    if formation.symmetry != "full":
        raise refusal(name, "symmetry", formation.symmetry, tr("full, because seeds are generated"))
    if formation.n_large > 14:
        expected = tr("a board with at most 14 f, to generate the seeds from")
        raise refusal(name, "seeds", hex_text(formation.seeds[0]), expected)


def check_steps(formation: Formation) -> None:
    if not MIN_EXTRA_STEPS <= formation.extra_steps <= MAX_EXTRA_STEPS:
        limits = tr("a number from {least} to {most}", least=MIN_EXTRA_STEPS, most=MAX_EXTRA_STEPS)
        raise refusal(formation.name, "extra_steps", formation.extra_steps, limits)
    least = 1 - formation.seed_half_sum
    if formation.extra_steps < least:
        expected = tr(
            "at least {least}: with seeds of this tile sum no layer could hold the target",
            least=least,
        )
        raise refusal(formation.name, "extra_steps", formation.extra_steps, expected)


def _check_target_cells(formation: Formation) -> None:
    cells = hex_text(formation.target_cells)
    if not formation.target_cells:
        raise refusal(formation.name, "target_cells", cells, tr("at least one cell"))
    if not formation.target_cells & ~formation.fixed_mask:
        expected = tr("a cell that is not always taken by a wall or a large tile")
        raise refusal(formation.name, "target_cells", cells, expected)


def _check_symmetry(formation: Formation) -> None:
    """Refuse a symmetry by which only one of a board and its image is inside or at the target."""
    name, symmetry = formation.name, formation.symmetry
    walls = WALLS_AROUND.get(symmetry, 0)
    if walls and not (formation.walls and formation.fixed_mask & walls == walls):
        expected = tr(
            "another one: it needs walls in the cells {walls} of every seed", walls=hex_text(walls)
        )
        raise refusal(name, "symmetry", symmetry, expected)
    for destination in destinations(symmetry):
        for mask in formation.masks:
            if permute(mask, destination) not in formation.masks:
                image = hex_text(permute(mask, destination))
                expected = tr(
                    "masks that the symmetry {symmetry!r} keeps: its image {image} is missing",
                    symmetry=symmetry,
                    image=image,
                )
                raise refusal(name, "masks", hex_text(mask), expected)
        if permute(formation.target_cells, destination) != formation.target_cells:
            expected = tr("cells that the symmetry {symmetry!r} keeps", symmetry=symmetry)
            raise refusal(name, "target_cells", hex_text(formation.target_cells), expected)
        if formation.walls and permute(formation.fixed_mask, destination) != formation.fixed_mask:
            expected = tr("walls that the symmetry {symmetry!r} keeps", symmetry=symmetry)
            raise refusal(name, "seeds", hex_text(formation.seeds[0]), expected)
