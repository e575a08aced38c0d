"""Reasons why JSON does not match a class: msgspec's errors in words for people."""

import json
import re
import reprlib
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from msgspec import ValidationError, inspect

from engine.platform.language import mark, tr

_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\].*")  # below [...], names are unknown
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*?)`( - at `\$|$)", re.S)
_PLURAL = re.compile(r"'[a-z_]{3,}s'")
_SOME = mark("a value")
_OR = mark("{first} or {last}")
_Steps = Sequence[str | int]


class _Bounded(NamedTuple):
    """Texts for numbers, or for lengths, by their bounds."""

    any: str
    least: str
    most: str
    both: str
    exactly: str = ""


_WHOLE = _Bounded(
    mark("a whole number"),
    mark("a whole number of at least {low}"),
    mark("a whole number of at most {high}"),
    mark("a whole number from {low} to {high}"),
)
_NUMBER = _Bounded(
    mark("a number"),
    mark("a number of at least {low}"),
    mark("a number of at most {high}"),
    mark("a number from {low} to {high}"),
)
_TEXT = _Bounded(
    mark("a text"),
    mark("a text of at least {low} characters"),
    mark("a text of at most {high} characters"),
    mark("a text of {low} to {high} characters"),
    mark("a text of {n} characters"),
)
_LIST = _Bounded(
    mark("a list"),
    mark("a list of at least {low} entries"),
    mark("a list of at most {high} entries"),
    mark("a list of {low} to {high} entries"),
    mark("a list of {n} entries"),
)


def describe_problem(value: object, kind: object, error: ValidationError) -> str:
    place = re.search(r" - at `(?:key` in `)?\$([^`]*)`$", str(error))
    places = _STEP.finditer(place[1] if place else "")
    steps = [step[1] or (int(step[2]) if step[2] else _SOME) for step in places]
    try:
        value, node = _at(value, inspect.type_info(kind), steps)
    except (LookupError, TypeError, AttributeError):  # the name of a field looks like a path
        return f"{error!s:.100}"
    names = _names(steps)
    if isinstance(error.__cause__, ValueError):  # from a __post_init__
        return _in_places(names, str(error.__cause__))
    if field := _FIELD.match(str(error)):
        missing = repr(field[2])[:60]
        if field[1] == "missing required":
            return _in_places(names, tr("{field} is missing", field=missing))
        field_names = ", ".join(
            struct_field.encode_name for struct_field in getattr(_plain(node), "fields", ())
        )
        return _in_places(
            names, tr("{field} is unknown; expected only {known}", field=missing, known=field_names)
        )
    is_constant = value is None or isinstance(value, bool)
    found = json.dumps(value) if is_constant else reprlib.repr(value)
    expected = _expected(node)
    if not names:
        return tr("it is {found}; expected {expected}", found=found, expected=expected)
    *outer, name = names
    problem = tr(
        "{field} is {found}; expected {expected}", field=name, found=found, expected=expected
    )
    return _in_places(outer, problem)


def _in_places(names: Sequence[str], problem: str) -> str:
    for name in reversed(names):
        problem = tr("{place}: {problem}", place=name, problem=problem)
    return problem


def _at(value: Any, node: Any, steps: _Steps) -> tuple[object, Any]:
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
    """A type without "or null" and without its description."""
    if isinstance(node, inspect.UnionType):
        return _plain(next(kind for kind in node.types if not isinstance(kind, inspect.NoneType)))
    return _plain(node.type) if isinstance(node, inspect.Metadata) else node


def _names(steps: _Steps) -> list[str]:
    """Return the path to a value in words: "move 3", "'cell'"."""
    names: list[str] = []
    for step in steps:
        if isinstance(step, str):
            names.append(tr(_SOME) if step == _SOME else repr(step))
        elif names and _PLURAL.fullmatch(names[-1]):
            names[-1] = f"{names[-1][1:-2]} {step + 1}"
        else:
            names.append(tr("entry {n}", n=step + 1))
    return names


def _expected(node: Any) -> str:
    match node:
        case inspect.Metadata(type=of, extra_json_schema=said):
            if names := (said or {}).get("enum"):
                return tr("one of {names}", names=", ".join(names))
            return tr((said or {}).get("description", "")) or _expected(of)
        case inspect.UnionType(types=types):
            words = [_expected(kind) for kind in types if not isinstance(kind, inspect.NoneType)]
            either = reduce(lambda first, last: tr(_OR, first=first, last=last), words)
            return (
                either if len(words) == len(types) else tr("{expected}, or null", expected=either)
            )
        case inspect.LiteralType(values=values):
            return _any_of(map(str, values))
        case inspect.EnumType(cls=enum):
            return _any_of(str(kind.value) for kind in enum)
        case inspect.BoolType():
            return tr("true or false")
        case inspect.IntType(ge=low, le=high):
            return _bounded(_WHOLE, low, high)
        case inspect.FloatType(ge=low, le=high):
            return _bounded(_NUMBER, low, high)
        case inspect.StrType(min_length=low, max_length=high):
            return _of_length(_TEXT, low, high)
        case inspect.TupleType(item_types=items):
            return tr("a list of {n}", n=len(items))
        case (
            inspect.ListType(min_length=low, max_length=high)
            | inspect.VarTupleType(min_length=low, max_length=high)
        ):
            return _of_length(_LIST, low, high)
    return tr("an object")


def _any_of(words: Iterable[str]) -> str:
    *others, last = words
    return tr(_OR, first=", ".join(others), last=last) if others else last


def _bounded(texts: _Bounded, low: float | None, high: float | None) -> str:
    match low, high:
        case None, None:
            return tr(texts.any)
        case _, None:
            return tr(texts.least, low=low)
        case None, _:
            return tr(texts.most, high=high)
    return tr(texts.both, low=low, high=high)


def _of_length(texts: _Bounded, low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return tr(texts.exactly, n=low)
    return _bounded(texts, low if high is None else low or 0, high)
