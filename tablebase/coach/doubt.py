"""Which rates of 0 a table does not vouch for, so that nobody is graded by a loss that is none.

A table answers 0 for every board that it does not hold. That is the truth of a position that comes
up from the formation's seeds. A person may type any other position, and of its moves those that
lead to what is stored have the right rate, while the others read 0 whatever they are worth. Nor
does a table that keeps less than everything know what its zeros mean.

A doubt names these moves. Where it leaves even the best move open, no move can be judged.

A table of a formation that keeps its orientation need not hold a position's mirror image, and may
then answer for the image. So before there is a doubt, all images are asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from engine.formats.replay import Rates
from tablebase.coach.position import turns
from tablebase.errors import ProbeError

_SPAWNED = (1, 2)  # exponents: a 2, a 4


class Answer(Protocol):
    """What a table says of a position."""

    @property
    def rates(self) -> Rates:
        """The success rates of the four moves."""


class Stored(Protocol):
    """What tells which boards a `tablebase.reader.Tablebase` holds."""

    @property
    def is_thinned(self) -> bool:
        """Whether boards of a rate above zero may be missing."""

    def rates_of(self, afters: Sequence[int]) -> Sequence[float | None]:
        """The rates of after-states; None where the table knows nothing."""


class Table(Stored, Protocol):
    """A table that is asked."""

    def probe(self, board: int) -> Answer:
        """Return the rates of a board; raise ProbeError when it is outside the table."""


@dataclass(frozen=True)
class Doubt:
    """What is not known of a position that a table answers for.

    Attributes
    ----------
    moves : frozenset of int
        The directions that are possible and have no rate in the table.
    is_best_known : bool
        Whether none of them is better than the best move of the others.
    is_thinned : bool
        Whether the table keeps less than everything, and this is why.
    """

    moves: frozenset[int]
    is_best_known: bool = False
    is_thinned: bool = False


@dataclass(frozen=True)
class Reading:
    """A table's answer with what is in doubt of it.

    Attributes
    ----------
    stored : tuple of four float or None
        The rates as the table gives them, zeros and all.
    doubt : Doubt or None
    """

    stored: Rates
    doubt: Doubt | None = None

    @property
    def rates(self) -> Rates:
        """Return the rates that are true; None for a move in doubt, as for one that is none."""
        moves = self.doubt.moves if self.doubt else ()
        kept = (None if one in moves else rate for one, rate in enumerate(self.stored))
        return cast(Rates, tuple(kept))

    @property
    def best(self) -> int | None:
        """Return the best move that is known, the first of equal ones; None without any."""
        known = [(rate, -one) for one, rate in enumerate(self.rates) if rate is not None]
        return -max(known)[1] if known else None


def read(table: Table, board: int, follows: bool = False) -> Reading:
    """Return what a table says of a position, and what of it is in doubt.

    Parameters
    ----------
    table : Table
    board : int
    follows : bool
        Whether the position is known to come up, as one that followed a known one.

    Raises
    ------
    ProbeError
        The position is outside the table.
    TableError
        The table cannot be read any more.
    """
    rates = table.probe(board).rates
    first = Reading(rates, doubt_of(table, board, rates, follows))
    if first.doubt is None or first.doubt.is_best_known:
        return first
    for turn in turns(board)[1:]:
        try:
            turned = table.probe(turn.board).rates
        except ProbeError:
            continue  # walls stay where they are
        doubt = doubt_of(table, turn.board, turned)
        if doubt is None:
            return Reading(cast(Rates, tuple(turned[to] for to in turn.directions)))
    return first


def doubt_of(table: Stored, board: int, rates: Rates, follows: bool = False) -> Doubt | None:
    """Return what is in doubt of a table's answer; None when all of it is true.

    Parameters
    ----------
    table : Table
    board : int
    rates : tuple of four float or None
        Its answer.
    follows : bool
        Whether the position is known to come up, as one that followed a known one.

    Raises
    ------
    TableError
        The table cannot be read any more.
    """
    if 0.0 not in rates:
        return None
    is_known = follows or comes_up(table, board)
    if is_known and not table.is_thinned:
        return None
    zeros = frozenset(direction for direction, rate in enumerate(rates) if rate == 0.0)
    return Doubt(zeros, is_known and any(rates), table.is_thinned)


def comes_up(table: Stored, board: int) -> bool:
    """Tell whether a position comes up in a table: after a board that is stored, with a new tile.

    A position that comes up only after boards from which the target is out of reach is missed:
    those are not stored. Whoever knows how a game got there knows better.

    Raises
    ------
    TableError
        The table cannot be read any more.
    """
    shifts = [shift for shift in range(0, 64, 4) if board >> shift & 15 in _SPAWNED]
    return any(table.rates_of([board & ~(15 << shift) for shift in shifts]))
