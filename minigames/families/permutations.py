"""Column Chaos and Ferris Wheel: the tiles are permuted periodically."""

from dataclasses import replace

from minigames.board import BoardSlide
from minigames.rules import RulePart
from minigames.state import State
from minigames.turn import Turn
from minigames.view import CellView, View


class Countdown(RulePart):
    """Counts moves down; at 0 the board changes and the count restarts."""

    def begin(self, turn: Turn) -> None:
        turn.own["moves_left"] = self.numbers.period

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        left = turn.number("moves_left") - 1
        turn.own["moves_left"] = left or self.numbers.period
        if left == 0:
            self.change(turn)

    def change(self, turn: Turn) -> None:
        raise NotImplementedError

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        left = state.number("moves_left")
        return replace(view, moves_left=left, period=self.numbers.period)


class SwapColumns(Countdown):
    """Two columns change places, each pair equally likely."""

    def change(self, turn: Turn) -> None:
        n = turn.n_columns
        first = turn.world_rng.below(n)
        second = (first + 1 + turn.world_rng.below(n - 1)) % n
        pairs = []
        for row in range(0, len(turn.tiles), n):
            pairs += [(row + first, row + second), (row + second, row + first)]
        turn.permute(pairs)


class TurnRing(Countdown):
    """The outer cells move on by one, clockwise; the inner ones stay."""

    def change(self, turn: Turn) -> None:
        cells = ring(turn.n_rows, turn.n_columns)
        turn.permute(list(zip(cells, cells[1:] + cells[:1], strict=True)))


def ring(n_rows: int, n_columns: int) -> list[int]:
    """Return the outer cells clockwise from the top left one."""
    top = list(range(n_columns))
    right = [row * n_columns + n_columns - 1 for row in range(1, n_rows)]
    bottom = [(n_rows - 1) * n_columns + column for column in range(n_columns - 2, -1, -1)]
    left = [row * n_columns for row in range(n_rows - 2, 0, -1)]
    return top + right + bottom + left
