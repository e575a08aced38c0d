"""A plain layer, ``<name>_<i>.book``: records of board and rate, little-endian, sorted by board.

Layer 0 holds the seeds as they were written: neither sorted nor in canonical form. Files are read,
not mapped into memory: if another program truncates one, or a network drive goes away, the result
is an error with a message instead of a crash.
"""

import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import U64
from engine.platform.files.input_file import open_regular
from tablebase.errors import DamagedTableError, MissingTableError, cannot_read
from tablebase.foreign.rates import StoredRate

Records = npt.NDArray[Any]
"""Records of board and stored rate, see `StoredRate.record`."""

CHUNK_RECORDS = 1 << 17
_PIECE_RECORDS = 1 << 13
_LAST_STEP_RECORDS = 256  # read at once: finer steps would only read the same pages again


class RecordFile:
    """An open `file` of `n` equal records and nothing else, read piece by piece."""

    def __init__(self, path: Path, record: np.dtype) -> None:
        self.path, self.record = path, record
        try:
            self.file = cast("FileIO", open_regular(path).detach())  # unbuffered
        except OSError as error:
            raise MissingTableError(
                "cannot open {path}: {reason}", path=path, reason=error.strerror
            ) from error
        n_bytes = os.fstat(self.file.fileno()).st_size
        self.n, rest = divmod(n_bytes, record.itemsize)
        if rest:
            self.file.close()
            raise DamagedTableError(
                "{path} has {count} bytes, expected a multiple of {size}: it is cut off, "
                "or of another rate type than the config says",
                path=path,
                count=n_bytes,
                size=record.itemsize,
            )

    @property
    def bytes(self) -> int:
        return self.n * self.record.itemsize

    def read(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Return the records `start` to `stop` - 1; raise DamagedTableError if missing."""
        if not 0 <= start <= stop <= self.n:
            raise DamagedTableError(
                "{path} has {count} records, but those from {start} to {stop} are asked for",
                path=self.path,
                count=self.n,
                start=start,
                stop=stop,
            )
        records = np.empty(stop - start, self.record)
        if records.size:
            self._fill(records.view(np.uint8).data.cast("B"), start * self.record.itemsize)
        return records

    def close(self) -> None:
        self.file.close()

    def _fill(self, buffer: memoryview, offset: int) -> None:
        try:
            self.file.seek(offset)
            done = 0
            while done < len(buffer):
                n = self.file.readinto(buffer[done:])
                if not n:
                    raise DamagedTableError(
                        "{path} ends at byte {offset}", path=self.path, offset=offset + done
                    )
                done += n
        except OSError as error:
            raise DamagedTableError(cannot_read(self.path, error)) from error


class PlainLayer(RecordFile):
    """One plain layer of `n` records, opened for lookups."""

    def __init__(self, path: Path, rate: StoredRate) -> None:
        super().__init__(path, rate.record)

    def count(self) -> int:
        return self.n

    def find(self, board: int) -> np.generic | None:
        """Return the stored rate of `board`, None if it is not stored, by binary search."""
        start, stop = 0, self.n
        least, most = 0, (1 << 64) - 1  # bounds of the boards from start to stop
        while stop - start > _LAST_STEP_RECORDS:
            middle = (start + stop) // 2
            key = int(self.read(middle, middle + 1)["board"][0])
            if not least <= key <= most:
                raise unsorted_error(self.path, middle)
            if key <= board:
                start, least = middle, key
            else:
                stop, most = middle, key - 1
        records = self.read(start, stop)
        boards = np.ascontiguousarray(records["board"])
        check_ascending(boards, self.path, start)
        if boards.size and not least <= int(boards[0]) <= int(boards[-1]) <= most:
            raise unsorted_error(self.path, start)
        i = int(np.searchsorted(boards, np.uint64(board)))
        is_found = i < boards.size and boards[i] == board
        return records["rate"][i] if is_found else None

    def specimens(self) -> U64:
        """Return the first and the last board; empty if there are no boards."""
        if not self.n:
            return np.zeros(0, np.uint64)
        pair = [self.read(i, i + 1)["board"] for i in (0, self.n - 1)]
        return np.concatenate(pair).astype(np.uint64)

    def chunks(self) -> Iterator[Records]:
        for start in range(0, self.n, CHUNK_RECORDS):
            yield self.read(start, min(start + CHUNK_RECORDS, self.n))

    def pieces(self, count: int) -> Iterator[Records]:
        """Yield up to `count` pieces of the records, evenly spread; all records if they are few."""
        step = max(-(-self.n // count), _PIECE_RECORDS)
        for start in range(0, self.n, step):
            yield self.read(start, min(start + _PIECE_RECORDS, self.n))


def check_ascending(boards: npt.NDArray[np.unsignedinteger[Any]], path: Path, first: int) -> None:
    """Raise DamagedTableError unless boards ascend; `first` is the first board's record number."""
    wrong = np.flatnonzero(boards[1:] <= boards[:-1])
    if wrong.size:
        raise unsorted_error(path, first + int(wrong[0]) + 1)


def unsorted_error(path: Path, record: int) -> DamagedTableError:
    return DamagedTableError(
        "{path} is damaged: its boards are not in ascending order at record {record}",
        path=path,
        record=record,
    )
