"""The symmetries and canonical forms of bitboards in machine code, one board or an array.

The pictures show where the 16 cells, named a to p, end up.
"""

import numpy as np
import numpy.typing as npt

from engine.geometry import MODES
from engine.platform.jit import inline_kernel, kernel

U64 = npt.NDArray[np.uint64]
_U = np.uint64


@inline_kernel
def transpose(board: np.uint64) -> np.uint64:
    """Exchange rows and columns: first inside each 2x2 block, then the blocks.

    a b c d      a e c g      a e i m
    e f g h  ->  b f d h  ->  b f j n
    i j k l      i m k o      c g k o
    m n o p      j n l p      d h l p
    """
    board = (
        (board & _U(0xF0F0_0F0F_F0F0_0F0F))
        | ((board & _U(0x0000_F0F0_0000_F0F0)) << _U(12))
        | ((board >> _U(12)) & _U(0x0000_F0F0_0000_F0F0))
    )
    return (
        (board & _U(0xFF00_FF00_00FF_00FF))
        | ((board & _U(0x0000_0000_FF00_FF00)) << _U(24))
        | ((board >> _U(24)) & _U(0x0000_0000_FF00_FF00))
    )


@inline_kernel
def mirror(board: np.uint64) -> np.uint64:
    """Exchange left and right: a b c d -> d c b a."""
    board = ((board & _U(0x0F0F_0F0F_0F0F_0F0F)) << _U(4)) | (
        (board >> _U(4)) & _U(0x0F0F_0F0F_0F0F_0F0F)
    )
    return ((board & _U(0x00FF_00FF_00FF_00FF)) << _U(8)) | (
        (board >> _U(8)) & _U(0x00FF_00FF_00FF_00FF)
    )


@inline_kernel
def flip(board: np.uint64) -> np.uint64:
    """Exchange top and bottom: the four rows in reverse order."""
    board = (board << _U(32)) | (board >> _U(32))
    return ((board & _U(0x0000_FFFF_0000_FFFF)) << _U(16)) | (
        (board >> _U(16)) & _U(0x0000_FFFF_0000_FFFF)
    )


@inline_kernel
def _mirror_3x3(board: np.uint64) -> np.uint64:
    """Exchange columns 0 and 2 of rows 0 to 2."""
    return (
        (board & _U(0x0F0F_0F0F_0F0F_FFFF))
        | ((board & _U(0x00F0_00F0_00F0_0000)) << _U(8))
        | ((board >> _U(8)) & _U(0x00F0_00F0_00F0_0000))
    )


@inline_kernel
def _flip_top_3(board: np.uint64, window: np.uint64) -> np.uint64:
    """Exchange rows 0 and 2 in the columns that `window`, a mask over row 2, selects."""
    return (
        (board & ~(window | (window << _U(32))))
        | ((board & window) << _U(32))
        | ((board >> _U(32)) & window)
    )


@inline_kernel
def _transpose_3x3(board: np.uint64) -> np.uint64:
    """Exchange rows and columns of the top-left 3x3 window.

    a b c d      a e i d
    e f g h  ->  b f j h
    i j k l      c g k l
    m n o p      m n o p
    """
    return (
        (board & _U(0xF00F_0F0F_00FF_FFFF))
        | ((board & _U(0x0000_F000_0F00_0000)) << _U(12))
        | ((board >> _U(12)) & _U(0x0000_F000_0F00_0000))
        | ((board & _U(0x0000_0000_F000_0000)) << _U(24))
        | ((board >> _U(24)) & _U(0x0000_0000_F000_0000))
    )


@inline_kernel
def least_horizontal(board: np.uint64) -> np.uint64:
    return min(board, mirror(board))


@inline_kernel
def least_diagonal(board: np.uint64) -> np.uint64:
    return min(board, transpose(board))


@inline_kernel
def least_rect2x4(board: np.uint64) -> np.uint64:
    flipped = flip(board)
    return min(min(board, mirror(board)), min(flipped, mirror(flipped)))


@inline_kernel
def least_full(board: np.uint64) -> np.uint64:
    return min(least_rect2x4(board), least_rect2x4(transpose(board)))


@inline_kernel
def least_rect3x4(board: np.uint64) -> np.uint64:
    """Return the canonical form in mode "rect3x4": left and right, rows 0 and 2."""
    flipped = _flip_top_3(board, _U(0x0000_0000_FFFF_0000))
    return min(min(board, mirror(board)), min(flipped, mirror(flipped)))


@inline_kernel
def _least_without_turn_3x3(board: np.uint64) -> np.uint64:
    flipped = _flip_top_3(board, _U(0x0000_0000_FFF0_0000))
    return min(min(board, _mirror_3x3(board)), min(flipped, _mirror_3x3(flipped)))


@inline_kernel
def least_square3x3(board: np.uint64) -> np.uint64:
    """Return the canonical form in mode "square3x3": the least of the window's eight."""
    return min(_least_without_turn_3x3(board), _least_without_turn_3x3(_transpose_3x3(board)))


# One loop per mode: without a branch inside, LLVM turns each into SIMD instructions.
@kernel
def _horizontal_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_horizontal(boards[i])


@kernel
def _diagonal_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_diagonal(boards[i])


@kernel
def _full_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_full(boards[i])


@kernel
def _rect2x4_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_rect2x4(boards[i])


@kernel
def _square3x3_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_square3x3(boards[i])


@kernel
def _rect3x4_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = least_rect3x4(boards[i])


_CANONICAL_MANY = {
    "horizontal": _horizontal_many,
    "diagonal": _diagonal_many,
    "full": _full_many,
    "rect2x4": _rect2x4_many,
    "square3x3": _square3x3_many,
    "rect3x4": _rect3x4_many,
}


def canonical_many(boards: U64, mode: str) -> U64:
    """Return the numerically least image of each board, by one of `engine.geometry.MODES`."""
    if mode not in MODES:
        raise ValueError(
            f"no symmetry mode {mode!r}; expected one of {', '.join(MODES)}"  # no text
        )
    originals = np.ascontiguousarray(boards, np.uint64)
    if mode == "identity":
        return originals.copy()
    out = np.empty_like(originals)
    _CANONICAL_MANY[mode](originals, out)
    return out
