"""The existing tables, for the manifest of a backup, which cannot contain them."""

from collections.abc import Iterable
from pathlib import Path

from coach.backup.manifest import KeptTable
from engine.platform.surrogates import escaped


def tables_there(folders: Iterable[Path]) -> list[KeptTable]:
    """Return the tables in some folders as listed in a backup's manifest."""
    from tablebase.library.catalog import scan

    return [
        KeptTable(escaped(info.name), escaped(str(info.path)), info.state, max(0, info.bytes))
        for info in scan(folder for folder in folders if folder.is_dir())
    ]
