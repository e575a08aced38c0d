"""Numbers that wait in a file until they are needed, written and read in pieces."""

import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tablebase.build_files import explain


class SpoolPlace(NamedTuple):
    """The place of some numbers: offset in bytes, count, and type."""

    begin: int
    n: int
    dtype: np.dtype[Any]


class Spool:
    """A file without a name, created when the first numbers come; several threads may use it.

    The file is deleted on closing. Until then its space is reused: overwriting takes an eighth of
    the time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Any = None
        self._end = 0
        self._lock = threading.Lock()  # Windows can only read and write at the file's position

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def clear(self) -> None:
        self._end = 0

    def add(self, numbers: npt.NDArray[Any]) -> SpoolPlace:
        """Append numbers; raise DiskFullError or BuildRefusedError."""
        with self._lock:
            begin = self._end
            left = numbers.data.cast("B")
            try:
                if self._file is None:
                    self._file = tempfile.TemporaryFile(  # noqa: SIM115
                        dir=self._folder, prefix="spool-", buffering=0
                    )
                self._file.seek(begin)
                while left:
                    left = left[self._file.write(left) :]
            except OSError as error:
                raise explain(error, self._folder) from error
            self._end += numbers.nbytes
        return SpoolPlace(begin, numbers.size, numbers.dtype)

    def read(self, place: SpoolPlace) -> npt.NDArray[Any]:
        numbers = np.empty(place.n, place.dtype)
        left = numbers.data.cast("B")
        with self._lock:
            self._file.seek(place.begin)
            while left:
                got = self._file.readinto(left)
                if not got:
                    raise EOFError(self._folder)
                left = left[got:]
        return numbers
