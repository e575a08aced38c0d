"""Values that boards of one band of a layer exchange by message with images in other bands.

A band is the part of a layer that is in memory at a time. The value of a board is sent to the band
of its image; the greater of the two values stays there, and goes back if it is not the sender's. So
no two bands have to be in memory together.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import F64, I64, U32, U64
from engine.platform.jit import kernel, prefetch
from tablebase.kernels.bits import position

_ONE, _SIX = np.uint64(1), np.uint64(6)


class Messages(NamedTuple):
    """The messages to each of b bands, with room for c each."""

    slots: U32  # uint32[b, c]: slots of the images, minus the first slot of their band
    senders: U32  # uint32[b, c]: positions of the boards among those of their own band
    values: F64  # float64[b, c]: values of the boards
    n: I64  # int64[b]: numbers of messages


@kernel
def write_messages(
    slots: U64, positions: U64, done: int, first: int, values: F64, starts: I64, messages: Messages
) -> int:
    """Write messages to the images of boards; return the first board without room, or the end.

    `slots` (of the images) and `positions` (of the boards) are uint64[n]; the boards before `done`
    are done; `first` is the position of the first board of their band, `values` those of a Solved.
    `starts` are int64[power of two > 1]: the first slots of the bands, ascending, then the greatest
    number. New messages are appended for each band.
    """
    for i in range(done, slots.size):
        slot, at = np.int64(slots[i]), np.int64(positions[i])
        band, step = 0, starts.size >> 1
        while step > 0:  # which band it is, is practically random: no branch
            band += step * (starts[band + step] <= slot)
            step >>= 1
        n = messages.n[band]
        if n == messages.slots.shape[1]:
            return i
        messages.slots[band, n] = slot - starts[band]
        messages.senders[band, n] = at - first
        messages.values[band, n] = values[at]
        messages.n[band] = n + 1
    return slots.size


@kernel
def answer_messages(
    indexed: U64, values: F64, start: int, slots: U32, senders: U32, sent: F64, waiting: U64
) -> int:
    """Raise values to those sent; return the number of answers, to senders with lower values.

    `indexed` and `values` are those of a Solved, `start` is the first slot of the band. `slots`,
    `senders` and `sent` are as in Messages; the last two are overwritten by answers: recipient, and
    the greater value. `waiting` (uint64[...]) is working memory of the calling thread.
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
    """Set the values of a Solved whose band begins at position `first` from `answer_messages`."""
    for i in range(senders.size):
        values[first + senders[i]] = answers[i]
