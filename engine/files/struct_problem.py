"""Why JSON does not have the shape of a class: msgspec's error in words for people."""

import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import ValidationError, inspect

_PLACE = re.compile(r" - at `(?:key` in `)?\$([^`]*)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\].*")  # what is below [...] has no known name
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*?)`( - at `\$|$)", re.S)
_PLURAL = re.compile(r"'[a-z_]{3,}s'")
_SOME = "a value"
_Steps = Sequence[str | int]


def describe_problem(value: object, kind: object, error: ValidationError) -> str:
    """Return what is wrong with a value that cannot be converted to a type.

    Parameters
    ----------
    value : object
        Plain data, as JSON describes it.
    kind : type
    error : ValidationError
        What the conversion raised.
    """
    place = _PLACE.search(str(error))
    found = _STEP.finditer(place[1] if place else "")
    steps = [step[1] or (int(step[2]) if step[2] else _SOME) for step in found]
    try:
        value, node = _at(value, inspect.type_info(kind), steps)
    except (LookupError, TypeError, AttributeError):  # the name of a field looks like a place
        return f"{error!s:.100}"
    names = _names(steps)
    if isinstance(error.__cause__, ValueError):  # of a __post_init__
        return ": ".join([*names, str(error.__cause__)])
    if field := _FIELD.match(str(error)):
        known = ", ".join(one.encode_name for one in getattr(_plain(node), "fields", ()))
        is_missing = field[1] == "missing required"
        complaint = "missing" if is_missing else f"unknown; expected only {known}"
        return ": ".join([*names, f"{field[2]!r:.60} is {complaint}"])
    *outer, name = names or ["it"]
    return ": ".join([*outer, f"{name} is {reprlib.repr(value)}; expected {_expected(node)}"])


def _at(value: Any, node: Any, steps: _Steps) -> tuple[object, Any]:
    """Return what is at a place, and the type that it should have."""
    for step in steps:
        node = _plain(node)
        if step == _SOME:
            return value, node.value_type
        value = value[step]
        if isinstance(step, str):
            node = {field.encode_name: field.type for field in node.fields}[step]
        else:
            is_tuple = isinstance(node, inspect.TupleType)
            node = node.item_types[step] if is_tuple else node.item_type
    return value, node


def _plain(node: Any) -> Any:
    """Return what a type is that may also be null, or has a description."""
    if isinstance(node, inspect.UnionType):
        return _plain(next(one for one in node.types if not isinstance(one, inspect.NoneType)))
    return _plain(node.type) if isinstance(node, inspect.Metadata) else node


def _names(steps: _Steps) -> list[str]:
    """Return the way to a value in words: "move 3", "'cell'"."""
    names: list[str] = []
    for step in steps:
        if isinstance(step, str):
            names.append(step if step == _SOME else repr(step))
        elif names and _PLURAL.fullmatch(names[-1]):
            names[-1] = f"{names[-1][1:-2]} {step + 1}"
        else:
            names.append(f"entry {step + 1}")
    return names


def _expected(node: Any) -> str:
    """Return a type in words."""
    match node:
        case inspect.Metadata(type=of, extra_json_schema=said):
            return (said or {}).get("description") or _expected(of)
        case inspect.UnionType(types=types):
            words = [_expected(one) for one in types if not isinstance(one, inspect.NoneType)]
            return " or ".join(words) + ", or null" * (len(words) < len(types))
        case inspect.LiteralType(values=values):
            return _any_of(map(str, values))
        case inspect.EnumType(cls=enum):
            return _any_of(str(one.value) for one in enum)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number{_range(low, high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number{_range(low, high)}"
        case inspect.StrType(min_length=low, max_length=high):
            return "a text" + _length(low, high, "characters")
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}"
        case (
            inspect.ListType(min_length=low, max_length=high)
            | inspect.VarTupleType(min_length=low, max_length=high)
        ):
            return "a list" + _length(low, high, "entries")
    return "an object"


def _any_of(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _range(low: float | None, high: float | None) -> str:
    match low, high:
        case None, None:
            return ""
        case _, None:
            return f" of at least {low}"
        case None, _:
            return f" of at most {high}"
    return f" from {low} to {high}"


def _length(low: int | None, high: int | None, of: str) -> str:
    if low is None and high is None:
        return ""
    if low == high:
        return f" of {low} {of}"
    return f"{_range(low or 0, high)} {of}".replace(" from", " of")
