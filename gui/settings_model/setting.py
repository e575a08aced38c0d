"""The definition of a setting: its kind, its default, its place, and its texts."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gui.settings_model.options import (
    YES_OR_NO,
    Check,
    Expected,
    Option,
    keys,
    number,
    one_of,
    text,
    texts,
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


class Kind(Protocol):
    """The kind of values of a setting."""

    @property
    def test(self) -> tuple[Check, Expected]: ...


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


@dataclass(frozen=True)
class Folder:
    """A folder; "" for the usual one."""

    expected: str  # marked

    @property
    def test(self) -> tuple[Check, Expected]:
        return text(self.expected)


@dataclass(frozen=True)
class Folders:
    """Any number of folders."""

    @property
    def test(self) -> tuple[Check, Expected]:
        return texts()


@dataclass(frozen=True)
class KeyChoice:
    """The keys of actions; see `gui.keys.shortcuts`."""

    @property
    def test(self) -> tuple[Check, Expected]:
        return keys()


@dataclass(frozen=True)
class Remark:
    """A marked sentence, and a predicate for when it applies, given the value and all values."""

    text: str
    applies: Callable[[Any, Values], bool]


@dataclass(frozen=True)
class Setting:
    """One setting; all of its texts are marked constants."""

    key: str  # its name in ``settings.json``
    kind: Kind
    default: Any
    section: str  # the key of a section of `gui.settings_model.settings_table`
    group: str  # the card that contains it there
    title: str
    help: str  # its effect, in one sentence
    warnings: Sequence[Remark] = ()  # warnings about unexpected effects of a value
    locks: Sequence[Remark] = ()  # when and why it cannot be changed
    needs_restart: bool = False  # whether it takes effect the next time the program starts
    page: str = ""  # the title of the only page where it can be changed; "" for Settings

    @property
    def option(self) -> Option:
        return Option(self.default, *self.kind.test)

    @property
    def choices(self) -> Sequence[Shown]:
        if isinstance(self.kind, OneOf):
            return self.kind.choices
        return self.kind.offered if isinstance(self.kind, Number) else ()

    def remark(self, remarks: Sequence[Remark], value: Any, values: Values) -> str:
        """Return the first of its warnings or locks that applies, marked; "" for none."""
        return next((one.text for one in remarks if one.applies(value, values)), "")


@dataclass(frozen=True)
class Section:
    """One part of the page of settings; `title` and `help` are marked."""

    key: str
    title: str
    icon: str
    help: str


def is_not(value: Any) -> Callable[[Any, Values], bool]:
    return lambda found, _: bool(found != value)


def is_above(value: float) -> Callable[[Any, Values], bool]:
    return lambda found, _: bool(found > value)
