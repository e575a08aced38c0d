"""How a build went until now, for its charts: boards by layer; speed and memory over time. No Qt.

However long a build takes, the memory that this needs is bounded: when there are too many samples,
two become one.
"""

import math
from collections.abc import Sequence

_MOST_SAMPLES = 360
_MOST_LAYERS = 1_000_000


class BuildHistory:
    """What a child process told of its build, in the order of time.

    Attributes
    ----------
    boards_by_layer : list of int
        Those of the layers found until now, an earlier run's included.
    interval_s : float
        How long each sample stands for.
    speeds, memory_bytes : list of float
        One for each interval since this run began; NaN before the first one that is known.
    """

    def __init__(self) -> None:
        self.boards_by_layer: list[int] = []
        self.interval_s = 0.5
        self.speeds: list[float] = []
        self.memory_bytes: list[float] = []

    def add_layers(self, told: object) -> None:
        """Take what a line says of layers, `[first layer, boards ...]`; odd ones are not counted.

        What comes again, or leaves a layer out, is not taken.
        """
        if not isinstance(told, list) or len(told) < 2:
            return
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in told):
            return
        first, boards = told[0], told[1:]
        if first == len(self.boards_by_layer) and first + len(boards) <= _MOST_LAYERS:
            self.boards_by_layer += boards

    def add_sample(self, elapsed_s: float, boards_per_s: float, rss_bytes: float) -> None:
        """Take one sample; where none came for a while, this one stands for the time between."""
        place = int(elapsed_s / self.interval_s)
        while place >= _MOST_SAMPLES:
            self._halve()
            place = int(elapsed_s / self.interval_s)
        _put(self.speeds, place, boards_per_s, is_most=False)
        _put(self.memory_bytes, place, rss_bytes, is_most=True)

    def _halve(self) -> None:
        self.speeds = _pairs(self.speeds, is_mean=True)
        self.memory_bytes = _pairs(self.memory_bytes, is_mean=False)
        self.interval_s *= 2


def _put(values: list[float], place: int, value: float, *, is_most: bool) -> None:
    """Take the value of one interval: the newest of several, or the greatest."""
    known = value if value > 0 else values[-1] if values else math.nan
    if place >= len(values):
        values += [known] * (place + 1 - len(values))
    else:
        values[-1] = max(values[-1], known) if is_most and values[-1] == values[-1] else known


def _pairs(values: Sequence[float], *, is_mean: bool) -> list[float]:
    """Return one value for two: their mean, or the greater one, so that no peak is lost."""
    merged = []
    for at in range(0, len(values), 2):
        pair = [value for value in values[at : at + 2] if value == value]
        if not pair:
            merged.append(math.nan)
        else:
            merged.append(sum(pair) / len(pair) if is_mean else max(pair))
    return merged
