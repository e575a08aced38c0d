"""The eight symmetries of a board and its canonical form under each set of them.

The cell maps are defined once, in `engine.geometry`; this module applies them to boards one at a
time, without a compiler. The machine-code versions are in `engine.kernels.symmetry`.
"""

import numpy as np
import numpy.typing as npt

from engine.bitboard import check_board
from engine.geometry import MODES, SQUARE, destinations, permute, square_destination

__all__ = ["INVERSES", "MODES", "SYMMETRIES", "canonical", "canonical_many", "images", "transform"]

SYMMETRIES = tuple(SQUARE)
"""The names of the symmetries of the square, identity first."""

INVERSES = {name: name for name in SYMMETRIES} | {
    "rotate_left": "rotate_right",
    "rotate_right": "rotate_left",
}
"""The inverse of each symmetry."""


def transform(board: int, name: str) -> int:
    return permute(check_board(board), square_destination(name))


def images(board: int, mode: str) -> tuple[int, ...]:
    """Return the board under each symmetry of `mode`: itself first, duplicates kept."""
    number = check_board(board)
    if mode not in MODES:
        raise ValueError(
            f"no symmetry mode {mode!r}; expected one of {', '.join(MODES)}"  # no text
        )
    return tuple(permute(number, destination) for destination in destinations(mode))


def canonical(board: int, mode: str) -> int:
    return min(images(board, mode))


def canonical_many(boards: npt.NDArray[np.uint64], mode: str) -> npt.NDArray[np.uint64]:
    """Return the canonical forms (uint64[n]) of `boards` (uint64[n]), by machine code."""
    # Imported here because numba takes a while to load and a single board does without it.
    from engine.kernels import symmetry as kernels

    return kernels.canonical_many(boards, mode)
