"""Formations: which large tiles are locked, where the target counts, from where a table starts.

``patterns_config.json`` holds them as data::

    {"version": 1, "formations": [{
        "name": "L3",                        letters and digits; no "_" (tables are PATTERN_TARGET)
        "category": "10 space",              the menu it appears in
        "masks": ["0x000000000fff0fff"],     digits f = cells that must hold a large tile;
                                             a board is inside when it has all f of at least one
        "target_cells": "0xffffffffffffffff" digits f = cells where the target tile counts
        "symmetry": "identity",              see engine.geometry.MODES
        "seeds": ["0x100000001fff2fff"],     the boards of layer 0, all of one tile sum
        "extra_steps": 48,                   layers beyond target / 2
        "walls": false                       f never moves (2x4, 3x3, 3x4)
    }]}

``seed_mode: "generated"`` marks the free formations, whose layer 0 is computed from a seed.
"""

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.geometry import MODES, destinations, permute
from engine.project_files import project_file
from tablebase.errors import FormationError, UnknownFormationError

TARGETS = tuple(1 << exponent for exponent in range(6, 15))
CONFIG_PATH = project_file("patterns_config.json")

_NAME = re.compile(r"[A-Za-z0-9]{1,32}")
_FIELDS = {
    "name": str,
    "category": str,
    "masks": list,
    "target_cells": str,
    "symmetry": str,
    "seeds": list,
    "extra_steps": int,
    "walls": bool,
}
_SEED_MODES = ("explicit", "generated")


@dataclass(frozen=True)
class Formation:
    """One formation; every board is a 64-bit number, cell 0 (top left) in the highest nibble."""

    name: str
    category: str
    masks: tuple[int, ...]
    target_cells: int
    symmetry: str
    seeds: tuple[int, ...]
    extra_steps: int
    walls: bool
    seed_mode: str = "explicit"

    @property
    def n_large(self) -> int:
        """Return the number of large tiles or walls (nibble F) on a board of this formation."""
        return _count_f(self.seeds[0])

    @property
    def fixed_mask(self) -> int:
        """Return the F cells that every board of a formation with fixed large tiles has."""
        return _f_cells(self.seeds[0]) if self.walls or not self.masks else self.masks[0]

    @property
    def seed_half_sum(self) -> int:
        """Return half the sum of the tiles of a seed that are not F: the half-sum of layer 0."""
        return half_sum(self.seeds[0])

    @property
    def why_not_buildable(self) -> str:
        """Return why this program cannot build tables of this formation yet; "" when it can."""
        if self.seed_mode != "explicit" or (not self.masks and not self.walls):
            return "its large tiles move freely, which the builder does not do yet"
        if len(self.masks) > 1:
            return "its large tiles may stand in several places, which the builder does not do yet"
        if any(_f_cells(seed) != self.fixed_mask for seed in self.seeds):
            return "it has a free large tile besides the locked ones, not buildable yet"
        return ""

    @property
    def is_buildable(self) -> bool:
        """Tell whether the builder can build tables of this formation."""
        return not self.why_not_buildable

    def n_layers(self, target: int) -> int:
        """Return the number of layers of the table for `target` (a face value such as 256)."""
        return target // 2 + self.extra_steps

    def to_dict(self) -> dict[str, Any]:
        """Return the formation as `parse_formation` reads it."""
        return {
            "name": self.name,
            "category": self.category,
            "masks": [_hex(mask) for mask in self.masks],
            "target_cells": _hex(self.target_cells),
            "symmetry": self.symmetry,
            "seeds": [_hex(seed) for seed in self.seeds],
            "extra_steps": self.extra_steps,
            "walls": self.walls,
            "seed_mode": self.seed_mode,
        }


def half_sum(board: int) -> int:
    """Return half the sum of the face values of the tiles that are not F."""
    nibbles = ((board >> shift) & 15 for shift in range(0, 64, 4))
    return sum(1 << (nibble - 1) for nibble in nibbles if 0 < nibble < 15)


def parse_formation(entry: object) -> Formation:
    """Return the formation described by one entry of the file, every field checked.

    Raises
    ------
    FormationError
        A field is missing, unknown, of the wrong type or contradicts another one; the message
        names the formation, the field and the value.
    """
    if not isinstance(entry, dict):
        raise FormationError(f"a formation must be an object with named fields, not {entry!r}")
    name = entry.get("name", "(unnamed)")
    seed_mode = entry.get("seed_mode", "explicit")
    _check_fields(name, entry, seed_mode)
    formation = Formation(
        name=name,
        category=entry["category"],
        masks=tuple(_parse_boards(name, "masks", entry["masks"])),
        target_cells=_parse_mask(name, "target_cells", entry["target_cells"]),
        symmetry=entry["symmetry"],
        seeds=tuple(_parse_boards(name, "seeds", entry["seeds"])),
        extra_steps=entry["extra_steps"],
        walls=entry["walls"],
        seed_mode=seed_mode,
    )
    _check_consistency(formation)
    return formation


def load_formations(path: Path | None = None) -> dict[str, Formation]:
    """Return all formations of `path` (the project's patterns_config.json by default) by name."""
    source = path or CONFIG_PATH
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormationError(f"cannot read the formations in {source}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FormationError(f"{source} is not valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != 1:
        raise FormationError(f'{source}: expected an object with "version": 1')
    entries = data.get("formations")
    if not isinstance(entries, list) or not entries:
        raise FormationError(f'{source}: "formations" must be a list of at least one formation')
    formations: dict[str, Formation] = {}
    for entry in entries:
        formation = parse_formation(entry)
        if formation.name in formations:
            raise FormationError(f"formation {formation.name!r}: field name: used twice")
        formations[formation.name] = formation
    return formations


def find_formation(name: str, formations: Mapping[str, Formation]) -> Formation:
    """Return the formation called `name`; raise UnknownFormationError with the nearest ones."""
    if name in formations:
        return formations[name]
    close = difflib.get_close_matches(name, formations, n=3, cutoff=0.3)  # names are short
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise UnknownFormationError(f"no formation {name!r} in patterns_config.json{hint}")


def check_target(target: int) -> int:
    """Return `target` if tables exist for it; raise FormationError otherwise."""
    if target not in TARGETS:
        known = ", ".join(map(str, TARGETS))
        raise FormationError(f"no table for target {target!r}: expected one of {known}")
    return target


def _hex(board: int) -> str:
    return f"{board:#018x}"


def _f_cells(board: int) -> int:
    ones = board & (board >> 1) & (board >> 2) & (board >> 3) & 0x1111_1111_1111_1111
    return ones * 15


def _count_f(board: int) -> int:
    return bin(_f_cells(board)).count("1") // 4


def _wrong(name: object, field: str, value: object, expected: str) -> FormationError:
    return FormationError(f"formation {name!r}: field {field}: {value!r}: expected {expected}")


def _check_fields(name: object, entry: Mapping[str, object], seed_mode: object) -> None:
    for field, kind in _FIELDS.items():
        if field not in entry:
            raise _wrong(name, field, None, f"a value of type {kind.__name__}, but it is missing")
        value = entry[field]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise _wrong(name, field, value, f"a value of type {kind.__name__}")
    for field in entry:
        if field not in _FIELDS and field != "seed_mode":
            raise _wrong(name, str(field), entry[field], f"only the fields {', '.join(_FIELDS)}")
    if not _NAME.fullmatch(str(name)):
        raise _wrong(name, "name", name, "1 to 32 letters and digits, nothing else")
    if not str(entry["category"]).strip():
        raise _wrong(name, "category", entry["category"], "the name of a menu")
    if entry["symmetry"] not in MODES:
        raise _wrong(name, "symmetry", entry["symmetry"], f"one of {', '.join(MODES)}")
    if not -8192 < int(str(entry["extra_steps"])) <= 1024:
        raise _wrong(name, "extra_steps", entry["extra_steps"], "a number from -8191 to 1024")
    if seed_mode not in _SEED_MODES:
        raise _wrong(name, "seed_mode", seed_mode, f"one of {', '.join(_SEED_MODES)}")


def _parse_hex(name: object, field: str, text: object) -> int:
    if not isinstance(text, str):
        raise _wrong(name, field, text, "a text of up to 16 hex digits")
    digits = text.removeprefix("0x").replace("_", "")
    if not re.fullmatch(r"[0-9a-fA-F]{1,16}", digits):
        raise _wrong(name, field, text, "up to 16 hex digits, after an optional 0x")
    return int(digits, 16)


def _parse_mask(name: object, field: str, text: object) -> int:
    mask = _parse_hex(name, field, text)
    if mask != _f_cells(mask):
        raise _wrong(name, field, text, "only the digits 0 and f")
    return mask


def _parse_boards(name: object, field: str, texts: list[object]) -> list[int]:
    parse = _parse_mask if field == "masks" else _parse_hex
    boards = [parse(name, field, text) for text in texts]
    if len(set(boards)) != len(boards):
        raise _wrong(name, field, texts, "no board twice")
    if field == "seeds" and not boards:
        raise _wrong(name, field, texts, "at least one board")
    return boards


def _check_consistency(formation: Formation) -> None:
    name, seeds = formation.name, formation.seeds
    if formation.walls and formation.masks:
        raise _wrong(name, "masks", formation.to_dict()["masks"], "none when walls is true")
    for seed in seeds:
        if half_sum(seed) != half_sum(seeds[0]) or _count_f(seed) != _count_f(seeds[0]):
            raise _wrong(name, "seeds", _hex(seed), f"the tile sum and f count of {_hex(seeds[0])}")
        if formation.masks and not any(seed & mask == mask for mask in formation.masks):
            raise _wrong(name, "seeds", _hex(seed), "a board that has all f of a mask")
    if not formation.target_cells:
        raise _wrong(name, "target_cells", _hex(0), "at least one cell")
    for destination in destinations(formation.symmetry):
        _check_invariance(formation, destination)


def _check_invariance(formation: Formation, destination: list[int]) -> None:
    """A board and its image count as one position, so both must be inside, or reach the target."""
    name, symmetry = formation.name, formation.symmetry
    shapes = {permute(mask, destination) for mask in formation.masks}
    if shapes != set(formation.masks):
        masks = formation.to_dict()["masks"]
        raise _wrong(name, "masks", masks, f"masks that the symmetry {symmetry!r} keeps")
    if permute(formation.target_cells, destination) != formation.target_cells:
        cells = _hex(formation.target_cells)
        raise _wrong(name, "target_cells", cells, f"cells that the symmetry {symmetry!r} keeps")
    if formation.walls and permute(_f_cells(formation.seeds[0]), destination) != _f_cells(
        formation.seeds[0]
    ):
        seed = _hex(formation.seeds[0])
        raise _wrong(name, "seeds", seed, f"walls that the symmetry {symmetry!r} keeps")


__all__ = [
    "CONFIG_PATH",
    "TARGETS",
    "Formation",
    "check_target",
    "find_formation",
    "half_sum",
    "load_formations",
    "parse_formation",
]
