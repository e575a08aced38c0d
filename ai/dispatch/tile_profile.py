"""The tile profile that decides which tables can answer for a position: sorted large tiles."""

from collections.abc import Sequence

from engine.formats.replay import bitboard

_F = 15

MIN_GOAL = 7
"""The smallest tile that tables with a larger target are asked about: search makes smaller ones as
well."""

OWN_TARGET = 17
"""Used instead of `MIN_GOAL`: tables are only asked about their own target."""


class TileProfile:
    """The tiles of 16 exponents by size, for a quick check whether a table can apply.

    Tables with a target above `least_goal` are not asked about smaller goals.
    """

    def __init__(self, cells: Sequence[int], least_goal: int = MIN_GOAL) -> None:
        self._cells, self._least_goal = cells, least_goal
        self._order = sorted(range(16), key=lambda cell: -cells[cell])
        self.ranks = [cells[cell] for cell in self._order]  # the exponents, largest first
        self._n_distinct = next(
            (n for n in range(1, 16) if self.ranks[n] == self.ranks[n - 1]), 16
        )  # number of largest tiles that all differ

    def goal(self, n_large: int, exponent: int) -> int:
        """Return the tile that a table can help to make, as an exponent; 0 if it can't apply.

        There must be n large tiles, all different: two equal ones should merge, which a table never
        allows. All others must be smaller than the smallest large one, since another like it is to
        be made next; so a table for 512 also helps if the smallest large tile is 256. The goal is
        never more than the target.
        """
        if n_large == 0:
            return exponent if self.ranks[0] < exponent else 0
        goal = min(self.ranks[n_large - 1], exponent)
        is_clear = n_large == 16 or self.ranks[n_large] < goal
        is_enough = goal >= min(self._least_goal, exponent)
        return goal if is_enough and n_large <= self._n_distinct and is_clear else 0

    def is_second(self, n_large: int, exponent: int, least_left: float) -> bool:
        """Return whether a table's target will merge with the smallest large tile.

        At least a share `least_left` of it must still be missing.
        """
        is_like = self.goal(n_large, exponent) == exponent == self.ranks[n_large - 1]
        made = sum(1 << rank for rank in self.ranks[n_large:] if rank)
        return n_large > 0 and is_like and made <= (1 - least_left) * (1 << exponent)

    def may_soon_be_second(self, n_large: int, exponent: int) -> bool:
        """Return whether the smallest of n large tiles is like the target, or half of it."""
        return n_large > 0 and exponent - 1 <= self.ranks[n_large - 1] <= exponent

    def may_soon_fit(self, n_large: int, exponent: int) -> bool:
        return n_large == 0 or self.ranks[n_large - 1] >= min(self._least_goal, exponent)

    def may_fit_ahead(self, n_large: int, exponent: int) -> bool:
        """Return whether n tiles reach the target, or n - 1 and enough to make one more."""
        rest = sum(1 << rank for rank in self.ranks[max(n_large, 1) - 1 :] if rank)
        return rest >= 1 << exponent and (n_large < 2 or self.ranks[n_large - 2] >= exponent)

    def large_sum(self, n_large: int) -> int:
        return sum(1 << rank for rank in self.ranks[:n_large])

    def masked(self, n_large: int) -> int:
        nibbles = list(self._cells)
        for cell in self._order[:n_large]:
            nibbles[cell] = _F
        return bitboard(tuple(nibbles))
