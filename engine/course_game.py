"""2048 by the rules of a course project: boards of any size, one tile to start with, one undo.

These rules differ from those of `engine.game`: the board has any number of rows and columns, the
game starts with a single tile on an empty board, and undo goes back one move (board, score, steps
and generator), but not twice in a row: a legal move must come between. The game is won when 2048
first appears; it may go on, and ends when no move is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.spawn import Rng, draw_spawn

MAX_SIDE = 64
WINNING_TILE = 2048
_SPAWN4 = 0.1

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class _Position:
    """The state that undo restores."""

    rows: Rows
    score: int
    n_steps: int
    rng_state: int
    has_won: bool


class CourseGame:
    """A game on `n_rows` x `n_columns` cells, 1 to 64 each; `rows` replaces the one random tile.

    >>> game = CourseGame(2, 4, seed=1, rows=[[2, 2, 2, 2], [2, 2, 0, 2]])
    >>> game.move(LEFT), game.score
    (True, 12)
    """

    def __init__(
        self, n_rows: int, n_columns: int, seed: int, rows: Sequence[Sequence[int]] | None = None
    ) -> None:
        for side in (n_rows, n_columns):
            if not 1 <= side <= MAX_SIDE:
                raise ValueError(
                    f"a side of {side!r} cells: expected 1 to {MAX_SIDE}"  # no text
                )
        rng = Rng(seed)
        if rows is None:
            rows_now = _with_new_tile(((0,) * n_columns,) * n_rows, rng)
        else:
            rows_now = tuple(tuple(row) for row in rows)
            _check(rows_now, n_rows, n_columns)
        self._now = _Position(rows_now, 0, 0, rng.state, _largest(rows_now) >= WINNING_TILE)
        self._before: _Position | None = None

    @property
    def rows(self) -> Rows:
        return self._now.rows

    @property
    def score(self) -> int:
        """The points so far: the sum of all merged tiles."""
        return self._now.score

    @property
    def n_steps(self) -> int:
        """The number of moves so far; an undone one no longer counts."""
        return self._now.n_steps

    @property
    def has_won(self) -> bool:
        """Whether 2048 has been on the board."""
        return self._now.has_won

    @property
    def is_over(self) -> bool:
        return all(slide_rows(self.rows, way)[0] == self.rows for way in (LEFT, RIGHT, UP, DOWN))

    @property
    def can_undo(self) -> bool:
        return self._before is not None

    def move(self, direction: int) -> bool:
        after, gained = slide_rows(self.rows, direction)
        if after == self.rows:
            return False
        rng = Rng(self._now.rng_state)
        has_won = self.has_won or _largest(after) >= WINNING_TILE
        rows = _with_new_tile(after, rng)
        self._before = self._now
        self._now = _Position(rows, self.score + gained, self.n_steps + 1, rng.state, has_won)
        return True

    def undo(self) -> bool:
        if self._before is None:
            return False
        self._now, self._before = self._before, None
        return True


def slide_rows(rows: Rows, direction: int) -> tuple[Rows, int]:
    """Return the rows (face values) after a slide, before the new tile, and the points."""
    lines = rows if direction in (LEFT, RIGHT) else tuple(zip(*rows, strict=True))
    step = -1 if direction in (RIGHT, DOWN) else 1
    slid = [_slide_line(line[::step]) for line in lines]
    after = tuple(line[::step] for line, _ in slid)
    gained = sum(points for _, points in slid)
    return (after if direction in (LEFT, RIGHT) else tuple(zip(*after, strict=True))), gained


def _slide_line(line: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    packed: list[int] = []
    points, may_merge = 0, False
    for tile in filter(None, line):
        if may_merge and packed[-1] == tile:
            packed[-1] += tile
            points += packed[-1]
            may_merge = False
        else:
            packed.append(tile)
            may_merge = True
    return tuple(packed) + (0,) * (len(line) - len(packed)), points


def _with_new_tile(rows: Rows, rng: Rng) -> Rows:
    n_columns = len(rows[0])
    flat = [tile for row in rows for tile in row]
    empty = [cell for cell, tile in enumerate(flat) if tile == 0]
    cell, exponent = draw_spawn(empty, rng, _SPAWN4)
    flat[cell] = 1 << exponent
    return tuple(tuple(flat[i : i + n_columns]) for i in range(0, len(flat), n_columns))


def _largest(rows: Rows) -> int:
    return max(map(max, rows))


def _check(rows: Rows, n_rows: int, n_columns: int) -> None:
    if len(rows) != n_rows or any(len(row) != n_columns for row in rows):
        raise ValueError(f"the rows are not {n_rows} of {n_columns} cells")  # no text
    for tile in (tile for row in rows for tile in row):
        if tile and (tile < 2 or tile & (tile - 1)):
            raise ValueError(f"{tile!r} is no tile: expected 0, 2, 4, 8, ...")  # no text
