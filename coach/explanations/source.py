"""Who says how good a position is: a table, or search where no table knows; asked the same way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ai.chances.goal import Goal, goal_of
from coach.grading.grade import Tolerance
from coach.grading.unknown_rates import Table, read
from coach.whole_game.rating import ALIKE
from engine.formats.replay import Cells, Rates, bitboard
from engine.trace import Motion, slide_cells
from tablebase.errors import ProbeError

NOTHING: Rates = (None, None, None, None)

NODES = 4_000
"""Positions searched for each board: a millisecond, as hundreds of boards are looked at."""


@dataclass(frozen=True)
class Look:
    """What is known of a position.

    Attributes
    ----------
    rates : tuple of four float or None
        The chance after each move, by direction; None where that is illegal or not known.
    best : int or None
        The best move, the first of equal ones.
    rate : float or None
        Of the best move, 0 when no move is left; None where it is not known.
    is_whole : bool
        Whether nothing is unknown.
    """

    rates: Rates
    best: int | None
    rate: float | None
    is_whole: bool


UNKNOWN = Look(NOTHING, None, None, is_whole=False)


class Source(Protocol):
    """A table, or search: one of them for a whole explanation, as they speak of other chances."""

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
        """Return what a move does; the same cells as before when it is illegal."""

    def look(self, cells: Sequence[int], follows: bool = False) -> Look:
        """Return what is known of a position.

        Parameters
        ----------
        cells : sequence of 16 int
            Exponents.
        follows : bool
            Whether it followed a position of which all is known.
        """


class AskedTable(Table, Protocol):
    """The part of `tablebase.probe.reader.Tablebase` that is used here."""

    @property
    def name(self) -> str:
        """Such as "L3_512"."""

    @property
    def spawn4(self) -> float:
        """The share of fours."""

    @property
    def rate(self) -> str:
        """The type in which rates are stored."""

    @property
    def formation(self) -> "Walled":
        """What the table answers for."""


class Walled(Protocol):
    """The part of a formation that is used here."""

    @property
    def walls(self) -> bool:
        """Whether nibble F is a wall."""


class TableSource:
    """A table; what it has said is kept. One thread at a time."""

    is_estimate = False

    def __init__(self, table: AskedTable) -> None:
        self._table, self._walls = table, bool(table.formation.walls)
        self.name, self.spawn4 = table.name, table.spawn4
        self.tolerance, self.is_bound = Tolerance.of_type(table.rate), table.is_limited
        self._kept: dict[tuple[int, bool], Look] = {}

    def slide(self, cells: Sequence[int], direction: int) -> Motion:
        """See `Source`."""
        return slide_cells(cells, direction, self._walls)

    def look(self, cells: Sequence[int], follows: bool = False) -> Look:
        """See `Source`; raise TableError when the table cannot be read any more."""
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
        """By direction, None where the move is illegal."""

    @property
    def direction(self) -> int | None:
        """The best move."""


Estimate = Callable[[Sequence[int], int, Goal], Estimated]
"""Searches a position for so many nodes: how likely is that goal? (`ChanceSearch.look`)"""


class SearchSource:
    """Search for one goal, that of the position where the explanation begins.

    Parameters
    ----------
    estimate : Estimate
    cells : sequence of 16 int
        Where it begins.
    spawn4 : float
    nodes : int
        For each board.
    known : four chances, optional
        What is said of the position already, perhaps by another search: it stays what is said.
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
