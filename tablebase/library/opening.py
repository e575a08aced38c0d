"""Opening the table in a folder: ours, or another program's as it is."""

from collections.abc import Sequence
from pathlib import Path

from tablebase.probe.reader import Tablebase
from tablebase.store.layer_locations import as_folders
from tablebase.store.manifest import MANIFEST_NAME


def open_table(where: Path | str | Sequence[Path | str]) -> Tablebase:
    """Open the table in a folder, or in several, its own first.

    If a folder holds several tables of another program, append /PATTERN_TARGET to it.

    Raises
    ------
    MissingTableError
        There is no table, it is not finished, or one of several has to be chosen.
    TableFormatError, DamagedTableError
        It cannot be read, or is not as it was written.
    """
    folder, *more = as_folders(where)
    if is_foreign(folder):
        from tablebase.foreign.table import ReferenceTable

        return ReferenceTable.open(folder)
    return Tablebase.open([folder, *more])


def is_foreign(folder: Path) -> bool:
    """Return whether `folder` names a table of another program that this one can read."""
    from tablebase.foreign.find import find_table

    return not (folder / MANIFEST_NAME).exists() and find_table(folder) is not None
