"""Moves of single boards in machine code, by row tables: for kernels that follow one line of play.

For many boards at once, `engine.kernels.bulk_moves` is several times faster.
All take `tables`, the `RowTables` of `engine.moves.row_tables`: standard rule or walls. They
return the after-state, equal to `board` exactly when the move is illegal; they are thread-safe and
allocate nothing.
"""

import numpy as np
import numpy.typing as npt

from engine.kernels.symmetry import transpose
from engine.moves import RowTables
from engine.platform.jit import inline_kernel, kernel

_U = np.uint64
_ROW = _U(0xFFFF)


@inline_kernel
def _changes(rows: np.uint64, table: npt.NDArray[np.uint16]) -> np.uint64:
    return (
        (_U(table[rows >> _U(48)]) << _U(48))
        | (_U(table[(rows >> _U(32)) & _ROW]) << _U(32))
        | (_U(table[(rows >> _U(16)) & _ROW]) << _U(16))
        | _U(table[rows & _ROW])
    )


@inline_kernel
def _points(rows: np.uint64, score: npt.NDArray[np.uint32]) -> np.uint64:
    return (
        _U(score[rows >> _U(48)])
        + _U(score[(rows >> _U(32)) & _ROW])
        + _U(score[(rows >> _U(16)) & _ROW])
        + _U(score[rows & _ROW])
    )


@kernel
def slide(board: np.uint64, direction: int, tables: RowTables) -> np.uint64:
    """Return the board after sliding in `direction` (LEFT, RIGHT, UP, DOWN = 0 to 3)."""
    table = tables.right if direction & 1 else tables.left
    if direction < 2:
        return board ^ _changes(board, table)
    return board ^ transpose(_changes(transpose(board), table))


@kernel
def slide_score(board: np.uint64, direction: int, tables: RowTables) -> np.uint64:
    """Return the points of sliding in `direction`; opposite directions earn the same."""
    return _points(board if direction < 2 else transpose(board), tables.score)


@kernel
def slide_four(
    board: np.uint64, tables: RowTables
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    turned = transpose(board)
    return (
        board ^ _changes(board, tables.left),
        board ^ _changes(board, tables.right),
        board ^ transpose(_changes(turned, tables.left)),
        board ^ transpose(_changes(turned, tables.right)),
    )
