"""Ways to spoil a file: bytes for any file, values for JSON; each with one random generator."""

import json
import random
from collections.abc import Callable
from typing import Any

Change = Callable[[random.Random, bytes], bytes]
_EXTREMES = [0, 1, 2, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**64 - 1]
_ODD_VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 63, 64, 65, 10**9, -(10**9), 10**18, 2**64, 10**400),
    *(0.0, 0.1, 0.5, 1.0, -0.0, 1e-300, 1e300, float("nan"), float("inf")),
    *("", "0", "x", "..", "/etc/passwd", "../manifest.json", "layer-0001.tbl", "a" * 100_000),
    *("0xffffffffffffffff", "0x0", "0x1", "f" * 16, "\u0000", "\ud800", "uint32", "float64"),
    *("identity", "full", "diagonal", "explicit", "generated", [], {}, [[]], [None], {"": 0}),
]


def flip_bits(rng: random.Random, data: bytes) -> bytes:
    """Flip one bit, or a few."""
    new = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        new[rng.randrange(len(new))] ^= 1 << rng.randrange(8)
    return bytes(new)


def set_bytes(rng: random.Random, data: bytes) -> bytes:
    """Set some bytes in a row to anything."""
    at, n = rng.randrange(len(data)), rng.choice([1, 1, 2, 4, 16])
    return data[:at] + rng.randbytes(n) + data[at + n :]


def truncate(rng: random.Random, data: bytes) -> bytes:
    """Cut off the end."""
    return data[: rng.choice([0, 1, 8, len(data) // 2, len(data) - 1, rng.randrange(len(data))])]


def extend(rng: random.Random, data: bytes) -> bytes:
    """Add something to the end."""
    n = rng.choice([1, 1, 8, 4096])
    return data + rng.choice([bytes(n), rng.randbytes(n), data])


def cut_out(rng: random.Random, data: bytes) -> bytes:
    """Remove bytes in the middle."""
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice([1, 4, 512]) :]


def put_in(rng: random.Random, data: bytes) -> bytes:
    """Insert bytes in the middle."""
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.choice([1, 4, 512])) + data[at:]


def zero_block(rng: random.Random, data: bytes) -> bytes:
    """Lose a block to zeros, as a drive does."""
    size = rng.choice([16, 512, 4096])
    at = rng.randrange(len(data)) // size * size
    return data[:at] + bytes(min(size, len(data) - at)) + data[at + size :]


def swap_blocks(rng: random.Random, data: bytes) -> bytes:
    """Exchange two blocks."""
    size = rng.choice([1, 8, 24, 512])
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    i, j = rng.randrange(len(blocks)), rng.randrange(len(blocks))
    blocks[i], blocks[j] = blocks[j], blocks[i]
    return b"".join(blocks)


def set_number(rng: random.Random, data: bytes) -> bytes:
    """Put an extreme number where a header or a directory may have one."""
    size = rng.choice([4, 8])
    end = max(len(data) - size, 1) if rng.random() < 0.3 else min(len(data), 120)
    at = rng.randrange(end) // 4 * 4
    number = rng.choice(_EXTREMES) & ((1 << 8 * size) - 1)
    return data[:at] + number.to_bytes(size, "little") + data[at + size :]


def change_value(rng: random.Random, data: bytes) -> bytes:
    """Change a value of a JSON text: another value, a removed, doubled or renamed field."""
    body = json.loads(data)
    place = body
    for _ in range(rng.randrange(1, 6)):
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = rng.choice(keys)
        child = place[key]
        if isinstance(child, (dict, list)) and child and rng.random() < 0.8:
            place = child
            continue
        _change_field(rng, place, key)
        break
    else:
        _change_field(rng, place, rng.choice(list(place) if isinstance(place, dict) else [0]))
    return json.dumps(body, indent=1).encode()


def _change_field(rng: random.Random, place: Any, key: Any) -> None:
    how = rng.randrange(6)
    if how == 0:
        del place[key]
    elif how == 1 and isinstance(place, list):
        place.append(place[key])
    elif how == 1:
        place[rng.choice(["x", "", "crc", "layer", "name"])] = place.pop(key)
    elif how == 2 and isinstance(place[key], (int, float)):
        place[key] = rng.choice([-place[key], place[key] + 1, place[key] * 2, float(place[key])])
    elif how == 3 and isinstance(place, list):
        rng.shuffle(place)
    else:
        place[key] = rng.choice(_ODD_VALUES)


def nest(rng: random.Random, data: bytes) -> bytes:
    """Put many brackets somewhere."""
    at, depth = rng.randrange(len(data)), rng.choice([10, 1000, 100_000])
    return data[:at] + rng.choice([b"[", b'{"a":']) * depth + data[at:]


BYTE_CHANGES: tuple[Change, ...] = (
    *(flip_bits, flip_bits, set_bytes, truncate, extend, cut_out, put_in, zero_block),
    *(swap_blocks, set_number),
)
JSON_CHANGES: tuple[Change, ...] = (change_value,) * 6 + (nest,)


def mutate(
    rng: random.Random, data: bytes, others: list[bytes], is_json: bool
) -> tuple[str, bytes]:
    """Return the name of a change and the changed bytes, which differ from `data`.

    Parameters
    ----------
    others : list of bytes
        Files of the same kind, to take parts from.
    """
    for _ in range(100):
        if is_json and rng.random() < 0.6:
            change = rng.choice(JSON_CHANGES)
        else:
            change = rng.choice(BYTE_CHANGES)
        name, new = change.__name__, data
        if others and rng.random() < 0.08:
            name, other = "splice", rng.choice(others)
            at = rng.randrange(len(data) + 1)
            new = rng.choice([other, data[:at] + other[at:], other[:at] + data[at:]])
        elif data:
            new = change(rng, data)
        if new != data:
            return name, new
    return "extend", data + b"\0"
