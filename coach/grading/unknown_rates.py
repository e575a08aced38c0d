"""Which rates a table does not know, so that nobody is graded by a loss that is none.

A table knows a position's moves when the position comes up from the formation's seeds (see
`tablebase.probe.comes_up`). A person may type any other position, and of its moves those that lead
to what is stored have their rates, while the value of the others is unknown. A table that keeps
less than everything does not know the rates of the moves it leaves out.

A doubt names these moves. Where it leaves even the best move open, no move can be judged.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.formats.replay import Rates
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


class Table(Protocol):
    """A table that is asked."""

    @property
    def is_thinned(self) -> bool:
        """Whether boards of a rate above zero may be missing."""

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
    """

    moves: frozenset[int]
    is_best_known: bool = False
    is_thinned: bool = False


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
    return RatedPosition(answer.rates, unknown_of(answer, table.is_thinned))


def unknown_of(answer: Answer, is_thinned: bool) -> UnknownRates | None:
    """Return what is in doubt of an answer; None when all of it is known.

    Parameters
    ----------
    answer : Answer
    is_thinned : bool
        Whether the table lacks boards of a rate above zero.
    """
    if not answer.unknown:
        return None
    return UnknownRates(frozenset(answer.unknown), answer.best is not None, is_thinned)


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
