"""Rate types: how a probability in [0, 1] is stored.

=========  ==========================  ===================
type       stored                      largest error
=========  ==========================  ===================
uint32     p * 4e9, to the nearest     1.25e-10
float32    p                           3e-8
float64    p                           that of the solver
=========  ==========================  ===================
"""

from dataclasses import dataclass

import numpy as np

from tablebase.errors import BuildRefusedError


@dataclass(frozen=True)
class RateType:
    """One way to store rates; `code` names it in layer files, `unit` is the step near 1."""

    name: str
    code: int
    dtype: np.dtype
    scale: float
    unit: float

    @property
    def is_rounded(self) -> bool:
        """Tell whether rates are stored as whole numbers of 1 / scale."""
        return self.dtype.kind == "u"

    def decode(self, stored: np.generic | float) -> float:
        """Return the probability that a stored value stands for."""
        return float(stored) / self.scale


RATE_TYPES = {
    rate.name: rate
    for rate in (
        RateType("uint32", 1, np.dtype("<u4"), 4e9, 2.5e-10),
        RateType("float32", 2, np.dtype("<f4"), 1.0, 1.2e-7),
        RateType("float64", 3, np.dtype("<f8"), 1.0, 2.3e-16),
    )
}


def find_rate_type(name: str) -> RateType:
    """Return the rate type called `name`; raise BuildRefusedError naming those there are."""
    if name not in RATE_TYPES:
        raise BuildRefusedError(f"no rate type {name!r}: expected one of {', '.join(RATE_TYPES)}")
    return RATE_TYPES[name]
