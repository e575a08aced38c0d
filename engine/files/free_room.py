"""How much room a drive has left, and which drive that is."""

import shutil
from collections.abc import Iterator
from pathlib import Path


def free_bytes(folder: Path) -> int | None:
    """Return the free room where `folder` is, or will be; None when that cannot be told."""
    for place in _places(folder):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return None


def is_same_drive(folder: Path, other: Path) -> bool:
    """Tell whether two folders are, or will be, on one drive; so it is where that can't be told."""
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
    """Yield a folder and those around it: the first that is there has its drive."""
    yield from (folder, *folder.parents)
