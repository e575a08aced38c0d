"""Reading saved games: data from a file is checked field by field before it is used."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from engine.bitboard import N_CELLS
from engine.platform.errors import AppError
from engine.platform.language import tr

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class SavedGameError(AppError, ValueError):
    """A saved game that cannot be read."""


class Fields:
    """The fields of an object in saved data.

    Parameters
    ----------
    data : object
        The content of the file; anything except a mapping raises SavedGameError.
    """

    def __init__(self, data: object) -> None:
        if not isinstance(data, Mapping):
            found = type(data).__name__
            raise SavedGameError(tr("saved game: expected an object, found {found}", found=found))
        self._data = data

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def get(self, name: str, kind: type) -> Any:
        """Return the field `name`; raise SavedGameError if it is missing or of another type."""
        if name not in self._data:
            raise SavedGameError(tr("saved game: {field!r} is missing", field=name))
        value = self._data[name]
        if kind is float and type(value) is int and abs(value) < 1 << 53:
            value = float(value)
        if type(value) is not kind:
            raise SavedGameError(
                tr(
                    "saved game: {field!r} is {value}; expected {expected}",
                    field=name,
                    value=reprlib.repr(value),
                    expected=kind.__name__,
                )
            )
        return value


def cells_to_text(exponents: Sequence[int]) -> str:
    """Return 16 exponents as digits: hexadecimal, continued with the alphabet (g is 65536)."""
    return "".join(_DIGITS[exponent] for exponent in exponents)


def cells_from_text(text: str) -> list[int]:
    """Return the exponents that `cells_to_text` wrote."""
    if len(text) != N_CELLS or not set(text) <= set(_DIGITS):
        raise SavedGameError(tr("board {text!r}; expected 16 digits 0-9 a-h", text=text))
    return [_DIGITS.index(digit) for digit in text]
