"""The transposition table: search results for after-states, kept from move to move.

A table is a uint64[2 * n]: entries of 16 bytes, in buckets of four that fill a cache line.

    word 0      the whole board: no false hits
    word 1      31 ... 0   the value, a float32
                37 ... 32  depth: moves looked ahead
                39 ... 38  tag: the evaluation, as values of different ones are not comparable
                51 ... 40  slack: improbability at which lines were cut, 1/16 bit
                53 ... 52  how many of the rarer tile may come on a line
                59 ... 54  effort: log2 of the nodes below, in halves
                63 ... 60  age: the number of the search, modulo 16

An entry is a hit if it was searched at least as deep, with at least as much slack and as many rare
tiles as requested. Nothing is ever cleared: each search has a new age, and the entry replaced is
the cheapest to recompute, where older entries count less with every search since.
"""

import numpy as np
import numpy.typing as npt

from engine.platform.jit import inline_kernel

U64 = npt.NDArray[np.uint64]
TABLE_SIZE_LOG2 = 15
"""Half a megabyte: a table that fits the processor's own cache answers half as fast again as one of
2**18 entries, and hardly any entry is missed up to a million nodes."""
N_AGES = 16
MAX_SLACK = (1 << 12) - 1
MAX_DEPTH = (1 << 6) - 1
MAX_RARE = 3
MAX_EFFORT = (1 << 6) - 1

_U = np.uint64
_MULTIPLIER = _U(0x9E37_79B9_7F4A_7C15)  # 2**64 / golden ratio: spreads neighbors
_LINE_BYTES = 64
_AGED = 6  # effort, in half bits, that an entry loses with each search since


def new_table(size_log2: int) -> U64:
    """Return an empty table of ``2**size_log2`` entries, its buckets on cache lines."""
    if not 2 <= size_log2 <= 30:
        raise ValueError(f"a table of 2**{size_log2!r} entries; expected 2**2 to 2**30")  # no text
    n_words = 2 << size_log2
    memory = np.zeros(n_words + _LINE_BYTES // 8, np.uint64)
    skipped = -memory.ctypes.data % _LINE_BYTES // 8
    return memory[skipped : skipped + n_words]


@inline_kernel
def bucket_of(board, table):
    mixed = (board ^ (board >> _U(29))) * _MULTIPLIER
    mixed ^= mixed >> _U(32)
    return (mixed & _U(table.size // 8 - 1)) * _U(8)


@inline_kernel
def pack(value, depth, slack, n_rare, effort, tag, age):
    return (
        _U(np.float32(value).view(np.uint32))
        | (_U(depth) << _U(32))
        | (_U(tag) << _U(38))
        | (_U(slack) << _U(40))
        | (_U(n_rare) << _U(52))
        | (_U(effort) << _U(54))
        | (_U(age) << _U(60))
    )


@inline_kernel
def value_of(word):
    return np.uint32(word & _U(0xFFFF_FFFF)).view(np.float32)


@inline_kernel
def find(board, depth, slack, n_rare, tag, table):
    """Return the index of word 1 of a matching entry; 0 if there is none."""
    bucket = bucket_of(board, table)
    for i in range(4):
        at = bucket + _U(2 * i)
        if table[at] == board:
            word = table[at + _U(1)]
            answers = (
                ((word >> _U(32)) & _U(0x3F)) >= _U(depth)
                and ((word >> _U(38)) & _U(3)) == _U(tag)
                and ((word >> _U(40)) & _U(0xFFF)) >= _U(slack)
                and ((word >> _U(52)) & _U(3)) >= _U(n_rare)
            )
            return at + _U(1) if answers else _U(0)
    return _U(0)


@inline_kernel
def store(board, word, age, table):
    """Write an entry over that of the same board, or over the cheapest of its bucket."""
    bucket = bucket_of(board, table)
    cheapest, least = bucket, 1 << 30
    for i in range(4):
        at = bucket + _U(2 * i)
        if table[at] == board:
            cheapest = at
            break
        other = table[at + _U(1)]
        passed = (_U(age) - (other >> _U(60))) & _U(N_AGES - 1)
        worth = np.int64((other >> _U(54)) & _U(63)) - _AGED * np.int64(passed)
        if worth < least:
            cheapest, least = at, worth
    table[cheapest] = board
    table[cheapest + _U(1)] = word


@inline_kernel
def effort_of(nodes):
    """Return log2 of a number of nodes in halves, as stored in the table: 0 to 63."""
    effort = 0
    while nodes >= 4:
        nodes >>= 2
        effort += 4
    return min(effort + nodes, MAX_EFFORT)
