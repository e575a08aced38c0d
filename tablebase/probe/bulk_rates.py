"""Rates of many after-states at once, in any orientation."""

from collections.abc import Callable, Sequence

import numpy as np

from tablebase.formation.formation import half_sums
from tablebase.formation.generated_seeds import permuted
from tablebase.kernels.bits import U64
from tablebase.store.rates import F64

_ONES = np.uint64(0x1111_1111_1111_1111)


def rates_of_many(
    afters: U64,
    first_half_sum: int,
    n_layers: int,
    turns: Callable[[int], Sequence[Sequence[int]]],
    layer_rates: Callable[[U64, int], F64],
) -> F64:
    """`turns` and `layer_rates` are for boards of F alone and for boards of one layer; NaN is
    unknown.
    """
    rates = np.full(afters.size, np.nan)
    large = large_tiles(afters)
    for standing in np.unique(large).tolist():
        ways = turns(standing)
        if not ways:
            continue  # reject what does not fit before adding up sums
        alike = np.flatnonzero(large == standing)
        layers = half_sums(afters[alike]) - first_half_sum
        is_inside = (layers >= 0) & (layers < n_layers)
        alike, layers = alike[is_inside], layers[is_inside]
        for destination in ways:
            turned = permuted(afters[alike], destination)
            for layer in np.unique(layers).tolist():
                is_in = layers == layer
                rates_there = layer_rates(turned[is_in], layer)
                rates[alike[is_in]] = np.fmax(rates[alike[is_in]], rates_there)
    return rates


def large_tiles(boards: U64) -> U64:
    ones = boards & boards >> np.uint64(1)
    return (ones & ones >> np.uint64(2) & _ONES) * np.uint64(15)
