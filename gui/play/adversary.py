"""Tiles that help or hurt most, by a table's rates. No Qt."""

from collections.abc import Callable

from engine.bitboard import cells
from gui.play.board_edits import SPAWNED, put


def adversary_spawn(
    after: int,
    best: bool,
    value_of: Callable[[int], float | None],
) -> tuple[int, int] | None:
    """Return the (cell, exponent) that helps or hurts most; None if unknown.

    Parameters
    ----------
    after : int
        The after-state that gets the tile.
    best : bool
        Whether to help.
    value_of : callable
        Returns the best rate of a board with its new tile, None if unknown; called up to 30 times.
    """
    empty = [cell for cell, exponent in enumerate(cells(after)) if exponent == 0]
    choices = [(cell, exponent) for cell in empty for exponent in SPAWNED]
    if not choices:
        return None
    values: list[float] = []
    for cell, exponent in choices:
        value = value_of(put(after, cell, exponent))
        if value is None:
            return None
        values.append(value)
    if not any(values):
        return None
    wanted = max(values) if best else min(values)
    return choices[values.index(wanted)]
