"""The definition of a setting: its kind, its default, its place, and its texts."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gui.settings_model.options import (
    KEYS,
    TEXTS,
    YES_OR_NO,
    Check,
    Expected,
    Option,
    number,
    one_of,
    text,
    whole,
)

Values = Callable[[str], Any]
"""Returns the value of a setting by its key."""


@dataclass(frozen=True)
class Shown:
    """An offered value: its name and its effect, both marked for translation."""

    value: Hashable
    words: str
    note: str = ""


@dataclass(frozen=True)
class Switch:
    """On or off."""

    @property
    def test(self) -> tuple[Check, Expected]:
        return YES_OR_NO


@dataclass(frozen=True)
class OneOf:
    """One of a few values; `is_menu` if their names are too long to be shown side by side."""

    choices: Sequence[Shown]
    is_menu: bool = False
    hidden: tuple[Hashable, ...] = ()  # values that are allowed but not offered

    @property
    def test(self) -> tuple[Check, Expected]:
        return one_of(*(choice.value for choice in self.choices), *self.hidden)


@dataclass(frozen=True)
class Number:
    """A number within bounds."""

    # low, high: as they are kept.
    low: float
    high: float
    is_whole: bool = False
    factor: float = 1  # factor for display: 100 for a share shown in percent
    unit: str = ""  # text after the number
    # Decimals and step for display.
    decimals: int = 0
    step: float = 1
    lowest: str = ""  # name of the lowest value, marked; "" for its digits
    offered: Sequence[Shown] = ()  # values offered side by side, instead of a field for any value

    @property
    def test(self) -> tuple[Check, Expected]:
        return (
            whole(int(self.low), int(self.high)) if self.is_whole else number(self.low, self.high)
        )


@dataclass(frozen=True)
class Name:
    """The name of something that may exist on one computer and not on another."""

    expected: str  # marked

    @property
    def test(self) -> tuple[Check, Expected]:
        return text(self.expected)


class Folder(Name):
    """A folder; "" for the usual one."""


@dataclass(frozen=True)
class Folders:
    """Any number of folders."""

    @property
    def test(self) -> tuple[Check, Expected]:
        return TEXTS


@dataclass(frozen=True)
class KeyChoice:
    """The keys of actions; see `gui.keys.shortcuts`."""

    @property
    def test(self) -> tuple[Check, Expected]:
        return KEYS


Kind = Switch | OneOf | Number | Name | Folders | KeyChoice
Applies = Callable[[Any, Values], bool]
"""Whether a remark applies, given the value of its setting, and all values."""
Remarks = Mapping[str, Applies]
"""Marked sentences, and when each applies; only the first that does is shown."""


@dataclass(frozen=True)
class Place:
    """Where a setting is: a section of `gui.settings_model.settings_table`, and a card there."""

    section: str  # its key
    group: str  # the title of the card, marked


@dataclass(frozen=True)
class Setting:
    """One setting, on or off unless of another kind; all of its texts are marked constants."""

    key: str  # its name in ``settings.json``
    default: Any
    place: Place
    title: str
    help: str  # its effect, in one sentence
    kind: Kind = Switch()
    warnings: Remarks = field(default_factory=dict)  # about unexpected effects of a value
    locks: Remarks = field(default_factory=dict)  # when and why it cannot be changed
    needs_restart: bool = False  # whether it takes effect the next time the program starts
    page: str = ""  # the title of the only page where it can be changed; "" for Settings
    also: str = ""  # other words that find it, marked: former names, and what people call it
    is_clear: bool = False  # whether the name says it all: no line under it explains it

    @property
    def section(self) -> str:
        return self.place.section

    @property
    def group(self) -> str:
        return self.place.group

    @property
    def option(self) -> Option:
        return Option(self.default, *self.kind.test)

    @property
    def choices(self) -> Sequence[Shown]:
        if isinstance(self.kind, OneOf):
            return self.kind.choices
        return self.kind.offered if isinstance(self.kind, Number) else ()


@dataclass(frozen=True)
class Section:
    """One part of the page of settings; `title` and `help` are marked."""

    key: str
    title: str
    icon: str
    help: str


def first_remark(remarks: Remarks, value: Any, values: Values) -> str:
    return next((text for text, applies in remarks.items() if applies(value, values)), "")


def is_not(value: Any) -> Applies:
    return lambda found, _: bool(found != value)


def is_above(value: float) -> Applies:
    return lambda found, _: bool(found > value)
