"""A table as queried by the dispatcher: positions in any orientation, with a cache of answers."""

import numpy as np
import numpy.typing as npt

from engine.geometry import Destination, permute
from tablebase.formation.goal import goal_of
from tablebase.probe.reader import Tablebase

Rates = tuple[float | None, ...]
"""Success rates by direction; None for a move that is illegal, leaves the formation, or whose rate
the table does not hold: 0, or unknown."""

_MAX_REMEMBERED = 1 << 16  # answers of one table: about 20 MB
_STEPS = {-1: 0, 1: 1, -4: 2, 4: 3}  # directions by their offset of the cell number


class CachedTable:
    """A table with a cache of its answers.

    Large tiles seldom move, and positions recur: most lookups of a game have been made before,
    possibly in another orientation. `pattern` is such as "L3"; `is_quick` says whether a batch of
    rates takes only microseconds each.
    """

    def __init__(self, table: Tablebase) -> None:
        self._table = table
        self.name, self.pattern, self.is_quick = table.name, table.pattern, table.is_quick
        self.is_limited = table.is_limited  # its rates are lower bounds
        # Large tiles of its formation, and its target.
        self.n_large, self.exponent = table.n_large, goal_of(table.target).least_large
        self._turns: dict[int, tuple[Destination, list[int]] | None] = {}
        self._answers: dict[int, Rates | None] = {}

    def rates(self, masked: int) -> Rates | None:
        """Return the rates of a board whose large tiles are F; None if the table has no answer.

        Raises TableError if it can no longer be read.
        """
        ones = masked & masked >> 1
        f_cells = ones & ones >> 2 & 0x1111_1111_1111_1111
        if f_cells not in self._turns:
            self._turns[f_cells] = self._turn_of(masked)
        turn = self._turns[f_cells]
        if turn is None:
            return None
        destination, directions = turn
        turned = permute(masked, destination)
        if turned not in self._answers:
            if len(self._answers) >= _MAX_REMEMBERED:
                del self._answers[next(iter(self._answers))]
            self._answers[turned] = self._table.held_rates(turned)
        rates = self._answers[turned]
        return rates and tuple(rates[direction] for direction in directions)

    def many_rates(self, afters: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return the rates of after-states whose large tiles are F; NaN where there is no answer.

        Raises TableError if it can no longer be read.
        """
        return self._table.many_rates(afters)

    def close(self) -> None:
        self._table.close()

    def _turn_of(self, masked: int) -> tuple[Destination, list[int]] | None:
        """Return one turn into the formation, and the four directions after it.

        The table tries all other turns by itself.
        """
        turns = self._table.turns(masked)
        if not turns:
            return None
        goes_to = turns[0]
        # Cells 5 and 6 lie side by side, 5 and 9 one below the other.
        right, down = goes_to[6] - goes_to[5], goes_to[9] - goes_to[5]
        return goes_to, [_STEPS[step] for step in (-right, right, -down, down)]
