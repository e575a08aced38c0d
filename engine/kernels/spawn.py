"""The generator and the spawns of `engine.spawn` in machine code: the same stream, bit for bit.

The generator is a uint64[1], its state; each thread needs one of its own.
"""

import numpy as np
import numpy.typing as npt

from engine.platform.jit import inline_kernel, kernel, popcount, trailing_zeros
from engine.spawn import GAMMA, MIX_1, MIX_2

State = npt.NDArray[np.uint64]
_U = np.uint64
_GAMMA, _MIX_1, _MIX_2 = _U(GAMMA), _U(MIX_1), _U(MIX_2)
_LOW_32 = _U(0xFFFF_FFFF)
_NIBBLE_BITS = _U(0x1111_1111_1111_1111)


@inline_kernel
def next_u64(state: State) -> np.uint64:
    """Return the next number and advance `state`; see `Rng.next_u64`."""
    state[0] += _GAMMA
    mixed = state[0]
    mixed = (mixed ^ (mixed >> _U(30))) * _MIX_1
    mixed = (mixed ^ (mixed >> _U(27))) * _MIX_2
    return mixed ^ (mixed >> _U(31))


@kernel
def below(state: State, n: np.uint64) -> np.uint64:
    """Return a number below `n`, 1 <= n <= 2**32, each equally likely; see `Rng.below`."""
    n = _U(n)
    product = (next_u64(state) >> _U(32)) * n
    if product & _LOW_32 < n:
        rejected = (_U(1) << _U(32)) % n
        while product & _LOW_32 < rejected:
            product = (next_u64(state) >> _U(32)) * n
    return product >> _U(32)


@kernel
def random(state: State) -> float:
    """Return a float in [0, 1); see `Rng.random`."""
    return np.float64(next_u64(state) >> _U(11)) * 2.0**-53


@kernel
def spawn_tile(board: np.uint64, state: State, spawn4: float) -> np.uint64:
    """Return `board`, which must have an empty cell, with a new tile; see `engine.spawn.spawn`."""
    occupied = board | (board >> _U(2))
    empty = ~(occupied | (occupied >> _U(1))) & _NIBBLE_BITS
    # Cells count from the highest nibble, bits from the lowest: pass over those in between.
    for _ in range(popcount(empty) - _U(1) - below(state, popcount(empty))):
        empty &= empty - _U(1)
    tile = _U(2) if random(state) < spawn4 else _U(1)
    return board | (tile << trailing_zeros(empty))
