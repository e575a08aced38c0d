"""What one setting is: its kind, its default, where it stands, and what is said about it."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gui.core.options import (
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
    """One value that is offered: how it is called, and what follows from it; both marked."""

    value: Hashable
    words: str
    note: str = ""


class Kind(Protocol):
    """What the values of a setting are."""

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test that a value must pass, and that test in words."""
        ...


@dataclass(frozen=True)
class Switch:
    """On or off."""

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for true and false."""
        return YES_OR_NO


@dataclass(frozen=True)
class OneOf:
    """One of a few values; `is_menu` where their words are too long to stand side by side."""

    choices: Sequence[Shown]
    is_menu: bool = False
    hidden: tuple[Hashable, ...] = ()  # values that are allowed and not offered

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for one of them."""
        return one_of(*(choice.value for choice in self.choices), *self.hidden)


@dataclass(frozen=True)
class Number:
    """A number within bounds.

    Attributes
    ----------
    low, high : float
        As they are kept.
    is_whole : bool
    factor : float
        What a value is multiplied by to be shown: 100 for a share shown in percent.
    unit : str
        What stands after it.
    decimals, step : int, float
        As it is shown.
    lowest : str
        What the lowest value is called, marked; "" for its digits.
    usual : sequence of Shown
        Values that are offered side by side, instead of a field for any of them.
    """

    low: float
    high: float
    is_whole: bool = False
    factor: float = 1
    unit: str = ""
    decimals: int = 0
    step: float = 1
    lowest: str = ""
    usual: Sequence[Shown] = ()

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for a number within the bounds."""
        return (
            whole(int(self.low), int(self.high)) if self.is_whole else number(self.low, self.high)
        )


@dataclass(frozen=True)
class Name:
    """The name of something that there may be on one computer and not on another."""

    expected: str  # marked

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for a text."""
        return text(self.expected)


@dataclass(frozen=True)
class Folder:
    """A folder; "" for the usual one."""

    expected: str  # marked

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for what may be the name of a folder."""
        return text(self.expected)


@dataclass(frozen=True)
class Folders:
    """Any number of folders."""

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for a list of texts."""
        return texts()


@dataclass(frozen=True)
class KeyChoice:
    """The keys of actions; see `gui.core.shortcuts`."""

    @property
    def test(self) -> tuple[Check, Expected]:
        """The test for keys by the names of actions."""
        return keys()


@dataclass(frozen=True)
class Remark:
    """A sentence, marked, and when it is true: asked with the value and all the other values."""

    text: str
    applies: Callable[[Any, Values], bool]


@dataclass(frozen=True)
class Setting:
    """One setting; everything that is said about it is a marked constant.

    Attributes
    ----------
    key : str
        Its name in ``settings.json``.
    kind : Kind
    default
    section : str
        The key of a section of `gui.core.settings_table`.
    group : str
        The card that it stands in there.
    title : str
        What it is called.
    help : str
        What it does, in one sentence.
    warnings : sequence of Remark
        What a person may not expect of a value.
    locks : sequence of Remark
        When it cannot be changed, and why.
    needs_restart : bool
        Whether it takes effect the next time the program starts.
    page : str
        The title of the only page where it can be changed; "" for Settings.
    """

    key: str
    kind: Kind
    default: Any
    section: str
    group: str
    title: str
    help: str
    warnings: Sequence[Remark] = ()
    locks: Sequence[Remark] = ()
    needs_restart: bool = False
    page: str = ""

    @property
    def option(self) -> Option:
        """What its value may be."""
        return Option(self.default, *self.kind.test)

    @property
    def choices(self) -> Sequence[Shown]:
        """The values that are offered; none where any of a range may be chosen."""
        if isinstance(self.kind, OneOf):
            return self.kind.choices
        return self.kind.usual if isinstance(self.kind, Number) else ()

    def said(self, remarks: Sequence[Remark], value: Any, values: Values) -> str:
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
    """Return whether a value is another one, as `Remark` asks it."""
    return lambda found, _: bool(found != value)


def is_above(value: float) -> Callable[[Any, Values], bool]:
    """Return whether a value is above another one, as `Remark` asks it."""
    return lambda found, _: bool(found > value)
