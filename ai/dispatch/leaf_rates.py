"""What tables know of the positions that a search beside walls comes to: `known_positions`.

A search beside walls (ai.evaluation.walls) asks for the chance to make its goal, another tile like
the smallest wall. A table whose n large tiles are the walls and the next largest ones, and whose
target is the least of them, asks for the same: when it is made, all merge one after the other.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ai.dispatch.asked_table import AskedTable
from ai.dispatch.scale import network_values
from engine.jit import kernel
from tablebase.errors import TableError

F32 = npt.NDArray[np.float32]
U64 = npt.NDArray[np.uint64]

_U = np.uint64
_F = _U(15)


class LeafRates:
    """Answers for after-states beside walls: `ai.search.known_positions.Known`.

    Parameters
    ----------
    tables : sequence of AskedTable
        Those that may apply.
    goal : int
        What the search is to make, as an exponent.
    least_rate : float
        Below such a rate the search sees for itself: something else may be better.
    drop : callable
        Told of a table that cannot be read.
    """

    def __init__(
        self,
        tables: Sequence[AskedTable],
        goal: int,
        least_rate: float,
        drop: Callable[[AskedTable, TableError], None],
    ) -> None:
        self._tables, self._goal, self._least_rate, self._drop = tables, goal, least_rate, drop

    def __call__(self, afters: U64) -> F32:
        """Return the values (float32[n]) of after-states (uint64[n]), as a network counts."""
        rates = np.zeros(afters.size)
        masked = np.empty_like(afters)
        for table in self._tables:
            mask_large(afters, table.n_large, table.exponent, masked)
            asked = np.flatnonzero(masked)
            try:
                found = table.many_rates(masked[asked])
            except TableError as error:
                self._drop(table, error)
                continue
            rates[asked] = np.fmax(rates[asked], found)
        values = network_values(rates, self._goal)
        values[rates < self._least_rate] = np.nan
        return values


@kernel
def mask_large(boards, n_large, exponent, masked):
    """Fill `masked` (uint64[n]) with each board's tiles from an exponent on as F.

    0 where there are not n_large of them, or two alike beside the walls: they should merge.
    """
    for i in range(boards.size):
        board, n, seen = boards[i], 0, 0
        found = board
        for shift in range(0, 64, 4):
            tile = np.int64((board >> _U(shift)) & _F)
            if tile < exponent:
                continue
            found |= _F << _U(shift)
            n += 1
            if tile < 15:
                n += 16 * (seen >> tile & 1)
                seen |= 1 << tile
        masked[i] = found if n == n_large else _U(0)
