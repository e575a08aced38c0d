r"""A compressed layer, the folder ``<name>_<i>.z/``: four files with the same stem.

z   xz streams one after the other, each with rows (low half of a board u32, rate). A stream ends
    where the high half changes.
s   one entry before the first stream and one after each: (number in `ii` of the stream's last
    group, bytes of `z` up to here); the first is (0, 0).
ii  one group for each high half: (its lowest byte, the group's last row in its stream). Entry 0 is
    filler; the last group of a stream has row 0.
i   a tree of the three upper bytes of the high halves: nodes (byte, last child). Node 0 is the
    root; then come three levels, each after a filler, a node's children beginning after those of
    the node before it; those of the third level are in `ii`::

      root  . level 0  . level 1  . level 2
      0     1          a          b        n

Row 0 means both "up to the end of the stream" and "only row 0", and readers that guess which is
meant sometimes return the rate of another board. `s` decides: the group whose number it gives ends
the stream, any other one ends at its row.
"""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import I64, U64
from engine.platform.language import tr
from tablebase.errors import DamagedTableError, TableFormatError, cannot_read
from tablebase.foreign.plain_layer import PlainLayer, RecordFile, Records, check_ascending
from tablebase.foreign.rates import StoredRate

_PIECE = 1 << 20
_MAX_BYTES = 1 << 26  # unpacked; a table's stream is below a fiftieth of that
_MEMORY_BYTES = 1 << 27  # memory limit of unpacking; their level takes 2 MiB
_FOOTER = 12


def unpack_stream(file: IO[bytes], start: int, end: int, path: Path) -> bytes:
    """Return the content of the single stream from byte `start` to `end` of `file`."""
    try:
        import lzma
    except ImportError as error:  # Python can be built without it
        raise TableFormatError(
            "this Python cannot unpack {path}: its module lzma is missing", path=path
        ) from error
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY_BYTES)
    unpacked = bytearray()
    file.seek(start)
    left = end - start
    try:
        while not decoder.eof:
            piece = file.read(min(_PIECE, left)) if decoder.needs_input else b""
            if decoder.needs_input and not piece:
                raise _damaged(path, start, tr("it ends too early"))
            left -= len(piece)
            unpacked += decoder.decompress(piece, _PIECE)
            if len(unpacked) > _MAX_BYTES:
                raise _damaged(
                    path, start, tr("it holds more than {count} bytes", count=_MAX_BYTES)
                )
    except (lzma.LZMAError, EOFError) as error:
        raise _damaged(path, start, str(error)) from error
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error
    if decoder.unused_data or left:
        raise _damaged(path, start, tr("it ends before byte {end}", end=end))
    return bytes(unpacked)


def unpacked_size(file: IO[bytes], start: int, end: int, path: Path) -> int:
    """Return the unpacked size of a stream from its own index, without unpacking it.

    The format: https://tukaani.org/xz/xz-file-format.txt, sections 2.1.2 and 4.
    """
    try:
        file.seek(max(end - _FOOTER, start))
        footer = file.read(_FOOTER)
        n_index = (int.from_bytes(footer[4:8], "little") + 1) * 4
        if footer[10:] != b"YZ" or n_index > end - start - 2 * _FOOTER:
            raise _damaged(path, start, tr("no stream ends at byte {end}", end=end))
        file.seek(end - _FOOTER - n_index)
        index = file.read(n_index)
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error
    try:
        size = _sum_of_index(index)
    except IndexError as error:
        raise _damaged(path, start, tr("its index is cut off")) from error
    if size > _MAX_BYTES:
        raise _damaged(path, start, tr("it holds more than {count} bytes", count=_MAX_BYTES))
    return size


def _sum_of_index(index: bytes) -> int:
    n_blocks, at = _number(index, 1)
    total = 0
    for _ in range(min(n_blocks, len(index))):
        _, at = _number(index, at)
        size, at = _number(index, at)
        total += size
    return total


def _number(index: bytes, at: int) -> tuple[int, int]:
    """Return a number of 7 bits per byte, the lowest first, and the start of the next one."""
    value = 0
    for i in range(9):
        value |= (index[at + i] & 127) << (7 * i)
        if index[at + i] < 128:
            break
    return value, at + i + 1


def _damaged(path: Path, start: int, what: str) -> DamagedTableError:
    return DamagedTableError(
        "{path} is damaged: the stream at byte {start}: {what}", path=path, start=start, what=what
    )


_NODE = np.dtype([("key", "u1"), ("end", "<u4")])
_GROUP = np.dtype([("key", "u1"), ("last_row", "<u2")])
_STREAM = np.dtype([("last_group", "<u4"), ("end", "<u8")])
_BYTE = np.dtype("u1")

Nodes = npt.NDArray[Any]


def open_layer(path: Path, rate: StoredRate) -> "PlainLayer | CompressedLayer":
    return CompressedLayer(path, rate) if path.suffix == ".z" else PlainLayer(path, rate)


class CompressedLayer:
    """One compressed layer (its folder is `path`), opened for lookups."""

    def __init__(self, path: Path, rate: StoredRate) -> None:
        self.path = path
        self._record = rate.record
        self._row = np.dtype([("low", "<u4"), ("rate", rate.dtype)])
        self._files: list[RecordFile] = []
        try:
            self._z = self._open("z", _BYTE)
            self._groups = self._open("ii", _GROUP)
            self._nodes = self._open("i", _NODE)
            self._streams = self._read_streams()
            self._levels = self._read_levels()
        except BaseException:
            self.close()
            raise
        self._cache: OrderedDict[int, Records] = OrderedDict()

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self._files)

    def count(self) -> int:
        """Return the number of records, from the index of every stream, without unpacking."""
        return sum(
            unpacked_size(self._z.file, *self._extent(k), self._z.path) // self._row.itemsize
            for k in range(self._n_streams)
        )

    def find(self, board: int) -> np.generic | None:
        group = self._find_group(board >> 32)
        if group is None:
            return None
        ends = self._streams["last_group"][1:]
        k = int(np.searchsorted(ends, group))
        first = int(self._streams["last_group"][k]) + 1
        start = 0 if group == first else self._last_row(group - 1) + 1
        rows = self._rows(k)
        stop = len(rows) if group == ends[k] else self._last_row(group) + 1
        if not start < stop <= len(rows):
            raise self._damaged(
                self._groups, tr("group {group} has no rows in its stream", group=group)
            )
        low = np.ascontiguousarray(rows["low"][start:stop])
        check_ascending(low, self._z.path, start)
        i = int(np.searchsorted(low, np.uint32(board & 0xFFFF_FFFF)))
        is_found = i < low.size and low[i] == board & 0xFFFF_FFFF
        return rows["rate"][start + i] if is_found else None

    def specimens(self) -> U64:
        """Return the first board; empty if there are no boards."""
        if not self._n_streams:
            return np.zeros(0, np.uint64)
        board = 0
        for file, entry in [*((self._nodes, at + 1) for at in self._levels[:3]), (self._groups, 1)]:
            board = board << 8 | int(file.read(entry, entry + 1)["key"][0])
        rows = self._rows(0)
        return np.array([board << 32 | int(low) for low in rows["low"][:1]], np.uint64)

    def chunks(self) -> Iterator[Records]:
        return self._unpacked(range(self._n_streams))

    def pieces(self, count: int) -> Iterator[Records]:
        n = self._n_streams
        return self._unpacked(range(0, n, max(-(-n // count), 1)))

    def close(self) -> None:
        for file in self._files:
            file.close()

    @property
    def _n_streams(self) -> int:
        return len(self._streams) - 1

    def _open(self, suffix: str, record: np.dtype) -> RecordFile:
        file = RecordFile(self.path / f"{self.path.stem}.{suffix}", record)
        self._files.append(file)
        return file

    def _read_streams(self) -> Nodes:
        file = self._open("s", _STREAM)
        if not 1 <= file.n <= max(self._groups.n, 1):
            raise self._damaged(
                file, tr("{count} streams of {groups} groups", count=file.n, groups=self._groups.n)
            )
        streams = file.read(0, file.n)
        groups, ends = streams["last_group"].astype(np.int64), streams["end"]
        if groups[0] or ends[0] or (np.diff(groups) <= 0).any() or (ends[1:] <= ends[:-1]).any():
            raise self._damaged(file, tr("its numbers are not in ascending order from 0 on"))
        if groups[-1] != max(self._groups.n - 1, 0):
            raise self._damaged(
                self._groups, tr("expected {groups} groups and a filler", groups=groups[-1])
            )
        if ends[-1] != self._z.n:
            raise self._damaged(
                self._z,
                tr("it has {count} bytes, expected {expected}", count=self._z.n, expected=ends[-1]),
            )
        return streams

    def _read_levels(self) -> list[int]:
        """Return the starts of the three levels (at their fillers), and the number of nodes."""
        n, n_groups = self._nodes.n, self._groups.n
        if n_groups <= 1:
            return [1, 1, 1, 1]
        if not 7 <= n <= 3 * n_groups + 4:
            raise self._damaged(
                self._nodes, tr("{count} nodes above {groups} groups", count=n, groups=n_groups)
            )
        a = int(self._nodes.read(1, 2)["end"][0])
        b = int(self._nodes.read(a, a + 1)["end"][0]) if 3 <= a < n else 0
        if a == 0:
            a, b = self._levels_by_nodes()
        if 3 <= a < a + 2 <= b < b + 2 <= n:
            lasts = [int(self._nodes.read(end - 1, end)["end"][0]) for end in (a, b, n)]
            if lasts == [b - 1, n - 1, n_groups - 1]:
                return [1, a, b, n]
        raise self._damaged(self._nodes, tr("its levels do not fit together"))

    def _levels_by_nodes(self) -> tuple[int, int]:
        nodes = self._nodes.read(0, self._nodes.n)
        fillers = np.flatnonzero((nodes["key"] == 0) & (nodes["end"] == 0))
        b = int(fillers[-1]) if fillers.size else 0
        last_of_first = np.flatnonzero(nodes["end"] == b - 1)
        return (int(last_of_first[0]) + 1 if last_of_first.size else 0), b

    def _find_group(self, high: int) -> int | None:
        """Return the number of the group of a high half; None if there is none."""
        begins = self._levels
        if begins[-1] == 1:
            return None
        start, stop = 2, begins[1]
        for level in range(3):
            i = self._search(self._nodes, start, stop, high >> (24 - 8 * level) & 0xFF)
            if i is None:
                return None
            is_first = i == begins[level] + 1
            below = begins[level + 1] if level < 2 else 0  # the filler before the children
            start = 1 + (below if is_first else int(self._nodes.read(i - 1, i)["end"][0]))
            stop = 1 + int(self._nodes.read(i, i + 1)["end"][0])
            most = begins[level + 2] if level < 2 else self._groups.n
            if not below < start < stop <= most:
                raise self._damaged(
                    self._nodes, tr("node {number} has children outside of its level", number=i)
                )
        return self._search(self._groups, start, stop, high & 0xFF)

    def _search(self, file: RecordFile, start: int, stop: int, key: int) -> int | None:
        if stop - start > 256:
            raise self._damaged(
                file, tr("more than 256 children from entry {start} on", start=start)
            )
        keys = file.read(start, stop)["key"]
        if (keys[1:] <= keys[:-1]).any():
            raise self._damaged(
                file, tr("its bytes are not in ascending order from entry {start} on", start=start)
            )
        i = int(np.searchsorted(keys, np.uint8(key)))
        return start + i if i < keys.size and keys[i] == key else None

    def _last_row(self, group: int) -> int:
        return int(self._groups.read(group, group + 1)["last_row"][0])

    def _rows(self, k: int) -> Records:
        if k in self._cache:
            self._cache.move_to_end(k)
            return self._cache[k]
        unpacked = unpack_stream(self._z.file, *self._extent(k), self._z.path)
        if len(unpacked) % self._row.itemsize:
            raise self._damaged(
                self._z,
                tr(
                    "stream {number} holds {count} bytes, expected a multiple of {size}: it is "
                    "of another rate type than the config says",
                    number=k,
                    count=len(unpacked),
                    size=self._row.itemsize,
                ),
            )
        rows = np.frombuffer(unpacked, self._row)
        self._cache[k] = rows
        if len(self._cache) > 8:
            self._cache.popitem(last=False)
        return rows

    def _extent(self, k: int) -> tuple[int, int]:
        return int(self._streams["end"][k]), int(self._streams["end"][k + 1])

    def _unpacked(self, streams: range) -> Iterator[Records]:
        if not len(streams):
            return
        ends, prefixes = self._third_level()
        for k in streams:
            rows = self._rows(k)
            first, last = (int(n) for n in self._streams["last_group"][k : k + 2])
            groups = self._groups.read(first + 1, last + 1)
            stops = groups["last_row"].astype(np.int64) + 1
            stops[-1] = len(rows)
            sizes = np.diff(stops, prepend=0)
            if (sizes <= 0).any():
                raise self._damaged(
                    self._groups, tr("groups without rows in stream {number}", number=k)
                )
            parents = np.searchsorted(ends, np.arange(first + 1, last + 1))
            high = prefixes[parents] << np.uint64(40) | groups["key"].astype(np.uint64) << 32
            records = np.empty(len(rows), self._record)
            records["board"] = np.repeat(high, sizes) | rows["low"]
            records["rate"] = rows["rate"]
            yield records

    def _third_level(self) -> tuple[I64, U64]:
        """Return the last group and the three bytes of each node of the third level."""
        nodes = self._nodes.read(0, self._nodes.n)
        begins = self._levels
        prefixes = np.zeros(1, np.uint64)
        n_children = np.array([begins[1] - 2])
        ends = n_children
        for level in range(3):
            start, stop = begins[level] + 1, begins[level + 1]
            below = begins[level + 1] if level < 2 else 0
            keys = nodes["key"][start:stop].astype(np.uint64)
            prefixes = np.repeat(prefixes, n_children) << np.uint64(8) | keys
            ends = nodes["end"][start:stop].astype(np.int64)
            n_children = np.diff(ends, prepend=below)
            n_below = (begins[level + 2] - below if level < 2 else self._groups.n) - 1
            if (n_children < 1).any() or (n_children > 256).any() or n_children.sum() != n_below:
                raise self._damaged(
                    self._nodes, tr("level {level} has children outside of the next", level=level)
                )
        return ends, prefixes

    def _damaged(self, file: RecordFile, what: str) -> DamagedTableError:
        return DamagedTableError("{path} is damaged: {what}", path=file.path, what=what)
