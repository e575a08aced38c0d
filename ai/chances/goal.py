"""The goal of any position: the tile to make next, whose chance is shown and tables know.

A game is a chain of blocks (`ai.match.report`): make another 2048 beside the tiles that are there
and all different. Often that is equivalent to making a smaller tile: beside 1024 another 1024, and
beside 1024 and 512 another 512, since then all merge. The smallest of these is the goal, as that is
the chance that tables know.
"""

from collections.abc import Sequence
from typing import NamedTuple

BLOCK = 11
"""The exponent of the tile that a block ends with: 2048."""

MIN_EXPONENT = 9
"""Nothing below 512 is a goal."""

REPORTED_TILE = 15
"""Of what goals lead to the tile whose chance is told as such: 32768, for there it is known how far
what search says holds (docs/chances.md). Of 65536 it is not."""


class ChanceGoal(NamedTuple):
    """A tile to be made beside large ones."""

    n_large: int  # number of largest tiles that stay as they are; they are all different
    exponent: int  # exponent of the tile; no other tile is that large yet

    def is_made(self, before: Sequence[int], after: Sequence[int]) -> bool:
        """Return whether a move made the tile, given the 16 exponents before and after it."""
        return self._held(after) > self._held(before)

    def leads_to(self, cells: Sequence[int]) -> int:
        """Return the exponent of the tile that results once everything that can merge has merged.

        Examples
        --------
        With 2048, 4096, 8192 and 16384 the next 2048 makes a 32768; without 4096 it makes a 4096.

        >>> board = [14, 13, 12, 11, 9] + [0] * 11
        >>> goal_of(board).leads_to(board)
        15
        >>> board = [14, 13, 11, 9] + [0] * 12
        >>> goal_of(board).leads_to(board)
        12
        """
        exponent = self.exponent
        while exponent in cells:
            exponent += 1
        return exponent

    def _held(self, cells: Sequence[int]) -> int:
        return sum(1 << cell for cell in cells if cell >= self.exponent)


def goal_of(cells: Sequence[int]) -> ChanceGoal:
    """Return the goal of 16 exponents, up to 17.

    Examples
    --------
    With 16384, 8192 and 4096: the next 2048.

    >>> goal_of([14, 13, 12, 9, 8] + [0] * 11)
    Goal(n_large=3, exponent=11)

    With 1024 and 512 another 512 makes all of them merge.

    >>> goal_of([14, 13, 12, 11, 10, 9, 3] + [0] * 9)
    Goal(n_large=6, exponent=9)

    Two equal large tiles must be merged first.

    >>> goal_of([14, 12, 12, 3] + [0] * 12)
    Goal(n_large=1, exponent=13)
    """
    ranks = sorted(cells, reverse=True)
    n_large = 0
    while ranks[n_large] >= BLOCK and ranks[n_large] > ranks[n_large + 1]:
        n_large += 1
    if ranks[n_large] >= BLOCK:  # and its twin
        return ChanceGoal(n_large, ranks[n_large] + 1)
    exponent = BLOCK
    while (
        exponent > MIN_EXPONENT
        and ranks[n_large] == exponent - 1
        and ranks[n_large + 1] < exponent - 1
        and n_large < 14
    ):
        n_large, exponent = n_large + 1, exponent - 1
    return ChanceGoal(n_large, exponent)
