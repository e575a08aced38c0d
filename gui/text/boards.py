"""Boards in words, for screen readers."""

from collections.abc import Sequence

from engine.bitboard import LARGEST_NIBBLE
from engine.platform.language import listed, tr
from engine.platform.quantities import clauses


def describe_cells(board_cells: Sequence[int], walls: bool) -> str:
    names = {exponent: _cell_word(exponent, walls) for exponent in set(board_cells)}
    words = [names[exponent] for exponent in board_cells]
    text = tr("row {row}: {tiles}")
    return clauses(text.format(row=i + 1, tiles=listed(words[4 * i : 4 * i + 4])) for i in range(4))


def describe_square(cell: int, exponent: int, is_wall: bool = False) -> str:
    """Return one square in words: `row 2, column 3: 64`.

    >>> describe_square(6, 6), describe_square(0, 0)
    ('row 2, column 3: 64', 'row 1, column 1: empty')
    """
    row, column = divmod(cell, 4)
    return tr(
        "row {row}, column {column}: {tile}",
        row=row + 1,
        column=column + 1,
        tile=tr("wall") if is_wall else _cell_word(exponent, False),
    )


def describe_new_tile(cell: int, exponent: int) -> str:
    """Return the sentence on where a new tile appeared.

    >>> describe_new_tile(3, 1)
    'New tile 2 in row 1, column 4.'
    """
    row, column = divmod(cell, 4)
    return tr(
        "New tile {tile} in row {row}, column {column}.",
        tile=1 << exponent,
        row=row + 1,
        column=column + 1,
    )


def _cell_word(exponent: int, walls: bool) -> str:
    if not exponent:
        return tr("empty")
    return tr("wall") if walls and exponent == LARGEST_NIBBLE else str(1 << exponent)
