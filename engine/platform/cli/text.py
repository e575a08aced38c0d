"""The layout of results for people: tables of text, boards side by side. ASCII in English."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from unicodedata import east_asian_width


def width_of(text: str) -> int:
    """Return the number of terminal columns of a text: a Chinese character takes two.

    >>> width_of("abc"), width_of("\u5b9a\u5f0f")
    (3, 4)
    """
    return sum(2 if east_asian_width(letter) in "FW" else 1 for letter in text)


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int]) -> str:
    lines = [tuple(heads), *map(tuple, rows)]
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            _padded(cell, width, at_right=i in right)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def side_by_side(blocks: Iterable[tuple[str, str]], width: int = 100) -> str:
    shelves: list[list[list[str]]] = []
    room = 0
    for caption, text in blocks:
        lines = [caption, *text.splitlines()]
        wide = max(map(width_of, lines))
        block = [_padded(line, wide) for line in lines]
        if not shelves or room < wide:
            shelves.append([])
            room = width
        shelves[-1].append(block)
        room -= wide + 4
    return "\n\n".join(
        "\n".join("    ".join(row).rstrip() for row in zip_longest(*shelf, fillvalue=""))
        for shelf in shelves
    )


def _padded(text: str, width: int, at_right: bool = False) -> str:
    spaces = " " * (width - width_of(text))
    return spaces + text if at_right else text + spaces
