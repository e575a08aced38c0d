"""Whole numbers on the command line, each with a message of its own."""

from collections.abc import Callable

from engine.platform.cli.arguments import ArgumentRefusedError
from engine.platform.language import mark

FROM_1 = mark("{text!r}: expected a whole number from 1 to {most}")


def count(most: int, message: str = FROM_1, least: int = 1) -> Callable[[str], int]:
    """Return a type of arguments; `message` says what was expected, and is marked."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ArgumentRefusedError(message, text=text, most=most)
        return int(text)

    return read
