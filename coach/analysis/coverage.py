"""Which positions of a whole game a table can speak about: large tiles as F, and all else as it is.

A table of n large tiles and a target covers a position whose n largest tiles

* are all different: two equal ones should merge, and a table never lets them,
* are at least the target each,
* while all other tiles are smaller than the target.

Then the large tiles become F, in whatever orientation they stand, and the table is asked; large
tiles where the formation has none make it answer nothing. This is how Practice, `probe` and the AI
mean it as well. 2048EndgameTablebase demands more of a game: that the smallest large tile *is* the
target, so that the next one merges with it at once; `is_strict` does the same.

On the small boards, 2x4 to 3x4, F are the walls of the board itself, and the tiles need only be
smaller than the target.

A table that leads to a sum takes the place of its target by the first tile that is that sum all by
itself: large tiles are at least such, others smaller, and together they have reached the sum or
not. Such a table is asked only where not `is_strict`.

A table holds what comes up from the formation's seeds. A game enters the formation at some other
board, and of such a board some moves may lead to what is stored, and others to what never came up:
their rates are unknown. From a position whose best move is certain on, everything that follows is
known, as long as known moves are played. Tables that keep less, by a threshold or for optimal play
only, know which move is best; the rates of moves that they leave out they never know.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from coach.grading.unknown_rates import Answer
from engine.bitboard import LARGEST_NIBBLE
from tablebase.formation.goal import Goal, goal_of

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

Rates = tuple[float | None, float | None, float | None, float | None]


class Table(Protocol):
    """The part of `tablebase.probe.reader.Tablebase` that is used here."""

    name: str
    spawn4: float
    rate: str

    @property
    def target(self) -> Goal | int:
        """What it leads to; a bare number is the face value of a tile."""

    @property
    def formation(self) -> "Formation":
        """Its formation."""

    @property
    def n_large(self) -> int:
        """The number of F on a board."""

    @property
    def is_thinned(self) -> bool:
        """Whether boards of a rate above zero may be missing."""

    @property
    def is_limited(self) -> bool:
        """Whether its rates are lower bounds."""

    def get(self, board: int, comes_up: bool = False) -> Answer | None:
        """The rates of a board; None where the table knows nothing."""


class LargeTiles:
    """The tiles of a position by size, sorted once for all tables.

    Parameters
    ----------
    cells : sequence of int
        16 exponents, up to 17.
    """

    __slots__ = ("_cells", "_n_different", "_order", "_ranks")

    def __init__(self, cells: Sequence[int]) -> None:
        self._cells = cells
        self._order = sorted(range(16), key=cells.__getitem__, reverse=True)
        self._ranks = [cells[cell] for cell in self._order]
        ranks = self._ranks
        self._n_different = next((n for n in range(1, 16) if ranks[n] == ranks[n - 1]), 16)

    def masked(self, n_large: int, exponent: int, is_strict: bool = False) -> int | None:
        """Return the board with its n largest tiles as F; None where a table does not apply.

        Parameters
        ----------
        n_large, exponent : int
            Large tiles of the table, and its target.
        is_strict : bool
            Whether the smallest large tile has to be the target itself.
        """
        ranks = self._ranks
        if n_large > self._n_different or (n_large < 16 and ranks[n_large] >= exponent):
            return None
        if n_large:
            smallest = ranks[n_large - 1]
            if smallest < exponent or (is_strict and smallest > exponent):
                return None
        nibbles = list(self._cells)
        for cell in self._order[:n_large]:
            nibbles[cell] = LARGEST_NIBBLE
        return _number(nibbles)

    def large(self, n_large: int) -> tuple[int, ...]:
        """Return the exponents of the n largest tiles, largest first."""
        return tuple(self._ranks[:n_large])

    def masked_walls(self, n_walls: int, exponent: int) -> int | None:
        """Return the board of a game with walls; None where its tiles have outgrown the table."""
        ranks = self._ranks
        if ranks[n_walls - 1 : n_walls] != [LARGEST_NIBBLE] or ranks[n_walls] >= exponent:
            return None
        return _number(self._cells)

    def next_largest(self, n_large: int) -> int:
        """Return the exponent of the largest tile that is not one of the n large ones."""
        return self._ranks[n_large] if n_large < 16 else 0

    def small_half_sum(self, n_large: int) -> int:
        """Return half the sum of the tiles that are not one of the n large ones."""
        return sum(1 << exponent for exponent in self._ranks[n_large:] if exponent) // 2


@dataclass(frozen=True)
class Coverage:
    """One table and the rule by which it is asked about a game.

    Attributes
    ----------
    table : Table
    walls : bool
        Whether the game has walls.
    is_strict : bool
        See above.
    """

    table: Table
    walls: bool = False
    is_strict: bool = False

    @cached_property
    def n_large(self) -> int:
        """Return the number of F on a board of the table."""
        return self.table.n_large

    @cached_property
    def exponent(self) -> int:
        """Return the exponent of the table's target."""
        return goal_of(self.table.target).least_large

    @property
    def is_possible(self) -> bool:
        """Tell whether the table is one for this kind of board at all."""
        is_asked = not self.is_strict or goal_of(self.table.target).tile > 0
        return is_asked and self.table.formation.walls == self.walls

    def may_have_reached(self, tiles: LargeTiles) -> bool:
        """Tell whether tiles that are not large have grown as far as the goal asks."""
        n, goal = self.n_large, goal_of(self.table.target)
        if goal.tile:
            return tiles.next_largest(n) >= self.exponent
        return goal.is_reached_by(tiles.small_half_sum(n))

    def masked(self, tiles: LargeTiles) -> int | None:
        """Return the board that the table is asked about; None where it does not apply."""
        n, exponent = self.n_large, self.exponent
        if self.may_have_reached(tiles):
            return None  # what a table says then is of no use: nobody plays for it any more
        if self.walls:
            return tiles.masked_walls(n, exponent)
        return tiles.masked(n, exponent, self.is_strict)

    def answer(self, tiles: LargeTiles, follows: bool = False) -> Answer | None:
        """Return what the table says of a position; None where it does not cover it.

        Parameters
        ----------
        tiles : LargeTiles
        follows : bool
            Whether the position followed a known one by a known move.

        Raises
        ------
        TableError
            The table cannot be read any more.
        """
        masked = self.masked(tiles)
        return self.table.get(masked, follows) if masked is not None else None


def _number(nibbles: Sequence[int]) -> int:
    board = 0
    for nibble in nibbles:
        board = board << 4 | nibble
    return board
