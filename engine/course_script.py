"""Scripted games by the course rules: text in, boards and scores out.

A script is UTF-8 text, one command per line; case, blank lines and text after ``#`` are ignored.

    new ROWS COLUMNS SEED    start a game; must come first, and may come again
    left, right, up, down    slide (l, r, u, d will do)
    undo                     undo the last move, once
    show                     print the position again

Each command is answered by a head line and the rows of the board, tiles in face value, 0 empty:

    step 3 score 8 playing
    0 0 2
    2 4 4

The head line ends in ``playing``, ``won``, ``over`` (lost) or ``won over``; a command that changed
nothing (a slide that moves no tile, an undo that is not allowed) adds ``unchanged``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from engine.spawn import Rng, draw_spawn

MAX_SIDE = 64
WINNING_TILE = 2048

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
    cell, exponent = draw_spawn(empty, rng, 0.1)
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


_DIRECTIONS = {"left": LEFT, "right": RIGHT, "up": UP, "down": DOWN}
_SHORT = {name[0]: name for name in _DIRECTIONS}


class ScriptError(AppError):
    """A line of a script is not a command; the message has its number."""


@dataclass(frozen=True)
class CourseCommand:
    """One line of a script."""

    line: int  # the line number, from 1
    name: str  # the word, in full
    numbers: tuple[int, ...] = ()  # ROWS, COLUMNS and SEED of ``new``


@dataclass(frozen=True)
class CourseAnswer:
    """The position after a command."""

    command: CourseCommand
    is_changed: bool
    n_steps: int
    score: int
    state: str
    rows: Rows

    @property
    def text(self) -> str:
        head = f"step {self.n_steps} score {self.score} {self.state}"  # no text
        if not self.is_changed:
            head += " unchanged"
        return "\n".join([head, *(" ".join(map(str, row)) for row in self.rows)])


def read_script(lines: Iterable[str]) -> list[CourseCommand]:
    commands: list[CourseCommand] = []
    for number, line in enumerate(lines, start=1):
        words = line.lstrip("\ufeff").split("#", 1)[0].lower().split()
        if not words:
            continue
        command = _command(number, words)
        if not commands and command.name != "new":
            raise ScriptError(
                "line {number}: {command!r} before any game: "
                "the first command must be 'new ROWS COLUMNS SEED'",
                number=number,
                command=command.name,
            )
        commands.append(command)
    if not commands:
        raise ScriptError(tr("the script has no command: expected 'new ROWS COLUMNS SEED' first"))
    return commands


def play_script(commands: Iterable[CourseCommand]) -> Iterator[CourseAnswer]:
    game: CourseGame | None = None
    for command in commands:
        is_changed = True
        if command.name == "new":
            n_rows, n_columns, seed = command.numbers
            game = CourseGame(n_rows, n_columns, seed)
        if game is None:
            raise ScriptError(
                "line {number}: {command!r} before any game",
                number=command.line,
                command=command.name,
            )
        if command.name in _DIRECTIONS:
            is_changed = game.move(_DIRECTIONS[command.name])
        elif command.name == "undo":
            is_changed = game.undo()
        words = [word for word, holds in (("won", game.has_won), ("over", game.is_over)) if holds]
        state = " ".join(words) or "playing"
        yield CourseAnswer(command, is_changed, game.n_steps, game.score, state, game.rows)


def _command(number: int, words: list[str]) -> CourseCommand:
    name, *rest = words
    name = _SHORT.get(name, name)
    if name == "new":
        return CourseCommand(number, name, _size_and_seed(number, rest))
    if name not in (*_DIRECTIONS, "undo", "show"):
        raise ScriptError(
            "line {number}: {command!r} is not a command: expected new, left, right, up, "
            "down, undo or show",
            number=number,
            command=words[0],
        )
    if rest:
        raise ScriptError(
            "line {number}: nothing may follow {command!r}, found {found!r}",
            number=number,
            command=name,
            found=" ".join(rest),
        )
    return CourseCommand(number, name)


_NOT_ROWS = mark(
    "line {number}: {word!r} is not the rows: expected a whole number from {low} to {high}"
)
_NOT_COLUMNS = mark(
    "line {number}: {word!r} is not the columns: expected a whole number from {low} to {high}"
)
_NOT_SEED = mark(
    "line {number}: {word!r} is not the seed: expected a whole number from {low} to {high}"
)


def _size_and_seed(number: int, words: list[str]) -> tuple[int, ...]:
    if len(words) != 3:
        raise ScriptError(
            "line {number}: 'new' needs ROWS, COLUMNS and SEED, found {n} numbers",
            number=number,
            n=len(words),
        )
    bounds = ((_NOT_ROWS, 1, MAX_SIDE), (_NOT_COLUMNS, 1, MAX_SIDE), (_NOT_SEED, 0, (1 << 64) - 1))
    for word, (problem, low, high) in zip(words, bounds, strict=True):
        if not (re.fullmatch(r"[0-9]{1,20}", word) and low <= int(word) <= high):
            raise ScriptError(problem, number=number, word=word, low=low, high=high)
    return tuple(map(int, words))
