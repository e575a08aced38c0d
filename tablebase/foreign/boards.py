"""What the boards of a layer have in common, and which of them have reached the target."""

from functools import cache

import numpy as np

from engine.bitboard import format_board
from engine.platform.array_types import I64, U64, Bools
from tablebase.errors import TableFormatError
from tablebase.formation.formation import Formation, half_sum

_F_SHIFT = 32  # a row's code: number of F above, half-sum below
_ONES = 0x1111_1111_1111_1111


def has_reached(formation: Formation, target: int, board: int) -> bool:
    return bool(reached_many(formation, target, np.array([board], np.uint64))[0])


def reached_many(formation: Formation, target: int, boards: U64) -> Bools:
    """Return a mask of the `boards` (uint64[n]) that hold exactly the target in a target cell."""
    exponent = target.bit_length() - 1
    differing = boards ^ np.uint64(exponent * _ONES)
    differing |= differing >> np.uint64(1)
    differing |= differing >> np.uint64(2)  # now the lowest bit of a nibble represents all four
    return (~differing & np.uint64(formation.target_cells & _ONES)) != 0


def check_boards(formation: Formation, layer: int, boards: U64, source: object) -> None:
    """Raise TableFormatError, naming `source`, for a board of another sum or number of F."""
    codes = _row_codes()[boards.view("<u2").reshape(-1, 4)].sum(axis=1)
    expected = formation.seed_half_sum + layer
    wrong = np.flatnonzero(codes != (formation.n_large << _F_SHIFT) + expected)
    if wrong.size:
        board = int(boards[wrong[0]])
        raise TableFormatError(
            "{source} holds {board}, whose tiles other than F add up to {sum} beside {large} F, "
            "expected {expected} beside {expected_large} in layer {layer} of {name}: it is "
            "damaged, of another rate type or of another formation of that name",
            source=source,
            board=format_board(board),
            sum=2 * half_sum(board),
            large=format_board(board).count("f"),
            expected=2 * expected,
            expected_large=formation.n_large,
            layer=layer,
            name=formation.name,
        )


@cache
def _row_codes() -> I64:
    rows = np.arange(1 << 16)
    codes = np.zeros(rows.size, np.int64)
    for shift in (0, 4, 8, 12):
        nibbles = (rows >> shift) & 15
        sums = np.where((nibbles > 0) & (nibbles < 15), 1 << np.maximum(nibbles - 1, 0), 0)
        codes += np.where(nibbles == 15, 1 << _F_SHIFT, sums)
    return codes
