"""The rows of each kind, in order, and their counts by half-sum.

The *kind* of a row is the cells of its F tiles and those of its other cells where the target
counts; its *class* is what kinds with the same numbering have in common: the number of free cells,
and in which of them, from left to right, the target counts.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.platform.array_types import I64, U16, U32, Bools
from tablebase.rank.kernel_tables import INDEX_SHIFT, REACHED, SUM_ID_SHIFT, RowList

_SHIFTS = (12, 8, 4, 0)


@dataclass(frozen=True)
class RowKind:
    """The rows with F in given cells and nowhere else, up to a half-sum."""

    pattern: int  # the cells that hold F (4 bits, the left one highest)
    targets: int  # the other cells where the target counts
    # The target's face value; the largest half-sum.
    target: int
    top: int

    @property
    def row_class(self) -> tuple[bool, ...]:
        """Return, for each free cell, whether the target counts there."""
        bits = (8, 4, 2, 1)
        return tuple(bool(self.targets & bit) for bit in bits if not self.pattern & bit)

    @cached_property
    def open_rows(self) -> RowList:
        """Return the rows that do not hold the target in a target cell."""
        rows, sums = self._every_row
        keep = ~self._hold_target(rows)
        rows, sums = rows[keep], sums[keep]
        order = np.lexsort((rows, sums))
        rows, sums = rows[order], sums[order]
        distinct, first, sum_ids, counts = np.unique(
            sums, return_index=True, return_inverse=True, return_counts=True
        )
        indices = np.arange(rows.size) - first[sum_ids]
        return RowList(rows, sums, sum_ids, indices, distinct, counts.astype(np.int64))

    def fill_codes(self, code: U32) -> None:
        """Set the codes of this kind's rows in `code` (uint32[65536], by row)."""
        rows, _ = self._every_row
        code[rows[self._hold_target(rows)]] = REACHED
        listed = self.open_rows
        code[listed.rows] = (
            (listed.indices << INDEX_SHIFT) | (listed.sum_ids << SUM_ID_SHIFT) | listed.sums
        ).astype(np.uint32)

    def fill_numbers(self, number: U32) -> None:
        """Set the numbers of this kind's rows in their list in `number` (uint32[65536])."""
        rows, _ = self._every_row
        number[rows[self._hold_target(rows)]] = REACHED
        number[self.open_rows.rows] = np.arange(self.open_rows.rows.size, dtype=np.uint32)

    @cached_property
    def _every_row(self) -> tuple[U16, I64]:
        top_exponent = min(14, max(self.top, 1).bit_length())
        rows, sums = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for cell, shift in enumerate(_SHIFTS):
            exponents = np.arange(top_exponent + 1)
            values = np.where(exponents > 0, 1 << np.maximum(exponents - 1, 0), 0)
            if self.pattern & (8 >> cell):
                exponents, values = np.array([15]), np.array([0])
            rows = (rows[:, None] | (exponents << shift)[None, :]).ravel()
            sums = (sums[:, None] + values[None, :]).ravel()
            rows, sums = rows[sums <= self.top], sums[sums <= self.top]
        return rows.astype(np.uint16), sums

    def _hold_target(self, rows: U16) -> Bools:
        exponent = self.target.bit_length() - 1
        holds = np.zeros(rows.shape, np.bool_)
        for cell, shift in enumerate(_SHIFTS):
            if self.targets & (8 >> cell):
                holds |= (rows >> np.uint16(shift)) & 15 == exponent
        return holds


def counts_by_sum(rows: RowList, n: int) -> I64:
    counts = np.zeros(n, np.int64)
    counts[rows.distinct] = rows.counts
    return counts


def convolve(rows: RowList, counts: I64) -> I64:
    """Return the number of pairs (row, rest) of each half-sum, for rests counted by `counts`."""
    total = np.zeros_like(counts)
    for value, n_rows in zip(rows.distinct.tolist(), rows.counts.tolist(), strict=True):
        total[value:] += n_rows * counts[: counts.size - value]
    return total


def bases_at(rows: RowList, counts: I64, half_sum: int) -> I64:
    """Return the starts of the boards with each row sum among those of one half-sum."""
    rest = half_sum - rows.distinct
    sizes = np.where(rest >= 0, rows.counts * counts[np.maximum(rest, 0)], 0)
    return np.concatenate(([0], np.cumsum(sizes)[:-1]))


def bases(rows: RowList, counts: I64) -> I64:
    """Return `bases_at` for every half-sum: int64[half-sum, sum number]."""
    rest = np.arange(counts.size)[:, None] - rows.distinct[None, :]
    sizes = np.where(rest >= 0, rows.counts * counts[np.maximum(rest, 0)], 0)
    starts = np.zeros_like(sizes)
    np.cumsum(sizes[:, :-1], axis=1, out=starts[:, 1:])
    return starts
