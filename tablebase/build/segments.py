"""Segments of layers that are solved and thinned in turn, so that no table is on the drive whole.

A table of optimal play alone is thinned forward, by stored rates that are found backward. So all
layers are solved once, down to the first, but only those of the lowest segment get files; for some
layers above, the exact values are kept. The lowest segment is thinned; then the next one is solved
again, down from the values that were kept above it, written and thinned, and so on. Each layer is
solved twice at most, and the drive holds the thinned part, one segment that is not thinned, and
values of a few layers. The division into segments changes no byte of a table.
"""

from collections.abc import Sequence

from tablebase.store.options import FIRST_THINNED, TableOptions
from tablebase.store.rates import find_rate_type

EXACT_BYTES = 5  # per kept value: 2 (442 to 128) to 5 (L3 to 128), depending on the share of zeros
LAYERS_KEPT = 3  # layers whose values are kept every few seconds; one more for a moment
BITMAP_BYTES = 0.3  # per board in the bitmaps
STORED_SHARE = 0.75  # bytes per board, in rate type sizes: many boards are worth nothing
THINNED_SHARE = 0.45  # of a layer's bytes remain: 0.4 for L3 to 256, 0.5 for 4431 to 128
_MAX_SEGMENTS = 24  # more would save hardly anything


def segments_of(slots: Sequence[int], options: TableOptions) -> list[range]:
    """Return the segments, the lowest first, that take the least drive space."""
    n, board_bytes = len(slots), STORED_SHARE * find_rate_type(options.rate).dtype.itemsize
    if not options.optimal_only or n <= FIRST_THINNED:
        return [range(n)]
    divisions = (_divided(slots, m) for m in range(1, _MAX_SEGMENTS + 1))
    return min(divisions, key=lambda segments: bytes_on_drive(slots, segments, board_bytes))


def exact_layers(later: Sequence[range], n_layers: int) -> set[int]:
    """Return the layers whose exact values are kept for segments that are solved later.

    Each segment is solved down from the values of two layers above it; the highest one from the
    last layer of all, where nothing is needed.
    """
    return {
        i for segment in later if segment.stop < n_layers for i in (segment.stop, segment.stop + 1)
    }


def bytes_on_drive(slots: Sequence[int], segments: Sequence[range], board_bytes: float) -> float:
    """Return the peak drive space of building a table in bytes, if every slot is a board."""
    n, most = len(slots), 0.0
    for i, segment in enumerate(segments):
        passed = range(segment.start, segment.stop if i else n)
        values = sum(slots[layer] for layer in exact_layers(segments[max(i, 1) :], n))
        values += LAYERS_KEPT * max(slots[layer] for layer in passed)
        whole = sum(slots[layer] for layer in segment)
        below = sum(slots[: min(segment.start, FIRST_THINNED)])
        thinned = THINNED_SHARE * sum(slots[FIRST_THINNED : segment.start])
        bitmaps = BITMAP_BYTES * sum(slots[segment.start :])
        files = board_bytes * (below + thinned + whole)
        most = max(most, files + EXACT_BYTES * values + bitmaps)
    return most


def _divided(slots: Sequence[int], m: int) -> list[range]:
    total = sum(slots[FIRST_THINNED:])
    starts, before = [0], 0
    for layer in range(FIRST_THINNED, len(slots) - 1):  # at least two layers are above a start
        if before * m >= total * len(starts) and layer > FIRST_THINNED:
            starts.append(layer)
        before += slots[layer]
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(slots)], strict=True)]
