"""Values on the command line: accepted values, and messages about all others."""

import argparse
import math
import os
import re
import reprlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.platform.errors import AppError
from engine.platform.files.input_file import is_nameable
from engine.platform.language import mark, tr

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


class ArgumentRefusedError(argparse.ArgumentTypeError):
    """A value that is refused; the text is translated, and has these values in it."""

    def __init__(self, text: str, /, **values: Any) -> None:
        super().__init__(tr(text, **values))


def check_apart(**named: Path | None) -> None:
    seen: dict[str, str] = {}
    for name, path in named.items():
        if path is None:
            continue
        option = f"--{name.replace('_', '-')}"
        place = os.path.normcase(os.path.realpath(path))
        other = seen.setdefault(place, option)
        if other != option:
            raise AppError(
                "{one} and {other} name the same file {path}: choose two",
                one=other,
                other=option,
                path=path,
            )


def directory(text: str) -> Path:
    """Return a folder, which need not exist, with ~ expanded; refuse any other name."""
    if not text:
        raise ArgumentRefusedError("'' is not a folder: expected the name of one")
    if not is_nameable(Path(text)):
        raise ArgumentRefusedError("no folder can be called {text}", text=reprlib.repr(text))
    expanded = os.path.expanduser(text)
    if expanded == text and text.startswith("~"):
        raise ArgumentRefusedError(
            "{text!r}: this computer has no user of that name; expected a folder such as "
            "~/tables, or ./{text} for one in the current folder",
            text=text,
        )
    if os.path.exists(expanded) and not os.path.isdir(expanded):
        raise ArgumentRefusedError(
            "{path} is not a folder: expected the name of one", path=expanded
        )
    return Path(expanded)


def file(text: str) -> Path:
    if not text or not is_nameable(Path(text)):
        raise ArgumentRefusedError("no file can be called {text}", text=reprlib.repr(text))
    return Path(text)


def probability(text: str) -> float:
    """Return a number between 0 and 1, both excluded."""
    value = number_or_nan(text)
    if not 0.0 < value < 1.0:
        raise ArgumentRefusedError(
            "{text!r}: expected a number above 0 and below 1, such as 0.1", text=text
        )
    return value


def milliseconds(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = number_or_nan(text)
        if not least <= value <= most:
            raise ArgumentRefusedError(
                "{text!r}: expected milliseconds, {least:.12g} to {most:.12g}",
                text=text,
                least=least,
                most=most,
            )
        return value

    return read


def sample_size(text: str) -> int:
    return whole_number(text, 0, 1_000_000_000, "values")


def seed(text: str) -> int:
    return whole_number(text, 0, (1 << 64) - 1, tr("the seed"))


def memory_size(text: str) -> int:
    """Return a number of bytes; ``512M`` or ``4 GiB`` are accepted as well."""
    return _size(text, tr("an amount of memory"))


def disk_size(text: str) -> int:
    """Return a number of bytes, in the notation of `memory_size`."""
    return _size(text, tr("room on a disk"))


def amount_of_time(text: str) -> float:
    hours = number_or_nan(text)
    if not 0.0 < hours <= 87_600:
        raise ArgumentRefusedError(
            "{text!r} is not a number of hours: expected one above 0, such as 12 or 0.5", text=text
        )
    return hours


def _size(text: str, what: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if not match or (match[3] and not match[2]):
        raise ArgumentRefusedError(
            "{text!r} is not {what}: expected bytes, or a number with K, M, G or T",
            text=text,
            what=what,
        )
    unit = 1024 if match[3] else 1000
    n_bytes = float(match[1]) * unit ** " kmgt".index(match[2].lower() or " ")
    if not 1 <= n_bytes < 1 << 63:
        raise ArgumentRefusedError(
            "{text!r} is not {what} to build with: expected at least one byte, such as 512M or 4G",
            text=text,
            what=what,
        )
    return int(n_bytes)


def number_or_nan(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def whole_number(text: str, low: int, high: int, what: str) -> int:
    """Return a whole number from `low` to `high`; `what` is its name in the message."""
    if re.fullmatch(r"\d{1,20}", text, re.ASCII) and low <= int(text) <= high:
        return int(text)
    raise ArgumentRefusedError(
        "{text!r} can't be used as {what}: expected a whole number from {low} to {high}",
        text=text,
        what=what,
        low=low,
        high=high,
    )


FROM_1 = mark("{text!r}: expected a whole number from 1 to {most}")


def count(most: int, message: str = FROM_1, least: int = 1) -> Callable[[str], int]:
    """Return a type of arguments; `message` says what was expected, and is marked."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ArgumentRefusedError(message, text=text, most=most)
        return int(text)

    return read
