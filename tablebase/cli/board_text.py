"""Boards and moves as text for people. ASCII in English."""

from engine.bitboard import LARGEST_NIBBLE, cells
from engine.platform.language import mark, tr

_DIRECTIONS = (mark("left"), mark("right"), mark("up"), mark("down"))


def direction_name(direction: int) -> str:
    """Return the name of a move: 0 to 3 for left, right, up, down."""
    return tr(_DIRECTIONS[direction])


def small_board(board: int, large: str = "F", empty: str = ".") -> str:
    """Return a board in as few columns as its tiles allow; nibble F is drawn as `large`."""
    names = [
        empty if not e else large if e == LARGEST_NIBBLE else str(1 << e) for e in cells(board)
    ]
    width = max(map(len, names))
    rows = (names[start : start + 4] for start in range(0, 16, 4))
    return "\n".join(" ".join(name.rjust(width) for name in row) for row in rows)
