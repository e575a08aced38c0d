"""Opening the table in a folder: ours, or another program's as it is."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.user_folders import UserFolders
from tablebase.errors import FormationError, TableFormatError
from tablebase.library.named_tables import known_formations, named_folders
from tablebase.probe.reader import Tablebase
from tablebase.store.layer_locations import as_folders
from tablebase.store.manifest import MANIFEST_NAME

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation


def open_table(
    where: Path | str | Sequence[Path | str],
    formations: "Callable[[], Mapping[str, Formation]] | None" = None,
) -> Tablebase:
    """Open the table in a folder, or in several, its own first.

    If a folder holds several tables of another program, append /PATTERN_TARGET to it. `formations`
    returns those that such tables may have, by default those that come with the program.

    Raises
    ------
    MissingTableError
        There is no table, it is not finished, or one of several has to be chosen.
    TableFormatError, DamagedTableError
    """
    folder, *more = as_folders(where)
    if is_foreign(folder):
        from tablebase.foreign.table import ReferenceTable

        try:
            by_name = formations() if formations else None
        except FormationError as error:
            raise TableFormatError(str(error)) from error
        return ReferenceTable.open(folder, formations=by_name)
    return Tablebase.open([folder, *more])


def open_named(folders: UserFolders, text: str) -> Tablebase:
    """Open a table as the user names it: by its folder, or one of the user's tables by name."""
    return open_table(named_folders(folders, text), partial(known_formations, folders))


def is_foreign(folder: Path) -> bool:
    """Return whether `folder` names a table of another program that this one can read."""
    from tablebase.foreign.find import find_table

    return not (folder / MANIFEST_NAME).exists() and find_table(folder) is not None
