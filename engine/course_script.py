"""Scripted games by the course rules: text in, boards and scores out.

A script is UTF-8 text, one command a line; case, blank lines and what follows a ``#`` do not count.

    new ROWS COLUMNS SEED    start a game; must come first, and may come again
    left, right, up, down    slide (l, r, u, d will do)
    undo                     take the last move back, once
    show                     tell the position again

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
from engine.course_game import LONGEST_SIDE, CourseGame, Rows
from engine.errors import AppError

_DIRECTIONS = {"left": LEFT, "right": RIGHT, "up": UP, "down": DOWN}
_SHORT = {name[0]: name for name in _DIRECTIONS}
_LARGEST_SEED = (1 << 64) - 1


class ScriptError(AppError):
    """A line of a script is not a command; the message has its number."""


@dataclass(frozen=True)
class Command:
    """One line of a script.

    Attributes
    ----------
    line : int
        Its number, from 1.
    name : str
        The word, in full.
    numbers : tuple of int
        ROWS, COLUMNS and SEED of ``new``.
    """

    line: int
    name: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The position after a command."""

    command: Command
    is_changed: bool
    n_steps: int
    score: int
    state: str
    rows: Rows

    @property
    def text(self) -> str:
        """The answer as the protocol has it."""
        head = f"step {self.n_steps} score {self.score} {self.state}"
        if not self.is_changed:
            head += " unchanged"
        return "\n".join([head, *(" ".join(map(str, row)) for row in self.rows)])


def read_script(lines: Iterable[str]) -> list[Command]:
    """Return the commands of a script.

    Raises
    ------
    ScriptError
        A line is no command, or the first command is not ``new``.
    """
    commands: list[Command] = []
    for number, line in enumerate(lines, start=1):
        words = line.lstrip("\ufeff").split("#", 1)[0].lower().split()
        if not words:
            continue
        command = _command(number, words)
        if not commands and command.name != "new":
            raise ScriptError(
                f"line {number}: {command.name!r} before any game: "
                "the first command must be 'new ROWS COLUMNS SEED'"
            )
        commands.append(command)
    if not commands:
        raise ScriptError("the script has no command: expected 'new ROWS COLUMNS SEED' first")
    return commands


def play_script(commands: Iterable[Command]) -> Iterator[Answer]:
    """Yield the answer to each command of `read_script`."""
    game: CourseGame | None = None
    for command in commands:
        is_changed = True
        if command.name == "new":
            n_rows, n_columns, seed = command.numbers
            game = CourseGame(n_rows, n_columns, seed)
        if game is None:
            raise ScriptError(f"line {command.line}: {command.name!r} before any game")
        if command.name in _DIRECTIONS:
            is_changed = game.move(_DIRECTIONS[command.name])
        elif command.name == "undo":
            is_changed = game.undo()
        yield Answer(command, is_changed, game.n_steps, game.score, _state(game), game.rows)


def _state(game: CourseGame) -> str:
    words = [word for word, holds in (("won", game.has_won), ("over", game.is_over)) if holds]
    return " ".join(words) or "playing"


def _command(number: int, words: list[str]) -> Command:
    name, *rest = words
    name = _SHORT.get(name, name)
    if name == "new":
        return Command(number, name, _size_and_seed(number, rest))
    if name not in (*_DIRECTIONS, "undo", "show"):
        raise ScriptError(
            f"line {number}: {words[0]!r} is no command: "
            "expected new, left, right, up, down, undo or show"
        )
    if rest:
        raise ScriptError(f"line {number}: nothing may follow {name!r}, found {' '.join(rest)!r}")
    return Command(number, name)


def _size_and_seed(number: int, words: list[str]) -> tuple[int, ...]:
    if len(words) != 3:
        raise ScriptError(
            f"line {number}: 'new' needs ROWS, COLUMNS and SEED, found {len(words)} numbers"
        )
    bounds = (("rows", 1, LONGEST_SIDE), ("columns", 1, LONGEST_SIDE), ("seed", 0, _LARGEST_SEED))
    for word, (what, low, high) in zip(words, bounds, strict=True):
        if not (re.fullmatch(r"[0-9]{1,20}", word) and low <= int(word) <= high):
            raise ScriptError(
                f"line {number}: {word!r} is not the {what}: "
                f"expected a whole number from {low} to {high}"
            )
    return tuple(map(int, words))
