"""The line evaluation, packed for the search: the value of a line as it is and after a slide.

An entry is a uint64 of three fields:

    63 ... 48   the change by a slide, row XOR row; 0 in the tables of unmoved lines
    47 ... 24   the value read forward, above zero
    23 ...  0   the value read backward

A value is below 2**22, so those of four lines add up within their fields, and the carry of the
highest field is dropped. There are six tables in sequence: slid left, slid right, unmoved; each for
lines on the edge of the board and for the two inner ones.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from ai.evaluation.line_values import F64, N_LINES
from engine.kernels.symmetry import transpose
from engine.moves import row_tables
from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from engine.platform.language import tr

FIELD_BITS = 24
OFFSET = 1 << 21
MAX_ENTRY = (1 << 22) - 1

_U = np.uint64
_FIELD = _U((1 << FIELD_BITS) - 1)
_ROW = _U(0xFFFF)
_TOP = _U(0xFFFF_0000_0000_0000)
_SECOND = _U(0x0000_FFFF_0000_0000)
_THIRD = _U(0x0000_0000_FFFF_0000)
_LEFT_EDGE, _LEFT_INNER = _U(0), _U(1 << 16)
_RIGHT_EDGE, _RIGHT_INNER = _U(2 << 16), _U(3 << 16)
_STAY_EDGE, _STAY_INNER = _U(4 << 16), _U(5 << 16)
_BASE = 8 * OFFSET
_ILLEGAL = np.int64(-1 << 40)
_STRAIGHT = 0.7  # share of the way down to the dead value that is left unchanged
_MAX_DEAD = -7  # above it no whole number is left between the knee and the dead value


class LineTables(NamedTuple):
    """An evaluation by lines."""

    entries: npt.NDArray[np.uint64]  # uint64[6 * 65536]: see the module docstring
    # Below the knee a value falls 2**shift times more slowly, so that any board with a legal move
    # is worth more than one without.
    knee: np.int64
    shift: np.int64


def line_tables(edge: F64, inner: F64, points: float = 0.0, dead: float = -math.inf) -> LineTables:
    """Return the tables of given line values.

    `edge` and `inner` (float64[65536]) are the value of each line, read forward, on the edge of the
    board and inside; clipped to +- 2**21. `points` is the value of a point of the score: slid lines
    include that of their merges. `dead` is the value of a board without a legal move; all others
    are worth more.
    """
    moves = row_tables()
    lines = np.arange(N_LINES)
    backward = lines >> 12 | (lines >> 4) & 0xF0 | (lines << 4) & 0xF00 | (lines << 12) & 0xF000
    tables = []
    for changes in (moves.left, moves.right):
        for values in (edge, inner):
            after = lines ^ changes
            gained = points * moves.score
            packed = _packed(values[after] + gained, values[backward[after]] + gained)
            tables.append(packed | changes.astype(np.uint64) << _U(48))
    stay = [_packed(values, values[backward]) for values in (edge, inner)]
    lowest = 4.0 * (_lowest(edge) + _lowest(inner))  # of both directions the better one counts
    return LineTables(np.concatenate(tables + stay), *_bend(lowest, dead))


def _lowest(values: F64) -> float:
    return float(np.clip(values.min(), -OFFSET, MAX_ENTRY - OFFSET))  # as an entry holds it


def _bend(lowest: float, dead: float) -> tuple[np.int64, np.int64]:
    """Return the knee and the shift that keep the lowest value above that of a dead board."""
    if lowest > dead:
        return np.int64(_ILLEGAL), np.int64(0)
    if dead > _MAX_DEAD:
        text = tr("dead is {dead}; expected a number of at most {most}", dead=dead, most=_MAX_DEAD)
        raise WeightsError(text)
    knee = math.ceil(_STRAIGHT * dead)
    shift = math.ceil(math.log2((knee - lowest) / (knee - dead - 2)))
    return np.int64(knee), np.int64(shift)


def _packed(forward: F64, backward: F64) -> npt.NDArray[np.uint64]:
    return _fixed(forward) << _U(FIELD_BITS) | _fixed(backward)


def _fixed(values: F64) -> npt.NDArray[np.uint64]:
    return np.asarray(np.clip(np.rint(values) + OFFSET, 0, MAX_ENTRY).astype(np.uint64))


@inline_kernel
def _better(total):
    forward, backward = (total >> _U(FIELD_BITS)) & _FIELD, total & _FIELD
    return np.int64(max(forward, backward))


@inline_kernel
def _stay_sum(board, entries):
    return (
        entries[_STAY_EDGE + (board >> _U(48))]
        + entries[_STAY_INNER + ((board >> _U(32)) & _ROW)]
        + entries[_STAY_INNER + ((board >> _U(16)) & _ROW)]
        + entries[_STAY_EDGE + (board & _ROW)]
    )


@inline_kernel
def line_value(after, lines):
    entries = lines.entries
    rows, columns = _stay_sum(after, entries), _stay_sum(transpose(after), entries)
    return _bent(_better(rows) + _better(columns) - _BASE, lines)


@kernel
def static_value(after, lines):
    """Return the value of an after-state, outside of kernels."""
    return line_value(after, lines)


@inline_kernel
def _bent(value, lines):
    return value if value >= lines.knee else lines.knee + ((value - lines.knee) >> lines.shift)


@inline_kernel
def _base(board, entries, edge, inner):
    """Return for a slide of the rows: the sum of the entries, the changes, and both transposed."""
    first = entries[edge + (board >> _U(48))]
    second = entries[inner + ((board >> _U(32)) & _ROW)]
    third = entries[inner + ((board >> _U(16)) & _ROW)]
    last = entries[edge + (board & _ROW)]
    change = (
        (first & _TOP)
        | ((second >> _U(16)) & _SECOND)
        | ((third >> _U(32)) & _THIRD)
        | (last >> _U(48))
    )
    return first + second + third + last, change, transpose(board ^ change)


@inline_kernel
def _with_tile(row, tile, shift, table, base, entries):
    """Return the value after the slide of `base` with one more tile in a row; see `_ILLEGAL`.

    Only that row's entry changes, and in the transposed board one cell of each line: with a b c d
    as the last row, its cells go to the ends of the four lines.
    """
    total, change, turned = base
    old, new = entries[table + row], entries[table + (row | tile)]
    d = (old >> _U(48)) ^ (new >> _U(48)) ^ tile
    spread = (
        ((d & _U(0xF000)) << _U(36))
        | ((d & _U(0x0F00)) << _U(24))
        | ((d & _U(0x00F0)) << _U(12))
        | (d & _U(0x000F))
    )
    columns = _stay_sum(turned ^ (spread << (shift >> _U(2))), entries)
    value = _better(total - old + new) + _better(columns) - _BASE
    others = change & ~(_ROW << shift)
    return value if others | (new >> _U(48)) else _ILLEGAL


@inline_kernel
def line_spawns_value(after, tiles, lines, dead):
    """Return the sum, over single spawns on an after-state, of the best move's value.

    Of `tiles`, bit 0 of a cell stands for a 2, bit 1 for a 4. `dead` is the value if no move is
    legal. A spawn changes one row and one column, so the rest is computed once for all spawns.
    """
    entries = lines.entries
    across = transpose(after)
    left = _base(after, entries, _LEFT_EDGE, _LEFT_INNER)
    right = _base(after, entries, _RIGHT_EDGE, _RIGHT_INNER)
    up = _base(across, entries, _LEFT_EDGE, _LEFT_INNER)
    down = _base(across, entries, _RIGHT_EDGE, _RIGHT_INNER)
    total = np.float32(0)
    while tiles:
        place = trailing_zeros(tiles)
        tiles &= tiles - _U(1)
        # Row and cell in the row, as shifts; in the transposed board they swap roles.
        low = place & _U(48)
        turned_low = (place & _U(12)) << _U(2)
        kind = place & _U(3)
        row, tile = (after >> low) & _ROW, _U(1) << (place & _U(15))
        column = (across >> turned_low) & _ROW
        turned_tile = _U(1) << ((low >> _U(2)) + kind)
        is_edge = low == _U(0) or low == _U(48)
        table = _U(0) if is_edge else _LEFT_INNER
        turned_edge = turned_low == _U(0) or turned_low == _U(48)
        turned_table = _U(0) if turned_edge else _LEFT_INNER
        best = max(
            max(
                _with_tile(row, tile, low, _LEFT_EDGE + table, left, entries),
                _with_tile(row, tile, low, _RIGHT_EDGE + table, right, entries),
            ),
            max(
                _with_tile(column, turned_tile, turned_low, _LEFT_EDGE + turned_table, up, entries),
                _with_tile(
                    column, turned_tile, turned_low, _RIGHT_EDGE + turned_table, down, entries
                ),
            ),
        )
        total += np.float32(_bent(best, lines)) if best > _ILLEGAL else dead
    return total
