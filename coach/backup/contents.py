"""The personal data in the data folder, by kind, and the space it takes."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coach.record.user_database import LOCK_NAME, OLD_DATABASES, WORK_NAME
from coach.record.user_database import NAME as USER_DATABASE
from engine.platform.language import mark

BESIDE_DATABASE = ("-wal", "-shm", "-journal")
_DEEPEST = 6  # nested folders; the program itself makes two levels


@dataclass(frozen=True)
class Kind:
    """Files and folders that belong together."""

    key: str
    title: str  # in English, marked for translation
    names: tuple[str, ...]  # names in the data folder


KINDS = (
    Kind("settings", mark("Settings"), ("settings.json", "state.json")),
    Kind("palettes", mark("Your palettes"), ("color_schemes.txt",)),
    Kind("queue", mark("Queued builds"), ("queue.json",)),
    Kind("formations", mark("Own formations"), ("patterns_config.json",)),
    Kind("record", mark("Tests and training"), (USER_DATABASE,)),
    Kind("earlier", mark("Earlier databases"), OLD_DATABASES),
    Kind("tests", mark("Test files"), ("tests",)),
    Kind("analyses", mark("Analyses"), ("analyses",)),
    Kind("game", mark("Game"), ("game",)),
    Kind("recordings", mark("Recordings"), ("replays",)),
    Kind("minigames", mark("Minigames"), ("minigames",)),
)
NAMES = tuple(name for kind in KINDS for name in kind.names)
"""All that a backup may hold."""
_FOLDERS = ("tests", "analyses", "game", "replays", "minigames", "minigames/replays")
_NO_FOLDERS_LIKE_FILES = ("tests", "game", "minigames")  # elsewhere names are the user's
_FILES = (".json", ".log", ".csv")
TABLES, BACKUPS = "tables", "backups"
LEFT_OUT = (
    TABLES,
    BACKUPS,
    "rates",
    "estimates",
    "chances.db",
    "logs",
    LOCK_NAME,
    WORK_NAME,
    "session.json",
    "window.lock",
    "screensaver.lease",
)
"""Other files that the program creates in its data folder, which are not in backups."""


@dataclass(frozen=True)
class DataFile:
    """A file in the data folder."""

    name: str  # its path in the data folder, with slashes
    path: Path
    size: int

    @property
    def is_database(self) -> bool:
        """Whether it is one of our databases, which another thread or process may be writing to."""
        return self.name in NAMES and self.name.endswith(".db")


def names_to_keep(data_dir: Path) -> tuple[str, ...]:
    """Return the names of a backup: with the old databases until there is a new one, or with it."""
    has_new = (data_dir / USER_DATABASE).exists()
    left_out = OLD_DATABASES if has_new else (USER_DATABASE,)
    return tuple(name for name in NAMES if name not in left_out)


def names_to_replace(covers: Sequence[str]) -> list[str]:
    """Return the names in the data folder that a backup replaces.

    One of an earlier version also replaces the database that was made from other old ones.
    """
    is_old = USER_DATABASE not in covers and not set(covers).isdisjoint(OLD_DATABASES)
    return [*covers, *([USER_DATABASE] if is_old else [])]


def find_files(data_dir: Path, names: Sequence[str] = NAMES) -> Iterator[DataFile]:
    """Yield the files for a backup, folder by folder; links and unfinished files are left out."""
    for name in names:
        yield from _files_at(data_dir / name, name, 0)


def _files_at(path: Path, name: str, depth: int) -> Iterator[DataFile]:
    try:
        status = path.lstat() if depth else path.stat()
    except (OSError, ValueError):
        return
    if stat.S_ISREG(status.st_mode):
        if not name.endswith(".part"):
            yield DataFile(name, path, status.st_size)
    elif stat.S_ISDIR(status.st_mode) and depth < _DEEPEST:
        inside: list[str] = []
        with suppress(OSError):
            inside = sorted(os.listdir(path))
        for one in inside:
            yield from _files_at(path / one, f"{name}/{one}", depth + 1)


def is_in_place(name: str) -> bool:
    """Return whether a file's path in the data folder has files and folders where they belong.

    A folder in the place of a file would keep the program from ever writing that file.

    >>> is_in_place("settings.json"), is_in_place("settings.json/x")
    (True, False)
    >>> is_in_place("game/current.log"), is_in_place("game/current.log/x"), is_in_place("game")
    (True, False, False)
    """
    name = name.casefold()  # as some drives do
    first, *inside = name.split("/")
    if (first in _FOLDERS) != bool(inside) or name in _FOLDERS:
        return False
    folders = inside[:-1] if first in _NO_FOLDERS_LIKE_FILES else []
    return not any(folder.endswith(_FILES) for folder in folders)


def sizes(data_dir: Path) -> dict[str, int]:
    found = dict.fromkeys((kind.key for kind in KINDS), 0)
    kind_of = {name: kind.key for kind in KINDS for name in kind.names}
    for file in find_files(data_dir):
        found[kind_of[file.name.partition("/")[0]]] += file.size
        if file.is_database:
            for suffix in BESIDE_DATABASE:
                with suppress(OSError):
                    found[kind_of[file.name]] += os.stat(f"{file.path}{suffix}").st_size
    found[TABLES] = sum(file.size for file in _files_at(data_dir / TABLES, TABLES, 0))
    return found
