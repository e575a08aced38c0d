"""Boards as people copy them: 16 digits, a drawn grid, 16 numbers, JSON.

* 16 digits, in one piece or in two to four: exponents in hexadecimal, continued with ``g`` for
  65536.
* Four rows of four cells between any lines and frames, or 16 cells in one row. If ``|``, tabs or
  commas separate the cells, nothing between two of them is an empty cell.
* JSON: a list of 16 cells or of four rows, or an object that has one; also what the original 2048
  keeps in the browser, in which columns come before rows.

A cell is a number (``2``, ``1024``, ``32k``), one of ``. - _ x * 0`` or a word such as ``null`` for
an empty one, ``F`` for the largest that a table knows, ``#`` for a wall. Characters may be
full-width.

Numbers are face values if all of them can be: 0, or 2, 4, 8 and so on. Otherwise they are
exponents, 1 for a 2; so are single digits with letters from a to e among them. A board of nothing
but 2, 4 and 8 could be read both ways, and counts as face values.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.bitboard import LARGEST_NIBBLE, N_CELLS, from_cells, half_width, parse_board
from engine.game import LARGEST_EXPONENT
from engine.platform.errors import InvalidBoardError
from engine.platform.language import sentences, tr, trn

MAX_CHARACTERS = 8000  # nobody draws a larger board; a mistaken paste may be huge
_EMPTY = frozenset((*".-_xX*·•∙□", "null", "none", "None", "nil", "NaN", '""', "''"))  # no text
_LARGE = ("#", "F", "f")
_FRAME = re.compile(r"[|│┃║+┼├┤┬┴┌┐└┘═╔╗╚╝╠╣╦╩╬─━\[\](){}<>,;:/\\\"'`]|-{2,}|={2,}")
_PARTING = ("|", "│", "┃", "║", "\t", ",", ";")
_ROW_FRAME = "[](){} "
_HEX_DIGITS = re.compile(r"\w+|[0-9a-fx_]+(\s+[0-9a-f_]+){,3}", re.IGNORECASE)
_DOTS = re.compile(r"[._]{2,4}")
_ORDER = "0123456789abcdefgh"


@dataclass(frozen=True)
class PastedBoard:
    """A board that was read."""

    cells: tuple[int, ...]  # 16 exponents, up to 17
    # The cells that the user should compare with the source of the board.
    doubtful: frozenset[int] = frozenset()
    n_boards: int = 1  # the number of boards in its source, of which this is the largest

    @property
    def board(self) -> int:
        """The bitboard; larger tiles become F."""
        return from_cells(min(exponent, LARGEST_NIBBLE) for exponent in self.cells)

    @property
    def note(self) -> str:
        """A note on other boards, and on tiles that differ in the bitboard; "" without them."""
        largest = max(self.cells)
        tile = tr("{tile} is shown as 32768.", tile=1 << largest)
        return sentences(self.other_boards, tile if largest > LARGEST_NIBBLE else "")

    @property
    def other_boards(self) -> str:
        """The sentence on other boards in a picture; "" if there are none."""
        if self.n_boards == 1:
            return ""
        return tr("The picture has {n} boards, and this is the largest.", n=self.n_boards)


def read_board(text: str) -> PastedBoard:
    drawn = text = half_width(text)
    text = text.strip("\ufeff\u200b\x00").strip()
    if not text:
        raise InvalidBoardError(tr("there is no text to read a board from"))
    if len(text) > MAX_CHARACTERS:
        raise InvalidBoardError(
            "a text of {n} characters is not a board: expected 16 hex digits or 16 tiles",
            n=len(text),
        )
    if digits := _exponent_digits(text):
        return PastedBoard(tuple(map(_ORDER.index, digits)))
    tokens = _from_json(text) or _from_rows(drawn) or list(_words(text))
    if len(tokens) == N_CELLS:
        return _from_tokens(tokens)
    if _HEX_DIGITS.fullmatch(text):
        parse_board(text)  # its error says what is wrong with them
    raise InvalidBoardError(
        trn(
            "this is not a board: it has {n} cell; expected 16 tiles, row by row, or 16 hex digits",
            "this is not a board: it has {n} cells; expected 16 tiles, row by row, or 16 hex "
            "digits",
            len(tokens),
        )
    )


def _exponent_digits(text: str) -> str:
    if not re.fullmatch(r"(0[xX])?[0-9a-hA-H]+([\s_]+[0-9a-hA-H]+){,3}", text):
        return ""
    digits = re.sub(r"[\s_]", "", text.lower()).removeprefix("0x")
    return digits if len(digits) == N_CELLS else ""


def _from_json(text: str) -> list[str]:
    if text[0] not in "[{":
        return []
    try:
        boards = list(_boards_in(json.loads(text)))
    except (ValueError, RecursionError):
        return []
    return boards[0] if len(boards) == 1 else []


def _boards_in(data: Any) -> Iterator[list[str]]:
    if isinstance(data, dict):
        if (first := _first_game(data)) is not None:
            yield first
            return
        for value in data.values():
            yield from _boards_in(value)
    elif isinstance(data, list):
        if len(data) == 4 and all(isinstance(row, list) and len(row) == 4 for row in data):
            data = [cell for row in data for cell in row]
        if len(data) == N_CELLS and not any(isinstance(cell, (dict, list)) for cell in data):
            yield ["0" if cell in (None, "", False) else str(cell).strip() for cell in data]
            return
        for value in data:
            yield from _boards_in(value)


def _first_game(data: dict[str, Any]) -> list[str] | None:
    columns = data.get("cells")
    if data.get("size") != 4 or not isinstance(columns, list):
        return None
    words = ["0"] * N_CELLS
    tiles = [tile for column in columns if isinstance(column, list) for tile in column]
    for tile in filter(None, tiles):
        place = tile.get("position") if isinstance(tile, dict) else None
        if not isinstance(place, dict):
            return None
        x, y = place.get("x"), place.get("y")
        if not (isinstance(x, int) and 0 <= x < 4 and isinstance(y, int) and 0 <= y < 4):
            return None
        words[4 * y + x] = str(tile.get("value"))
    return words


def _from_rows(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if "--" not in line and "==" not in line]
    for sign in _PARTING:
        board_lines = [line for line in lines if sign in line or _FRAME.sub("", line).strip()]
        rows = [_parted(line, sign) for line in board_lines]
        if len(rows) == 4 and all(rows):
            return [cell or "." for row in rows for cell in row]
    return []


def _parted(line: str, sign: str) -> list[str]:
    line = line.strip(_ROW_FRAME)
    if line.startswith(sign) and line.endswith(sign) and line.count(sign) == 5:
        line = line[1:-1]
    elif line.endswith(sign) and line.count(sign) == 4:
        line = line[:-1]
    row = [cell.strip(" \"'") for cell in line.split(sign)]
    return row if len(row) == 4 and not any(" " in cell for cell in row) else []


def _words(text: str) -> Iterator[str]:
    for word in _FRAME.sub(" ", text).split():
        if _DOTS.fullmatch(word):
            yield from word
        else:
            yield word


def _from_tokens(tokens: Sequence[str]) -> PastedBoard:
    if digits := _single_digits(tokens):
        return PastedBoard(digits)
    values = [_value(token) for token in tokens]
    faces = [_exponent(value) for value in values]
    if all(exponent is not None for exponent in faces):
        return PastedBoard(tuple(exponent or 0 for exponent in faces))
    pairs = zip(tokens, values, strict=True)
    exponents = [LARGEST_NIBBLE if token in _LARGE else value for token, value in pairs]
    if all(exponent <= LARGEST_EXPONENT for exponent in exponents):
        return PastedBoard(tuple(exponents))
    wrong = next(t for t, face in zip(tokens, faces, strict=True) if face is None)
    raise _no_tile(wrong)


def _single_digits(tokens: Sequence[str]) -> tuple[int, ...]:
    """Return the exponents of single digits, if a letter shows that they are not face values."""
    digits = ["0" if token in _EMPTY else token.lower() for token in tokens]
    if not all(len(digit) == 1 and digit in _ORDER for digit in digits):
        return ()
    return tuple(map(_ORDER.index, digits)) if set(digits) & set("abcdegh") else ()


def _value(token: str) -> int:
    if token in _EMPTY:
        return 0
    if token in _LARGE:
        return 1 << LARGEST_NIBBLE
    if not re.fullmatch(r"\d+[kK]?", token) or len(token) > 8 or not token.isascii():
        raise _no_tile(token[:20])
    return int(token[:-1]) << 10 if token[-1] in "kK" else int(token)


def _no_tile(token: str) -> InvalidBoardError:
    return InvalidBoardError(
        "{tile} is not a tile: expected 2, 4, 8 ... 32768, or . or 0", tile=repr(token)
    )


def _exponent(value: int) -> int | None:
    if value == 0:
        return 0
    if value == 1 or value & (value - 1) or value > 1 << LARGEST_EXPONENT:
        return None
    return value.bit_length() - 1
