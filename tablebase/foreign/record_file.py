"""A file of equal records and nothing else, read piece by piece.

Read, not mapped into memory: if another program truncates the file, or a network drive goes away,
the result is an error with a message instead of a crash.
"""

import os
from io import FileIO
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from engine.platform.files.input_file import open_regular
from engine.platform.language import tr
from tablebase.errors import DamagedTableError, MissingTableError


class RecordFile:
    """An open `file` of `n` records; MissingTableError, or DamagedTableError for its size."""

    def __init__(self, path: Path, record: np.dtype) -> None:
        self.path, self.record = path, record
        try:
            self.file = cast("FileIO", open_regular(path).detach())  # unbuffered
        except OSError as error:
            raise MissingTableError(
                tr("cannot open {path}: {reason}", path=path, reason=error.strerror)
            ) from error
        n_bytes = os.fstat(self.file.fileno()).st_size
        self.n, rest = divmod(n_bytes, record.itemsize)
        if rest:
            self.file.close()
            raise DamagedTableError(
                tr(
                    "{path} has {count} bytes, expected a multiple of {size}: it is cut off, "
                    "or of another rate type than the config says",
                    path=path,
                    count=n_bytes,
                    size=record.itemsize,
                )
            )

    def read(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Return the records `start` to `stop` - 1; raise DamagedTableError if missing."""
        if not 0 <= start <= stop <= self.n:
            raise DamagedTableError(
                tr(
                    "{path} has {count} records, but those from {start} to {stop} are asked for",
                    path=self.path,
                    count=self.n,
                    start=start,
                    stop=stop,
                )
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
                        tr("{path} ends at byte {offset}", path=self.path, offset=offset + done)
                    )
                done += n
        except OSError as error:
            raise DamagedTableError(
                tr("cannot read {path}: {reason}", path=self.path, reason=error.strerror)
            ) from error
