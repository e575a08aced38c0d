"""What the pages ask: tables on disk, formations, estimates. Plain Python, no Qt.

Every method may take long and is called on a worker thread; the packages that need numba are
imported inside, so that the first page is drawn without them.
"""

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import AppError
from gui.formation_files import FormationFiles

if TYPE_CHECKING:
    from tablebase.catalog import TableInfo
    from tablebase.formation import Formation
    from tablebase.reader import Tablebase

TRASH = ".trash"


@dataclass(frozen=True)
class Trashed:
    """A deleted table that can still come back: where it was, and where it waits."""

    table: Path
    kept: Path


@dataclass(frozen=True)
class Cost:
    """What a table takes to build, and what this machine has."""

    boards: int
    n_bytes: int
    memory_bytes: int
    seconds: float
    free_bytes: int | None  # None: the folder does not say
    free_memory_bytes: int | None

    @property
    def fits_disk(self) -> bool:
        """Whether there is room for it, with a tenth to spare."""
        return self.free_bytes is None or self.n_bytes * 1.1 <= self.free_bytes

    @property
    def fits_memory(self) -> bool:
        """Whether it fits into the memory that is free."""
        return self.free_memory_bytes is None or self.memory_bytes <= self.free_memory_bytes


class TablesService:
    """The tables of this person.

    Parameters
    ----------
    home : Path
        Where tables are built unless another folder is chosen.
    more_folders : callable
        Returns the other folders that may hold tables.
    own_formations : Path, optional
        This person's own patterns_config.json, which need not exist.
    """

    def __init__(
        self,
        home: Path,
        more_folders: Callable[[], Sequence[Path]] = lambda: (),
        own_formations: Path | None = None,
    ) -> None:
        self.home = home
        self._more_folders = more_folders
        self._formation_files = FormationFiles(own_formations)

    def folders(self) -> list[Path]:
        """Return all folders that are looked at, each once."""
        return list(dict.fromkeys([self.home, *self._more_folders()]))

    def scan(self) -> "list[TableInfo]":
        """Return the tables found, those ready to use first."""
        from tablebase.catalog import scan

        order = {"complete": 0, "partial": 1, "damaged": 2}
        tables = scan([folder for folder in self.folders() if folder.is_dir()])
        tables = [table for table in tables if TRASH not in table.path.parts]
        return sorted(tables, key=lambda t: (order.get(t.state, 3), t.pattern, t.target))

    def open(self, path: Path) -> "Tablebase":
        """Return the table at `path`, ready for look-ups."""
        from tablebase.reader import Tablebase

        return Tablebase.open(path)

    def formations(self) -> "Mapping[str, Formation]":
        """Return all formations by name; the same object as long as their files do not change."""
        return self._formation_files.read()

    @property
    def formations_problem(self) -> str:
        """Return what is wrong with the person's own formations; "" when all is well."""
        return self._formation_files.problem

    def cost(self, pattern: str, target: int, rate: str, folder: Path, threads: int) -> Cost:
        """Return what building `pattern` for `target` will take."""
        import psutil

        from tablebase.estimate import estimate
        from tablebase.formation import find_formation
        from tablebase.options import TableOptions

        formation = find_formation(pattern, self.formations())
        need = estimate(formation, target, TableOptions(rate=rate))
        return Cost(
            boards=int(need.boards),
            n_bytes=int(need.bytes),
            memory_bytes=int(need.memory_bytes),
            seconds=need.wall_s(threads),
            free_bytes=free_bytes(folder),
            free_memory_bytes=int(psutil.virtual_memory().available),
        )

    def trash(self, table: Path) -> Trashed:
        """Move a table out of the way, so that it can come back; takes no time and no room."""
        bin_folder = table.parent / TRASH
        kept = bin_folder / f"{table.name}.{time.time_ns()}"
        try:
            bin_folder.mkdir(exist_ok=True)
            os.rename(table, kept)
        except OSError as error:
            raise AppError(_why(error, f"{table.name} could not be deleted")) from error
        return Trashed(table, kept)

    def restore(self, trashed: Trashed) -> None:
        """Bring a deleted table back."""
        try:
            if trashed.table.exists():
                raise AppError(f"there is a new {trashed.table.name} in the old one's place")
            os.rename(trashed.kept, trashed.table)
            _remove_if_empty(trashed.kept.parent)
        except OSError as error:
            raise AppError(_why(error, f"{trashed.table.name} could not be restored")) from error

    def discard(self, trashed: Trashed) -> None:
        """Give back the room of a deleted table, for good."""
        shutil.rmtree(trashed.kept, ignore_errors=True)
        _remove_if_empty(trashed.kept.parent)

    def empty_trash(self) -> None:
        """Remove what earlier sessions deleted; only what we put there ourselves."""
        for folder in self.folders():
            bin_folder = folder / TRASH
            if bin_folder.is_dir():
                for kept in bin_folder.iterdir():
                    if kept.is_dir() and kept.suffix[1:].isdigit():
                        shutil.rmtree(kept, ignore_errors=True)
                _remove_if_empty(bin_folder)


def free_bytes(folder: Path) -> int | None:
    """Return the free room where `folder` is, or will be; None when that cannot be told."""
    for place in (folder, *folder.parents):
        try:
            return shutil.disk_usage(place).free
        except OSError:
            continue
    return None


def check_folder(folder: Path) -> str:
    """Return why tables cannot be built in `folder`; "" when they can."""
    if not folder.is_absolute():
        return f"{folder} is not a full path: start it at the root of a drive"
    for place in (folder, *folder.parents):
        if place.is_dir():
            writable = os.access(place, os.W_OK)
            return "" if writable else f"{place} cannot be written: choose another folder"
        if place.exists():
            return f"{place} is a file: choose a folder"
    return f"{folder} does not exist: choose another folder"


def _why(error: OSError, what: str) -> str:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY):
        return f"{what}: another program uses it, or it is protected; close it and try again"
    return f"{what}: {error.strerror or error}"


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not empty, or gone already: both are fine
        folder.rmdir()
