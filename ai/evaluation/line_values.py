"""The value of a row or column: features of four cells, times weights.

The value of a board is a sum over its eight lines, each read in both directions:

    max(sum of rows forward, sum of rows backward) + the same for the columns

so that rows falling to the same side are worth more than rows falling to opposite sides. Lines on
the edge of the board have weights of their own where that matters. `engine.moves` and this module
need no compiler; `ai.evaluation.line_tables` packs the values for the search.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

N_LINES = 1 << 16
_SHIFTS = (12, 8, 4, 0)

F64 = npt.NDArray[np.float64]
Weights = Mapping[str, float]

WEIGHTS = (
    "empty",  # each empty cell
    "merge",  # each tile of a run that would merge
    "merge_rank",  # each merging pair, times its exponent
    "sum",  # cost of each tile, exponent ** sum_power: few large tiles are better than many small
    "sum_power",  # see sum
    "rise",  # cost of a rise against the better direction of the line, exponents ** rise_power
    "rise_power",  # see rise
    "rise_forward",  # cost of a rise against the direction in which the whole board is read
    "edge_rise",  # the increase of rise on an edge line, as a factor
    "trap",  # cost of a tile between two larger ones, as rises are measured
    "step",  # each pair of neighbors whose exponents differ by one, times the larger exponent
    "corner",  # the largest tile of an edge line at its end, exponent ** rise_power
    "lock",  # an edge line that is full and cannot slide along itself, times its largest exponent
    "two_ended",  # reduction of rise if both ends are larger than what lies between, as a factor
)
"""The weights; all must be given."""

RANKS = tuple(float(exponent) for exponent in range(16))
"""How high each tile stands, from empty to 32768, where nothing else is said: its exponent. Ranks
that grow more slowly at the top keep a board that is merely untidy from looking lost."""


def line_values(weights: Weights, on_edge: bool, ranks: Sequence[float] = RANKS) -> F64:
    """Return the value of every line (float64[65536]), read forward: from its highest nibble.

    `on_edge` is for the first and the last row and column. Rises, traps and corners are measured by
    `ranks`, the heights of the tiles, ascending.
    """
    lines = np.arange(N_LINES)
    cells = np.stack([(lines >> shift) & 15 for shift in _SHIFTS])
    height = np.array(ranks, np.float64) ** weights["rise_power"]
    changes = np.diff(height[cells], axis=0)
    falls, rises = np.maximum(-changes, 0).sum(axis=0), np.maximum(changes, 0).sum(axis=0)
    is_two_ended = np.minimum(cells[0], cells[3]) > np.maximum(cells[1], cells[2])
    factor = 1.0 + (weights["edge_rise"] if on_edge else 0.0)
    better = np.minimum(falls, rises) * (1.0 - weights["two_ended"] * is_two_ended)
    n_merging, merging_rank = _merges(cells)
    value = weights["empty"] * (cells == 0).sum(axis=0)
    value += weights["merge"] * n_merging + weights["merge_rank"] * merging_rank
    value -= weights["sum"] * (cells ** weights["sum_power"]).sum(axis=0)
    value -= weights["rise"] * factor * better + weights["rise_forward"] * factor * rises
    value -= weights["trap"] * _traps(cells, height)
    value += weights["step"] * _steps(cells)
    if on_edge:
        largest = cells.max(axis=0)
        at_end = (cells[0] == largest) | (cells[3] == largest)
        value += weights["corner"] * np.where(at_end, height[largest], 0.0)
        value += weights["lock"] * np.where(_is_locked(cells), largest, 0)
    return np.asarray(value, np.float64)


def _merges(cells: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the number of tiles in runs of equal ones, and the exponents of the equal pairs.

    Empty cells between two equal tiles don't separate them; two F (32768) never merge.
    """
    n_tiles = np.zeros(cells.shape[1], np.int64)
    ranks = np.zeros(cells.shape[1], np.int64)
    last = np.zeros(cells.shape[1], np.int64)
    in_run = np.zeros(cells.shape[1], bool)
    for tile in cells:
        equal = (tile > 0) & (tile < 15) & (tile == last)
        n_tiles += np.where(equal, np.where(in_run, 1, 2), 0)
        ranks += np.where(equal, tile, 0)
        in_run = np.where(tile > 0, equal, in_run)
        last = np.where(tile > 0, tile, last)
    return n_tiles, ranks


def _traps(cells: npt.NDArray[np.int64], height: F64) -> F64:
    """Return the depth of tiles between two larger ones; an empty cell is not a trap."""
    depth = np.zeros(cells.shape[1])
    for i in (1, 2):
        low_wall = height[np.minimum(cells[i - 1], cells[i + 1])]
        depth += np.where(cells[i] > 0, np.maximum(low_wall - height[cells[i]], 0.0), 0.0)
    return depth


def _steps(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    low, high = np.minimum(cells[:-1], cells[1:]), np.maximum(cells[:-1], cells[1:])
    return np.asarray(np.where((low > 0) & (high - low == 1), high, 0).sum(axis=0))


def _is_locked(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return for each line whether it is full without equal neighbors (two F never count)."""
    equal = (cells[:-1] == cells[1:]) & (cells[1:] < 15)
    return np.asarray((cells > 0).all(axis=0) & ~equal.any(axis=0))
