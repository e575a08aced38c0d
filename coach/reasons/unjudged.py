"""Legal moves that search has no value for, as it doesn't merge tiles of 65536 and more."""

from collections.abc import Sequence

from coach.grading.names import move_title
from engine.bitboard import LARGEST_NIBBLE
from engine.game import Game
from engine.language import listed, tr


def unjudged_moves(cells: Sequence[int], values: Sequence[float | None]) -> list[int]:
    """Return the legal moves without a value on a board with tiles of 65536 and more.

    Parameters
    ----------
    cells : sequence of 16 int
        Exponents.
    values : four float or None
        By direction.
    """
    if max(cells) <= LARGEST_NIBBLE:
        return []
    return [one for one in Game(cells).legal_moves() if values[one] is None]


def unjudged_text(cells: Sequence[int], values: Sequence[float | None]) -> str:
    """Return a sentence about the legal moves without a value; "" if there are none."""
    moves = unjudged_moves(cells, values)
    if not moves:
        return ""
    return tr(
        "Search has no value for {moves}: it doesn't merge tiles of 65536 and more.",
        moves=listed([move_title(one) for one in moves]),
    )
