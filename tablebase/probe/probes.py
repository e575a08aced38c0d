"""The results of probing a table: for one position, and for many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bitboard import DIRECTIONS

NO_BEST = -1
WORTH_A_LAYER = 4
"""Number of boards of a layer below which probing them one by one is faster."""

Rates = tuple[float | None, float | None, float | None, float | None]
"""Success rates after LEFT, RIGHT, UP, DOWN."""


@dataclass(frozen=True)
class Probe:
    """What a table knows about a board.

    Attributes
    ----------
    board : int
        The board in the query.
    table : str
        Name of the table that answered.
    rates : tuple of four float or None
        None for a move that is illegal, leaves the formation, or is unknown.
    best : int or None
        The direction of the highest rate, the first of equal ones; None without a legal move, and
        where an unknown one may be better.
    masked : int
        The board as looked up: its large tiles replaced by F, and turned.
    unknown : tuple of int
        The directions that are legal, but whose rate this table cannot tell.
    """

    board: int
    table: str
    rates: Rates
    best: int | None
    masked: int
    unknown: tuple[int, ...] = ()

    @property
    def best_rate(self) -> float:
        """Return the highest known rate, -1 if there is none."""
        return max((rate for rate in self.rates if rate is not None), default=-1.0)


@dataclass(frozen=True)
class Probes:
    """What a table knows about many boards, in order.

    Attributes
    ----------
    rates : float64[n, 4]
        Success rates after LEFT, RIGHT, UP, DOWN; NaN for a move that is illegal, leaves the
        formation, or is unknown.
    best : int8[n]
        The direction of the highest rate, the first of equal ones; -1 if there is none, and where
        an unknown one may be better.
    """

    boards: npt.NDArray[np.uint64]
    rates: npt.NDArray[np.float64]
    best: npt.NDArray[np.int8]

    def columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return columns for ``pandas.DataFrame``, not copied except for the rates."""
        by_direction = {
            name: np.ascontiguousarray(self.rates[:, i]) for i, name in enumerate(DIRECTIONS)
        }
        return {"board": self.boards, **by_direction, "best": self.best}


def surest(probes: Sequence[Probe]) -> Probe:
    """Return the probe with the fewest unknowns: a table need not hold all images."""
    return max(probes, key=lambda probe: (-len(probe.unknown), probe.best_rate))


def highest(probes: Sequence[Probe]) -> Probe:
    """A move that is unknown in any of the probes may be better: it is unknown in the result."""
    best = max(probes, key=lambda probe: probe.best_rate)
    others = {move for probe in probes for move in probe.unknown} - set(best.unknown)
    unsure = [other for other in others if best.rates[other] != 1.0]
    if not unsure:
        return best
    left, right, up, down = (None if i in unsure else rate for i, rate in enumerate(best.rates))
    is_certain = best.best is not None and best.rates[best.best] == 1.0
    return replace(
        best,
        rates=(left, right, up, down),
        best=best.best if is_certain else None,
        unknown=tuple(sorted((*best.unknown, *unsure))),
    )


class ManyRates(NamedTuple):
    """What machine code could find out about many boards."""

    rates: npt.NDArray[np.float64]  # float64[n, 4]: as in `Probes`
    # bool[n]: whether the rates of a board are complete, with no move unknown.
    is_complete: npt.NDArray[np.bool_]


def best_of(rates: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    filled = np.where(np.isnan(rates), -1.0, rates)
    best = filled.argmax(axis=1).astype(np.int8)
    best[filled.max(axis=1, initial=-1.0) < 0.0] = NO_BEST
    return best


def large_tiles(boards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return each board with only its F cells kept."""
    ones = boards & boards >> np.uint64(1)
    return (ones & ones >> np.uint64(2) & np.uint64(0x1111_1111_1111_1111)) * np.uint64(15)
