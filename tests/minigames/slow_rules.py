"""The plainest slide and the plainest facts about variants; knows nothing of the program.

Boards are lists, row by row: 0 is empty, -1 a portal, -2 something inert, others are exponents.
Walls are a list of truth values. Directions are left, right, up, down: 0 to 3.
"""

from dataclasses import dataclass, field
from functools import cache

PORTAL, INERT = -1, -2
LEFT, RIGHT, UP, DOWN = range(4)


@dataclass
class Slid:
    """The result of a slide."""

    tiles: list[int]
    pairs: set[tuple[int, int]] = field(default_factory=set)
    made: dict[int, int] = field(default_factory=dict)
    joined: set[int] = field(default_factory=set)

    @property
    def gain(self) -> int:
        return sum(2**exponent for exponent in self.made.values())

    @property
    def has_moved(self) -> bool:
        return bool(self.joined) or any(source != stop for source, stop in self.pairs)


@cache
def lines_of(n_cells: int, n_columns: int, direction: int) -> list[list[int]]:
    n_rows = n_cells // n_columns
    if direction in (LEFT, RIGHT):
        found = [[row * n_columns + column for column in range(n_columns)] for row in range(n_rows)]
    else:
        found = [[row * n_columns + column for row in range(n_rows)] for column in range(n_columns)]
    return [line if direction in (LEFT, UP) else line[::-1] for line in found]


def segments(line: list[int], walls: list[bool]) -> list[list[int]]:
    """Return the pieces of a line between walls."""
    found: list[list[int]] = [[]]
    for cell in line:
        if walls[cell]:
            found.append([])
        else:
            found[-1].append(cell)
    return found


def groups(values: list[int], merges: bool) -> list[int]:
    """Return the sizes of the groups of tiles in a piece, in order, that each become one tile."""
    found, place = [], 0
    while place < len(values):
        size = 1
        if merges and values[place] == PORTAL:
            while place + size < len(values) and values[place + size] == PORTAL:
                size += 1
        elif merges and values[place] != INERT and values[place : place + 2] == [values[place]] * 2:
            size = 2
        found.append(size)
        place += size
    return found


def slide(
    tiles: list[int], walls: list[bool], n_columns: int, direction: int, merges: bool = True
) -> Slid:
    """Slide: piece by piece, group by group."""
    slid = Slid([0] * len(tiles))
    for line in lines_of(len(tiles), n_columns, direction):
        for piece in segments(line, walls):
            filled = [cell for cell in piece if tiles[cell] != 0]
            sizes = groups([tiles[cell] for cell in filled], merges)
            for stop, size in zip(piece, sizes, strict=False):
                group, filled = filled[:size], filled[size:]
                value = tiles[group[0]]
                slid.tiles[stop] = value + 1 if size == 2 and value > 0 else value
                slid.pairs |= {(source, stop) for source in group}
                if size > 1:
                    slid.joined.add(stop)
                    if value > 0:
                        slid.made[stop] = value + 1
    return slid


def met(tiles: list[int], n_columns: int, cell: int, direction: int) -> int:
    """Return the cell of the tile that an object meets: ahead, or else behind; -1 for none."""
    (line,) = [line for line in lines_of(len(tiles), n_columns, direction) if cell in line]
    place = line.index(cell)
    ahead = [one for one in reversed(line[:place]) if tiles[one] != 0]
    behind = [one for one in line[place + 1 :] if tiles[one] != 0]
    return (ahead + behind + [-1])[0]


def edge(n_cells: int, n_columns: int, cell: int, direction: int) -> int:
    (line,) = [line for line in lines_of(n_cells, n_columns, direction) if cell in line]
    return line[0]


def legal(tiles: list[int], walls: list[bool], n_columns: int, thing: int = -1) -> list[int]:
    """Return the directions that change something; `thing` is the cell of an object."""
    found = []
    for direction in (LEFT, RIGHT, UP, DOWN):
        can = slide(tiles, walls, n_columns, direction).has_moved
        if thing >= 0:
            can = can or met(tiles, n_columns, thing, direction) >= 0
            can = can or edge(len(tiles), n_columns, thing, direction) != thing
        if can:
            found.append(direction)
    return found


def largest_rectangle(is_open: list[bool], n_columns: int) -> int:
    n_rows, best = len(is_open) // n_columns, 0
    for top in range(n_rows):
        for bottom in range(top + 1, n_rows + 1):
            for left in range(n_columns):
                for right in range(left + 1, n_columns + 1):
                    rows = [
                        is_open[r * n_columns + left : r * n_columns + right]
                        for r in range(top, bottom)
                    ]
                    if all(all(row) for row in rows):
                        best = max(best, (bottom - top) * (right - left))
    return best


def is_connected(is_open: list[bool], n_columns: int) -> bool:
    cells = {divmod(cell, n_columns) for cell, is_free in enumerate(is_open) if is_free}
    seen, waiting = set(), [min(cells)]
    while waiting:
        row, column = waiting.pop()
        if (row, column) in cells and (row, column) not in seen:
            seen.add((row, column))
            waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return seen == cells


# Clockwise around a 4 x 4 board.
RING = [0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4]

# Design Master: what each cell holds as a multiple of the level, 0 where anything may stand.
PATTERNS = {
    "design_master_1": [0, 0, 0, 0, 0, 2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0],
    "design_master_2": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    "design_master_3": [0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1],
    "design_master_4": [
        0,
        0,
        0,
        0,
        0,
        1 / 128,
        1,
        1 / 2,
        0,
        1 / 64,
        2,
        1 / 4,
        0,
        1 / 32,
        1 / 16,
        1 / 8,
    ],
}


def pattern(game: str, level: int, hard: bool) -> dict[int, int]:
    """Return the face value that each cell must have for a level, 256 to 16384."""
    found = {cell: part for cell, part in enumerate(PATTERNS[game]) if part}
    turns = (level.bit_length() - 9) if hard else 0
    for _ in range(turns):  # a quarter clockwise: what was the top row is the right column
        found = {(cell % 4) * 4 + 3 - cell // 4: part for cell, part in found.items()}
    return {cell: int(level * part) for cell, part in found.items()}


def level_reached(game: str, tiles: list[int], hard: bool) -> int:
    """Return the highest level whose pattern stands on the board, 0 for none."""
    faces = [2**tile if tile > 0 else 0 for tile in tiles]
    levels = [256 << step for step in range(7)]
    done = [
        level
        for level in levels
        if all(faces[cell] == face for cell, face in pattern(game, level, hard).items())
    ]
    return max(done, default=0)
