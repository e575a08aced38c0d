"""The source of chances: a table, or search where no table answers, behind one interface."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ai.chances.goal import ChanceGoal, goal_of
from coach.grading.grade import Tolerance
from coach.grading.rated import Rated, read
from coach.whole_game.rating import ALIKE
from engine.formats.replay import Cells, bitboard
from engine.trace import Motion, slide_cells
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

if TYPE_CHECKING:
    from ai.chances.chance_search import ChanceEstimate

NODES = 4_000
"""Positions searched for each board: a millisecond, as hundreds of boards are looked at."""


class TableSource:
    """A table, with its answers cached. Use from one thread at a time."""

    is_estimate = False

    def __init__(self, table: Table) -> None:
        self._table, self._walls = table, table.formation.walls
        self.name, self.spawn4 = table.name, table.spawn4
        self.tolerance, self.is_bound = Tolerance.of_type(table.rate), table.is_limited
        self._known: dict[tuple[int, bool], Rated] = {}

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        """Return the movement of a move; the cells are unchanged if it is illegal."""
        return slide_cells(cells, direction, self._walls)

    def look(self, cells: Sequence[int], follows: bool = False) -> Rated:
        """Return the known chances of a position; `follows`: it followed a fully known one.

        TableError: the table can no longer be read.
        """
        key = bitboard(tuple(cells)), follows
        if key not in self._known:
            try:
                self._known[key] = read(self._table, *key)
            except ProbeError as error:
                self._known[key] = Rated(error=error)
        return self._known[key]


EstimateChances = Callable[[Sequence[int], int, ChanceGoal], "ChanceEstimate"]
"""Searches a position with a number of nodes for the chance of a goal (`ChanceSearch.look`)."""


class SearchSource:
    """Search for one goal: that of the position where the explanation begins.

    `nodes` are for each board. `known` are chances already shown for the position, perhaps from
    another search; they are kept.
    """

    name = ""
    is_estimate, is_bound = True, False
    tolerance = ALIKE

    def __init__(
        self,
        estimate: EstimateChances,
        cells: Sequence[int],
        spawn4: float = 0.1,
        nodes: int = NODES,
        known: Sequence[float | None] | None = None,
    ) -> None:
        self._estimate, self._nodes, self.spawn4 = estimate, nodes, spawn4
        self.goal = goal_of(cells)
        self._known: dict[Cells, Rated] = {}
        if known and any(chance is not None for chance in known):
            left, right, up, down = known
            self._known[tuple(cells)] = Rated.of((left, right, up, down))

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        return slide_cells(cells, direction, merge_32768=True)

    def look(self, cells: Sequence[int], follows: bool = False) -> Rated:
        """Return the chances of a position, always the same for the same one."""
        del follows
        key = tuple(cells)
        if key not in self._known:
            found = self._estimate(key, self._nodes, self.goal)
            left, right, up, down = found.chances
            self._known[key] = Rated((left, right, up, down), found.direction)
        return self._known[key]


Source = TableSource | SearchSource
"""A table or search: the same one for a whole explanation, as their chances differ."""
