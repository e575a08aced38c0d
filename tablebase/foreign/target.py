"""Tests whether boards have reached the target: a target cell holds exactly that tile."""

import numpy as np

from engine.platform.array_types import U64, Bools
from tablebase.formation.formation import Formation

_ONES = 0x1111_1111_1111_1111


def has_reached(formation: Formation, target: int, board: int) -> bool:
    return bool(reached_many(formation, target, np.array([board], np.uint64))[0])


def reached_many(formation: Formation, target: int, boards: U64) -> Bools:
    """Return a mask of the `boards` (uint64[n]) that hold the target in a target cell."""
    exponent = target.bit_length() - 1
    differing = boards ^ np.uint64(exponent * _ONES)
    differing |= differing >> np.uint64(1)
    differing |= differing >> np.uint64(2)  # now the lowest bit of a nibble represents all four
    return (~differing & np.uint64(formation.target_cells & _ONES)) != 0
