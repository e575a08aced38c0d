"""The file of formations, and the user's own file.

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

``seed_mode: "generated"`` marks the free formations, whose layer 0 is computed from a seed. No
masks mean that the large tiles may stand anywhere; a seed with more F than a mask adds *free* ones,
which may stand anywhere else. ``patterns_config.schema.json`` describes every field.

The user's own formations are in a file of the same format in the data folder; one with the name of
a built-in formation replaces it. The file of that name of 2048EndgameTablebase is read as well (see
`tablebase.formation.reference_file`), except entries that cannot be used here.
"""

import difflib
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.platform.language import tr
from engine.platform.project_files import project_file
from tablebase.errors import FormationError, UnknownFormationError
from tablebase.formation.checks import check_consistency, check_fields, parse_boards, parse_mask
from tablebase.formation.formation import Formation, check_buildable
from tablebase.formation.goal import TARGETS, TileGoal
from tablebase.formation.json_file import read_json
from tablebase.formation.reference_file import is_reference, our_entries

_logger = logging.getLogger(__name__)

CONFIG_PATH = project_file("patterns_config.json")
_FILE_FIELDS = ("$schema", "version", "formations")


def parse_formation(entry: object) -> Formation:
    """Return the formation of an entry; FormationError names formation, field and value."""
    if not isinstance(entry, dict):
        raise FormationError(
            "a formation must be an object with named fields, not {entry!r:.80}", entry=entry
        )
    name = entry.get("name", "(unnamed)")
    check_fields(name, entry)
    formation = Formation(
        name=name,
        category=entry["category"],
        masks=parse_boards(name, "masks", entry["masks"]),
        target_cells=parse_mask(name, "target_cells", entry["target_cells"]),
        symmetry=entry["symmetry"],
        seeds=parse_boards(name, "seeds", entry["seeds"]),
        extra_steps=entry["extra_steps"],
        walls=entry["walls"],
        seed_mode=entry.get("seed_mode", "explicit"),
    )
    check_consistency(formation)
    if all(TileGoal(target).why_no_layers(formation) for target in TARGETS):
        check_buildable(formation, TARGETS[-1])
    return formation


def load_formations(path: Path | None = None, own: Path | None = None) -> dict[str, Formation]:
    """Return all formations by name, in the order of the files.

    Those of the project's file (or of `path`) come first; those of the user's `own` file, which may
    be absent, are added, and replace those of the same name. FormationError names the file.
    """
    formations = read_formations(path or CONFIG_PATH)
    if own is not None and own.exists():
        for name, formation in read_own(own).items():
            _refuse_twin(own, name, [other for other in formations if other != name])
            formations[name] = formation
    return formations


def find_formation(name: str, formations: Mapping[str, Formation]) -> Formation:
    if name in formations:
        return formations[name]
    close = difflib.get_close_matches(name, formations, n=3, cutoff=0.3)  # names are short
    if not close:
        raise UnknownFormationError("no formation {name!r} in patterns_config.json", name=name)
    names = repr(close[0])
    for other in close[1:]:
        names = tr("{names} or {other!r}", names=names, other=other)
    raise UnknownFormationError(
        "no formation {name!r} in patterns_config.json; did you mean {names}?",
        name=name,
        names=names,
    )


def read_formations(path: Path) -> dict[str, Formation]:
    """Return the formations of one file by name, in its order; FormationError names the file."""
    return _formations_in(path, read_json(path))


def _formations_in(path: Path, data: Any) -> dict[str, Formation]:
    if is_reference(data):
        formations, problems = parse_reference(data)
        for problem in problems:
            _logger.warning("%s: left out: %s", path, problem)
        if not formations:
            raise FormationError(f"{path}: {problems[0]}")
        return formations
    if not isinstance(data, dict) or type(data.get("version")) is not int or data["version"] != 1:
        raise FormationError('{path}: expected an object with "version": 1', path=path)
    for field in data:
        if field not in _FILE_FIELDS:
            names = ", ".join(_FILE_FIELDS)
            raise FormationError(
                "{path}: field {field!r:.80}: expected only {known}",
                path=path,
                field=field,
                known=names,
            )
    entries = data.get("formations")
    if not isinstance(entries, list) or not entries:
        raise FormationError(
            '{path}: "formations" must be a list of at least one formation', path=path
        )
    formations = {}
    for entry in entries:
        try:
            formation = parse_formation(entry)
        except FormationError as error:
            raise FormationError(f"{path}: {error}") from error
        _refuse_twin(path, formation.name, formations)
        formations[formation.name] = formation
    return formations


def read_own(path: Path) -> dict[str, Formation]:
    """Return the formations of a user's file; errors as in `read_formations`.

    The file of 2048EndgameTablebase defines all of its formations: those that are built in with the
    same definition are left out.
    """
    data = read_json(path)
    formations = _formations_in(path, data)
    if not is_reference(data):
        return formations
    built_in = read_formations(CONFIG_PATH)
    return {
        name: formation
        for name, formation in formations.items()
        if name not in built_in or not is_same_definition(formation, built_in[name])
    }


def is_same_definition(formation: Formation, other: Formation) -> bool:
    return _definition(formation) == _definition(other)


def parse_reference(data: Mapping[str, object]) -> tuple[dict[str, Formation], list[str]]:
    """Return the formations of 2048EndgameTablebase in the value of its file, and the problems.

    Those that cannot be used here are left out, with a sentence each.
    """
    formations: dict[str, Formation] = {}
    problems = []
    for entry in our_entries(data):
        try:
            formation = parse_formation(entry)
            _refuse_twin(CONFIG_PATH.name, formation.name, formations)
        except FormationError as error:
            problems.append(str(error))
        else:
            formations[formation.name] = formation
    return formations, problems


def _definition(formation: Formation) -> tuple[object, ...]:
    cells = frozenset(formation.masks), formation.target_cells, frozenset(formation.seeds)
    steps = formation.extra_steps, formation.seed_mode
    return (*cells, formation.symmetry, formation.walls, *steps)


def _refuse_twin(path: Path | str, name: str, others: Iterable[str]) -> None:
    """Refuse a second name that some drives would keep in the same folder."""
    for other in others:
        if other.lower() == name.lower():
            raise FormationError(
                "{path}: formation {name!r}: field name: used twice, as {other!r} too",
                path=path,
                name=name,
                other=other,
            )
