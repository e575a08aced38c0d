"""Which rates a table does not know, so that nobody is graded by a loss that is none.

A table knows a position's moves when the position comes up from the formation's seeds (see
`tablebase.probe.comes_up`). A person may type any other position, and of its moves those that lead
to what is stored have their rates, while the value of the others is unknown. A table that keeps
less than everything does not know the rates of the moves it leaves out.

A doubt names these moves. Where it leaves even the best move open, no move can be judged.

A table with limits knows lower bounds. A difference of two bounds is no loss, so that all of its
positions are in doubt, even where every move has a rate: only a move that keeps everything, or the
only one, can be judged. Where games are graded as a whole it is refused.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.errors import AppError
from engine.formats.replay import Rates
from engine.language import tr
from engine.moves import move


class Answer(Protocol):
    """What a table says of a position: the part of `reader.Probe` that is used here."""

    @property
    def rates(self) -> Rates:
        """The success rates of the four moves; None where there is none, or it is unknown."""

    @property
    def best(self) -> int | None:
        """The best move, where it is certain."""

    @property
    def unknown(self) -> Sequence[int]:
        """The moves that are possible, but whose rates the table does not know."""


class Kept(Protocol):
    """What a table has kept of what there is to know."""

    @property
    def is_thinned(self) -> bool:
        """Whether boards of a rate above zero may be missing."""

    @property
    def is_limited(self) -> bool:
        """Whether its rates are lower bounds."""


class LowerBoundsError(AppError, ValueError):
    """The rates of a table are lower bounds, so that no game can be graded by it."""


class NamedKept(Kept, Protocol):
    """The same, of a table that can be named."""

    @property
    def name(self) -> str:
        """Such as "L3_512"."""


def check_exact(table: NamedKept) -> None:
    """Raise LowerBoundsError where nobody can tell from a table what a move loses."""
    if table.is_limited:
        raise LowerBoundsError(
            tr(
                "the rates of {table} are lower bounds, which don't tell what a move loses; choose "
                "a table without limits",
                table=table.name,
            )
        )


class Table(Kept, Protocol):
    """A table that is asked."""

    def probe(self, board: int, comes_up: bool = False) -> Answer:
        """Return the rates of a board; raise ProbeError when it is outside the table."""


@dataclass(frozen=True)
class UnknownRates:
    """What is not known of a position that a table answers for.

    Attributes
    ----------
    moves : frozenset of int
        The directions that are possible and have no rate in the table.
    is_best_known : bool
        Whether none of them is better than the best move of the others.
    is_thinned : bool
        Whether the table keeps less than everything, and this is why.
    is_limited : bool
        Whether the rates of the other moves are lower bounds.
    """

    moves: frozenset[int]
    is_best_known: bool = False
    is_thinned: bool = False
    is_limited: bool = False

    @property
    def leaves_best_open(self) -> bool:
        """Whether a move without a rate may be better than the best of those with one."""
        return bool(self.moves) and not self.is_best_known


LOWER_BOUNDS = UnknownRates(frozenset(), is_thinned=True, is_limited=True)
"""All that is in doubt where every move has a rate of a table with limits."""


@dataclass(frozen=True)
class RatedPosition:
    """A table's answer with what is in doubt of it.

    Attributes
    ----------
    rates : tuple of four float or None
        None for a move in doubt, as for one that is none.
    unknown_rates : UnknownRates or None
    """

    rates: Rates
    unknown_rates: UnknownRates | None = None

    @property
    def best(self) -> int | None:
        """Return the best move that is known, the first of equal ones; None without any."""
        known = [(rate, -one) for one, rate in enumerate(self.rates) if rate is not None]
        return -max(known)[1] if known else None


def read(table: Table, board: int, follows: bool = False) -> RatedPosition:
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
    answer = table.probe(board, follows)
    return RatedPosition(answer.rates, unknown_of(answer, table))


def unknown_of(answer: Answer, table: Kept) -> UnknownRates | None:
    """Return what is in doubt of an answer; None when all of it is known.

    Parameters
    ----------
    answer : Answer
    table : Kept
        That has given it.
    """
    moves = frozenset(answer.unknown)
    if table.is_limited:
        return UnknownRates(moves, is_thinned=table.is_thinned, is_limited=True)
    if not moves:
        return None
    return UnknownRates(moves, answer.best is not None, table.is_thinned)


def breaking_moves(
    board: int, rates: Sequence[float | None], walls: bool, unknown: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the moves that are legal but break the formation: those have no rate to be unknown.

    Parameters
    ----------
    board : int
        A position that a table has rated.
    rates : sequence of four float or None
    walls : bool
        Whether nibble F is a wall.
    unknown : collection of int
        The moves whose rates the table does not know.
    """
    without = [d for d, rate in enumerate(rates) if rate is None and d not in unknown]
    return tuple([d for d in without if move(board, d, walls) != board])
