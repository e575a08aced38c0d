"""Rate types: storage formats of a probability in [0, 1].

=========  =============================  ===================
type       stored                         largest error
=========  =============================  ===================
uint32     p * 4e9, to the nearest        1.25e-10
uint64     p * 2^63, to the nearest       that of the solver
uint16     number of a level, see below   4e-4, of most below 1e-5
float32    p                              3e-8
float64    p                              that of the solver
=========  =============================  ===================

uint16 is the compact type. A scale of 65,536 fixed steps would lose the best move where two rates
are closer than a step, and they often are: near 0, near 1, and in formations where much hardly
matters. So each layer has its own *levels*, ascending rates chosen by `tablebase.store.quantizer`,
and stores their numbers; as all moves of a position lead into one layer, their order is preserved.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.platform.array_types import F64, Values
from tablebase.errors import BuildRefusedError
from tablebase.memory.arrays import NewArray, parts
from tablebase.store.codebook import Codebook

_RELATIVE_SLACK = {"uint32": 3e-10, "float32": 2.4e-7, "uint16": 1e-14}
_SLACK_OF_EXACT = 1e-14  # error of solving in float64 between equal rates


class EncodedRates(NamedTuple):
    """The rates of a layer as they are stored; `levels` is None except for uint16."""

    values: Values
    levels: Codebook | None = None


@dataclass(frozen=True)
class RateType:
    """One way to store rates; `code` names it in layer files, `unit` is the step near 1.

    With `has_levels` the values in a file are level numbers. A layer file answers with the levels
    themselves, hence `scale` is 1; their error differs from layer to layer, hence `unit` is 0 (see
    ``LayerFile.max_error``).
    """

    name: str
    code: int
    dtype: np.dtype
    scale: float
    unit: float
    has_levels: bool = False

    @property
    def is_rounded(self) -> bool:
        return self.dtype.kind == "u" and not self.has_levels

    @property
    def max_error(self) -> float:
        """Return the largest difference between a rate and its stored value; 0 with levels."""
        return self.unit / 2 if self.is_rounded else 2 * self.unit

    def slack(self, best: float) -> float:
        """Return the largest difference between stored values of two equal rates near `best`."""
        return max(self.relative_slack * best, self.step)

    @property
    def relative_slack(self) -> float:
        """Return the part of `slack` in units of the best rate."""
        return _RELATIVE_SLACK.get(self.name, _SLACK_OF_EXACT)

    @property
    def step(self) -> float:
        """Return the part of `slack` due to rounding to whole numbers; 0 if there is none."""
        return 1.01 / self.scale if self.is_rounded else 0.0  # 1.01: the difference is rounded too

    def encode(self, rates: F64, new_array: NewArray = np.empty) -> EncodedRates:
        """Return the rates of a layer (float64[n], in (0, 1]) in stored form.

        `new_array` makes large arrays, such as ``Arrays.empty``. With levels, raises ValueError if
        a rate lies outside (0, 1].
        """
        if self.has_levels:
            from tablebase.store.quantizer import encode  # loads the compiler

            return EncodedRates(*encode(rates, new_array))
        values = new_array(rates.size, self.dtype)
        for part in parts(rates.size):
            scaled = rates[part] * self.scale
            values[part] = (np.rint(scaled) if self.is_rounded else scaled).astype(self.dtype)
        return EncodedRates(values)

    def decode(self, stored: np.generic | float) -> float:
        return float(stored) / self.scale

    def decode_many(self, stored: Values, out: F64 | None = None) -> F64:
        """Return the probabilities (float64[n]) of stored values, written to `out` if given."""
        rates: F64 = np.divide(stored, self.scale, out=out, dtype=np.float64)
        return rates


RATE_TYPES = {
    rate.name: rate
    for rate in (
        RateType("uint32", 1, np.dtype("<u4"), 4e9, 2.5e-10),
        RateType("float32", 2, np.dtype("<f4"), 1.0, 1.2e-7),
        RateType("float64", 3, np.dtype("<f8"), 1.0, 2.3e-16),
        RateType("uint64", 4, np.dtype("<u8"), 2.0**63, 2.3e-16),
        RateType("uint16", 5, np.dtype("<u2"), 1.0, 0.0, has_levels=True),
    )
}


def find_rate_type(name: str) -> RateType:
    if name not in RATE_TYPES:
        raise BuildRefusedError(
            "no rate type {name!r}: expected one of {values}",
            name=name,
            values=", ".join(RATE_TYPES),
        )
    return RATE_TYPES[name]
