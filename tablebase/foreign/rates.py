"""The six ways in which such tables store a rate.

===========  ============  ==============  ==============
type         stored        0 is stored as  1 is stored as
===========  ============  ==============  ==============
uint32       p * 4e9       0               4,000,000,000
uint64       p * 1.6e18    0               1.6e18
float32      p             0               1
float64      p             0               1
1-float32    p - 1         -1              0
1-float64    p - 1         -1              0
===========  ============  ==============  ==============

Their whole numbers are truncated, not rounded, at every layer: a uint32 rate is up to 1.3e-8 low.
"""

from dataclasses import dataclass

import numpy as np

from engine.platform.array_types import F64, Values

# Their sums of floats may end a little above 1; larger values are not rates.
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class StoredRate:
    """One rate type: a stored value stands for the probability ``value / scale + shift``."""

    name: str
    dtype: np.dtype
    scale: float
    shift: float

    @property
    def record(self) -> np.dtype:
        return np.dtype([("board", "<u8"), ("rate", self.dtype)])

    @property
    def certain(self) -> np.generic:
        return np.array([(1.0 - self.shift) * self.scale]).astype(self.dtype)[0]

    def decode(self, stored: Values) -> F64:
        """Return the probabilities (float64[n]) of stored values; NaN for invalid ones."""
        with np.errstate(invalid="ignore", over="ignore"):  # files may hold any value
            rates = stored.astype(np.float64) / self.scale + self.shift
            is_rate = (rates >= -_TOLERANCE) & (rates <= 1.0 + _TOLERANCE)
        return np.where(is_rate, np.clip(rates, 0.0, 1.0), np.nan)


STORED_RATES = {
    rate.name: rate
    for rate in (
        StoredRate("uint32", np.dtype("<u4"), 4e9, 0.0),
        StoredRate("uint64", np.dtype("<u8"), 1.6e18, 0.0),
        StoredRate("float32", np.dtype("<f4"), 1.0, 0.0),
        StoredRate("float64", np.dtype("<f8"), 1.0, 0.0),
        StoredRate("1-float32", np.dtype("<f4"), 1.0, 1.0),
        StoredRate("1-float64", np.dtype("<f8"), 1.0, 1.0),
    )
}
