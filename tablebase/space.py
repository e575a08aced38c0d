"""The rank space of a layer: a perfect numbering of all boards of one formation and one tile sum.

A board is cut into its four rows, taken in an order that suits the formation: `outer` rows 0 and 1
(few free cells), then the `mid` row, then the `inner` row. Every row has a half-sum (1 for a 2, 2
for a 4, nothing for F) and an index among the rows of that sum. The slots of the layer with
half-sum S are nested in that order::

    block   one (row 0, row 1); the rest has half-sum rem2 = S - s0 - s1
    run     one mid row of half-sum s2 inside the block, mid rows ascending by (sum, index)
    slot    one inner row of half-sum rem2 - s2 inside the run: at most 66 of them

    slot = base_0[S, s0] + x0 * count_123[S - s0]          where the block's outermost part starts
         + base_1[rem1, s1] + x1 * count_23[rem2]          where the block starts
         + base_2[rem2, s2] + x2 * count_3[rem3]           where the run starts
         + x3

The inside of a block depends on rem2 alone: a tile that appears in an outer row moves a whole
block as one string of bits, one in the mid row moves a run, and a move to the left or right keeps
every row's sum, so that its slot differs from its board's by small per-row differences.

A row that cannot stand on a stored board has one of two codes instead: OUTSIDE when a locked F is
missing, REACHED when it holds the target tile in a target cell. So legality, success and rank of a
moved board come from the same four look-ups.

Formations whose F tiles move (a later step) have one such numbering per arrangement of the F
tiles, one after the other in the layer's slots: `Space` then holds several row lists and a look-up
from the 16-bit arrangement to one of them, the blocks of a layer carry the arrangement they belong
to, and a move that shifts an F looks its target's tables up instead of using its own. The kernels'
signatures, the layer files and the reader (which only ever ask for the slot of a board and the
board of a slot) stay as they are.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tablebase.errors import FormationError
from tablebase.formation import Formation
from tablebase.tables import (
    I64,
    INDEX_SHIFT,
    MAX_HALF_SUM,
    OUTSIDE,
    REACHED,
    REST_SHIFT,
    SUM_ID_MASK,
    SUM_ID_SHIFT,
    SUM_MASK,
    U16,
    U32,
    Blocks,
    RowList,
)


@dataclass(frozen=True)
class Space:
    """The rank spaces of all layers of one formation and target.

    Parameters
    ----------
    formation : Formation
        One with fixed large tiles.
    target : int
        Face value of the target tile.
    n_layers : int
        Layers 0 .. n_layers - 1; layer i holds the boards of half-sum ``seed_half_sum + i``.
    """

    formation: Formation
    target: int
    n_layers: int

    def __post_init__(self) -> None:
        if self.top > MAX_HALF_SUM:
            raise FormationError(
                f"formation {self.formation.name!r}, target {self.target}: tile sums up to "
                f"{2 * self.top} are too large, expected at most {2 * MAX_HALF_SUM}"
            )

    @property
    def top(self) -> int:
        """Return the half-sum of the last layer."""
        return self.formation.seed_half_sum + self.n_layers - 1

    @cached_property
    def row_order(self) -> tuple[int, ...]:
        """Return the positions of row 0, row 1, mid and inner row, counted from the top."""
        locked = self.formation.fixed_mask
        free = [
            sum((locked >> (60 - 16 * r - 4 * c)) & 15 == 0 for c in range(4)) for r in range(4)
        ]
        return tuple(sorted(range(4), key=lambda r: (free[r], -r)))

    @cached_property
    def row_lists(self) -> tuple[RowList, ...]:
        """Return the rows of the four positions, in `row_order`."""
        return tuple(self._list_rows(position) for position in self.row_order)

    @cached_property
    def counts(self) -> tuple[I64, I64, I64]:
        """Return count_123, count_23 and count_3, indexed by half-sum."""
        n = self.top + 1
        count_3 = _counts_by_sum(self.row_lists[3], n)
        count_23 = _convolve(self.row_lists[2], count_3)
        return _convolve(self.row_lists[1], count_23), count_23, count_3

    @cached_property
    def code(self) -> U32:
        """Return what each of the 65,536 rows is worth at each position (uint32[4, 65536])."""
        code = np.full((4, 1 << 16), OUTSIDE, np.uint32)
        for k, position in enumerate(self.row_order):
            code[k, self._reaching_rows(position)] = REACHED
            rows = self.row_lists[k]
            code[k, rows.rows] = (
                (rows.indices << INDEX_SHIFT) | (rows.sum_ids << SUM_ID_SHIFT) | rows.sums
            ).astype(np.uint32)
        return code

    @cached_property
    def base_1(self) -> I64:
        """Return where the blocks of row 1 begin, by rest and sum number."""
        return _bases(self.row_lists[1], self.counts[1])

    @cached_property
    def base_2(self) -> I64:
        """Return where the runs of the mid row begin, by rest and sum number."""
        return _bases(self.row_lists[2], self.counts[2])

    def base_0(self, half_sum: int) -> I64:
        """Return where the boards begin whose row 0 has each of its sums, in one layer."""
        return _bases_at(self.row_lists[0], self.counts[0], half_sum)

    def n_slots(self, half_sum: int) -> int:
        """Return the number of slots of the layer with that half-sum."""
        rows = self.row_lists[0]
        fits = rows.distinct <= half_sum
        return int((rows.counts[fits] * self.counts[0][half_sum - rows.distinct[fits]]).sum())

    def blocks(self, half_sum: int) -> Blocks:
        """Return the blocks of one layer; empty ones are left out."""
        rows_0, rows_1 = self.row_lists[0], self.row_lists[1]
        count_123, count_23, _ = self.counts
        rest_1 = half_sum - rows_0.sums
        count_1 = count_123[np.maximum(rest_1, 0)]
        start_0 = self.base_0(half_sum)[rows_0.sum_ids] + rows_0.indices * count_1
        rest_2 = rest_1[:, None] - rows_1.sums[None, :]
        i, j = np.nonzero((rest_2 >= 0) & (count_23[np.maximum(rest_2, 0)] > 0))
        rest = rest_2[i, j]
        inside = self.base_1[rest_1[i], rows_1.sum_ids[j]] + rows_1.indices[j] * count_23[rest]
        rows = (rows_0.rows[i].astype(np.int64) << 16) | rows_1.rows[j]
        start = start_0[i] + inside
        place = np.full(rest_2.shape, -1, np.int64)
        place[i, j] = (start << REST_SHIFT) | rest
        return Blocks(start, rows, rest, place)

    def slot(self, board: int, half_sum: int) -> int | None:
        """Return the slot of `board` in its layer; None when it cannot be stored there.

        Slow and obvious: the reader asks for four boards at a time.
        """
        code = self.code
        words = [
            int(code[k, (board >> (48 - 16 * p)) & 0xFFFF]) for k, p in enumerate(self.row_order)
        ]
        if max(words) >= int(REACHED):
            return None
        sums = [word & SUM_MASK for word in words]
        ids = [(word >> SUM_ID_SHIFT) & SUM_ID_MASK for word in words]
        x = [word >> INDEX_SHIFT for word in words]
        if sum(sums) != half_sum:
            return None
        count_123, count_23, count_3 = self.counts
        rest_1 = half_sum - sums[0]
        rest_2 = rest_1 - sums[1]
        slot = int(self.base_0(half_sum)[ids[0]]) + x[0] * int(count_123[rest_1])
        slot += int(self.base_1[rest_1, ids[1]]) + x[1] * int(count_23[rest_2])
        return slot + int(self.base_2[rest_2, ids[2]]) + x[2] * int(count_3[sums[3]]) + x[3]

    def board(self, slot: int, half_sum: int) -> int:
        """Return the board in `slot` of a layer: the inverse of `slot`."""
        count_123, count_23, count_3 = self.counts
        rest, board = half_sum, 0
        lists = self.row_lists
        base_0 = self.base_0(half_sum)
        for k, count in enumerate((count_123, count_23, count_3)):
            bases = (base_0, self.base_1[rest], self.base_2[rest])[k]
            fits = lists[k].distinct <= rest
            sum_id = int(np.searchsorted(bases[fits], slot, "right")) - 1
            slot -= int(bases[sum_id])
            rest -= int(lists[k].distinct[sum_id])
            index, slot = divmod(slot, int(count[rest]))
            board |= self._row(k, sum_id, index) << (48 - 16 * self.row_order[k])
        sum_id = int(np.searchsorted(lists[3].distinct, rest))
        return board | self._row(3, sum_id, slot) << (48 - 16 * self.row_order[3])

    def reached(self, board: int) -> bool:
        """Tell whether `board` is inside the formation and holds the target in a target cell."""
        words = [
            self.code[k, (board >> (48 - 16 * p)) & 0xFFFF] for k, p in enumerate(self.row_order)
        ]
        return OUTSIDE not in words and REACHED in words

    def _row(self, k: int, sum_id: int, index: int) -> int:
        rows = self.row_lists[k]
        first = int(np.searchsorted(rows.sum_ids, sum_id))
        return int(rows.rows[first + index])

    def _locked_row(self, position: int) -> int:
        return (self.formation.fixed_mask >> (48 - 16 * position)) & 0xFFFF

    def _all_rows(self, position: int) -> tuple[U16, I64]:
        """Return all rows with F in the locked cells and nowhere else, and their half-sums."""
        locked = self._locked_row(position)
        top_exponent = min(14, max(self.top, 1).bit_length())
        rows, sums = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for shift in (12, 8, 4, 0):
            exponents = np.arange(top_exponent + 1)
            values = np.where(exponents > 0, 1 << np.maximum(exponents - 1, 0), 0)
            if (locked >> shift) & 15:
                exponents, values = np.array([15]), np.array([0])
            rows = (rows[:, None] | (exponents << shift)[None, :]).ravel()
            sums = (sums[:, None] + values[None, :]).ravel()
            rows, sums = rows[sums <= self.top], sums[sums <= self.top]
        return rows.astype(np.uint16), sums

    def _holds_target(self, rows: U16, position: int) -> npt.NDArray[np.bool_]:
        exponent = self.target.bit_length() - 1
        cells = (self.formation.target_cells >> (48 - 16 * position)) & 0xFFFF
        found = np.zeros(rows.shape, np.bool_)
        for shift in (12, 8, 4, 0):
            if (cells >> shift) & 15:
                found |= (rows >> np.uint16(shift)) & 15 == exponent
        return found

    def _reaching_rows(self, position: int) -> U16:
        rows, _ = self._all_rows(position)
        return rows[self._holds_target(rows, position)]

    def _list_rows(self, position: int) -> RowList:
        rows, sums = self._all_rows(position)
        open_rows = ~self._holds_target(rows, position)
        rows, sums = rows[open_rows], sums[open_rows]
        order = np.lexsort((rows, sums))
        rows, sums = rows[order], sums[order]
        distinct, first, sum_ids, counts = np.unique(
            sums, return_index=True, return_inverse=True, return_counts=True
        )
        indices = np.arange(rows.size) - first[sum_ids]
        return RowList(rows, sums, sum_ids, indices, distinct, counts.astype(np.int64))


def _counts_by_sum(rows: RowList, n: int) -> I64:
    counts = np.zeros(n, np.int64)
    counts[rows.distinct] = rows.counts
    return counts


def _convolve(rows: RowList, counts: I64) -> I64:
    """Return how many (row, rest) have each half-sum, for rests counted by `counts`."""
    total = np.zeros_like(counts)
    for value, n_rows in zip(rows.distinct.tolist(), rows.counts.tolist(), strict=True):
        total[value:] += n_rows * counts[: counts.size - value]
    return total


def _bases_at(rows: RowList, counts: I64, half_sum: int) -> I64:
    """Return where the boards with each row sum begin among those of one half-sum."""
    rest = half_sum - rows.distinct
    sizes = np.where(rest >= 0, rows.counts * counts[np.maximum(rest, 0)], 0)
    return np.concatenate(([0], np.cumsum(sizes)[:-1]))


def _bases(rows: RowList, counts: I64) -> I64:
    """Return `_bases_at` for every half-sum: int64[half-sum, sum number]."""
    rest = np.arange(counts.size)[:, None] - rows.distinct[None, :]
    sizes = np.where(rest >= 0, rows.counts * counts[np.maximum(rest, 0)], 0)
    bases = np.zeros_like(sizes)
    np.cumsum(sizes[:, :-1], axis=1, out=bases[:, 1:])
    return bases
