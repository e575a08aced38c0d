"""Writes tables as 2048EndgameTablebase lays them out: from the description of the layout alone.

Plain Python, nothing of the program. A layer is a dictionary from boards to rates.
"""

import lzma
import struct
from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

Layer = Mapping[int, float]

# How a rate is stored: its struct code, and the number that is written.
RATES: dict[str, tuple[str, Callable[[float], float]]] = {
    "uint32": ("I", lambda p: int(p * 4e9)),
    "uint64": ("Q", lambda p: int(p * 1.6e18)),
    "float32": ("f", float),
    "float64": ("d", float),
    "1-float32": ("f", lambda p: p - 1.0),
    "1-float64": ("d", lambda p: p - 1.0),
}


def stored_value(rate: str, p: float) -> float:
    """The number that is in the file for the rate `p`, as Python reads it back."""
    code, encode = RATES[rate]
    return struct.unpack("<" + code, struct.pack("<" + code, encode(p)))[0]


def value_as_rate(rate: str, value: float) -> float:
    scale = {"uint32": 4e9, "uint64": 1.6e18}.get(rate, 1.0)
    return value / scale + (1.0 if rate.startswith("1-") else 0.0)


def stored_rate(rate: str, p: float) -> float:
    """What the file says the rate is: `p`, less what its type cannot hold."""
    return value_as_rate(rate, stored_value(rate, p))


def book_bytes(layer: Layer, rate: str, *, in_order: bool = True) -> bytes:
    code, encode = RATES[rate]
    boards = sorted(layer) if in_order else list(layer)
    return b"".join(struct.pack("<Q" + code, board, encode(layer[board])) for board in boards)


def packed_files(layer: Layer, rate: str, stream_rows: int = 32768) -> dict[str, bytes]:
    """The four files of a compressed layer, by suffix; a stream has more than `stream_rows`."""
    code, encode = RATES[rate]
    z, groups, streams = b"", [(0, 0)], [(0, 0)]
    rows: list[bytes] = []
    boards = sorted(layer)
    for i, board in enumerate(boards):
        rows.append(struct.pack("<I" + code, board & 0xFFFF_FFFF, encode(layer[board])))
        high = board >> 32
        if i + 1 < len(boards) and boards[i + 1] >> 32 == high:
            continue
        if len(rows) > stream_rows or i + 1 == len(boards):
            groups.append((high & 0xFF, 0))
            z += lzma.compress(b"".join(rows), preset=1)
            streams.append((len(groups) - 1, len(z)))
            rows = []
        else:
            groups.append((high & 0xFF, len(rows) - 1))
    return {
        "z": z,
        "i": b"".join(struct.pack("<BI", *node) for node in _tree(boards)),
        "ii": b"".join(struct.pack("<BH", *group) for group in groups),
        "s": b"".join(struct.pack("<IQ", *stream) for stream in streams),
    }


def _tree(boards: list[int]) -> list[tuple[int, int]]:
    """Root, then the levels of the bytes 56-63, 48-55, 40-47, each after a filler."""
    prefixes = [sorted({board >> shift for board in boards}) for shift in (56, 48, 40, 32)]
    levels = []
    for these, below in pairwise(prefixes):
        level = [(0, 0)]
        for prefix in these:
            last_child = bisect_left(below, prefix + 1 << 8)
            level.append((prefix & 0xFF, last_child))
        levels.append(level)
    first = 1 + len(levels[0])
    second = first + len(levels[1])
    levels[0] = [(key, end + first) for key, end in levels[0]]
    levels[1] = [(key, end + second) for key, end in levels[1]]
    return [(0, 1), *levels[0], *levels[1], *levels[2]]


def write_book(folder: Path, name: str, i: int, layer: Layer, rate: str) -> Path:
    path = folder / f"{name}_{i}.book"
    path.write_bytes(book_bytes(layer, rate, in_order=i > 0))
    return path


def write_packed(
    folder: Path, name: str, i: int, layer: Layer, rate: str, stream_rows: int = 32768
) -> Path:
    path = folder / f"{name}_{i}.z"
    path.mkdir()
    for suffix, content in packed_files(layer, rate, stream_rows).items():
        (path / f"{name}_{i}.{suffix}").write_bytes(content)
    return path


def write_config(folder: Path, name: str, rate: str, spawn4: float = 0.1, **more: object) -> None:
    fields = {
        "compress": True,
        "optimal_branch_only": False,
        "compress_temp_files": False,
        "advanced_algo": False,
        "deletion_threshold": 0.0,
        "4_spawn_rate": spawn4,
        "success_rate_dtype": rate,
        **more,
    }
    lines = [f"{key}: {value}\n" for key, value in fields.items()]
    (folder / f"{name}_config.txt").write_text("".join(lines), encoding="utf-8")
