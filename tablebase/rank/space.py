"""The rank space of a layer: a perfect numbering of all boards of one formation and one tile sum.

Slots are nested. Outermost, one part after the other, come the arrangements of the F tiles
(tablebase.formation.arrangements). Inside an arrangement a board is cut into its four rows, taken
in an order that suits it: `outer` rows 0 and 1 (few free cells), then the `mid` row, then the
`inner` row. Every row has a half-sum (1 for a 2, 2 for a 4, nothing for F) and an index among the
rows of its kind and that sum. The slots of an arrangement with half-sum S are::

    block   one (row 0, row 1); the rest has half-sum rem2 = S - s0 - s1
    run     one mid row of half-sum s2 inside the block, mid rows ascending by (sum, index)
    slot    one inner row of half-sum rem2 - s2 inside the run: at most 66 of them

    slot = base_0[S, s0] + x0 * count_123[S - s0]          where the block's outermost part starts
         + base_1[rem1, s1] + x1 * count_23[rem2]          where the block starts
         + base_2[rem2, s2] + x2 * count_3[rem3]           where the run starts
         + x3

The inside of a block depends on rem2 alone: a tile that appears in an outer row moves a whole block
as one string of bits, one in the mid row moves a run, and a move to the left or right that shifts
no F keeps every row's sum and kind, so that the slot changes by small per-row differences.

These numbers depend only on the *shape* of the arrangement, the classes of its four rows: the
12,870 arrangements of eight free F tiles share some thirty shapes.

A row that cannot be on a stored board has one of two codes instead of its index: OUTSIDE if its F
tiles are where no arrangement has them, REACHED if it holds the target tile in a target cell.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from engine.geometry import destinations, permute
from engine.platform.array_types import I32, I64, U16, U32
from tablebase.errors import FormationError
from tablebase.formation.arrangements import Arrangement, Arrangements, turned
from tablebase.formation.formation import Formation, half_sum
from tablebase.formation.goal import MAX_HALF_SUM, Goal, goal_of
from tablebase.rank.kernel_tables import (
    INDEX_SHIFT,
    OUTSIDE,
    REACHED,
    REST_SHIFT,
    SUM_ID_MASK,
    SUM_ID_SHIFT,
    SUM_MASK,
    Blocks,
    Places,
    RowList,
)
from tablebase.rank.rows import RowKind, bases, bases_at, convolve, counts_by_sum

Classes = tuple[tuple[bool, ...], ...]
AT_TARGET = -1
"""Replaces a slot: the board has reached the goal, or is certain to reach it."""


@dataclass(frozen=True, eq=False)
class Shape:
    """The numbering shared by all arrangements with equal row classes."""

    lists: tuple[RowList, ...]
    n_sums: int

    @cached_property
    def counts(self) -> tuple[I64, I64, I64]:
        """Return count_123, count_23 and count_3, indexed by half-sum."""
        count_3 = counts_by_sum(self.lists[3], self.n_sums)
        count_23 = convolve(self.lists[2], count_3)
        return convolve(self.lists[1], count_23), count_23, count_3

    @cached_property
    def base_1(self) -> I64:
        """Return the starts of the blocks of row 1, by rest and sum number."""
        return bases(self.lists[1], self.counts[1])

    @cached_property
    def base_2(self) -> I64:
        """Return the starts of the runs of the mid row, by rest and sum number."""
        return bases(self.lists[2], self.counts[2])

    def base_0(self, half_sum: int) -> I64:
        if half_sum not in self._bases_0:
            self._bases_0[half_sum] = bases_at(self.lists[0], self.counts[0], half_sum)
        return self._bases_0[half_sum]

    @cached_property
    def _bases_0(self) -> dict[int, I64]:
        return {}  # lookups use the same layers again and again

    @cached_property
    def n_slots(self) -> I64:
        """Return the number of boards in one arrangement, by half-sum."""
        return convolve(self.lists[0], self.counts[0])


@dataclass(frozen=True, eq=False)
class Space:
    """The rank spaces of layers 0 .. n_layers - 1 of one formation and goal.

    Layer i holds the boards of half-sum ``seed_half_sum + i``. A plain int as the target is the
    face value of a tile.
    """

    formation: Formation
    target: Goal | int
    n_layers: int

    def __post_init__(self) -> None:
        if self.top > MAX_HALF_SUM:
            raise FormationError(
                "formation {name!r}, target {target}: tile sums up to {sum} are too large, "
                "expected at most {most}",
                name=self.formation.name,
                target=self.target,
                sum=2 * self.top,
                most=2 * MAX_HALF_SUM,
            )

    @cached_property
    def goal(self) -> Goal:
        return goal_of(self.target)

    @property
    def top(self) -> int:
        """Return the half-sum of the last layer."""
        return self.formation.seed_half_sum + self.n_layers - 1

    @cached_property
    def placed(self) -> Arrangements:
        return _placed(self.formation)

    @property
    def arrangements(self) -> tuple[Arrangement, ...]:
        return self.placed.all

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """Return the cells of each row where the target counts (4 bits, the left one highest)."""
        sums = []
        for position in range(4):
            cells = (self.goal.cells(self.formation) >> (48 - 16 * position)) & 0xFFFF
            sums.append(sum(8 >> c for c in range(4) if (cells >> (12 - 4 * c)) & 15))
        return tuple(sums)

    @cached_property
    def row_kinds(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return, for every arrangement, the keys of the kinds of its rows, in order."""
        patterns = [[(a.row_pattern(p), p) for p in a.row_order] for a in self.arrangements]
        return tuple(
            tuple((pattern, self.targets[p] & ~pattern) for pattern, p in rows) for rows in patterns
        )

    @cached_property
    def kinds(self) -> dict[tuple[int, int], RowKind]:
        keys = {key for keys in self.row_kinds for key in keys}
        return {key: RowKind(*key, self.goal.tile, self.top) for key in sorted(keys)}

    @cached_property
    def classes(self) -> tuple[Classes, ...]:
        return tuple(tuple(self.kinds[key].row_class for key in keys) for keys in self.row_kinds)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Return the shape of every arrangement; equal ones are the same object."""
        shapes_of: dict[Classes, Shape] = {}
        for classes, keys in zip(self.classes, self.row_kinds, strict=True):
            if classes not in shapes_of:
                lists = tuple(self.kinds[key].open_rows for key in keys)
                shapes_of[classes] = Shape(lists, self.top + 1)
        return tuple(shapes_of[classes] for classes in self.classes)

    @cached_property
    def kinds_at(self) -> dict[int, set[tuple[int, int]]]:
        kinds: dict[int, set[tuple[int, int]]] = {self.targets[p]: set() for p in range(4)}
        for arrangement, keys in zip(self.arrangements, self.row_kinds, strict=True):
            for position, key in zip(arrangement.row_order, keys, strict=True):
                kinds[self.targets[position]].add(key)
        return kinds

    @cached_property
    def code(self) -> dict[int, U32]:
        """Return the codes of the 65,536 rows, by the cells where the target counts."""
        codes = {}
        for targets, keys in self.kinds_at.items():
            codes[targets] = np.full(1 << 16, OUTSIDE, np.uint32)
            for key in keys:
                self.kinds[key].fill_codes(codes[targets])
        return codes

    def starts(self, half_sum: int) -> I64:
        """Return the first slot of each arrangement of a layer, and the number of all slots."""
        if half_sum not in self._starts:
            sizes = self._slots_by_shape[self._shape_ids, half_sum]
            self._starts[half_sum] = np.concatenate((np.zeros(1, np.int64), sizes.cumsum()))
        return self._starts[half_sum]

    @cached_property
    def _starts(self) -> dict[int, I64]:
        return {}  # lookups use the same layers again and again

    def n_slots(self, half_sum: int) -> int:
        return int(self._slots_by_shape[self._shape_ids, half_sum].sum())

    def is_inside(self, board: int) -> bool:
        return self.placed.is_inside(board)

    def stored_form(self, board: int) -> int:
        """Return the image of `board` that a table stores: the one with the least number.

        It is among the images in the arrangement chosen for its orbit; `board` itself if outside.
        """
        arrangement = self.placed.find(board)
        if arrangement is None:
            return board
        return self._least_image(*arrangement)

    def find(self, board: int, half_sum: int) -> int | None:
        """Return the slot of the stored form of `board`, which is all that a lookup needs.

        AT_TARGET for a board that is inside the formation and has reached the goal, or is certain
        to; None for one that cannot be stored in this layer.
        """
        arrangement = self.placed.find(board)
        if arrangement is None:
            return None
        if self.goal.is_sure_after(half_sum):
            return AT_TARGET
        words = self._words(*arrangement)
        if max(words) >= int(REACHED):
            return AT_TARGET if int(OUTSIDE) not in words else None
        i, image = arrangement
        least = self._least_image(i, image)
        return self._number(i, words if least == image else self._words(i, least), half_sum)

    def _least_image(self, i: int, image: int) -> int:
        ways = destinations(self.formation.symmetry)
        if len(self.placed.symmetries) < len(ways):  # a window
            return min([permute(image, destination) for destination in ways])
        kept_by = self.arrangements[i].kept_by
        return image if len(kept_by) == 1 else min([turned(image, way) for way in kept_by])

    def _words(self, i: int, image: int) -> list[int]:
        """Return the codes of the rows of a board in an arrangement, in the order of the latter."""
        return [
            int(self.code[self.targets[p]][(image >> (48 - 16 * p)) & 0xFFFF])
            for p in self.placed.all[i].row_order
        ]

    def slot(self, board: int, half_sum: int) -> int | None:
        """Return the slot of `board` in its layer; None if it cannot be stored there.

        The board is turned into the arrangement of its orbit first. Slow and simple: the reader
        only looks up four boards at a time.
        """
        arrangement = self.placed.find(board)
        if arrangement is None:
            return None
        words = self._words(*arrangement)
        return None if max(words) >= int(REACHED) else self._number(arrangement[0], words, half_sum)

    def _number(self, i: int, words: list[int], half_sum: int) -> int | None:
        """Return the slot of an arrangement's board with these rows; None if its sum differs."""
        word_0, word_1, word_2, word_3 = words
        rest_1 = half_sum - (word_0 & SUM_MASK)
        rest_2 = rest_1 - (word_1 & SUM_MASK)
        rest_3 = rest_2 - (word_2 & SUM_MASK)
        if rest_3 != word_3 & SUM_MASK:
            return None
        shape = self.shapes[i]
        count_123, count_23, count_3 = shape.counts
        slot = int(self.starts(half_sum)[i]) + (word_3 >> INDEX_SHIFT)
        slot += int(shape.base_0(half_sum)[word_0 >> SUM_ID_SHIFT & SUM_ID_MASK])
        slot += int(shape.base_1[rest_1, word_1 >> SUM_ID_SHIFT & SUM_ID_MASK])
        slot += int(shape.base_2[rest_2, word_2 >> SUM_ID_SHIFT & SUM_ID_MASK])
        slot += (word_0 >> INDEX_SHIFT) * int(count_123[rest_1])
        slot += (word_1 >> INDEX_SHIFT) * int(count_23[rest_2])
        return slot + (word_2 >> INDEX_SHIFT) * int(count_3[rest_3])

    def board(self, slot: int, half_sum: int) -> int:
        starts = self.starts(half_sum)
        i = int(np.searchsorted(starts, slot, "right")) - 1
        order, shape = self.arrangements[i].row_order, self.shapes[i]
        kinds = [self.kinds[key].open_rows for key in self.row_kinds[i]]
        slot -= int(starts[i])
        rest, board = half_sum, 0
        base_0 = shape.base_0(half_sum)
        for k, count in enumerate(shape.counts):
            at = (base_0, shape.base_1[rest], shape.base_2[rest])[k]
            fits = kinds[k].distinct <= rest
            sum_id = int(np.searchsorted(at[fits], slot, "right")) - 1
            slot -= int(at[sum_id])
            rest -= int(kinds[k].distinct[sum_id])
            index, slot = divmod(slot, int(count[rest]))
            board |= _row(kinds[k], sum_id, index) << (48 - 16 * order[k])
        sum_id = int(np.searchsorted(kinds[3].distinct, rest))
        return board | _row(kinds[3], sum_id, slot) << (48 - 16 * order[3])

    def reached(self, board: int) -> bool:
        """Return whether an after-state is inside the formation and at the goal, or sure of it."""
        arrangement = self.placed.find(board)
        if arrangement is None:
            return False
        if self.goal.is_sure_after(half_sum(board)):
            return True
        return max(self._words(*arrangement)) == int(REACHED)

    def blocks(self, half_sum: int) -> Blocks:
        """Return the blocks of one layer, without empty ones."""
        starts, templates = self.starts(half_sum), self._templates(half_sum)
        pieces = [
            self._lay_out(template, np.array(group), starts)
            for template, group in zip(templates, self._groups, strict=True)
        ]
        start, rows, rest, arrangement = (
            np.concatenate(part) for part in zip(*pieces, strict=True)
        )
        return Blocks(start, rows, rest, arrangement, self._join(templates, starts))

    def places(self, half_sum: int) -> Places:
        """Return the places of the blocks of one layer, without a list: enough for lookups."""
        return self._join(self._templates(half_sum), self.starts(half_sum))

    def _templates(self, half_sum: int) -> "list[_Template]":
        return [_Template.of(self.shapes[group[0]], half_sum) for group in self._groups]

    def _join(self, templates: "list[_Template]", starts: I64) -> Places:
        """Return the places of a layer; all arrangements of a group share those of its template."""
        at, n_place = np.zeros(len(self.arrangements), np.int64), 0
        for template, group in zip(templates, self._groups, strict=True):
            at[group] = n_place
            n_place += template.place.size
        return Places(starts[:-1], at, np.concatenate([template.place for template in templates]))

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Return the arrangements in groups of neighbors of one shape."""
        groups: list[list[int]] = []
        for i, shape in enumerate(self.shapes):
            if groups and self.shapes[groups[-1][0]] is shape:
                groups[-1].append(i)
            else:
                groups.append([i])
        return groups

    @cached_property
    def _shape_ids(self) -> I64:
        numbers = {id(shape): n for n, shape in enumerate(dict.fromkeys(self.shapes))}
        return np.array([numbers[id(shape)] for shape in self.shapes], np.int64)

    @cached_property
    def _slots_by_shape(self) -> I64:
        return np.stack([shape.n_slots for shape in dict.fromkeys(self.shapes)])

    @cached_property
    def rows(self) -> U16:
        """Return the rows of all kinds, one list after the other (uint16[n])."""
        return np.concatenate([kind.open_rows.rows for kind in self.kinds.values()])

    @cached_property
    def first_rows(self) -> I64:
        """Return the start in `rows` of the list of each row of each arrangement (int64[a, 4])."""
        sizes = [kind.open_rows.rows.size for kind in self.kinds.values()]
        first = dict(zip(self.kinds, np.cumsum([0, *sizes]).tolist(), strict=False))
        return np.array([[first[key] for key in keys] for keys in self.row_kinds], np.int64)

    def _lay_out(self, template: "_Template", group: I64, starts: I64) -> tuple[I64, I64, I64, I32]:
        n = template.start.size
        start = starts[group][:, None] + template.start[None, :]
        row_0 = self.rows[self.first_rows[group, 0][:, None] + template.number_0[None, :]]
        row_1 = self.rows[self.first_rows[group, 1][:, None] + template.number_1[None, :]]
        rows = (row_0.astype(np.int64) << 16) | row_1
        rest = np.broadcast_to(template.rest, start.shape)
        return start.ravel(), rows.ravel(), rest.ravel(), np.repeat(group, n).astype(np.int32)


@dataclass(frozen=True)
class _Template:
    """The blocks of one shape and half-sum, relative to the starts of its arrangements."""

    start: I64
    rest: I64
    number_0: I64
    number_1: I64
    place: I64

    @classmethod
    def of(cls, shape: Shape, half_sum: int) -> "_Template":
        rows_0, rows_1 = shape.lists[0], shape.lists[1]
        count_123, count_23, _ = shape.counts
        rest_1 = half_sum - rows_0.sums
        count_1 = count_123[np.maximum(rest_1, 0)]
        start_0 = shape.base_0(half_sum)[rows_0.sum_ids] + rows_0.indices * count_1
        rest_2 = rest_1[:, None] - rows_1.sums[None, :]
        i, j = np.nonzero((rest_2 >= 0) & (count_23[np.maximum(rest_2, 0)] > 0))
        rest = rest_2[i, j]
        inside = shape.base_1[rest_1[i], rows_1.sum_ids[j]] + rows_1.indices[j] * count_23[rest]
        start = start_0[i] + inside
        place = np.full(rest_2.shape, -1, np.int64)
        place[i, j] = (start << REST_SHIFT) | rest
        return cls(start, rest, i, j, place.ravel())


def _row(rows: RowList, sum_id: int, index: int) -> int:
    first = int(np.searchsorted(rows.sum_ids, sum_id))
    return int(rows.rows[first + index])


@lru_cache(maxsize=8)
def _placed(formation: Formation) -> Arrangements:
    return Arrangements(formation)
