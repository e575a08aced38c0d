"""Symmetric formations whose F never move: only some images of each position are held.

Some symmetries of a formation keep the inner row in place: they may mirror all rows, and exchange
row 1 with the mid row. Among a position's images under these alone, the held ones are those whose
mid row is the least number: this is the same for a whole run. The image with the least number of
all, which is the stored one, is among them.

If rows and columns may be exchanged as well, two images of most positions are held, one transposed
and one not: see tablebase.kernels.transposed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.geometry import destinations
from engine.platform.array_types import I64, U8, U16, U64
from tablebase.rank.kernel_tables import INDEX_SHIFT, OUTSIDE, REACHED, RUN_SHIFT, fours_of
from tablebase.rank.rows import RowKind
from tablebase.rank.space import Space

_ROW = np.uint64(0xFFFF)

# Starts of the parts of a row's facts, see `_row_facts`.
INDEX_AT, OTHER_INDEX_AT, SUM_ID_AT, NUMBER_AT, FREE_AT = 16, 23, 30, 41, 57
NO_MID = 1 << 17  # greater than any row
_NOT_LISTED = np.uint64(1 << 63)


class Orientation(NamedTuple):
    """Data for the kernels on the h symmetries that keep the inner row in place."""

    exchange: U8  # [h] whether row 1 and the mid row swap; the identity comes first
    mirrored: U8  # [h] whether all rows are mirrored
    exchanges: bool  # whether any of them exchanges these rows
    is_transposed: (
        bool  # whether rows and columns may be exchanged as well (tablebase.kernels.transposed)
    )
    is_whole: bool  # whether these, and the transposed ones if any, are all symmetries
    mids: I64  # [m] mid rows not greater than their mirror images; NO_MID after each half-sum
    mid_indices: I64  # [m] their indices
    mid_numbers: I64  # [m] their numbers among all mid rows
    pair_begin: I64  # [half-sum + 1] start of the pairs of half-sums of mid and inner row
    pair_mids: I64  # [p] start of the mid rows of each pair in `mids`
    pair_runs: I64  # [p] first slot in the block << RUN_SHIFT | length of runs
    pair_sums: I64  # [p] half-sum of the inner rows
    facts: U64  # [* 65536 >> row_shift] facts of a row (`_row_facts`); a part for each kind
    row_shift: np.uint64  # 4 if the last cell of all rows that have facts is F
    facts_1: np.uint64  # start of the facts of row 1
    facts_mid: np.uint64
    facts_inner: np.uint64
    mirror_row: U16  # [65536] the mirrored row, or the row itself if no symmetry mirrors
    mirror_index: U8  # [n] for each row of `Tables.rows`, the index of the mirrored one
    mirror_fours: U64  # [16 n] bits of those indices below 64, of four rows (see `fours_of`)
    high_cells: U64  # [* half-sum 2 17] bits of inner rows by cell and least tile (`_high_cells`)


def orientation_of(space: Space) -> Orientation | None:
    """Return the symmetries that keep the inner row in place; None if there are none."""
    if len(space.formation.arrangements) > 1:
        return None
    turns: dict[tuple[bool, bool], Sequence[int]] = {}
    for goes_to in destinations(space.formation.symmetry):
        turn = _turn(space, goes_to)
        if turn is not None:
            turns[turn] = goes_to
    if len(turns) < 2 or turns.keys() == {(False, False), (True, True)}:
        return None
    order = sorted(turns)
    mirrors = [goes_to for (_, is_mirrored), goes_to in turns.items() if is_mirrored]
    row = _mirrored_rows(mirrors[0]) if mirrors else np.arange(1 << 16, dtype=np.uint16)
    index = np.concatenate([_mirrored_indices(kind, row) for kind in space.kinds.values()])
    fits = index < 64
    facts, row_shift, (facts_1, facts_mid, facts_inner) = _all_facts(space, row)
    return Orientation(
        exchange=np.array([exchange for exchange, _ in order], np.uint8),
        mirrored=np.array([is_mirrored for _, is_mirrored in order], np.uint8),
        exchanges=any(exchange for exchange, _ in order),
        is_transposed=is_transposed(space),
        is_whole=len(turns) << is_transposed(space) == _count_symmetries(space),
        **_held_runs(space, row),
        facts=facts,
        row_shift=row_shift,
        facts_1=facts_1,
        facts_mid=facts_mid,
        facts_inner=facts_inner,
        mirror_row=row,
        mirror_index=index.astype(np.uint8),
        mirror_fours=fours_of(
            np.where(fits, np.uint64(1) << (index & 63).astype(np.uint64), np.uint64(0))
        ),
        high_cells=_high_cells(space) if is_transposed(space) else np.zeros(0, np.uint64),
    )


def held_ones(o: Orientation, space: Space, boards: U64) -> U64:
    """Return those of some boards that are held themselves, rather than another image."""
    _, at_1, at_mid, _ = space.arrangements[0].row_order
    row_1, mid = ((boards >> np.uint64(48 - 16 * at)) & _ROW for at in (at_1, at_mid))
    least = mid
    for exchange, is_mirrored in zip(o.exchange, o.mirrored, strict=True):
        top = row_1 if exchange else mid
        least = np.minimum(least, o.mirror_row[top.astype(np.int64)] if is_mirrored else top)
    return boards[mid == least]


def is_transposed(space: Space) -> bool:
    """Return whether exchanging rows and columns is a symmetry, and the F tiles never move."""
    if len(space.formation.arrangements) > 1:
        return False
    free = _free_cells(space)
    return any(
        all(goes_to[cell] == 4 * (cell % 4) + cell // 4 for cell in free)
        for goes_to in destinations(space.formation.symmetry)
    )


def _count_symmetries(space: Space) -> int:
    free = _free_cells(space)
    every = destinations(space.formation.symmetry)
    return len({tuple(goes_to[cell] for cell in free) for goes_to in every})


def _free_cells(space: Space) -> list[int]:
    (arrangement,) = space.arrangements
    return [cell for cell in range(16) if not (arrangement.f_cells >> (60 - 4 * cell)) & 15]


def _turn(space: Space, goes_to: Sequence[int]) -> tuple[bool, bool] | None:
    """Return whether a symmetry exchanges row 1 and mid row, and mirrors rows; None if more."""
    (arrangement,), (kinds,) = space.arrangements, space.row_kinds
    order = arrangement.row_order
    rows = [goes_to[4 * r] // 4 for r in range(4)]
    columns = [goes_to[c] % 4 for c in range(4)]
    free = _free_cells(space)
    if any(goes_to[cell] != 4 * rows[cell // 4] + columns[cell % 4] for cell in free):
        return None
    if min(free) // 4 != order[2]:  # the stored image would not be held
        return None
    to = tuple(rows[position] for position in order[1:])
    if to == order[1:]:
        return False, columns != [0, 1, 2, 3]
    if to == (order[2], order[1], order[3]) and kinds[1] == kinds[2]:
        return True, columns != [0, 1, 2, 3]
    return None


def _held_runs(space: Space, mirror_row: U16) -> dict[str, I64]:
    """Return the data for finding runs that may be held: the fields `mids` to `pair_sums`.

    Of the rows of one half-sum, which ascend, those held with a row 1 come first (`most_mid`).
    """
    listed, (shape, *_) = space.kinds[space.row_kinds[0][2]].open_rows, space.shapes
    held = np.flatnonzero(listed.rows <= mirror_row[listed.rows])
    sum_ids = listed.sum_ids[held]
    ends = np.searchsorted(sum_ids, np.arange(listed.distinct.size), "right")
    first = np.concatenate(([0], ends[:-1])) + np.arange(ends.size)
    sum_3 = np.arange(space.top + 1)[:, None] - listed.distinct[None, :]
    length = np.where(sum_3 >= 0, shape.counts[2][np.maximum(sum_3, 0)], 0)
    rest, sum_id = np.nonzero(length)
    return {
        "mids": np.insert(listed.rows[held].astype(np.int64), ends, NO_MID),
        "mid_indices": np.insert(listed.indices[held], ends, 0),
        "mid_numbers": np.insert(held, ends, 0),
        "pair_begin": np.searchsorted(rest, np.arange(space.top + 2)),
        "pair_mids": first[sum_id],
        "pair_runs": shape.base_2[rest, sum_id] << RUN_SHIFT | length[rest, sum_id],
        "pair_sums": sum_3[rest, sum_id],
    }


def _mirrored_rows(goes_to: Sequence[int]) -> U16:
    every_row = np.arange(1 << 16)
    mirrored = np.zeros(1 << 16, np.int64)
    for column in range(4):
        to = goes_to[column] % 4
        mirrored |= ((every_row >> (12 - 4 * column)) & 15) << (12 - 4 * to)
    return mirrored.astype(np.uint16)


def _all_facts(space: Space, mirror_row: U16) -> tuple[U64, np.uint64, list[np.uint64]]:
    """Return the facts of the rows, their shift, and the starts for row 1, mid and inner row."""
    (arrangement,), kinds = space.arrangements, space.row_kinds[0][1:]
    is_narrow = all(arrangement.row_pattern(position) & 1 for position in arrangement.row_order[1:])
    parts = {key: _row_facts(space.kinds[key], mirror_row) for key in dict.fromkeys(kinds)}
    every = np.concatenate([part[15::16] if is_narrow else part for part in parts.values()])
    size = every.size // len(parts)
    first = {key: np.uint64(size * i) for i, key in enumerate(parts)}
    return every, np.uint64(4 if is_narrow else 0), [first[key] for key in kinds]


def _row_facts(kind: RowKind, mirror_row: U16) -> U64:
    """Return the facts of each of the 65,536 rows for the kernels, all in a single load.

    From bit 0: the mirrored row, then index, mirrored row's index, number of the half-sum, number
    in the list, free cells (4 bits, the right one lowest); the highest bit marks rows not in the
    list.
    """
    listed = kind.open_rows
    facts = np.full(1 << 16, _NOT_LISTED, np.uint64)
    index, number = np.zeros(1 << 16, np.int64), np.arange(listed.rows.size)
    index[listed.rows] = listed.indices
    facts[listed.rows] = (
        (listed.indices << INDEX_AT)
        | (index[mirror_row[listed.rows]] << OTHER_INDEX_AT)
        | (listed.sum_ids << SUM_ID_AT)
        | (number << NUMBER_AT)
    ).astype(np.uint64)
    for cell in range(4):
        is_free = (np.arange(1 << 16) >> (4 * cell)) & 15 == 0
        facts |= is_free.astype(np.uint64) << np.uint64(FREE_AT + cell)
    return facts | mirror_row.astype(np.uint64)


def _mirrored_indices(kind: RowKind, mirrored: U16) -> I64:
    code = np.full(1 << 16, OUTSIDE, np.uint32)
    kind.fill_codes(code)
    indices = code[mirrored[kind.open_rows.rows]]
    # Rows of a kind without its mirror image are never inner rows.
    return np.where(indices < REACHED, indices >> np.uint32(INDEX_SHIFT), 0).astype(np.int64)


def _high_cells(space: Space) -> U64:
    """Return the inner rows of each half-sum that hold at least a certain tile in certain cells.

    The cells are those in the columns that become mid row and row 1 of the transposed board; least
    tiles run from 0 to 16, which no cell holds. A bit for each of the first 64 rows.
    """
    (order,) = (arrangement.row_order for arrangement in space.arrangements)
    listed = space.kinds[space.row_kinds[0][3]].open_rows
    fits = listed.indices < 64
    rows, sums = listed.rows[fits].astype(np.int64), listed.sums[fits]
    bits = np.uint64(1) << listed.indices[fits].astype(np.uint64)
    bits_of_sums = np.zeros((space.top + 1, 2, 17), np.uint64)
    for which, column in enumerate((order[2], order[1])):
        tiles = (rows >> (12 - 4 * column)) & 15
        for least in range(16):
            is_high = tiles >= least
            np.bitwise_or.at(bits_of_sums[:, which, least], sums[is_high], bits[is_high])
    return bits_of_sums.ravel()
