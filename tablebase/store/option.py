"""One option of a table, as every way to choose it needs it: see `tablebase.store.options`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Kind = Literal["share", "whole", "tile", "bytes", "choice", "switch", "folder", "length"]

_TYPES: dict[str, tuple[type, ...]] = {
    "share": (int, float),
    "choice": (str,),
    "switch": (bool,),
    "folder": (str,),
    "length": (str,),
}


class NumberRange(NamedTuple):
    """The numbers from `low` to below `high`; without `low` itself if it is open."""

    low: float
    high: float
    is_open: bool = False

    def accepts(self, value: float) -> bool:
        return self.low <= value < self.high and not (self.is_open and value == self.low)


class TextPattern(NamedTuple):
    """The texts that a regular expression matches."""

    expression: str

    def accepts(self, value: str) -> bool:
        return re.fullmatch(self.expression, value, re.ASCII) is not None


class Offered(NamedTuple):
    """A value that the window offers: its name and its effect, both marked for translation."""

    value: int | str
    words: str
    note: str = ""


@dataclass(eq=False, repr=False)  # every start makes this class
class TableOption:
    """One option; all of its texts are marked constants."""

    default: Any  # a value that is not valid itself stands for none: what is used is found later
    kind: Kind
    values: NumberRange | TextPattern | Sequence[Any]  # `TableOptions.check` says which go together
    # "contents" for what a table holds, "limits" for what giant ones leave out, "manner" for what
    # changes no answer.
    group: str
    help: str
    title: str  # its name in the window
    note: str  # its effect in one sentence
    metavar: str = ""
    refusal: str = ""  # the message about another value, which it has as ``{name}``
    # The message about another ``{text}`` on the command line; by default that of the kind, which
    # calls it `noun`.
    word_refusal: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)  # the numbers in these texts, by name
    noun: str = ""
    offered: Sequence[Offered] = ()  # the choices of the window; none for a field or a switch
    lowest: str = ""  # what the window calls the lowest number
    expected: str = ""  # what the window expects in a field for text
    flag: str = ""  # its name on the command line and in HTTP, where it is another one
    wire_bounds: tuple[float, float] = (0, 0)  # in HTTP; the command that is started knows better
    is_for_programs: bool = True  # whether HTTP and the Python API have it
    name: str = ""

    def named(self, name: str) -> "TableOption":
        self.name = name
        return self

    @property
    def has_default(self) -> bool:
        """Whether the default is a value, and not the lack of one."""
        return self.accepts(self.default)

    def accepts(self, value: Any) -> bool:
        """Return whether a value is of the right type, and valid by itself."""
        types = _TYPES.get(self.kind, (int,))
        is_of_type = isinstance(value, types) and (bool in types or not isinstance(value, bool))
        if not is_of_type or not isinstance(self.values, NumberRange | TextPattern):
            return is_of_type and value in self.values
        return self.values.accepts(value)

    def words(self, value: object) -> list[str]:
        flag = f"--{(self.flag or self.name).replace('_', '-')}"
        return [flag] if self.kind == "switch" else [flag, str(value)]


def option(default: Any, *args: Any, **texts: Any) -> Any:
    """Return the dataclass field of an option; the arguments are those of `TableOption`."""
    return field(default=default, metadata={"option": TableOption(default, *args, **texts)})
