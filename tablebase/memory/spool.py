"""Numbers that wait in a file until it is their turn, to be written and read in pieces."""

import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tablebase.build_files import explain


class Spooled(NamedTuple):
    """Where some numbers lie: after how many bytes of the file, how many, of which type."""

    begin: int
    n: int
    dtype: np.dtype[Any]


class Spool:
    """A file without a name, made when the first numbers come; several threads may use it.

    A context manager: the file goes when it is left. Until then it is used again: to write where
    something was before takes an eighth of the time.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Any = None
        self._end = 0
        self._lock = threading.Lock()  # Windows can only read and write where the file stands

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            self._file.close()

    def clear(self) -> None:
        """Forget all numbers."""
        self._end = 0

    def add(self, numbers: npt.NDArray[Any]) -> Spooled:
        """Write numbers behind all others; raise DiskFullError or BuildRefusedError."""
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
        return Spooled(begin, numbers.size, numbers.dtype)

    def read(self, place: Spooled) -> npt.NDArray[Any]:
        """Return the numbers that lie there."""
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
