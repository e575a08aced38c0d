"""Layer 0 of the free formations: every board that a move can leave, full of twos.

Nobody writes thousands of seeds. A free formation starts from all boards with its number of large
tiles and a two on every other cell except one: from the result of any move on one of them (a move
that changes nothing included), turned into its canonical form.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from engine.geometry import SAME, destinations
from engine.moves import row_tables
from engine.platform.array_types import U64

_ROW_SHIFTS = (48, 32, 16, 0)
TRANSPOSE = [4 * (cell % 4) + cell // 4 for cell in range(16)]


def generated_layer(n_large: int) -> U64:
    """Return layer 0 of the free formation with `n_large` (0 to 15) large tiles: uint64[n].

    They are full-canonical boards, ascending, each once. Large tiles slide like any other and never
    merge.
    """
    sources = _sources(n_large)
    turned = permuted(sources, TRANSPOSE)
    sideways = [_moved_rows(sources, is_right) for is_right in (False, True)]
    upright = [permuted(_moved_rows(turned, is_right), TRANSPOSE) for is_right in (False, True)]
    after = np.unique(np.concatenate(sideways + upright))
    least = after.copy()
    for destination in destinations("full")[1:]:
        np.minimum(least, permuted(after, destination), out=least)
    return after[least == after]


def _sources(n_large: int) -> U64:
    """Return all boards with `n_large` F, one empty cell and twos: uint64[16 * C(15, n_large)]."""
    where = np.array([*combinations(range(15), n_large)], np.int64)
    nibbles = np.ones((where.shape[0], 15), np.uint64)
    np.put_along_axis(nibbles, where, np.uint64(15), axis=1)
    boards = np.zeros((16, where.shape[0]), np.uint64)
    for empty in range(16):
        cells = [cell for cell in range(16) if cell != empty]
        for i, cell in enumerate(cells):
            boards[empty] |= nibbles[:, i] << np.uint64(60 - 4 * cell)
    return boards.ravel()


def _moved_rows(boards: U64, is_right: bool) -> U64:
    tables = row_tables()
    table = (tables.right if is_right else tables.left).astype(np.uint64)
    moved = boards.copy()
    for shift in map(np.uint64, _ROW_SHIFTS):
        moved ^= table[(boards >> shift) & np.uint64(0xFFFF)] << shift
    return moved


def permuted(boards: U64, destination: Sequence[int]) -> U64:
    """Return boards (uint64[n]) with the nibble of each cell moved to ``destination[cell]``."""
    if tuple(destination) == SAME:
        return boards.copy()
    moved = np.zeros_like(boards)
    for cell, goes_to in enumerate(destination):
        nibble = (boards >> np.uint64(60 - 4 * cell)) & np.uint64(15)
        moved |= nibble << np.uint64(60 - 4 * goes_to)
    return moved
