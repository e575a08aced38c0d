"""Values that boards of one band of a layer and their images in other bands exchange by mail.

A band is as much of a layer as is in memory at a time. What a board is worth is sent to where its
image lies; of the two, the greater value stays there, and goes back if it is not the sender's. So
no two bands have to be in memory together.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel, prefetch
from tablebase.kernels.bits import U64, position
from tablebase.rank.kernel_tables import I64

U32 = npt.NDArray[np.uint32]
F64 = npt.NDArray[np.float64]

_ONE, _SIX = np.uint64(1), np.uint64(6)


class Letters(NamedTuple):
    """What is to be sent to each of b bands, of which c fit in.

    Attributes
    ----------
    slots : uint32[b, c]
        Where the images lie, less the first slot of their band.
    senders : uint32[b, c]
        Positions of the boards among those of their own band.
    values : float64[b, c]
        What the boards are worth.
    n : int64[b]
        How many there are.
    """

    slots: U32
    senders: U32
    values: F64
    n: I64


@kernel
def write_letters(
    slots: U64, positions: U64, done: int, first: int, values: F64, starts: I64, letters: Letters
) -> int:
    """Write to where the images of boards lie; return up to which board: one found no room.

    Parameters
    ----------
    slots, positions : uint64[n]
        Where the images lie, and at which positions the boards do.
    done : int64
        Those before this one have written.
    first : int64
        Position of the first board of their band.
    values : float64[...]
        Of a Solved.
    starts : int64[power of two > 1]
        First slots of the bands, ascending; then as great a number as there is.
    letters : Letters
        Those for a band are put behind what is there.
    """
    for i in range(done, slots.size):
        slot, at = np.int64(slots[i]), np.int64(positions[i])
        band, step = 0, starts.size >> 1
        while step > 0:  # which it is, is as good as random: no branch
            band += step * (starts[band + step] <= slot)
            step >>= 1
        n = letters.n[band]
        if n == letters.slots.shape[1]:
            return i
        letters.slots[band, n] = slot - starts[band]
        letters.senders[band, n] = at - first
        letters.values[band, n] = values[at]
        letters.n[band] = n + 1
    return slots.size


@kernel
def answer_letters(
    indexed: U64, values: F64, start: int, slots: U32, senders: U32, sent: F64, waiting: U64
) -> int:
    """Raise values to what was sent; return how many senders get an answer, as theirs are less.

    Parameters
    ----------
    indexed, values : uint64[...], float64[...]
        Of a Solved.
    start : int64
        First slot of the band.
    slots, senders, sent : uint32[n], uint32[n], float64[n]
        As in Letters. The last two are overwritten by answers: to whom, and the greater value.
    waiting : uint64[...]
        Working memory of the calling thread.
    """
    n = 0
    for begin in range(0, slots.size, waiting.size):
        size = min(waiting.size, slots.size - begin)
        for i in range(size):
            prefetch(indexed, (np.uint64(start + slots[begin + i]) >> _SIX) << _ONE)
        for i in range(size):
            at = np.uint64(position(indexed, start + slots[begin + i]))
            waiting[i] = at
            prefetch(values, at)
        for i in range(size):
            at, value = waiting[i], sent[begin + i]
            senders[n] = senders[begin + i]
            sent[n] = values[at]
            n += values[at] > value
            values[at] = max(values[at], value)
    return n


@kernel
def read_answers(values: F64, first: int, senders: U32, answers: F64) -> None:
    """Give boards the values that they were answered.

    Parameters
    ----------
    values : float64[...]
        Of a Solved.
    first : int64
        Position of the first board of the band.
    senders, answers : uint32[n], float64[n]
        What `answer_letters` left.
    """
    for i in range(senders.size):
        values[first + senders[i]] = answers[i]
