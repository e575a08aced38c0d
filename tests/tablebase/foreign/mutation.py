"""Damage as files suffer it: cut, lengthened, overwritten, exchanged."""

import random


def mutate(content: bytes, rng: random.Random) -> bytes:
    """Return a copy of `content` with one kind of damage, drawn by `rng`; it may be harmless."""
    data = bytearray(content)
    n = len(data)
    kind = rng.randrange(9)
    if not n or kind == 0:
        return bytes(data) + rng.randbytes(rng.randrange(1, 40))
    at = rng.randrange(n)
    if kind == 1:
        return bytes(data[:at])
    if kind == 2:  # one bit
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 3:  # one byte
        data[at] = rng.randrange(256)
    elif kind == 4:  # a run of equal bytes, as of a hole
        data[at : at + 64] = bytes([rng.choice((0, 255))]) * len(data[at : at + 64])
    elif kind == 5:  # a number that points far away
        data[at : at + 8] = rng.choice((b"\xff" * 8, b"\x00" * 8, rng.randbytes(8)))
    elif kind == 6:  # a piece is lost
        del data[at : at + rng.randrange(1, 40)]
    elif kind == 7:  # a piece is there twice
        data[at:at] = data[at : at + rng.randrange(1, 40)]
    else:  # something else altogether
        return rng.randbytes(rng.randrange(2 * n))
    return bytes(data)
