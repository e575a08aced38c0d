"""Which positions of a whole game a table covers: large tiles become F, all else stays as it is.

A table of n large tiles and a target covers a position whose n largest tiles

* are all different: two equal ones should merge, and a table never allows that; F of a recording
  of a table never merge, so any number of them may be equal,
* are at least the target each,
* while all other tiles are smaller than the target.

The large tiles then become F, in any orientation, and the table is queried; it has no answer if a
large tile stands where the formation has none. Practice, `probe` and the AI follow the same rule.
2048EndgameTablebase is stricter: the smallest large tile must *be* the target, so that the next
target merges with it at once; `is_strict` requires the same.

On the small boards, 2x4 to 3x4, F marks the walls of the board itself, and the tiles only need to
be smaller than the target.

For a table whose target is a sum, the smallest tile that alone equals the sum takes the target's
place: large tiles are at least that large, the others are smaller, and their sum may or may not
have reached the target. Such a table is queried only without `is_strict`.

A table holds the boards reachable from the formation's seeds. A game may enter the formation at
another board, from which some moves lead to stored boards and others to boards that were never
generated: their rates are unknown. Once the best move of a position is certain, all later positions
are known as long as known moves are played. Tables thinned by a threshold or for optimal play know
which move is best, but never the rates of the moves they leave out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from coach.grading.rated import Rated, read
from engine.bitboard import LARGEST_NIBBLE
from engine.formats.replay import bitboard
from tablebase.errors import ProbeError
from tablebase.formation.goal import goal_of
from tablebase.probe.table import Table


class LargeTiles:
    """The tiles of 16 exponents, up to 17, by size, sorted once for all tables.

    `merge_32768` says whether 32768 is a tile that merges, not the F of a recording of a table.
    """

    __slots__ = ("_cells", "_n_different", "_order", "_ranks")

    def __init__(self, cells: Sequence[int], merge_32768: bool = True) -> None:
        self._cells = cells
        self._order = sorted(range(16), key=cells.__getitem__, reverse=True)
        self._ranks = [cells[cell] for cell in self._order]
        ranks = self._ranks
        merging = [n for n in range(1, 16) if ranks[n] == ranks[n - 1]]
        locked = 0 if merge_32768 else LARGEST_NIBBLE
        self._n_different = next((n for n in merging if ranks[n] != locked), 16)

    def masked(self, n_large: int, exponent: int, is_strict: bool = False) -> int | None:
        """Return the board with its n largest tiles as F; None if the table does not apply.

        `exponent` is that of the table's target; `is_strict` as in the module docstring.
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
        return bitboard(tuple(nibbles))

    def large(self, n_large: int) -> tuple[int, ...]:
        return tuple(self._ranks[:n_large])

    def masked_walls(self, n_walls: int, exponent: int) -> int | None:
        """Return the board of a game with walls; None if its tiles have outgrown the table."""
        ranks = self._ranks
        if ranks[n_walls - 1 : n_walls] != [LARGEST_NIBBLE] or ranks[n_walls] >= exponent:
            return None
        return bitboard(tuple(self._cells))

    def next_largest(self, n_large: int) -> int:
        return self._ranks[n_large] if n_large < 16 else 0

    def small_half_sum(self, n_large: int) -> int:
        return sum(1 << exponent for exponent in self._ranks[n_large:] if exponent) // 2


@dataclass(frozen=True)
class Coverage:
    """One table and the rule for querying it about a game."""

    table: Table
    walls: bool = False  # whether the game has walls
    is_strict: bool = False  # see the module docstring

    @cached_property
    def n_large(self) -> int:
        return self.table.n_large

    @cached_property
    def exponent(self) -> int:
        return goal_of(self.table.target).least_large

    @property
    def is_possible(self) -> bool:
        is_asked = not self.is_strict or goal_of(self.table.target).tile > 0
        return is_asked and self.table.formation.walls == self.walls

    def may_have_reached(self, tiles: LargeTiles) -> bool:
        """Return whether the tiles that are not large have grown as far as the goal requires."""
        n, goal = self.n_large, goal_of(self.table.target)
        if goal.tile:
            return tiles.next_largest(n) >= self.exponent
        return goal.is_reached_by(tiles.small_half_sum(n))

    def masked(self, tiles: LargeTiles) -> int | None:
        """Return the board to query the table with; None if the table does not apply."""
        n, exponent = self.n_large, self.exponent
        if self.may_have_reached(tiles):
            return None  # the goal may be reached already, so the table's answer is of no use
        if self.walls:
            return tiles.masked_walls(n, exponent)
        return tiles.masked(n, exponent, self.is_strict)

    def answer(self, tiles: LargeTiles, follows: bool = False) -> Rated | None:
        """Return the table's answer for a position; None if it does not cover it.

        `follows` says whether it followed a known position by a known move. Raises TableError if
        the table can no longer be read.
        """
        masked = self.masked(tiles)
        if masked is None:
            return None
        try:
            return read(self.table, masked, follows)
        except ProbeError:
            return None
