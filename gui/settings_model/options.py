"""Options for stored values: a default, a validity test, and its description."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.platform.language import mark, tr

_MAX_TEXT = 10_000  # characters
_MAX_TEXTS = 10_000
_DEEPEST = 20  # nested lists and objects

Check = Callable[[Any], bool]


@dataclass(frozen=True)
class Expected:
    """A description of valid values: an English text with its arguments, translated when shown."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return tr(self.text, **self.values)


@dataclass(frozen=True)
class Option:
    """The option for a value: its default, its validity test, and the test's description."""

    default: Any
    is_valid: Check
    expected: Expected


def one_of(*values: Any) -> tuple[Check, Expected]:
    return lambda value: value in values, Expected(
        mark("one of {values}"), {"values": ", ".join(map(repr, values))}
    )


def number(low: float, high: float) -> tuple[Check, Expected]:
    def check(value: Any) -> bool:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and low <= value <= high

    return check, Expected(mark("a number from {low} to {high}"), {"low": low, "high": high})


def whole(low: int, high: int) -> tuple[Check, Expected]:
    def check(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return check, Expected(mark("a whole number from {low} to {high}"), {"low": low, "high": high})


def of_type(kind: type, words: str) -> tuple[Check, Expected]:
    return lambda value: isinstance(value, kind), Expected(words)


def text(words: str) -> tuple[Check, Expected]:
    return _is_text, Expected(words)


def _is_text(value: Any) -> bool:
    """Return whether a value is a text that the system accepts, for example as a folder name."""
    if not isinstance(value, str) or len(value) > _MAX_TEXT or "\0" in value:
        return False
    try:
        value.encode("utf-8", "surrogateescape")  # file names may contain any bytes
    except UnicodeEncodeError:
        return False
    return True


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= _MAX_TEXTS and all(map(_is_text, value))


def _are_places(value: Any) -> bool:
    def is_place(item: Any) -> bool:
        is_pair = isinstance(item, list) and len(item) == 2
        return is_pair and _is_text(item[0]) and whole(0, 1 << 31)[0](item[1])

    return isinstance(value, list) and len(value) <= _MAX_TEXTS and all(map(is_place, value))


def _are_facts(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= _MAX_TEXTS and is_plain(value)


def _are_keys(value: Any) -> bool:
    if not isinstance(value, dict) or not is_plain(value):
        return False
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_plain(value: Any, depth: int = 0) -> bool:
    """Return whether a JSON value is not too deeply nested to be written again."""
    inside = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)):
        return True
    return depth < _DEEPEST and all(is_plain(part, depth + 1) for part in inside)


YES_OR_NO = of_type(bool, mark("true or false"))
TEXTS: tuple[Check, Expected] = _are_texts, Expected(mark("a list of texts"))
FILE_PLACES: tuple[Check, Expected] = (
    _are_places,
    Expected(mark("a list of files and positions in them")),
)
FACTS: tuple[Check, Expected] = _are_facts, Expected(mark("facts by name"))
KEYS: tuple[Check, Expected] = _are_keys, Expected(mark("keys by the names of actions"))
