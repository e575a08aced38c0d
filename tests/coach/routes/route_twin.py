"""Routes once more, slowly and from their description alone: nothing here comes from the program.

The generator works on pieces of 16 bits in arrays of a byte order that a test chooses, so what it
gives cannot depend on the order of any machine.
"""

import struct

import numpy as np

GAMMA, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
EXTENDED = ALPHABET + "ILOU-"


def words(number: int, order: str) -> np.ndarray:
    """A number as four pieces of 16 bits, the low one first, stored in a byte order."""
    return np.array([number >> 16 * i & 0xFFFF for i in range(4)], f"{order}u2")


def number(pieces: np.ndarray) -> int:
    return sum(int(piece) << 16 * i for i, piece in enumerate(pieces))


def stored(value: int, order: str) -> int:
    """A number written to memory in a byte order and read from there."""
    return number(words(struct.unpack(f"{order}Q", struct.pack(f"{order}Q", value))[0], order))


def multiplied(one: int, other: int, order: str) -> int:
    """Return the low 64 bits of a product, as children multiply."""
    a, b = words(one, order), words(other, order)
    total = 0
    for i in range(4):
        for j in range(4 - i):
            total += int(a[i]) * int(b[j]) << 16 * (i + j)
    return stored(total & (1 << 64) - 1, order)


def output(state: int, order: str) -> int:
    z = stored((state + GAMMA) % (1 << 64), order)
    z = multiplied(stored(z ^ z >> 30, order), MIX_1, order)
    z = multiplied(stored(z ^ z >> 27, order), MIX_2, order)
    return stored(z ^ z >> 31, order)


def stream(seed: int, length: int, order: str = "<") -> list[int]:
    """Return the first numbers of a route's stream, one after the other."""
    state, found = output(seed, order), []
    for _ in range(length):
        found.append(output(state, order))
        state = (state + GAMMA) % (1 << 64)
    return found


def below(value: int, n: int) -> int:
    return (value // 2**32) * n // 2**32


def tile(empty: list[int], two: list[int], fours: int) -> tuple[int, int]:
    value, place = two
    return empty[below(place, len(empty))], 2 if below(value, 1000) < fours else 1


def code(head: str, fields: list[tuple[int, int]]) -> str:
    """Return a code without its groups: the fields (value, bits) of 75 bits behind a head."""
    bits = "".join(f"{value:0{width}b}" for value, width in fields)
    assert len(bits) == 75
    data = "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, 75, 5))
    for first in ALPHABET:
        for second in ALPHABET:
            text = head + data + first + second
            if sum(EXTENDED.index(c) * 32**i for i, c in enumerate(text[::-1])) % 1021 == 0:
                return text
    raise AssertionError("no check digits")
