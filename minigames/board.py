"""Boards of any size with walls, and the one slide that every variant uses."""

from dataclasses import dataclass
from functools import lru_cache

from engine.bitboard import DOWN, LEFT, RIGHT, UP

DIRECTIONS = (LEFT, RIGHT, UP, DOWN)

# What a cell may hold besides an exponent (1 and more) and 0, which is empty.
PORTAL = -1  # slides; touching ones become one, without points
INERT = -2  # slides and never merges; only within one move

# Terrain of a cell; everything but floor stops sliding tiles.
FLOOR, HOLE, ICE, CRATER = range(4)


@dataclass(frozen=True)
class BoardSlide:
    """The effect of a slide on a board."""

    tiles: tuple[int, ...]  # the cells afterwards
    # tuple of (int, int): start and end cell of each tile, each tile once; merging tiles end in the
    # same cell.
    trace: tuple[tuple[int, int], ...]
    made: dict[int, int]  # the exponent of each merged tile by its cell
    joined: frozenset[int]  # all cells where several tiles became one, portals included
    gain: int  # the points: the sum of the merged tiles
    has_moved: bool  # whether anything changed


def slide(
    tiles: tuple[int, ...] | list[int],
    terrain: tuple[int, ...] | list[int],
    n_columns: int,
    direction: int,
    *,
    merges: bool = True,
) -> BoardSlide:
    """Slide all tiles as far as they go, merging each once, those nearest the edge first.

    Parameters
    ----------
    tiles : sequence of int
        Row by row: 0, an exponent, PORTAL or INERT; 0 on everything that is not floor.
    terrain : sequence of int
        FLOOR, HOLE, ICE or CRATER.
    direction : int
        LEFT, RIGHT, UP or DOWN.
    merges : bool
        False only packs.
    """
    after = [0] * len(tiles)
    trace: list[tuple[int, int]] = []
    made: dict[int, int] = {}
    joined: set[int] = set()
    for line in lines(len(tiles) // n_columns, n_columns, direction):
        free = 0  # place in the line where the next tile stops
        can_merge = False  # merged with the tile before that place
        for place, cell in enumerate(line):
            if terrain[cell] != FLOOR:
                free, can_merge = place + 1, False
                continue
            tile = tiles[cell]
            if tile == 0:
                continue
            stop = line[free - 1] if can_merge else -1
            if merges and can_merge and after[stop] == tile:
                if tile != PORTAL:
                    made[stop] = after[stop] = tile + 1
                    can_merge = False
                joined.add(stop)
            else:
                stop = line[free]
                after[stop] = tile
                free += 1
                can_merge = tile != INERT
            trace.append((cell, stop))
    gain = sum(1 << exponent for exponent in made.values())
    has_moved = bool(joined) or any(source != stop for source, stop in trace)
    return BoardSlide(tuple(after), tuple(trace), made, frozenset(joined), gain, has_moved)


def can_slide(
    tiles: tuple[int, ...] | list[int],
    terrain: tuple[int, ...] | list[int],
    n_columns: int,
    direction: int,
) -> bool:
    """Return whether a slide would change anything, without sliding."""
    for line in lines(len(tiles) // n_columns, n_columns, direction):
        has_gap, last = False, 0
        for cell in line:
            tile = tiles[cell]
            if terrain[cell] != FLOOR:
                has_gap, last = False, 0
            elif tile == 0:
                has_gap = True
            elif has_gap or (tile == last and tile != INERT):
                return True
            else:
                last = tile
    return False


@lru_cache(maxsize=64)
def lines(n_rows: int, n_columns: int, direction: int) -> tuple[tuple[int, ...], ...]:
    """Return the rows or columns as cells, each from the edge that tiles slide to.

    >>> lines(2, 3, RIGHT)
    ((2, 1, 0), (5, 4, 3))
    """
    if direction in (LEFT, RIGHT):
        found_lines = [tuple(range(r * n_columns, (r + 1) * n_columns)) for r in range(n_rows)]
    else:
        found_lines = [tuple(range(c, n_rows * n_columns, n_columns)) for c in range(n_columns)]
    step = 1 if direction in (LEFT, UP) else -1
    return tuple(line[::step] for line in found_lines)


def block(cell: int, n_rows: int, n_columns: int) -> tuple[int, int, int, int] | None:
    """Return the 2 x 2 cells whose top left one is `cell`, clockwise; None if they don't fit."""
    row, column = divmod(cell, n_columns)
    if not (0 <= row < n_rows - 1 and 0 <= column < n_columns - 1):
        return None
    return cell, cell + 1, cell + n_columns + 1, cell + n_columns
