"""Table rates for the positions that a search beside walls reaches: `known_positions`.

A search beside walls (ai.evaluation.walls) estimates the chance of its goal, another tile like the
smallest wall. A table whose n large tiles are the walls and the next largest ones, and whose target
is the smallest of them, has an equivalent goal: once it is made, all merge in turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ai.dispatch.cached_table import CachedTable
from ai.dispatch.scale import network_values
from engine.platform.jit import inline_kernel, kernel, popcount
from tablebase.errors import TableError

F32 = npt.NDArray[np.float32]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

_U = np.uint64
_F, _EVEN = _U(15), _U(0x0101_0101_0101_0101)


@dataclass(eq=False)
class LeafRates:
    """Table values for after-states beside walls: `ai.search.known_positions.Known`.

    Below `least_rate` the search decides for itself: something else may be better. `drop` is called
    with a table that cannot be read.
    """

    tables: Sequence[CachedTable]
    goal: int
    least_rate: float
    drop: Callable[[CachedTable, TableError], None]

    def __call__(self, afters: U64) -> F32:
        """Return the values (float32[n]) of after-states (uint64[n]), on the network's scale."""
        rates = np.zeros(afters.size)
        views: dict[tuple[int, int], tuple[I64, U64]] = {}
        for table in self.tables:
            key = table.n_large, table.exponent
            if key not in views:
                masked = np.empty_like(afters)
                mask_large(afters, *key, masked)
                asked = np.flatnonzero(masked)
                views[key] = asked, masked[asked]
            asked, boards = views[key]
            if not asked.size:
                continue
            try:
                table_rates = table.many_rates(boards)
            except TableError as error:
                self.drop(table, error)
                continue
            rates[asked] = np.fmax(rates[asked], table_rates)
        values = network_values(rates, self.goal)
        values[rates < self.least_rate] = np.nan
        return values


@kernel
def mask_large(boards, n_large, exponent, masked):
    """Fill `masked` (uint64[n]) with each board's tiles from an exponent on as F.

    0 if there are not n_large of them, or if two beside the walls are equal and should merge.
    """
    add = _U(16 - exponent) * _EVEN
    for i in range(boards.size):
        board = boards[i]
        # A large tile in the low half of a byte carries into the high half.
        even = ((board & _EVEN * _F) + add) & _EVEN << _U(4)
        odd = ((board >> _U(4) & _EVEN * _F) + add) & _EVEN << _U(4)
        masked[i] = _U(0)
        if popcount(even) + popcount(odd) == n_large:  # most boards end here
            large = (even >> _U(4) | odd) * _F
            if all_differ(board & large):
                masked[i] = board | large


@inline_kernel
def all_differ(board):
    """Return whether all tiles of a board differ, ignoring walls and empty cells."""
    seen = 0
    for shift in range(0, 64, 4):
        tile = np.int64((board >> _U(shift)) & _F)
        if 0 < tile < 15:
            if seen >> tile & 1:
                return False
            seen |= 1 << tile
    return True
