"""Shape Shifter: a board of a new shape for each run."""

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.spawn import Rng
from minigames.board import FLOOR, HOLE
from minigames.parameters import CANVAS_SIDE, OPEN_CELLS
from minigames.rules import RulePart

_STEPS = {LEFT: (0, -1), RIGHT: (0, 1), UP: (-1, 0), DOWN: (1, 0)}
Cell = tuple[int, int]


class ShapedBoard(RulePart):
    """Eighteen connected cells, neither too compact nor too thin."""

    def shape(self, rng: Rng) -> tuple[int, tuple[int, ...]]:
        """Grow shapes until one fits; it is at least as wide as it is high."""
        least, most = self.numbers.rectangle
        while True:
            cells = _grow(rng)
            if least <= largest_rectangle(cells) <= most:
                return _cropped(cells)


def _grow(rng: Rng) -> set[Cell]:
    """Return connected cells, grown in depth with side branches left for later."""
    first = (rng.below(CANVAS_SIDE), rng.below(CANVAS_SIDE))
    stack, later = [first], list[Cell]()
    cells: set[Cell] = set()
    while len(cells) < OPEN_CELLS:
        if not stack:
            stack.append(later.pop(rng.below(len(later))))
        cell = stack.pop()
        if cell in cells:
            continue
        cells.add(cell)
        neighbors = [(cell[0] + rows, cell[1] + columns) for rows, columns in _STEPS.values()]
        while neighbors:
            neighbor = neighbors.pop(rng.below(len(neighbors)))
            is_inside = all(0 <= side < CANVAS_SIDE for side in neighbor)
            if is_inside and neighbor not in cells:
                (stack if rng.below(2) else later).append(neighbor)
    return cells


def largest_rectangle(cells: set[Cell]) -> int:
    """Return the size of the largest rectangle within the cells, in cells."""
    best = 0
    for row, column in cells:  # as its top left corner
        width, height = OPEN_CELLS, 0
        while (row + height, column) in cells:
            reach = 0
            while reach < width and (row + height, column + reach) in cells:
                reach += 1
            width, height = reach, height + 1
            best = max(best, width * height)
    return best


def _cropped(cells: set[Cell]) -> tuple[int, tuple[int, ...]]:
    rows, columns = zip(*cells, strict=True)
    top, left = min(rows), min(columns)
    n_rows, n_columns = max(rows) - top + 1, max(columns) - left + 1
    inside = {(row - top, column - left) for row, column in cells}
    if n_rows > n_columns:
        n_rows, n_columns = n_columns, n_rows
        inside = {(column, row) for row, column in inside}
    places = [(row, column) for row in range(n_rows) for column in range(n_columns)]
    return n_columns, tuple(FLOOR if place in inside else HOLE for place in places)
