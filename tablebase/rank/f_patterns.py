"""Which cells of rows and columns hold F, in any line and in the arrangements of a formation.

The pattern of a line is a set of its four cells, the left or top one in the highest bit.
"""

from functools import cache, cached_property

import numpy as np

from tablebase.formation.formation import Formation
from tablebase.rank.kernel_tables import U8, U64

_CELL_SHIFTS = (12, 8, 4, 0)


@cache
def line_patterns() -> U8:
    """Return the pattern of every line of four cells (uint8[65536], read-only)."""
    lines = np.arange(1 << 16)
    holds = [(lines >> shift) & 15 == 15 for shift in _CELL_SHIFTS]
    patterns = np.packbits(np.stack(holds), axis=0).ravel() >> np.uint8(4)
    patterns.flags.writeable = False
    return patterns


def column_pattern(f_cells: int, column: int) -> int:
    """Return the pattern of a column of a board."""
    return sum(8 >> row for row in range(4) if (f_cells >> (60 - 16 * row - 4 * column)) & 15)


class PossiblePatterns:
    """The patterns that each line of a board has in any arrangement of a formation."""

    def __init__(self, formation: Formation) -> None:
        self._placed = np.array(formation.arrangements, np.uint64)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Return the patterns of each row as bit sets."""
        return tuple(self._set_of([4 * row + cell for cell in range(4)]) for row in range(4))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Return the patterns of each column as bit sets."""
        return tuple(self._set_of([4 * cell + column for cell in range(4)]) for column in range(4))

    def _set_of(self, cells: list[int]) -> int:
        holds = [_has_f(self._placed, cell) for cell in cells]
        patterns = np.packbits(np.stack(holds), axis=0).ravel() >> np.uint8(4)
        return sum(1 << pattern for pattern in np.unique(patterns).tolist())


def _has_f(boards: U64, cell: int) -> U8:
    return (boards >> np.uint64(60 - 4 * cell) & np.uint64(1)).astype(np.uint8)
