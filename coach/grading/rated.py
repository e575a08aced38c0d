"""The answer for a position, and the rates unknown to it: nobody is graded by an apparent loss.

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
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

if TYPE_CHECKING:
    from tablebase.probe.probes import Probe

NO_RATES: Rates = (None, None, None, None)


class LowerBoundsError(AppError, ValueError):
    """The rates of a table are lower bounds, so no game can be graded with it."""


def check_exact(table: Table) -> None:
    """Raise LowerBoundsError if a table's rates are lower bounds."""
    if table.is_limited:
        raise LowerBoundsError(
            "the rates of {table} are lower bounds, which don't show what a move loses; "
            "choose a table without limits",
            table=table.name,
        )


@dataclass(frozen=True)
class UnknownRates:
    """The unknown rates of a position that a table covers."""

    moves: frozenset[int]  # the legal directions without a rate in the table
    # Whether none of them can be better than the best of the other moves.
    is_best_known: bool = False
    is_thinned: bool = False  # whether the rates are unknown because the table is thinned
    is_limited: bool = False  # whether the rates of the other moves are lower bounds

    @property
    def leaves_best_open(self) -> bool:
        """Whether a move without a rate may be better than the best of those with one."""
        return bool(self.moves) and not self.is_best_known


LOWER_BOUNDS = UnknownRates(frozenset(), is_thinned=True, is_limited=True)
"""All that is in doubt where every move has a rate of a table with limits."""


@dataclass(frozen=True)
class Rated:
    """A table's or search's answer for a position, or the reason why there is none."""

    rates: Rates = NO_RATES  # None for a move of unknown rate or an illegal one
    best: int | None = None  # the best of the moves that have a rate; None if there are none
    unknown_rates: UnknownRates | None = None  # the rates that the table doesn't know, if any
    error: AppError | None = None  # why there is no answer

    @classmethod
    def of(cls, rates: Rates, unknown_rates: UnknownRates | None = None) -> "Rated":
        """Return the answer of these rates, whose best move is the first of equal ones."""
        return cls(rates, best_of(rates), unknown_rates)

    @property
    def is_final(self) -> bool:
        """Whether asking again would give the same answer; False if the drive failed for now."""
        return self.error is None or isinstance(self.error, ProbeError)

    @property
    def unknown(self) -> frozenset[int]:
        return self.unknown_rates.moves if self.unknown_rates else frozenset()

    @property
    def is_best_known(self) -> bool:
        """Whether no other move can be better than the best one."""
        return self.unknown_rates is None or self.unknown_rates.is_best_known

    @property
    def is_whole(self) -> bool:
        return self.error is None and not self.unknown

    @property
    def is_best_open(self) -> bool:
        return bool(self.unknown_rates and self.unknown_rates.leaves_best_open)

    @property
    def are_bounds(self) -> bool:
        return bool(self.unknown_rates and self.unknown_rates.is_limited)

    @property
    def best_rate(self) -> float:
        """The rate of the best move; 0 if nothing is known."""
        return 0.0 if self.best is None else self.rates[self.best] or 0.0

    @property
    def certain_best(self) -> int | None:
        """The best move; None if a better one is possible."""
        return None if self.is_best_open else self.best

    @property
    def certain_rate(self) -> float | None:
        """The rate of the best move, 0 if no move is left; None if it may be higher."""
        return None if self.error or self.is_best_open else self.best_rate

    def is_followed(self, direction: int) -> bool:
        """Return whether everything after a move is known, even if all rates are zero."""
        return not self.unknown_rates and self.rates[direction] is not None


def best_of(rates: Rates) -> int | None:
    """Return the move of the highest rate, the first of equal ones; None if there is none."""
    known = [(rate, -direction) for direction, rate in enumerate(rates) if rate is not None]
    return -max(known)[1] if known else None


def read(table: Table, board: int, follows: bool = False) -> Rated:
    """Return a table's answer for a position, with its unknown rates.

    `follows`: the position is known to be reachable, such as one that followed a known one.
    ProbeError: it is outside the table. TableError: the table can no longer be read.
    """
    probe = table.probe(board, follows)
    return Rated.of(probe.rates, _unknown_of(probe, table))


def _unknown_of(probe: "Probe", table: Table) -> UnknownRates | None:
    moves = frozenset(probe.unknown)
    if table.is_limited:
        return UnknownRates(moves, is_thinned=table.is_thinned, is_limited=True)
    if not moves:
        return None
    return UnknownRates(moves, probe.best is not None, table.is_thinned)


def breaking_moves(
    board: int, rates: Sequence[float | None], walls: bool, unknown: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the moves that are legal but break the formation, and so have no rate.

    The position is one that a table has rated, except for the `unknown` moves.
    """
    without = [d for d, rate in enumerate(rates) if rate is None and d not in unknown]
    return tuple([d for d in without if move(board, d, walls) != board])
