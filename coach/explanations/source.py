"""The source of chances: a table, or search where no table answers, behind one interface."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ai.chances.goal import Goal, goal_of
from coach.grading.grade import Tolerance
from coach.grading.unknown_rates import read
from coach.whole_game.rating import ALIKE
from engine.formats.replay import Cells, Rates, bitboard
from engine.trace import Motion, slide_cells
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

NOTHING: Rates = (None, None, None, None)

NODES = 4_000
"""Positions searched for each board: a millisecond, as hundreds of boards are looked at."""


@dataclass(frozen=True)
class Look:
    """The known chances of a position.

    Attributes
    ----------
    rates : tuple of four float or None
        The chance after each move, by direction; None if illegal or unknown.
    best : int or None
        The best move; of equal ones, the first.
    rate : float or None
        Chance of the best move, 0 if no move is left; None if unknown.
    is_whole : bool
        Whether nothing is unknown.
    """

    rates: Rates
    best: int | None
    rate: float | None
    is_whole: bool


UNKNOWN = Look(NOTHING, None, None, is_whole=False)


class Source(Protocol):
    """A table or search: the same one for a whole explanation, as their chances differ."""

    @property
    def name(self) -> str:
        """The name of a table; "" for search."""

    @property
    def is_estimate(self) -> bool:
        """Whether its chances are estimated."""

    @property
    def is_bound(self) -> bool:
        """Whether its chances are lower bounds."""

    @property
    def spawn4(self) -> float:
        """The share of fours among the new tiles."""

    @property
    def tolerance(self) -> Tolerance:
        """Which chances count as equal."""

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        """Return the movement of a move; the cells are unchanged if it is illegal."""

    def look(self, cells: Sequence[int], follows: bool = False) -> Look:
        """Return the known chances of a position.

        Parameters
        ----------
        cells : sequence of 16 int
            Exponents.
        follows : bool
            Whether it followed a fully known position.
        """


class TableSource:
    """A table, with its answers cached. Use from one thread at a time."""

    is_estimate = False

    def __init__(self, table: Table) -> None:
        self._table, self._walls = table, table.formation.walls
        self.name, self.spawn4 = table.name, table.spawn4
        self.tolerance, self.is_bound = Tolerance.of_type(table.rate), table.is_limited
        self._kept: dict[tuple[int, bool], Look] = {}

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        """See `Source`."""
        return slide_cells(cells, direction, self._walls)

    def look(self, cells: Sequence[int], follows: bool = False) -> Look:
        """See `Source`; raise TableError if the table can no longer be read."""
        key = bitboard(tuple(cells)), follows
        if key not in self._kept:
            self._kept[key] = self._read(*key)
        return self._kept[key]

    def _read(self, board: int, follows: bool) -> Look:
        try:
            found = read(self._table, board, follows)
        except ProbeError:
            return UNKNOWN
        doubt, best = found.unknown_rates, found.best
        is_whole = not (doubt and doubt.moves)
        if best is None:
            return Look(found.rates, None, 0.0 if is_whole else None, is_whole)
        if doubt and doubt.leaves_best_open:
            return Look(found.rates, None, None, is_whole)
        return Look(found.rates, best, found.rates[best], is_whole)


class Estimated(Protocol):
    """The part of `ai.chances.chance_search.Estimate` that is used here."""

    @property
    def chances(self) -> Sequence[float | None]:
        """Chances by direction, None for an illegal move."""

    @property
    def direction(self) -> int | None:
        """The best move."""


Estimate = Callable[[Sequence[int], int, Goal], Estimated]
"""Searches a position with a number of nodes for the chance of a goal (`ChanceSearch.look`)."""


class SearchSource:
    """Search for one goal: that of the position where the explanation begins.

    Parameters
    ----------
    estimate : Estimate
    cells : sequence of 16 int
        The position where it begins.
    spawn4 : float
    nodes : int
        Search nodes per board.
    known : four chances, optional
        Chances already shown for the position, perhaps from another search; they are kept.
    """

    name = ""
    is_estimate, is_bound = True, False
    tolerance = ALIKE

    def __init__(
        self,
        estimate: Estimate,
        cells: Sequence[int],
        spawn4: float = 0.1,
        nodes: int = NODES,
        known: Sequence[float | None] | None = None,
    ) -> None:
        self._estimate, self._nodes, self.spawn4 = estimate, nodes, spawn4
        self.goal = goal_of(cells)
        self._kept: dict[Cells, Look] = {}
        if known and (order := [(one, -at) for at, one in enumerate(known) if one is not None]):
            left, right, up, down = known
            most, at = max(order)
            self._kept[tuple(cells)] = Look((left, right, up, down), -at, most, is_whole=True)

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        """See `Source`."""
        return slide_cells(cells, direction, merge_32768=True)

    def look(self, cells: Sequence[int], follows: bool = False) -> Look:
        """See `Source`; the same answer for the same position."""
        del follows
        key = tuple(cells)
        if key not in self._kept:
            found = self._estimate(key, self._nodes, self.goal)
            left, right, up, down = found.chances
            rates = (left, right, up, down)
            best = found.direction
            rate = 0.0 if best is None else rates[best]
            self._kept[key] = Look(rates, best, rate, is_whole=True)
        return self._kept[key]
