"""The free space of a drive, and which drive a folder is on."""

import shutil
from collections.abc import Iterator
from pathlib import Path


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes where `folder` is, or will be; None if unknown."""
    for place in _places(folder):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return None


def is_same_drive(folder: Path, other: Path) -> bool:
    """Return whether two folders are, or will be, on one drive; True if unknown."""
    drives = [_drive(folder), _drive(other)]
    return None in drives or drives[0] == drives[1]


def _drive(folder: Path) -> int | None:
    for place in _places(folder):
        try:
            return place.stat().st_dev
        except OSError:
            continue
    return None


def _places(folder: Path) -> Iterator[Path]:
    """The first existing one is on the drive of the folder."""
    yield from (folder, *folder.parents)
