"""Working files of many small parts: making a file for each would take longer than filling it.

A part is u32 crc32 of the two next fields, 16 bytes of name, u64 bytes, and then the bytes, which
have to carry a checksum of their own. If several parts have the same name, the one in the file with
the highest number counts. As for all working files, the drive is never waited for.
"""

import os
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from engine.platform.files.input_file import open_regular
from tablebase.build_files import write_file
from tablebase.memory.arrays import Arrays

_CRC, _PART = struct.Struct("<I"), struct.Struct("<16sQ")
_NAME = re.compile(r"batch-(\d{4,9})\.bits", re.ASCII)
_ENOUGH = 4 << 20  # bytes, which take about a tenth of a second to compute


def names_in(folder: Path) -> Iterator[str]:
    """Yield names of parts by their heads: damage in their bytes goes unnoticed; raise OSError."""
    for path in filter(_match, folder.iterdir()):
        with open_regular(path) as file:
            yield from _heads(file)


class Batches:
    """The parts in the batches of a folder."""

    def __init__(self, folder: Path, arrays: Arrays) -> None:
        self._folder, self._arrays = folder, arrays
        self._waiting: dict[str, bytes] = {}
        self._waiting_bytes = 0
        self._places: dict[str, tuple[Path, int, int]] = {}
        self._last: tuple[Path, memoryview] | None = None  # parts are read in file order
        numbers = sorted(int(match[1]) for path in folder.iterdir() if (match := _match(path)))
        self._next = numbers[-1] + 1 if numbers else 0
        for number in numbers:
            self._places |= self._listed(self._path(number))

    def add(self, name: str, pieces: Iterable[bytes | memoryview]) -> None:
        """Keep a part, its name up to 16 letters, written now or later; raise like `write_file`."""
        body = bytearray()
        for piece in pieces:
            body += piece
        self._waiting[name] = bytes(body)
        self._waiting_bytes += len(body)
        if self._waiting_bytes > _ENOUGH:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        path, pieces, at = self._path(self._next), list[bytes](), 0
        places = {}
        for name, body in self._waiting.items():
            header = _PART.pack(name.encode("ascii"), len(body))
            pieces += _CRC.pack(zlib.crc32(header)), header, body
            at += _CRC.size + _PART.size
            places[name] = path, at, len(body)
            at += len(body)
        write_file(path, pieces, durable=False)
        self._next += 1
        self._waiting, self._waiting_bytes = {}, 0
        self._places |= places

    def find(self, name: str) -> bytes | memoryview | None:
        if name in self._waiting:
            return self._waiting[name]
        if name not in self._places:
            return None
        path, at, size = self._places[name]
        return self._read(path)[at : at + size]

    def _read(self, path: Path) -> memoryview:
        if self._last is None or self._last[0] != path:
            self._last = None  # one at a time in memory
            self._last = path, memoryview(self._arrays.read_file(path))
        return self._last[1]

    def _listed(self, path: Path) -> dict[str, tuple[Path, int, int]]:
        """Return the places of the parts of a file, up to the first damage."""
        try:
            return {name: (path, at, size) for name, at, size in _parts(self._read(path))}
        except OSError:
            return {}

    def _path(self, number: int) -> Path:
        return self._folder / f"batch-{number:04d}.bits"


def _match(path: Path) -> re.Match[str] | None:
    return _NAME.fullmatch(path.name)


def _parts(raw: memoryview) -> Iterator[tuple[str, int, int]]:
    at = 0
    while at + _CRC.size + _PART.size <= len(raw):
        (crc,) = _CRC.unpack_from(raw, at)
        at += _CRC.size
        name, size = _PART.unpack_from(raw, at)
        if zlib.crc32(raw[at : at + _PART.size]) != crc:
            return
        at += _PART.size
        if at + size <= len(raw):
            yield name.rstrip(b"\0").decode("ascii"), at, size
        at += size


def _heads(file: BinaryIO) -> Iterator[str]:
    n_bytes = file.seek(0, os.SEEK_END)
    at, length = 0, _CRC.size + _PART.size
    while at + length <= n_bytes:
        file.seek(at)
        head = file.read(length)
        name, size = _PART.unpack_from(head, _CRC.size)
        at += length + size
        if zlib.crc32(head[_CRC.size :]) != _CRC.unpack_from(head)[0] or at > n_bytes:
            return
        yield name.rstrip(b"\0").decode("ascii")
