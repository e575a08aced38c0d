"""``user.db``: what a person did here, and where it is."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from coach.record.database import DatabaseError, DatabaseFile
from coach.record.schema import MIGRATIONS, SOUND

NAME = "user.db"
"""In the data folder."""

WORK_NAME = f"{NAME}.reading"
"""The folder in which it is made from the files of earlier versions."""

LOCK_NAME = "user.lock"
"""Held while that goes on."""

OLD_DATABASES = tuple(
    f"{name}.db"
    for name in ("mistakes", "puzzles", "analyses", "routes", "situations", "tests", "profile")
)
OLD_NAMES = (*OLD_DATABASES, "tests")
"""What earlier versions kept in the data folder instead; read once, and never written."""


_AGAIN_S = 60.0
"""After a failure the old files are not read again at once for each page that asks."""


class UserDatabase(DatabaseFile):
    """The user's database, to be opened by its stores.

    `read_old` makes it from the files of earlier versions; called with the data folder if there are
    such files and no database. See `coach.old_files.opening`, which gives it.
    """

    def __init__(self, folder: Path, read_old: Callable[[Path], object] | None = None) -> None:
        super().__init__(folder / NAME, MIGRATIONS, SOUND)
        self.folder, self._read_old = folder, read_old
        self._failure: tuple[float, DatabaseError] | None = None

    @property
    def is_there(self) -> bool:
        """Whether there is anything to read, here or in the files of earlier versions."""
        return self.path.exists() or has_old_files(self.folder)

    def prepare(self) -> None:
        """Read the files of earlier versions in if that was not done."""
        if self.path.exists() or not has_old_files(self.folder):
            with suppress(OSError):  # empty, if a reading was killed after its last step
                (self.folder / WORK_NAME).rmdir()
            return
        if self._read_old is None:  # an empty database would hide them for ever
            raise RuntimeError(f"nobody to read the old files in {self.folder}")  # no text
        if self._failure and time.monotonic() < self._failure[0] + _AGAIN_S:
            raise self._failure[1].with_traceback(None)
        try:
            self._read_old(self.folder)
        except DatabaseError as error:
            if not error.is_transient:
                self._failure = time.monotonic(), error
            raise


def has_old_files(folder: Path) -> bool:
    """Return whether a data folder has files of versions that had no ``user.db``."""
    # A link counts, too, wherever it leads: its drive may be away.
    return any(os.path.lexists(folder / name) for name in OLD_NAMES)
