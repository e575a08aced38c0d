"""argparse's own texts in the language in force, and lines no wider than the terminal.

argparse takes its texts from the gettext of the whole process, which is not ours to set. So its
English texts are recognized in its output; tests compare them with those of the Python in use.
"""

import argparse
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from engine.platform.cli.text import width_of
from engine.platform.language import mark, tr

USAGE = mark("usage: ")
HELP = mark("show this help message and exit")
VERSION = mark("show program's version number and exit")
_TITLES = (mark("positional arguments"), mark("options"))
_MESSAGES = (
    mark("argument {argument}: {problem}"),
    mark("the following arguments are required: {arguments}"),
    mark("one of the arguments {arguments} is required"),
    mark("not allowed with argument {argument}"),
    mark("unrecognized arguments: {arguments}"),
    mark("expected one argument"),
    mark("expected at least one argument"),
    mark("expected at most one argument"),
    mark("expected {n} arguments"),
    mark("ignored explicit argument {argument}"),
    mark("invalid choice: {value} (choose from {choices})"),
    mark("invalid {kind} value: {value}"),
)
_PLACE = re.compile(r"\\{(\w+)\\}")


def title(text: str) -> str:
    return tr(text) if text in _TITLES else text


def message(text: str) -> str:
    """Return an error message of argparse, translated; messages of our own parsers stay.

    >>> message("the following arguments are required: PATTERN")
    'the following arguments are required: PATTERN'
    """
    for template in _MESSAGES:
        pattern = _PLACE.sub(r"(?P<\1>.+?)", re.escape(template))
        if match := re.fullmatch(pattern, text, re.DOTALL):
            values = match.groupdict()
            if "problem" in values:
                values["problem"] = message(values["problem"])
            return tr(template, **values)
    return text


class HelpLayout(argparse.HelpFormatter):
    """Lays out the help: a character that takes two columns counts as two."""

    def add_usage(
        self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None
    ) -> None:
        super().add_usage(usage, actions, groups, tr(USAGE) if prefix is None else prefix)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return list(wrapped(text, width))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text: broken at blanks, and on both sides of a wide character.

    >>> list(wrapped("a table of 442", 10))
    ['a table of', '442']
    """
    line = ""
    for piece in _pieces(" ".join(text.split())):
        if line and width_of(line) + width_of(piece.rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += piece
    yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Yield the unbreakable pieces, each with the blank or the punctuation after it."""
    piece = ""
    for i, sign in enumerate(text):
        piece += sign
        following = text[i + 1 : i + 2]
        if sign == " " or (following and _may_break(sign, following)):
            yield piece
            piece = ""
    yield piece


def _may_break(sign: str, following: str) -> bool:
    is_wide = width_of(sign) > 1 or width_of(following) > 1
    is_closing = unicodedata.category(following) in ("Po", "Pe", "Pf") or following == " "
    return is_wide and not is_closing and unicodedata.category(sign) not in ("Ps", "Pi")
