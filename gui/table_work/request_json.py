"""Requests as plain JSON, and back. The input may come from an untrusted file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from engine.platform.language import tr
from gui.table_work.requests import (
    BuildRequest,
    ConvertRequest,
    ImportRequest,
    RelocateRequest,
    Request,
)
from tablebase.formation.goal import Goal, goal_in, goal_of
from tablebase.store.options import OPTIONS

KINDS: Mapping[str, type[Request]] = {
    "build": BuildRequest,
    "import": ImportRequest,
    "convert": ConvertRequest,
    "relocate": RelocateRequest,
}
_NAME = re.compile(r"\w[\w.+-]{0,99}")  # not an option of a command, and not a path
_TILES = tuple(1 << exponent for exponent in range(1, 17))
_MAX_PATH_LENGTH = 10_000
_MAX_LAYERS = 1_000_000


def to_json(request: Request) -> dict[str, Any]:
    kind = next(name for name, kind in KINDS.items() if type(request) is kind)
    values = {field.name: getattr(request, field.name) for field in fields(request)}
    plain = {name: str(v) if isinstance(v, Path) else v for name, v in values.items()}
    return {"kind": kind, **plain, "target": goal_of(request.target).json}


def from_json(data: object) -> Request:
    """Return the request that an object describes; raise ValueError, which says why, if invalid."""
    if not isinstance(data, dict) or str(data.get("kind")) not in KINDS:
        raise ValueError(tr("expected one of {kinds}", kinds=", ".join(KINDS)))
    kind = KINDS[str(data["kind"])]
    fields_of_kind = {field.name: field for field in fields(kind)}
    if unknown := data.keys() - fields_of_kind.keys() - {"kind"}:
        raise ValueError(tr("unknown field {name!r}", name=min(unknown)[:40]))
    values = {}
    for name, field in fields_of_kind.items():
        if name in data:
            try:
                values[name] = _read(data[name], field)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(tr("the field {name!r} has a wrong value", name=name)) from error
        elif field.default is MISSING:
            raise ValueError(tr("the field {name!r} is missing", name=name))
    return kind(**values)


def _check(is_right: bool) -> None:
    if not is_right:
        raise ValueError


def _name(value: object) -> str:
    _check(isinstance(value, str) and _NAME.fullmatch(value) is not None)
    return str(value)


def _target(value: object) -> Goal:
    goal = goal_in(value)
    if goal is None:
        raise TypeError
    _check(goal.tile in _TILES if goal.tile else goal.is_possible)
    return goal


def _path(value: object) -> Path:
    _check(isinstance(value, str) and len(value) <= _MAX_PATH_LENGTH and "\0" not in value)
    path = Path(str(value))
    _check(path.is_absolute())
    return path


def _yes_or_no(value: object) -> bool:
    _check(isinstance(value, bool))
    return bool(value)


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        _check(low <= value <= high)
        return value

    return read


def _layers(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError
    first, last = map(_whole(0, _MAX_LAYERS), value)
    _check(first <= last)
    return first, last


def _read(value: object, field: "Field[Any]") -> Any:
    option = OPTIONS.get(field.name)
    if option is None:
        return _READERS[field.name](value)
    is_default = type(value) is type(field.default) and value == field.default
    _check(is_default or option.accepts(value))
    if option.kind == "folder" and value:
        return str(_path(value))
    return float(value) if isinstance(value, int) and option.kind == "share" else value


_READERS: Mapping[str, Callable[[object], Any]] = {
    "pattern": _name,
    "target": _target,
    "folder": _path,
    "source": _path,
    "to": _path,
    "is_copy": _yes_or_no,
    "layers": _layers,
    "most_bytes": _whole(0, 1 << 62),
}
