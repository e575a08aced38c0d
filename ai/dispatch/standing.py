"""What of a position decides which tables can answer for it: its large tiles, sorted once."""

from collections.abc import Sequence

_F = 15


class Standing:
    """The tiles of a position by size, for the quick question whether a table can fit.

    Parameters
    ----------
    cells : sequence of int
        16 exponents, up to 17.

    Attributes
    ----------
    ranks : list of int
        The exponents, largest first.
    """

    def __init__(self, cells: Sequence[int]) -> None:
        self._cells = cells
        self._order = sorted(range(16), key=lambda cell: -cells[cell])
        self.ranks = [cells[cell] for cell in self._order]
        self._n_distinct = next(
            (n for n in range(1, 16) if self.ranks[n] == self.ranks[n - 1]), 16
        )  # how many of the largest are all different

    def fits(self, n_large: int, exponent: int) -> bool:
        """Tell whether a table may apply: n tiles of at least the target, all others smaller.

        And the large ones all different: two that are equal should merge, and a table would never
        let them. A board that has the target beside them has nothing to ask.
        """
        if n_large > self._n_distinct:
            return False
        is_large = n_large == 0 or self.ranks[n_large - 1] >= exponent
        return is_large and (n_large == 16 or self.ranks[n_large] < exponent)

    def may_soon_fit(self, n_large: int, exponent: int) -> bool:
        """Tell whether there are n tiles of at least the target: a table may apply any time."""
        return n_large == 0 or self.ranks[n_large - 1] >= exponent

    def large_sum(self, n_large: int) -> int:
        """Return the sum of the n largest tiles in face value."""
        return sum(1 << rank for rank in self.ranks[:n_large])

    def masked(self, n_large: int) -> int:
        """Return the board with its n largest tiles as F."""
        nibbles = list(self._cells)
        for cell in self._order[:n_large]:
            nibbles[cell] = _F
        board = 0
        for nibble in nibbles:
            board = board << 4 | nibble
        return board
