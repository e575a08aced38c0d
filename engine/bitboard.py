"""A board as one number: 16 nibbles, the first cell in the highest one.

``0x1230_0000_0000_0000`` reads like the board: the cells of the top row from the left, then the
next row. A nibble is the exponent of the tile (3 is the tile 8), 0 an empty cell, 15 the tile
32768, or a wall where the rules have walls. Bitboards are `int` here and `np.uint64` in kernels.
"""

from collections.abc import Iterable, Sequence
from operator import index

from engine.platform.errors import InvalidBoardError
from engine.platform.language import tr

LEFT, RIGHT, UP, DOWN = range(4)
DIRECTIONS = ("left", "right", "up", "down")
N_CELLS = 16
LARGEST_NIBBLE = 15

_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
# Letters and digits as Chinese and Japanese input methods write them.
_OF_FULL_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}


def check_board(board: int) -> int:
    """Return `board` as an `int`; raise InvalidBoardError if not an unsigned 64-bit number."""
    try:
        number = index(board)
    except TypeError:
        raise InvalidBoardError("board {board!r} is not a whole number", board=board) from None
    if not 0 <= number < 1 << 64:
        raise InvalidBoardError(
            "board {number:#x} is not between 0 and {largest:#x}",
            number=number,
            largest=(1 << 64) - 1,
        )
    return number


def cells(board: int) -> list[int]:
    """Return the 16 exponents, row by row from the top left.

    >>> cells(0x1230_0000_0000_000f)[:4]
    [1, 2, 3, 0]
    """
    number = int(board)
    return [(number >> shift) & 15 for shift in range(60, -4, -4)]


def from_cells(exponents: Iterable[int]) -> int:
    values = list(exponents)
    if len(values) != N_CELLS:
        raise InvalidBoardError("a board has 16 cells, not {n}", n=len(values))
    board = 0
    for cell, exponent in enumerate(values):
        if not 0 <= exponent <= LARGEST_NIBBLE:
            raise InvalidBoardError(
                "exponent {exponent!r} in cell {cell} does not fit a nibble: expected 0 to 15",
                exponent=exponent,
                cell=cell,
            )
        board = board << 4 | index(exponent)
    return board


def parse_board(text: str) -> int:
    """Return the board that is given by 16 hexadecimal digits, row by row from the top left.

    A leading ``0x``, underscores and spaces between the digits, and surrounding white space are
    ignored. InvalidBoardError names the position, counted from 1, of the first bad character.

    >>> hex(parse_board("1230 0000 0000 000f"))
    '0x123000000000000f'
    """
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if text[start : start + 2].lower() == "0x":
        start += 2
    digits: list[str] = []
    for at in range(start, end):
        character = text[at]
        if character in " _":
            continue
        if character not in _HEX_DIGITS:
            why = tr("{character!r} is not a hexadecimal digit", character=character)
            raise _bad_board(text, why, at)
        if len(digits) == N_CELLS:
            raise _bad_board(text, tr("there are more than 16 digits"), at)
        digits.append(character)
    if len(digits) < N_CELLS:
        why = tr("it ends after {n} of 16 digits", n=len(digits))
        raise _bad_board(text, why, max(start, end))
    return int("".join(digits), 16)


def _bad_board(text: str, why: str, at: int) -> InvalidBoardError:
    shown = text if len(text) <= 40 else text[:40] + "..."
    return InvalidBoardError(
        tr(
            "{text!r} is not a board: {why} (position {position}); "
            "expected 16 hexadecimal digits, row by row from the top left",
            text=shown,
            why=why,
            position=at + 1,
        ),
        why,
    )


def format_board(board: int) -> str:
    return f"{int(board):016x}"


def draw_board(board: int, walls: bool = False) -> str:
    """Return the board as four lines of right-aligned tile values; `walls` draws F as ``#``.

    >>> print(draw_board(0x1230_0000_0000_000f))
        2     4     8     .
        .     .     .     .
        .     .     .     .
        .     .     . 32768
    """
    return draw_cells(cells(board), walls)


def draw_cells(
    exponents: Sequence[int], walls: bool = False, *, large: str = "", least_width: int = 5
) -> str:
    """`large` is shown for F, by default its face value."""
    large = "#" if walls else large
    names = [
        "." if not e else large if large and e == LARGEST_NIBBLE else str(1 << e) for e in exponents
    ]
    width = max(least_width, *map(len, names))
    rows = (names[start : start + 4] for start in range(0, N_CELLS, 4))
    return "\n".join(" ".join(name.rjust(width) for name in row) for row in rows)


def tile_sum(board: int) -> int:
    """Return the sum of the tiles in face value; nibble F counts 32768, wall or not."""
    return sum(1 << exponent for exponent in cells(board) if exponent)


def transpose(board: int) -> int:
    board = (
        board & 0xF0F0_0F0F_F0F0_0F0F
        | (board & 0x0000_F0F0_0000_F0F0) << 12
        | (board >> 12) & 0x0000_F0F0_0000_F0F0
    )
    return (
        board & 0xFF00_FF00_00FF_00FF
        | (board & 0x0000_0000_FF00_FF00) << 24
        | (board >> 24) & 0x0000_0000_FF00_FF00
    )


def half_width(text: str) -> str:
    """Return a text with full-width letters, digits, signs and spaces as ASCII.

    >>> half_width("\uff12\uff10\uff14\uff18\u3000\uff4b")
    '2048 k'
    """
    return text.translate(_OF_FULL_WIDTH)
