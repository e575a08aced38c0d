"""Boards as people copy them: 16 hex digits, a drawn grid, 16 numbers. No Qt.

A drawn board is four rows of four cells between whatever lines and frames; a cell is a face value
(`2`, `1024`, `32k`), or one of ``. - _ x 0`` for an empty one, or ``#`` for a wall.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.bitboard import LARGEST_NIBBLE, N_CELLS, from_cells, parse_board
from engine.errors import InvalidBoardError
from engine.language import listed, tr

MOST_CHARACTERS = 4000  # nobody draws a larger board; what is pasted by mistake may be huge
_EMPTY = frozenset(".-_xX*")
_FRAME = re.compile(r"[|│┃║+┼├┤┬┴┌┐└┘═╔╗╚╝╠╣╦╩╬─━\[\](){}<>,;:\"'`]|-{2,}|={2,}")
_NUMBER = re.compile(r"\d+k?", re.IGNORECASE)
_DIGITS = re.compile(r"\w+|[0-9a-fx_]+(\s+[0-9a-f_]+){,3}", re.IGNORECASE)


@dataclass(frozen=True)
class PastedBoard:
    """A board that was read, and what was changed in it.

    Attributes
    ----------
    board : int
    note : str
        What does not look as it was pasted; "" when nothing.
    """

    board: int
    note: str = ""


def read_board(text: str) -> PastedBoard:
    """Return the board in a text.

    Numbers are face values where all of them can be: 0 or 2, 4, 8 ...; else exponents, 1 for a 2.

    Raises
    ------
    InvalidBoardError
        There is no board in it; the message says what was found.
    """
    text = text.strip()
    if not text:
        raise InvalidBoardError(tr("there is no text to read a board from"))
    if len(text) > MOST_CHARACTERS:
        raise InvalidBoardError(
            tr(
                "a text of {n} characters is not a board: expected 16 hex digits or 16 tiles",
                n=len(text),
            )
        )
    tokens = _FRAME.sub(" ", text).split()
    if len(tokens) == N_CELLS:
        return _from_tokens(tokens)
    if _DIGITS.fullmatch(text):
        return PastedBoard(parse_board(" ".join(tokens)))  # which says what is wrong with them
    raise InvalidBoardError(
        tr(
            "this is not a board: it has {n} cells; expected 16 tiles, "
            "row by row, or 16 hex digits",
            n=len(tokens),
        )
    )


def _from_tokens(tokens: list[str]) -> PastedBoard:
    values = [_value(token) for token in tokens]
    faces = [None if value is None else _exponent(value) for value in values]
    if all(exponent is not None for exponent in faces):
        exponents = [exponent or 0 for exponent in faces]
    elif all(0 <= (value or 0) <= LARGEST_NIBBLE + 2 for value in values):
        exponents = [value or 0 for value in values]
    else:
        wrong = next(t for t, face in zip(tokens, faces, strict=True) if face is None)
        raise _no_tile(wrong)
    clipped = [min(exponent, LARGEST_NIBBLE) for exponent in exponents]
    largest = max(exponents)
    note = tr("{tile} is shown as 32768.", tile=1 << largest) if largest > LARGEST_NIBBLE else ""
    return PastedBoard(from_cells(clipped), note)


def _value(token: str) -> int:
    if token in _EMPTY:
        return 0
    if token == "#":
        return 1 << LARGEST_NIBBLE
    if not _NUMBER.fullmatch(token) or len(token) > 8:
        raise _no_tile(token[:20])
    return int(token[:-1]) << 10 if token[-1] in "kK" else int(token)


def _no_tile(token: str) -> InvalidBoardError:
    return InvalidBoardError(
        tr("{tile} is not a tile: expected 2, 4, 8 ... 32768, or . or 0", tile=repr(token))
    )


def _exponent(value: int) -> int | None:
    """Return the exponent of a face value; None for what is none."""
    if value == 0:
        return 0
    if value == 1 or value & (value - 1) or value > 1 << LARGEST_NIBBLE + 2:
        return None
    return value.bit_length() - 1


def describe_cells(board_cells: Sequence[int], walls: bool) -> str:
    """Return the board in words, row by row, for a screen reader."""
    words = [_cell_word(exponent, walls) for exponent in board_cells]
    rows = [
        tr("row {row}: {tiles}", row=i + 1, tiles=listed(words[4 * i : 4 * i + 4]))
        for i in range(4)
    ]
    text = rows[0]
    for row in rows[1:]:
        text = tr("{first}; {next}", first=text, next=row)
    return text


def describe_square(cell: int, exponent: int, is_wall: bool = False) -> str:
    """Return one square in words: `row 2, column 3: 64`.

    Examples
    --------
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
    """Return where a new tile came.

    Examples
    --------
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
