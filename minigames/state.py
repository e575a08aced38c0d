"""The state of a run, the actions and the events: plain data."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.platform.errors import AppError
from engine.platform.language import tr

TOOLS = ("bomb", "glove", "twist")
MOVES = {"left": LEFT, "right": RIGHT, "up": UP, "down": DOWN}
_NAMES = {direction: name for name, direction in MOVES.items()}
_COUNTS = {**dict.fromkeys(MOVES, 0), "bomb": 1, "glove": 2, "twist": 1}
_COUNTS |= {"peek": 0, "tick": 1, "undo": 0}
_SHORT = {"left": "l", "right": "r", "up": "u", "down": "d", "bomb": "b", "glove": "g"}
_SHORT |= {"twist": "t", "peek": "p", "tick": "k", "undo": "z"}
_LONG = {short: name for name, short in _SHORT.items()}
_MAX_NUMBER = 10**9

Own = dict[str, int | list[int]]


class ActionError(AppError):
    """A text is not an action; the message says what was expected."""


@dataclass(frozen=True)
class Action:
    """One action of a player, or of time.

    >>> Action("glove", (3, 7)).text, Action("left").short
    ('glove 3 7', 'l')
    """

    kind: str  # left, right, up, down; bomb, glove, twist; peek; tick; undo
    # The cell of a bomb; source and destination of a glove; the top left cell of a twist; the
    # milliseconds of a tick. Cells are counted row by row from 0.
    numbers: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return " ".join([self.kind, *map(str, self.numbers)])

    @property
    def short(self) -> str:
        return _SHORT[self.kind] + ",".join(map(str, self.numbers))

    @property
    def direction(self) -> int | None:
        """The direction of a move; None for anything else."""
        return MOVES.get(self.kind)


def move(direction: int) -> Action:
    return Action(_NAMES[direction])


def read_action(text: str) -> Action:
    """Return the action of a script's line; raise ActionError.

    >>> read_action("Bomb 5")
    Action(kind='bomb', numbers=(5,))
    """
    name, *rest = text.lower().split()
    return _checked(name, rest, text)


def read_log(text: str) -> list[Action]:
    """Return the actions of a log: `Action.short` separated by blanks; raise ActionError."""
    return [_checked(_LONG.get(word[0], word), word[1:].split(","), word) for word in text.split()]


def _checked(name: str, words: list[str], text: str) -> Action:
    words = [word for word in words if word]
    if name not in _COUNTS:
        expected = ", ".join(_COUNTS)
        raise ActionError(
            "{text!r} is not an action: expected {expected}", text=text, expected=expected
        )
    if len(words) != _COUNTS[name]:
        raise ActionError(
            "{text!r}: expected {name} with {wanted} numbers after it, found {n}",
            text=text,
            name=name,
            wanted=_COUNTS[name],
            n=len(words),
        )
    if not all(re.fullmatch(r"[0-9]{1,10}", word) for word in words):
        said = tr("{text!r}: expected whole numbers after {name!r}", text=text, name=name)
        raise ActionError(said)
    numbers = tuple(map(int, words))
    if any(number > _MAX_NUMBER for number in numbers):
        raise ActionError(
            "{text!r}: a number is larger than {largest}", text=text, largest=_MAX_NUMBER
        )
    return Action(name, numbers)


@dataclass(frozen=True)
class Event:
    """Something that happened; never reveals a hidden tile."""

    kind: str  # see `EVENTS`
    cells: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()  # tuple of (int, int): source and destination cells
    amount: int = 0
    what: str = ""


EVENTS = {
    "slide": "tiles moved along pairs; they merged in cells; amount are the points",  # no text
    "fall": "the same, by gravity after the new tile",  # no text
    "permute": "tiles moved along pairs without sliding",  # no text
    "spawn": "a tile or portal (what) appeared in cells",  # no text
    "object": "an object (what) appeared in cells",  # no text
    "object_moved": "the object moved along pairs",  # no text
    "hit": "the object (what) at the first cell hit the second one",  # no text
    "split": "a tile became two, in cells",  # no text
    "gift": "a tile in cells became another",  # no text
    "gone": "the tiles in cells went away",  # no text
    "freeze": "the tiles in cells froze for good",  # no text
    "mark": "cells will be struck",  # no text
    "strike": "cells were struck; amount is 1 if a tile stood there",  # no text
    "thaw": "the craters in cells closed",  # no text
    "gravity": "gravity now points in the direction amount",  # no text
    "bonus": "amount milliseconds were added to the clock",  # no text
    "level": "the pattern of the level amount (an exponent) is complete",  # no text
    "tool": "a tool (what) was used on cells",  # no text
    "award": "a tool (what) was won",  # no text
    "over": "the run ended: what is stuck or time",  # no text
}


class OwnValues:
    """The size of a board, and what its variant stores; `Turn` may change the lists."""

    n_columns: int
    tiles: Sequence[int]
    own: Own

    @property
    def n_rows(self) -> int:
        return len(self.tiles) // self.n_columns

    def number(self, name: str) -> int:
        value = self.own[name]
        assert isinstance(value, int)
        return value

    def layer(self, name: str) -> list[int]:
        """Return a list stored by the variant, with a number for each cell."""
        value = self.own[name]
        assert isinstance(value, list)
        return value


@dataclass(frozen=True)
class State(OwnValues):
    """The state of a run as plain data: everything the future depends on."""

    game: str  # the name in the registry
    hard: bool
    n_columns: int
    # Row by row: 0, an exponent or PORTAL; 0 on everything that is not floor.
    tiles: tuple[int, ...]
    terrain: tuple[int, ...]  # FLOOR, HOLE, ICE or CRATER
    tools: tuple[int, int, int]  # bombs, gloves and twists left
    # States of three generators: for new tiles, for the variant, for awarded tools. They are
    # separate so that none disturbs another.
    rng: tuple[int, int, int]
    score: int = 0
    n_moves: int = 0
    best: int = 0  # the exponent of the largest tile so far
    newest: int = -1  # the cell of the newest tile, -1 if it is gone
    over: str = ""  # "", "stuck" (no move is left) or "time"
    # The variant's own values; lists have a number for each cell.
    own: Own = field(default_factory=dict)
