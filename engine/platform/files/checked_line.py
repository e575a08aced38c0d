"""Items as checked lines of text, to be mailed, posted and kept: one item per line.

    2048-puzzle/1 formation=L3 target=512 ... check=5f3a90c1

A name and its version, then fields in a fixed order, separated by single spaces; ``check`` is the
CRC-32 of the fields before it. Changes that mail makes to a line are undone: quote marks in front,
more or fewer spaces, also around ``=`` and inside the board, and line breaks, up to the check. Any
other change is detected. Lines that begin with # are skipped.
"""

import re
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Generic, TypeVar

from engine.platform.errors import AppError
from engine.platform.language import listed, tr, trn

T = TypeVar("T")
MAX_BYTES = 16 << 20
"""Size limit of a file: some 80,000 lines."""

MAX_PROBLEMS = 100
"""After this many invalid lines, a text is not taken for a list of items."""

_CHECK, _BOARD = "check", "board"
_MAX_CHARACTERS = 1000  # of one item, however mail has broken its line
_MAX_SHOWN = 40
_QUOTED = re.compile(r"^[\s>|\ufeff]+")
_EQUALS = re.compile(r"\s*=\s*")
_NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True)
class ReadItems(Generic[T]):
    """The items read from a text."""

    # tuple of (int, thing): each item with its line number, from 1.
    found: tuple[tuple[int, T], ...]
    problems: tuple[str, ...]  # a sentence for each invalid line, with its number


@dataclass(frozen=True)
class LineFormat:
    """The format of lines."""

    name: str
    version: str
    # Without the check. A field named ``board`` may have its digits in groups.
    fields: tuple[str, ...]
    error: type[AppError]  # raised for an invalid line; the message says why
    # English messages, marked: that a text is not such a line, with its start and the expected
    # head; that there are too many invalid lines.
    none_text: str
    too_many_text: str

    @property
    def head(self) -> str:
        return f"{self.name}/{self.version}"

    def write(self, values: Mapping[str, str]) -> str:
        body = self._body(values)
        return f"{self.head} {body} {_CHECK}={_checksum(body)}"

    def is_in(self, text: str) -> bool:
        head = f"{self.name}/"
        return any(_QUOTED.sub("", line).startswith(head) for line in text.splitlines())

    def read_all(self, text: str, read_line: Callable[[str], T]) -> ReadItems[T]:
        """`read_line` returns the item in a line, or raises AppError."""
        items: list[tuple[int, T]] = []
        problems: list[str] = []
        for number, line in self._records(text):
            try:
                items.append((number, read_line(line)))
            except AppError as error:
                problems.append(tr("line {number}: {problem}", number=number, problem=error))
            if len(problems) == MAX_PROBLEMS:
                said = tr(self.too_many_text)
                problems.append(tr("line {number}: {problem}", number=number, problem=said))
                break
        return ReadItems(tuple(items), tuple(problems))

    def read(self, line: str) -> dict[str, str]:
        """All values are present, and the check is right."""
        head, rest = (*_QUOTED.sub("", line).split(None, 1), "", "")[:2]
        name, _, version = head.partition("/")
        if name != self.name:
            raise self.error(tr(self.none_text, text=shortened(line), head=self.head))
        if version != self.version:
            raise self.error(
                tr(
                    "it is in version {version!r} of the format; this program reads version "
                    "{known}",
                    version=shortened(version),
                    known=self.version,
                )
            )
        if len(line) > _MAX_CHARACTERS:
            raise self.error(
                trn(
                    "it is longer than {n} character",
                    "it is longer than {n:,} characters",
                    _MAX_CHARACTERS,
                )
            )
        values = self._values(rest)
        missing = [field for field in (*self.fields, _CHECK) if field not in values]
        if missing:
            raise self.error(
                tr("{name} is missing; the line may have been cut off", name=missing[0])
            )
        if not re.fullmatch(r"[0-9a-fA-F]{8}", values[_CHECK]):
            raise self.wrong(_CHECK, values[_CHECK], tr("8 hexadecimal digits"))
        if _checksum(self._body(values)) != values[_CHECK].lower():
            raise self.error(
                tr("it was changed on its way: its check doesn't fit; ask for the line again")
            )
        return values

    def share(self, name: str, text: str) -> float:
        number = float(text) if _NUMBER.fullmatch(text) else -1.0
        if not (isfinite(number) and 0 <= number <= 1):
            raise self.wrong(name, text, tr("a number from 0 to 1, or - for no rate"))
        return number

    def one_of(self, name: str, value: str, names: Collection[str]) -> str:
        if value not in names:
            raise self.wrong(name, value, tr("one of {names}", names=listed(names)))
        return value

    def wrong(self, name: str, value: str, expected: str) -> AppError:
        return self.error(
            tr(
                "{name}={value}: expected {expected}",
                name=name,
                value=shortened(value),
                expected=expected,
            )
        )

    def _records(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield each item with the number of its first line; lines that mail broke are joined."""
        begun: list[str] = []
        first = 0
        for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            line = _QUOTED.sub("", raw).rstrip()
            if not line or line.startswith("#"):
                continue
            is_head = line.startswith(self.name)
            if begun and (is_head or _is_whole(begun)):
                yield first, " ".join(begun)
                begun = []
            if not begun:
                first = number
            begun.append(line[: _MAX_CHARACTERS + 1])
            if not (is_head or begun[0].startswith(self.name)):
                yield first, begun[0]
                begun = []
        if begun:
            yield first, " ".join(begun)

    def _values(self, text: str) -> dict[str, str]:
        names = (*self.fields, _CHECK)
        values: dict[str, str] = {}
        name = ""
        for word in _EQUALS.sub("=", text).split():
            before, sign, value = word.partition("=")
            if not sign and name == _BOARD:  # its digits in groups
                values[name] += word
                continue
            name = before.lower()
            if not sign or name not in names:
                raise self.error(
                    tr(
                        "{text!r} doesn't belong there; expected {names}",
                        text=shortened(word),
                        names=listed(names),
                    )
                )
            if name in values:
                raise self.error(tr("{name} is there twice", name=name))
            values[name] = value
        return values

    def _body(self, fields: Mapping[str, str]) -> str:
        return " ".join(f"{name}={fields[name]}" for name in self.fields)


def _is_whole(lines: list[str]) -> bool:
    joined = _EQUALS.sub("=", " ".join(lines))
    return bool(re.search(rf"\b{_CHECK}=[0-9a-fA-F]{{8}}\s*$", joined)) or (
        len(joined) > _MAX_CHARACTERS
    )


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode('utf-8', 'surrogatepass')):08x}"


def shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."
