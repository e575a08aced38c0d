"""The move that looks right: two simple policies based on facts visible on the board.

No table is queried, and nothing is compiled.
"""

from collections.abc import Collection

from engine.bitboard import LARGEST_NIBBLE, LEFT, RIGHT, UP, cells
from engine.moves import move, move_score

_SPAWNED = (1, 2)  # exponents: a 2, a 4


def natural_move(board: int, walls: bool, choices: Collection[int]) -> int:
    """Return the move that comes to mind first.

    It is the one that merges most, in points. Of moves that merge equally, or not at all, it is the
    one along which the board leans: toward the sides with the heavy tiles. This models the habit
    "keep to your corner"; see `lean`.

    Parameters
    ----------
    board : int
    walls : bool
        Whether nibble F is a wall.
    choices : collection of int
        The directions to choose from, all legal.
    """
    return min(choices, key=lambda one: _order(board, one, walls))


def roomiest_move(board: int, walls: bool, spawn4: float, choices: Collection[int]) -> int:
    """Return the move that a one-ply search prefers: it leaves the most free cells.

    The value of a move is the mean over all new tiles of the free cells after the best reply, 0 if
    there is none. Of equal moves the more natural one is returned.

    Parameters
    ----------
    board, walls, choices
        As for `natural_move`.
    spawn4 : float
        Probability of a 4, in [0, 1].
    """
    # Rounded, so that the order of summing equal means doesn't decide.
    return min(
        choices,
        key=lambda one: (
            -round(_room_after(move(board, one, walls), walls, spawn4), 9),
            _order(board, one, walls),
        ),
    )


def lean(board: int, direction: int, walls: bool) -> int:
    """Return the board's lean in a direction.

    It is the sum of face values times the distance toward that side from the center of the cells
    that are not walls, times the number of these cells to keep it an integer.
    """
    tiles = [
        (1 << exponent if exponent else 0, _along(cell, direction))
        for cell, exponent in enumerate(cells(board))
        if not (walls and exponent == LARGEST_NIBBLE)
    ]
    middle = sum(along for _, along in tiles)
    return sum(value * (along * len(tiles) - middle) for value, along in tiles)


def _along(cell: int, direction: int) -> int:
    """Return the number of steps in a direction from the far side to a cell."""
    row, column = divmod(cell, 4)
    place = column if direction in (LEFT, RIGHT) else row
    return 3 - place if direction in (LEFT, UP) else place


def _order(board: int, direction: int, walls: bool) -> tuple[int, int, int]:
    """Return the sort key that puts the most natural move first; ties go by direction."""
    return -move_score(board, direction, walls), -lean(board, direction, walls), direction


def _room_after(after: int, walls: bool, spawn4: float) -> float:
    empty = [cell for cell, exponent in enumerate(cells(after)) if not exponent]
    shares = zip(_SPAWNED, (1 - spawn4, spawn4), strict=True)
    return sum(
        share * _most_room(after | exponent << (60 - 4 * cell), walls) / len(empty)
        for exponent, share in shares
        if share
        for cell in empty
    )


def _most_room(board: int, walls: bool) -> int:
    replies = [after for one in range(4) if (after := move(board, one, walls)) != board]
    return max((cells(after).count(0) for after in replies), default=0)
