"""Checking a folder that is to take layers of a table: usable or not, and free space. No Qt."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.platform.files.free_room import free_bytes
from engine.platform.language import tr


@dataclass(frozen=True)
class MoveTarget:
    """The result of checking a folder.

    Attributes
    ----------
    folder : Path
    problem : str
        Why it cannot take layers, as a sentence; "" if it can.
    free_bytes : int or None
        Free space there.
    is_same_drive : bool
        Whether the tables are already on that drive.
    """

    folder: Path
    problem: str = ""
    free_bytes: int | None = None
    is_same_drive: bool = False


def look_at(folder: Path, tables: Sequence[Path]) -> MoveTarget:
    """Return the check of a folder that is to take layers of some tables."""
    problem = _why_not(folder, tables)
    if problem:
        return MoveTarget(folder, problem)
    try:
        device = folder.stat().st_dev
        is_same = all(table.stat().st_dev == device for table in tables)
    except OSError as error:
        return MoveTarget(folder, tr("This folder can't be read: {why}.", why=error.strerror))
    return MoveTarget(folder, "", free_bytes(folder), is_same)


def _why_not(folder: Path, tables: Sequence[Path]) -> str:
    if not folder.is_absolute():
        return tr("This is not a full path. Start it at the root of a drive.")
    if not folder.exists():
        return tr("This folder doesn't exist. Create it first, or choose another one.")
    if not folder.is_dir():
        return tr("This is a file. Choose a folder.")
    if not os.access(folder, os.W_OK):
        return tr("This folder can't be written to. Choose another one.")
    for table in tables:
        if folder == table or table in folder.parents:
            return tr("This folder is inside the table itself. Choose one outside it.")
        if folder == table.parent:
            return tr("The table is in this folder already. Choose one on another drive.")
    return ""
