"""How layers are divided into segments, and what then lies on the drive, step by step."""

import itertools

import pytest

from tablebase.build.segments import (
    BITMAP_BYTES,
    EXACT_BYTES,
    LAYERS_KEPT,
    THINNED_SHARE,
    bytes_on_drive,
    exact_layers,
    segments_of,
)
from tablebase.store.options import TableOptions

BEST = TableOptions(optimal_only=True)
SHAPES = {
    "growing": [10 * (i + 1) for i in range(60)],
    "hill": [1 + min(i, 200 - i) ** 2 for i in range(200)],
    "level": [1000] * 300,
    "steep": [2**i for i in range(40)],
    "one layer that is thinned": [5] * 22,
    "two": [5] * 23,
    "empty at the end": [100] * 50 + [0] * 10,
}


@pytest.mark.parametrize("slots", SHAPES.values(), ids=SHAPES)
def test_segments_cover_all_layers_in_order(slots):
    segments = segments_of(slots, BEST)
    assert [i for one in segments for i in one] == list(range(len(slots)))
    assert all(len(one) > 0 for one in segments)
    # A later one begins with a layer that is thinned, and has two layers above its start.
    assert all(22 <= one.start <= len(slots) - 2 for one in segments[1:])


def test_only_tables_that_are_thinned_are_divided():
    for options in (TableOptions(), TableOptions(sparse=4), TableOptions(threshold=0.2)):
        assert segments_of(SHAPES["level"], options) == [range(300)]
    assert segments_of([1000] * 21, BEST) == [range(21)]
    assert len(segments_of(SHAPES["level"], BEST)) > 5


def test_values_are_kept_above_each_later_segment_but_the_highest():
    later = [range(30, 40), range(40, 55), range(55, 80)]
    assert exact_layers(later, 80) == {40, 41, 55, 56}
    assert exact_layers(later[1:], 80) == {55, 56}
    assert exact_layers(later[2:], 80) == set()
    assert exact_layers(later[:1], 80) == {40, 41}, "the others are there already"


def most_on_drive(slots: list[int], segments: list[range], board_bytes: float) -> float:
    """Go through a build layer by layer, and weigh the drive after each step."""
    n, most = len(slots), 0.0
    bitmaps, files, values = set(range(n)), dict[int, float](), set[int]()
    for number, segment in enumerate(segments):
        top = n if number == 0 else segment.stop
        later = segments[number + 1 :]
        widest = max(slots[segment.start : top])  # of which values are kept now and then
        for layer in reversed(range(segment.start, top)):
            if any(layer in (one.stop, one.stop + 1) for one in later if one.stop < n):
                values.add(layer)
            if layer in segment:
                files[layer] = board_bytes * slots[layer]
        told = sum(files.values()) + BITMAP_BYTES * sum(slots[i] for i in bitmaps)
        told += EXACT_BYTES * (sum(slots[i] for i in values) + LAYERS_KEPT * widest)
        most = max(most, told)
        for layer in segment:
            if layer >= 21:
                files[layer] *= THINNED_SHARE
            bitmaps.remove(layer)
        if later:
            needed = {i for one in later for i in (one.stop, one.stop + 1)}
            values &= needed
    return most


@pytest.mark.parametrize("slots", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("board_bytes", [1.5, 3.0])
def test_what_lies_on_the_drive_is_what_the_steps_leave(slots, board_bytes):
    n = len(slots)
    cuts: list[list[int]] = [[]]
    if n > 30:
        cuts += [[25], [24, 28], [22, 25, 27, 29], [23, 24, n - 2]]
    for starts in cuts:
        edges = [0, *starts, n]
        segments = [range(a, b) for a, b in itertools.pairwise(edges)]
        found = bytes_on_drive(slots, segments, board_bytes)
        assert found == pytest.approx(most_on_drive(slots, segments, board_bytes))


def test_segments_take_less_of_the_drive_than_no_segments():
    for name in ("growing", "hill", "level"):
        slots = SHAPES[name]
        whole = bytes_on_drive(slots, [range(len(slots))], 3.0)
        assert bytes_on_drive(slots, segments_of(slots, BEST), 3.0) < 0.8 * whole, name
