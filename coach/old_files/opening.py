"""The one way to open ``user.db``, with what earlier versions wrote in it."""

from pathlib import Path
from typing import TYPE_CHECKING

from coach.record.user_database import UserDatabase
from engine.platform.language import tr

if TYPE_CHECKING:
    from coach.old_files.reading import Watch


def open_user_database(folder: Path, watch: "Watch | None" = None) -> UserDatabase:
    """Return the database of a data folder; the first store on it reads the old files in."""
    return UserDatabase(folder, lambda where: _read(where, watch))


def open_for_command(folder: Path) -> UserDatabase:
    """Return the database for a command, which shows a reading on a terminal."""
    from coach.old_files.reading import Watch
    from engine.platform.cli.console import note
    from engine.platform.cli.status_line import StatusLine, bar

    line, text = StatusLine(is_brief=True), tr("Importing your data from earlier versions")
    watch = Watch(
        show=lambda share: line.show("", f"{text} {bar(share)}"),
        warn=lambda problem: note(tr("warning: {problem}", problem=problem)),
    )

    def read(where: Path) -> None:
        try:
            _read(where, watch)
        finally:
            line.clear()

    return UserDatabase(folder, read)


def _read(folder: Path, watch: "Watch | None") -> None:
    from coach.old_files.readers import READERS  # they import most of the coach
    from coach.old_files.reading import read_old_files

    read_old_files(folder, READERS, watch)
