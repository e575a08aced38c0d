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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.course_game import MAX_SIDE, CourseGame, Rows
from engine.platform.errors import AppError
from engine.platform.language import mark, tr

_DIRECTIONS = {"left": LEFT, "right": RIGHT, "up": UP, "down": DOWN}
_SHORT = {name[0]: name for name in _DIRECTIONS}
_LARGEST_SEED = (1 << 64) - 1


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
    bounds = ((_NOT_ROWS, 1, MAX_SIDE), (_NOT_COLUMNS, 1, MAX_SIDE), (_NOT_SEED, 0, _LARGEST_SEED))
    for word, (problem, low, high) in zip(words, bounds, strict=True):
        if not (re.fullmatch(r"[0-9]{1,20}", word) and low <= int(word) <= high):
            raise ScriptError(problem, number=number, word=word, low=low, high=high)
    return tuple(map(int, words))
