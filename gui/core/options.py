"""What a value that is kept in a file may be: its default, a test, and the test in words."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.language import mark, tr

_MOST_TEXT = 10_000  # characters
_MOST_TEXTS = 10_000
_DEEPEST = 20  # lists and objects inside one another

Check = Callable[[Any], bool]


@dataclass(frozen=True)
class Expected:
    """What a value may be, in words: an English text with its values, translated when shown."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return tr(self.text, **self.values)


@dataclass(frozen=True)
class Option:
    """One setting: its default, the test that a value must pass, and that test in words."""

    default: Any
    is_valid: Check
    expected: Expected


def one_of(*values: Any) -> tuple[Check, Expected]:
    """Return the test for one of some values, and what it expects in words."""
    return lambda value: value in values, Expected(
        mark("one of {values}"), {"values": ", ".join(map(repr, values))}
    )


def number(low: float, high: float) -> tuple[Check, Expected]:
    """Return the test for a number within bounds, and what it expects in words."""

    def check(value: Any) -> bool:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and low <= value <= high

    return check, Expected(mark("a number from {low} to {high}"), {"low": low, "high": high})


def whole(low: int, high: int) -> tuple[Check, Expected]:
    """Return the test for a whole number within bounds, and what it expects in words."""

    def check(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return check, Expected(mark("a whole number from {low} to {high}"), {"low": low, "high": high})


def of_type(kind: type, words: str) -> tuple[Check, Expected]:
    """Return the test for a value of one type, and what it expects in words."""
    return lambda value: isinstance(value, kind), Expected(words)


def text(words: str) -> tuple[Check, Expected]:
    """Return the test for a text that may be the name of a folder, and what it expects in words."""
    return _is_text, Expected(words)


def _is_text(value: Any) -> bool:
    """Tell whether a value is a text that the system takes, as the name of a folder perhaps."""
    if not isinstance(value, str) or len(value) > _MOST_TEXT or "\0" in value:
        return False
    try:
        value.encode("utf-8", "surrogateescape")  # names of files may be of any bytes
    except UnicodeEncodeError:
        return False
    return True


def texts() -> tuple[Check, Expected]:
    """Return the test for a list of texts, and what it expects in words."""

    def check(value: Any) -> bool:
        return isinstance(value, list) and len(value) <= _MOST_TEXTS and all(map(_is_text, value))

    return check, Expected(mark("a list of texts"))


def places() -> tuple[Check, Expected]:
    """Return the test for files with positions in them, and what it expects in words."""

    def is_place(item: Any) -> bool:
        is_pair = isinstance(item, list) and len(item) == 2
        return is_pair and _is_text(item[0]) and whole(0, 1 << 31)[0](item[1])

    def check(value: Any) -> bool:
        return isinstance(value, list) and len(value) <= _MOST_TEXTS and all(map(is_place, value))

    return check, Expected(mark("a list of files and positions in them"))


def facts() -> tuple[Check, Expected]:
    """Return the test for plain facts by name, and what it expects in words."""

    def check(value: Any) -> bool:
        return isinstance(value, dict) and len(value) <= _MOST_TEXTS and is_plain(value)

    return check, Expected(mark("facts by name"))


def keys() -> tuple[Check, Expected]:
    """Return the test for keys by the names of actions, and what it expects in words."""

    def check(value: Any) -> bool:
        if not isinstance(value, dict) or not is_plain(value):
            return False
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return False
        return True

    return check, Expected(mark("keys by the names of actions"))


def is_plain(value: Any, depth: int = 0) -> bool:
    """Tell whether a JSON value is nested so little that it can be written again."""
    inside = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)):
        return True
    return depth < _DEEPEST and all(is_plain(one, depth + 1) for one in inside)


YES_OR_NO = of_type(bool, mark("true or false"))
