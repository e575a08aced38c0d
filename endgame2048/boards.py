"""What follows from one board: its moves, the tiles that may come, its images."""

from engine import symmetry
from engine.bitboard import check_board
from engine.formats.board_text import read_board
from engine.moves import move


def parse_board(text: str) -> int:
    """Return the board in a text, in any form that the command line takes.

    Parameters
    ----------
    text : str
        16 hexadecimal digits, 16 tiles in a row or four rows, with frames or without, or JSON.
        Tiles above 32768 become F.

    Raises
    ------
    InvalidBoardError
        The text has no board; the message says what was found and what was expected.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> hex(eg.parse_board("1230 0000 0000 000f"))
    '0x123000000000000f'
    >>> hex(eg.parse_board("2 4 8 .  . . . .  . . . .  . . . 32k"))
    '0x123000000000000f'
    """
    return read_board(text).board


def moves(board: int, walls: bool = False) -> dict[int, int]:
    """Return the legal moves of a board: direction -> after-state, before the new tile.

    Parameters
    ----------
    board : int
    walls : bool
        Whether nibble F is a wall that never moves, as on the boards of the formations 2x4, 3x3
        and 3x4, rather than the tile 32768. Two of these never merge, as in tables; in a `Game`
        they do.

    Raises
    ------
    InvalidBoardError
        `board` is no unsigned 64-bit number.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> board = eg.parse_board("1120 0000 0000 0000")
    >>> for direction, after in eg.moves(board).items():
    ...     print(eg.DIRECTIONS[direction], eg.format_board(after))
    left 2200000000000000
    right 0022000000000000
    down 0000000000001120
    """
    number = check_board(board)
    afters = {direction: move(number, direction, walls) for direction in range(4)}
    return {direction: after for direction, after in afters.items() if after != number}


def spawns(board: int, spawn4: float = 0.1) -> dict[int, float]:
    """Return the boards that a new tile may lead to, with their probabilities.

    Parameters
    ----------
    board : int
        Usually an after-state; one without an empty cell has no new tile.
    spawn4 : float
        The probability that a new tile is a 4.

    Raises
    ------
    InvalidBoardError
        `board` is no unsigned 64-bit number.
    ValueError
        `spawn4` is no probability.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> nearly_full = eg.parse_board("1234 5678 1234 5670")
    >>> for board, probability in eg.spawns(nearly_full).items():
    ...     print(eg.format_board(board), probability)
    1234567812345671 0.9
    1234567812345672 0.1
    """
    if not 0.0 <= spawn4 <= 1.0:
        raise ValueError(f"spawn4 is {spawn4!r}; expected a probability")
    number = check_board(board)
    empty = [shift for shift in range(60, -4, -4) if not number >> shift & 15]
    tiles = [(1, 1.0 - spawn4), (2, spawn4)]
    return {
        number | exponent << shift: share / len(empty)
        for shift in empty
        for exponent, share in tiles
        if share
    }


def symmetries(board: int, mode: str = "full") -> tuple[int, ...]:
    """Return the images of a board: itself first, equal ones as often as they arise.

    Parameters
    ----------
    board : int
    mode : str
        Which symmetries: "full" for all eight of the square, "identity", "horizontal",
        "diagonal", or those of a small board, "rect2x4", "square3x3", "rect3x4". A formation
        names its own in ``Formation.symmetry``.

    Raises
    ------
    InvalidBoardError
        `board` is no unsigned 64-bit number.
    ValueError
        There is no such mode.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> board = eg.parse_board("1200 0000 0000 0000")
    >>> [eg.format_board(image) for image in eg.symmetries(board, "diagonal")]
    ['1200000000000000', '1000200000000000']
    >>> len(eg.symmetries(board))
    8
    """
    return symmetry.images(board, mode)


def canonical(board: int, mode: str = "full") -> int:
    """Return the numerically least image of a board: one for all that are the same position.

    Parameters
    ----------
    board : int
    mode : str
        As for `symmetries`.

    Raises
    ------
    InvalidBoardError
        `board` is no unsigned 64-bit number.
    ValueError
        There is no such mode.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> board = eg.parse_board("1200 0000 0000 0000")
    >>> eg.format_board(eg.canonical(board))
    '0000000000000021'
    >>> {eg.canonical(image) for image in eg.symmetries(board)} == {eg.canonical(board)}
    True
    """
    return symmetry.canonical(board, mode)
