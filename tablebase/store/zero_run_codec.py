"""Leaves the empty words out of a bitmap: kernels of the working files.

Where few boards of a layer can come up, most words are empty. Leaving these out takes a fraction
of the time needed to write them, check them and read them again.
"""

import numpy as np

from engine.platform.array_types import U64
from engine.platform.jit import kernel

_ZERO, _ONE, _LOW6 = np.uint64(0), np.uint64(1), np.uint64(63)


@kernel
def leave_out(words: U64, packed: U64) -> np.uint64:
    """Pack `words` (uint64[n]) without the empty ones; return the packed size in uint64.

    `packed` (uint64[m + n + 1]) receives m = (n + 63) // 64 marks, where bit k of mark i says that
    word 64 i + k is not empty; and after them the words that are not empty. Which words are empty
    is practically random, so there is no branch on it: each is written, and an empty one is
    overwritten by the next.
    """
    n = np.uint64(words.size)
    n_marks = (n + _LOW6) >> np.uint64(6)
    at = n_marks
    for i in range(np.int64(n_marks)):
        mark = _ZERO
        first = np.uint64(i) << np.uint64(6)
        for k in range(np.int64(min(n - first, np.uint64(64)))):
            word = words[first + np.uint64(k)]
            is_there = np.uint64(word != _ZERO)
            mark |= is_there << np.uint64(k)
            packed[at] = word
            at += is_there
        packed[np.uint64(i)] = mark
    return at


@kernel
def put_back(packed: U64, words: U64) -> None:
    """Fill `words` (uint64[n], overwritten) from the output of `leave_out`.

    The marks must match the number of words in `packed` after them; one more must be readable.
    """
    n = np.uint64(words.size)
    n_marks = (n + _LOW6) >> np.uint64(6)
    at = n_marks
    for i in range(np.int64(n_marks)):
        mark = packed[np.uint64(i)]
        first = np.uint64(i) << np.uint64(6)
        for k in range(np.int64(min(n - first, np.uint64(64)))):
            is_there = (mark >> np.uint64(k)) & _ONE
            words[first + np.uint64(k)] = packed[at] & (_ZERO - is_there)
            at += is_there
