"""The common properties of all boards of a layer, to recognize files of other tables."""

from functools import cache

import numpy as np

from engine.bitboard import format_board
from engine.platform.array_types import I64, U64
from engine.platform.language import tr
from tablebase.errors import TableFormatError
from tablebase.formation.formation import Formation, half_sum

_F_SHIFT = 32  # a row's code: number of F above, half-sum below


class LayerShape:
    """The tile sum and the number of F of one layer's boards."""

    def __init__(self, formation: Formation, layer: int) -> None:
        self.layer = layer
        self._name = formation.name
        self._half_sum = formation.seed_half_sum + layer
        self._n_large = formation.n_large

    def check(self, boards: U64, source: object) -> None:
        """Raise TableFormatError, naming `source` and the first such board, if one differs."""
        rows = boards.view("<u2").reshape(-1, 4)
        codes = _row_codes()[rows].sum(axis=1)
        wrong = np.flatnonzero(codes != (self._n_large << _F_SHIFT) + self._half_sum)
        if wrong.size:
            board = int(boards[wrong[0]])
            n_large = format_board(board).count("f")
            raise TableFormatError(
                tr(
                    "{source} holds {board}, whose tiles other than F add up to {sum} beside "
                    "{large} F, expected {expected} beside {expected_large} in layer {layer} of "
                    "{name}: it is damaged, of another rate type or of another formation of that "
                    "name",
                    source=source,
                    board=format_board(board),
                    sum=2 * half_sum(board),
                    large=n_large,
                    expected=2 * self._half_sum,
                    expected_large=self._n_large,
                    layer=self.layer,
                    name=self._name,
                )
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
