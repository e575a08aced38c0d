"""Where the large tiles (nibble F) may stand: the arrangements of a formation, and their order.

A formation's masks say which cells must hold F; the seeds say how many F there are. Every way to
place them that contains a mask is an arrangement: one for a formation of locked tiles, a few when
there are several masks, hundreds when F tiles are free. Arrangements that a symmetry of the
formation maps into each other count as one: boards are turned into the arrangement chosen for the
orbit before they are numbered. An arrangement that stays in place under some symmetries holds each
position together with its images (or some of them: see tablebase.rank.orientation); only the least
of them is stored.

A pattern is a 16-bit set of cells, cell 0 (top left) in the highest bit; a row's pattern has 4.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from engine.geometry import Destination, destinations, permute
from engine.platform.array_types import I32
from tablebase.errors import FormationError
from tablebase.formation.formation import Formation

NO_ARRANGEMENT = -1

# Symmetries of the square by number: transpose if bit 2 is set, then exchange left and right if
# bit 0 is, then top and bottom if bit 1 is.
_MIRROR, _FLIP, _TRANSPOSE = 1, 2, 4


@dataclass(frozen=True)
class Arrangement:
    """One placement of the F tiles."""

    f_cells: int  # the board with F there and nothing else
    # The positions, counted from the top, of row 0, row 1, mid and inner row
    # (tablebase.rank.space).
    row_order: tuple[int, int, int, int]
    # Numbers of the formation's symmetries that leave the placement as it is, including 0.
    kept_by: tuple[int, ...]

    def row_pattern(self, position: int) -> int:
        """Return the cells of a row that hold F (4 bits, the left one highest)."""
        row = (self.f_cells >> (48 - 16 * position)) & 0xFFFF
        return sum(1 << (3 - c) for c in range(4) if (row >> (12 - 4 * c)) & 15)


@dataclass(frozen=True)
class Arrangements:
    """The arrangements of a formation, one of each orbit, in the order of their slots."""

    formation: Formation

    @cached_property
    def all(self) -> tuple[Arrangement, ...]:
        """Return one arrangement of each orbit; those of equal row orders lie together."""

        @cache  # every member of an orbit leads to all the others
        def rank_of(f_cells: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
            """Return the sort key: long runs first, then few row orders."""
            return tuple(-n for n in _free(f_cells)), row_order(f_cells), f_cells

        chosen = {
            min((turned(cells, symmetry) for symmetry in self.symmetries), key=rank_of)
            for cells in self.formation.arrangements
        }
        return tuple(
            sorted(
                map(self._describe, chosen),
                key=lambda a: (a.row_order, _free(a.f_cells), a.f_cells),
            )
        )

    @cached_property
    def of_pattern(self) -> I32:
        """Return, per pattern, ``arrangement << 3 | symmetry`` that turns boards into it.

        NO_ARRANGEMENT for patterns outside the formation; int32[65536].
        """
        numbers = {arrangement.f_cells: i for i, arrangement in enumerate(self.all)}
        table = np.full(1 << 16, NO_ARRANGEMENT, np.int32)
        for cells in self.formation.arrangements:
            for symmetry in self.symmetries:
                image = turned(cells, symmetry)
                if image in numbers:
                    table[pattern_of(cells)] = numbers[image] << 3 | symmetry
                    break
        return table

    @cached_property
    def symmetries(self) -> tuple[int, ...]:
        """Return the numbers of the formation's symmetries of the square, 0 first.

        The windows of 3x3 and 3x4 walls have symmetries of their own, which move no F; they give
        just 0.
        """
        squares = {_destination(number): number for number in range(8)}
        numbers = [
            squares.get(destination) for destination in destinations(self.formation.symmetry)
        ]
        if None not in numbers:
            return tuple(sorted(number for number in numbers if number is not None))
        if not self.formation.walls:
            raise FormationError(
                "formation {name!r}: field symmetry: {symmetry!r}: expected a symmetry of the "
                "whole board, because those of a window are for formations with walls",
                name=self.formation.name,
                symmetry=self.formation.symmetry,
            )
        return (0,)

    def find(self, board: int) -> tuple[int, int] | None:
        """Return the arrangement that a board's F tiles belong to, and the board turned into it."""
        word = int(self.of_pattern[pattern_of(board)])
        if word == NO_ARRANGEMENT:
            return None
        symmetry = word & 7
        return word >> 3, turned(board, symmetry) if symmetry else board

    def is_inside(self, board: int) -> bool:
        return int(self.of_pattern[pattern_of(board)]) != NO_ARRANGEMENT

    def _describe(self, cells: int) -> Arrangement:
        kept_by = tuple(
            symmetry for symmetry in self.symmetries if turned(cells, symmetry) == cells
        )
        is_mirrored = len(self.formation.arrangements) == 1 and any(
            list(goes_to) != sorted(goes_to) and sorted(goes_to[:4]) == [0, 1, 2, 3]
            for goes_to in destinations(self.formation.symmetry)
        )
        return Arrangement(cells, row_order(cells, is_mirrored), kept_by)


def pattern_of(board: int) -> int:
    ones = board & board >> 1
    ones &= ones >> 2 & 0x1111_1111_1111_1111
    ones = (ones | ones >> 3) & 0x0303_0303_0303_0303
    ones = (ones | ones >> 6) & 0x000F_000F_000F_000F
    return (ones | ones >> 12) & 0xFF | (ones | ones >> 12) >> 24 & 0xFF00


def turned(board: int, symmetry: int) -> int:
    return permute(board, _destination(symmetry))


def row_order(f_cells: int, is_mirrored: bool = False) -> tuple[int, int, int, int]:
    """Return the positions of the rows from the one with the fewest free cells to the most.

    With `is_mirrored`, which says that symmetries may keep rows in their places, the mid row is the
    uppermost of the two or three rows alike, and the inner row the one below it: see
    tablebase.rank.orientation.
    """
    free = [sum((f_cells >> (60 - 16 * r - 4 * c)) & 15 == 0 for c in range(4)) for r in range(4)]
    a, b, c, d = sorted(range(4), key=lambda r: (free[r], -r))
    if is_mirrored and free[b] == free[d] and a in (0, 3):
        c, d, b = sorted((b, c, d))
    elif is_mirrored and free[c] == free[d]:
        c, d = sorted((c, d))
    return a, b, c, d


@cache
def _destination(symmetry: int) -> Destination:
    goes_to = []
    for cell in range(16):
        r, c = divmod(cell, 4)
        if symmetry & _TRANSPOSE:
            r, c = c, r
        if symmetry & _MIRROR:
            c = 3 - c
        if symmetry & _FLIP:
            r = 3 - r
        goes_to.append(4 * r + c)
    return tuple(goes_to)


def _free(f_cells: int) -> tuple[int, ...]:
    """Return the numbers of free cells of the rows in their order, the inner one first."""
    order = row_order(f_cells)
    return tuple(
        sum((f_cells >> (60 - 16 * r - 4 * c)) & 15 == 0 for c in range(4)) for r in order[::-1]
    )
