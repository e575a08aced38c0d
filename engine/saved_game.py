"""Boards as the digits that files hold."""

from collections.abc import Sequence

from engine.bitboard import N_CELLS
from engine.platform.errors import AppError

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class SavedGameError(AppError, ValueError):
    """A saved game that cannot be read."""


def cells_to_text(exponents: Sequence[int]) -> str:
    """Return 16 exponents as digits: hexadecimal, continued with the alphabet (g is 65536)."""
    return "".join(_DIGITS[exponent] for exponent in exponents)


def cells_from_text(text: str) -> list[int]:
    if len(text) != N_CELLS or not set(text) <= set(_DIGITS):
        raise SavedGameError("board {text!r}; expected 16 digits 0-9 a-h", text=text)
    return [_DIGITS.index(digit) for digit in text]
