"""Rates that a table does not know, so that nobody is graded by an apparent loss.

A table knows all moves of a position that is reachable from the formation's seeds (see
`tablebase.probe.comes_up`). In any other position, such as a typed one, moves that lead to stored
boards have rates, while the values of the others are unknown. A thinned table doesn't know the
rates of the moves it leaves out.

`UnknownRates` names these moves. If even the best move is uncertain, no move can be judged.

A table with limits knows lower bounds. The difference of two bounds is not a loss, so all its
positions are in doubt, even if every move has a rate: only a move that keeps everything, or the
only move, can be judged. Such a table is refused for grading whole games.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.formats.replay import Rates
from engine.moves import move
from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.probe.table import Table

if TYPE_CHECKING:
    from tablebase.probe.probes import Probe


class LowerBoundsError(AppError, ValueError):
    """The rates of a table are lower bounds, so no game can be graded with it."""


def check_exact(table: Table) -> None:
    """Raise LowerBoundsError if a table's rates are lower bounds."""
    if table.is_limited:
        raise LowerBoundsError(
            tr(
                "the rates of {table} are lower bounds, which don't show what a move loses; "
                "choose a table without limits",
                table=table.name,
            )
        )


@dataclass(frozen=True)
class UnknownRates:
    """The unknown rates of a position that a table covers.

    Attributes
    ----------
    moves : frozenset of int
        The legal directions without a rate in the table.
    is_best_known : bool
        Whether none of them can be better than the best of the other moves.
    is_thinned : bool
        Whether the rates are unknown because the table is thinned.
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
    """A table's answer with its unknown rates.

    Attributes
    ----------
    rates : tuple of four float or None
        None for a move of unknown rate or an illegal one.
    unknown_rates : UnknownRates or None
    """

    rates: Rates
    unknown_rates: UnknownRates | None = None

    @property
    def best(self) -> int | None:
        """Return the best known move, the first of equal ones; None if there is none."""
        known = [(rate, -one) for one, rate in enumerate(self.rates) if rate is not None]
        return -max(known)[1] if known else None


def read(table: Table, board: int, follows: bool = False) -> RatedPosition:
    """Return a table's answer for a position, with its unknown rates.

    Parameters
    ----------
    table : Table
    board : int
    follows : bool
        Whether the position is known to be reachable, such as one that followed a known one.

    Raises
    ------
    ProbeError
        The position is outside the table.
    TableError
        The table can no longer be read.
    """
    answer = table.probe(board, follows)
    return RatedPosition(answer.rates, unknown_of(answer, table))


def unknown_of(answer: "Probe", table: Table) -> UnknownRates | None:
    """Return the unknown rates of an answer; None if everything is known.

    Parameters
    ----------
    answer : Probe
    table : Table
        The table that gave the answer.
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
    """Return the moves that are legal but break the formation, and so have no rate.

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
