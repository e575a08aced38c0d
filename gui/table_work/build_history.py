"""The history of a build, for its charts: boards by layer; speed and memory over time. No Qt.

Its memory is bounded however long a build takes: if there are too many samples, pairs are merged.
"""

import math
from collections.abc import Sequence

_MAX_SAMPLES = 360
_MAX_LAYERS = 1_000_000


class BuildHistory:
    """The data reported by a child process about its build, in order of time.

    Attributes
    ----------
    boards_by_layer : list of int
        Boards of the layers generated so far, including those of an earlier run.
    interval_s : float
        Duration of each sample.
    speeds, memory_bytes : list of float
        One for each interval since this run began; NaN before the first one that is known.
    """

    def __init__(self) -> None:
        self.boards_by_layer: list[int] = []
        self.interval_s = 0.5
        self.speeds: list[float] = []
        self.memory_bytes: list[float] = []

    def add_layers(self, layer_boards: Sequence[int]) -> None:
        """Add `[first layer, boards ...]`; repeated layers, or ones after a gap, are ignored."""
        first, *boards = layer_boards
        if first == len(self.boards_by_layer) and first + len(boards) <= _MAX_LAYERS:
            self.boards_by_layer += boards

    def add_sample(self, elapsed_s: float, boards_per_s: float, rss_bytes: float) -> None:
        """Add a sample; after a pause, it also stands for the time in between."""
        place = int(elapsed_s / self.interval_s)
        while place >= _MAX_SAMPLES:
            self._halve()
            place = int(elapsed_s / self.interval_s)
        _put(self.speeds, place, boards_per_s, is_most=False)
        _put(self.memory_bytes, place, rss_bytes, is_most=True)

    def _halve(self) -> None:
        self.speeds = _pairs(self.speeds, is_mean=True)
        self.memory_bytes = _pairs(self.memory_bytes, is_mean=False)
        self.interval_s *= 2


def _put(values: list[float], place: int, value: float, *, is_most: bool) -> None:
    """Set the value of one interval: the latest of several, or the greatest."""
    known = value if value > 0 else values[-1] if values else math.nan
    if place >= len(values):
        values += [known] * (place + 1 - len(values))
    else:
        values[-1] = max(values[-1], known) if is_most and values[-1] == values[-1] else known


def _pairs(values: Sequence[float], *, is_mean: bool) -> list[float]:
    """Return the values merged in pairs: the mean, or the maximum, so that no peak is lost."""
    merged = []
    for at in range(0, len(values), 2):
        pair = [value for value in values[at : at + 2] if value == value]
        if not pair:
            merged.append(math.nan)
        else:
            merged.append(sum(pair) / len(pair) if is_mean else max(pair))
    return merged
