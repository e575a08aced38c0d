"""What a table knows of a position, and of many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bitboard import DIRECTIONS

NO_BEST = -1
WORTH_A_LAYER = 4
"""Boards: fewer of a layer are probed sooner one by one."""

Rates = tuple[float | None, float | None, float | None, float | None]
"""Success rates after LEFT, RIGHT, UP, DOWN."""


@dataclass(frozen=True)
class Probe:
    """What a table knows of a board.

    Attributes
    ----------
    board : int
        As asked for.
    table : str
        Name of the table that answered.
    rates : tuple of four float or None
        Success rates after LEFT, RIGHT, UP, DOWN; None for a move that is illegal, leaves the
        formation, or is unknown.
    best : int or None
        The direction of the highest rate, the first of equal ones; None without a legal move, and
        where an unknown one may be better.
    masked : int
        The board as looked up: its large tiles replaced by F, and turned.
    unknown : tuple of int
        The directions that are possible, but whose value cannot be known from this table.
    """

    board: int
    table: str
    rates: Rates
    best: int | None
    masked: int
    unknown: tuple[int, ...] = ()

    @property
    def best_rate(self) -> float:
        """Return the highest rate that is known, -1 without any."""
        return max((rate for rate in self.rates if rate is not None), default=-1.0)


@dataclass(frozen=True)
class Probes:
    """What a table knows of many boards, one after the other.

    Attributes
    ----------
    boards : uint64[n]
        As asked for.
    rates : float64[n, 4]
        Success rates after LEFT, RIGHT, UP, DOWN; NaN for a move that is illegal, leaves the
        formation, or is unknown.
    best : int8[n]
        The direction of the highest rate, the first of equal ones; -1 without any, and where an
        unknown one may be better.
    """

    boards: npt.NDArray[np.uint64]
    rates: npt.NDArray[np.float64]
    best: npt.NDArray[np.int8]

    def columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return all of it as columns, for ``pandas.DataFrame`` or ``pyarrow.table``.

        Returns
        -------
        dict
            "board", "left", "right", "up", "down", "best": an array of n each. The arrays are the
            ones held here, not copies, but for the rates.
        """
        by_direction = {
            name: np.ascontiguousarray(self.rates[:, i]) for i, name in enumerate(DIRECTIONS)
        }
        return {"board": self.boards, **by_direction, "best": self.best}


def surest(probes: Sequence[Probe]) -> Probe:
    """Return the answer that leaves least unknown, of a position and images that are worth as much.

    A table need not hold all of them.
    """
    return max(probes, key=lambda probe: (-len(probe.unknown), probe.best_rate))


def highest(probes: Sequence[Probe]) -> Probe:
    """Return the answer of the highest rate, of ways to fit a board that differ in their worth.

    What is unknown of any of them may be better, so it is unknown of the board.
    """
    best = max(probes, key=lambda probe: probe.best_rate)
    others = {one for probe in probes for one in probe.unknown} - set(best.unknown)
    unsure = [one for one in others if best.rates[one] != 1.0]
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


class Known(NamedTuple):
    """What machine code could tell of many boards.

    Attributes
    ----------
    rates : float64[n, 4]
        As in `Probes`.
    is_told : bool[n]
        Whether that is all there is to know of a board, no move of it unknown.
    """

    rates: npt.NDArray[np.float64]
    is_told: npt.NDArray[np.bool_]


def best_of(rates: npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    """Return the direction of the highest rate of each row, the first of equal ones."""
    known = np.where(np.isnan(rates), -1.0, rates)
    best = known.argmax(axis=1).astype(np.int8)
    best[known.max(axis=1, initial=-1.0) < 0.0] = NO_BEST
    return best
