"""What many games say: means, shares and their 95 % intervals."""

import math
from collections.abc import Sequence

import numpy as np

Z_95 = 1.959963984540054
_SAMPLES = 4000
_SEED = 2048

SCORE_LADDER = (97_000, 210_000, 453_000, 663_000, 760_000, 804_000, 824_000, 971_000)
"""Scores of a game that has 8192; 16384; 32768; then 16384, 8192, 4096 and the last 2048 beside it;
65536: where published players are compared."""


def wilson(n_hits: int, n: int) -> tuple[float, float]:
    """Return the Wilson interval of a share.

    Notes
    -----
    Wilson: Probable inference, the law of succession, and statistical inference, JASA 22, 1927.

    Examples
    --------
    >>> tuple(round(bound, 4) for bound in wilson(83, 100))
    (0.7445, 0.8911)
    """
    if n == 0:
        return 0.0, 1.0
    share, z2 = n_hits / n, Z_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = middle - half if n_hits else 0.0  # exactly, whatever rounding says
    return low, middle + half if n_hits < n else 1.0


def bootstrap_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean; the same for the same values."""
    data = np.asarray(values, np.float64)
    if data.size == 0:
        raise ValueError("no values: expected at least one")
    draws = np.random.default_rng(_SEED).integers(0, data.size, (_SAMPLES, data.size))
    low, high = np.quantile(data[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
