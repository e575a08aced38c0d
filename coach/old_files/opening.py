"""The one way to open ``user.db``, with what earlier versions wrote in it."""

from pathlib import Path

from coach.old_files.analyses import ANALYSES
from coach.old_files.mistakes import MISTAKES
from coach.old_files.puzzles import PUZZLES
from coach.old_files.reading import Reader, Watch, read_old_files
from coach.record.user_database import UserDatabase

READERS: tuple[Reader, ...] = (MISTAKES, PUZZLES, ANALYSES)
"""In order: a later one may use what an earlier one has stored."""


def open_user_database(folder: Path, watch: Watch | None = None) -> UserDatabase:
    """Return the database of a data folder; the first store on it reads the old files in.

    Parameters
    ----------
    watch : Watch, optional
        Callbacks of that reading.
    """
    return UserDatabase(folder, lambda where: read_old_files(where, READERS, watch))
