"""Why the right move of a puzzle is right, from facts visible on the board."""

from collections.abc import Sequence

from ai.choice import Choice, ValueKind
from coach.reasons.reason import LeavesFree, LeavesPairs, MayEnd, Merges, Reason, find_reason
from engine.bitboard import LARGEST_NIBBLE, cells

_TRUE_OF_MASKED = (MayEnd, Merges, LeavesFree, LeavesPairs)
"""Facts that do not depend on the real values of large tiles."""


def why_best(
    board: int, rates: Sequence[float | None], best: int, walls: bool, spawn4: float
) -> Reason | None:
    """Return a fact about the board that speaks for the best move; None if there is no simple one.

    Large tiles are F. With walls the result is None.
    """
    if walls:
        return None
    shown = cells(board)
    large = [cell for cell, exponent in enumerate(shown) if exponent == LARGEST_NIBBLE]
    for i, cell in enumerate(large):  # tables never merge them: they are all different
        shown[cell] = LARGEST_NIBBLE + i
    reason = find_reason(shown, Choice(best, tuple(rates), "", ValueKind.VALUES), spawn4)
    return reason if isinstance(reason, _TRUE_OF_MASKED) else None
