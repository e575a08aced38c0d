"""The cells of rows and columns that hold F, in any line and in a formation's arrangements.

The pattern of a line is a set of its four cells, the left or top one in the highest bit.
"""

from functools import cache

import numpy as np

from engine.platform.array_types import U8
from tablebase.formation.formation import Formation

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
    return sum(8 >> row for row in range(4) if (f_cells >> (60 - 16 * row - 4 * column)) & 15)


def possible_rows(formation: Formation) -> tuple[int, ...]:
    """Return, as bit sets, the patterns that each row of a board has in any arrangement."""
    return tuple(_patterns_in(formation, range(4 * row, 4 * row + 4)) for row in range(4))


def possible_columns(formation: Formation) -> tuple[int, ...]:
    return tuple(_patterns_in(formation, range(column, 16, 4)) for column in range(4))


def _patterns_in(formation: Formation, cells: range) -> int:
    placed = np.array(formation.arrangements, np.uint64)
    holds = [placed >> np.uint64(60 - 4 * cell) & np.uint64(1) for cell in cells]
    patterns = np.packbits(np.stack(holds).astype(np.uint8), axis=0).ravel() >> np.uint8(4)
    return sum(1 << pattern for pattern in np.unique(patterns).tolist())
