"""A plain layer, ``<name>_<i>.book``: records of board and rate, little-endian, sorted by board.

Layer 0 holds the seeds as they were written: neither sorted nor in canonical form.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import U64
from engine.platform.language import tr
from tablebase.errors import DamagedTableError
from tablebase.foreign.rates import StoredRate
from tablebase.foreign.record_file import RecordFile

Records = npt.NDArray[Any]
"""Records of board and stored rate, see `StoredRate.record`."""

CHUNK_RECORDS = 1 << 17
_PIECE_RECORDS = 1 << 13
_LAST_STEP_RECORDS = 256  # read at once: finer steps would only read the same pages again


class PlainLayer:
    """One plain layer of `n` records, opened for lookups."""

    def __init__(self, path: Path, rate: StoredRate) -> None:
        self.path = path
        self._file = RecordFile(path, rate.record)
        self.n = self._file.n

    @property
    def bytes(self) -> int:
        return self.n * self._file.record.itemsize

    def count(self) -> int:
        return self.n

    def find(self, board: int) -> np.generic | None:
        """Return the stored rate of `board`, None if it is not stored, by binary search."""
        start, stop = 0, self.n
        least, most = 0, (1 << 64) - 1  # bounds of the boards from start to stop
        while stop - start > _LAST_STEP_RECORDS:
            middle = (start + stop) // 2
            key = int(self._file.read(middle, middle + 1)["board"][0])
            if not least <= key <= most:
                raise unsorted_error(self.path, middle)
            if key <= board:
                start, least = middle, key
            else:
                stop, most = middle, key - 1
        records = self._file.read(start, stop)
        boards = np.ascontiguousarray(records["board"])
        check_ascending(boards, self.path, start)
        if boards.size and not least <= int(boards[0]) <= int(boards[-1]) <= most:
            raise unsorted_error(self.path, start)
        i = int(np.searchsorted(boards, np.uint64(board)))
        is_found = i < boards.size and boards[i] == board
        return records["rate"][i] if is_found else None

    def record(self, i: int) -> Records:
        """Return the record `i`, as an array of one."""
        return self._file.read(i, i + 1)

    def specimens(self) -> U64:
        """Return the first and the last board; empty if there are no boards."""
        if not self.n:
            return np.zeros(0, np.uint64)
        pair = [self._file.read(i, i + 1)["board"] for i in (0, self.n - 1)]
        return np.concatenate(pair).astype(np.uint64)

    def chunks(self) -> Iterator[Records]:
        """Yield all records in the file's order."""
        for start in range(0, self.n, CHUNK_RECORDS):
            yield self._file.read(start, min(start + CHUNK_RECORDS, self.n))

    def pieces(self, count: int) -> Iterator[Records]:
        """Yield up to `count` pieces of the records, evenly spread; all records if they are few."""
        step = max(-(-self.n // count), _PIECE_RECORDS)
        for start in range(0, self.n, step):
            yield self._file.read(start, min(start + _PIECE_RECORDS, self.n))

    def close(self) -> None:
        self._file.close()


def check_ascending(boards: npt.NDArray[np.unsignedinteger[Any]], path: Path, first: int) -> None:
    """Raise DamagedTableError unless boards ascend; `first` is the first board's record number."""
    wrong = np.flatnonzero(boards[1:] <= boards[:-1])
    if wrong.size:
        raise unsorted_error(path, first + int(wrong[0]) + 1)


def unsorted_error(path: Path, record: int) -> DamagedTableError:
    return DamagedTableError(
        tr(
            "{path} is damaged: its boards are not in ascending order at record {record}",
            path=path,
            record=record,
        )
    )
