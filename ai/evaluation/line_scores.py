"""Board scores that are sums over rows and columns, as used by the ladder's players.

There are three, each by the rules of its source:

* hand: empty cells, merges, monotone lines, large tiles at the edge: the four rules of Qiu and Li,
  a student project at Microsoft Research Asia (2014), who give no numbers; these are those of
  https://github.com/nneonneo/2048-ai, and a corner's;
* port: 10,000 for each empty cell, 20,000 for a line whose first largest tile is at an end, 1,000
  for neighbors that differ by one, 10,000 for a strictly monotone line, and 100,000: a port of an
  early nneonneo/2048-ai to Delphi;
* matrix: the tiles in face value, each times the weight of its cell, and 24 for each empty cell:
  an exercise of the course CS1958 of Shanghai Jiao Tong University (2025).
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.line_values import line_values
from engine.kernels.symmetry import transpose
from engine.platform.jit import inline_kernel

F32 = npt.NDArray[np.float32]
_U = np.uint64
_ROW = _U(0xFFFF)
_SHIFTS = (12, 8, 4, 0)

HAND_WEIGHTS = {
    "empty": 270.0, "merge": 700.0, "merge_rank": 0.0, "sum": 11.0, "sum_power": 3.5,
    "rise": 47.0, "rise_power": 4.0, "rise_forward": 0.0, "edge_rise": 0.0, "trap": 0.0,
    "step": 0.0, "corner": 1.0, "lock": 0.0, "two_ended": 0.0,
}  # fmt: skip
_HAND_BASE = 1_600_000.0  # a lost board is worth 0 and should be the worst
_PORT_BASE = 100_000.0
MATRIX = ((32, 16, 8, 4), (16, 8, 4, 2), (8, 4, 2, 1), (4, 2, 1, 1))
"""The weights of the cells."""
_MATRIX_EMPTY = 24.0


class LineScores(NamedTuple):
    """A score as tables."""

    # float32[4, 65536] or float32[1, 65536]: values of each row and column, from the top and from
    # the left; or one table for all.
    rows: F32
    columns: F32
    base: np.float64  # constant added to every board


@inline_kernel
def board_score(board, scores):
    """Return the score of a board as float64."""
    turned = transpose(board)
    total = scores.base
    for line in range(4):
        shift = _U(48 - 16 * line)
        row = _U(line & (scores.rows.shape[0] - 1))  # 0 if one table serves all
        column = _U(line & (scores.columns.shape[0] - 1))
        total += scores.rows[row, (board >> shift) & _ROW]
        total += scores.columns[column, (turned >> shift) & _ROW]
    return total


@cache
def hand_scores() -> LineScores:
    edge, inner = (line_values(HAND_WEIGHTS, on_edge) for on_edge in (True, False))
    lines = np.stack([edge, inner, inner, edge]).astype(np.float32)
    return _read_only(LineScores(lines, lines, np.float64(_HAND_BASE)))


@cache
def port_scores() -> LineScores:
    cells = _cells_of_lines()
    value = 10_000.0 * (cells == 0).sum(axis=0)
    value += 20_000.0 * np.isin(cells.argmax(axis=0), (0, 3))
    steps = np.diff(cells, axis=0)
    value += 1_000.0 * (np.abs(steps) == 1).sum(axis=0)
    value += 10_000.0 * ((steps > 0).all(axis=0) | (steps < 0).all(axis=0))
    lines = value[None].astype(np.float32)
    return _read_only(LineScores(lines, lines, np.float64(_PORT_BASE)))


@cache
def matrix_scores() -> LineScores:
    cells = _cells_of_lines()
    faces = np.where(cells > 0, 2.0**cells, 0.0)
    empty = _MATRIX_EMPTY * (cells == 0).sum(axis=0)
    rows = np.stack([np.array(weights) @ faces + empty for weights in MATRIX])
    columns = np.zeros((1, 1 << 16), np.float32)
    return _read_only(LineScores(rows.astype(np.float32), columns, np.float64(0)))


def _cells_of_lines() -> npt.NDArray[np.int64]:
    lines = np.arange(1 << 16)
    return np.stack([(lines >> shift) & 15 for shift in _SHIFTS])


def _read_only(scores: LineScores) -> LineScores:
    scores.rows.setflags(write=False)
    scores.columns.setflags(write=False)
    return scores
