"""Folders dropped onto the page: what tables are in them, and whether to look there from now on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.language import tr, trn
from gui.text.lists import and_list
from gui.text.numbers import format_table

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_MAX_DROPPED = 50
_MAX_NAMED = 4
_TABLE_FILES = ("manifest.json", "home.json", "elsewhere.json")


@dataclass(frozen=True)
class Dropped:
    """The result for one dropped item."""

    folder: Path | None  # to be looked in from now on; None where that makes no sense
    text: str  # one sentence for the user
    tone: str  # that of a banner: good, info or warning


def look_at_dropped(
    paths: Sequence[Path], scan: "Callable[[Path], Sequence[TableInfo]]", known: Sequence[Path]
) -> list[Dropped]:
    """Return the result for each dropped path; reads folders, so not for the GUI thread.

    `scan` returns the tables in a folder, and the one that it is itself.
    """
    seen = {_real(path) for path in known}
    return [_looked_at(path, scan, seen) for path in paths[:_MAX_DROPPED]]


def _looked_at(
    path: Path, scan: "Callable[[Path], Sequence[TableInfo]]", seen: set[Path]
) -> Dropped:
    folder = path
    if not path.is_dir():
        if path.name not in _TABLE_FILES and path.suffix != ".tbl":
            text = tr("{name} is not a table. A table is a folder: drop that.", name=path.name)
            return Dropped(None, text, "warning")
        folder = path.parent
    tables = scan(folder)
    if not tables:
        return Dropped(None, tr("There are no tables in {folder}.", folder=folder), "warning")
    new = [table for table in tables if _real(table.path) not in seen]
    if not new:
        text = tr("The tables in {folder} are in the list already.", folder=folder)
        return Dropped(None, text, "info")
    seen |= {_real(table.path) for table in new}
    names = [format_table(table.pattern, table.target) for table in new[:_MAX_NAMED]]
    if len(new) > _MAX_NAMED:
        names.append(tr("{n} more", n=len(new) - _MAX_NAMED))
    text = trn(
        "Found {n} table in {folder}: {names}.",
        "Found {n} tables in {folder}: {names}.",
        len(new),
        folder=folder,
        names=and_list(names),
    )
    return Dropped(folder, text, "good")


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
