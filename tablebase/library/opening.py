"""Opening whatever table a folder holds: ours, or another program's as it is."""

from collections.abc import Sequence
from pathlib import Path

from tablebase.probe.reader import Tablebase
from tablebase.store.layer_locations import as_folders
from tablebase.store.manifest import MANIFEST_NAME


def open_table(where: Path | str | Sequence[Path | str]) -> Tablebase:
    """Open the table in a folder, or in several, its own one first.

    A folder that holds several tables of another program is named with /PATTERN_TARGET.

    Raises
    ------
    MissingTableError
        There is none, it is not finished, or one of several has to be named.
    TableFormatError, DamagedTableError
        It cannot be read, or it is not what was written.
    """
    folder, *more = as_folders(where)
    if is_foreign(folder):
        from tablebase.foreign.table import ReferenceTable

        return ReferenceTable.open(folder)
    return Tablebase.open([folder, *more])


def is_foreign(folder: Path) -> bool:
    """Tell whether `folder` names a table of another program that this one can read."""
    from tablebase.foreign.find import find_table

    return not (folder / MANIFEST_NAME).exists() and find_table(folder) is not None
