"""Services for the pages: tables on disk, formations, estimates. Plain Python, no Qt.

Every method may take long and is called on a worker thread; the packages that need numba are
imported inside, so that the first page is drawn without them.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.errors import AppError
from engine.platform.files.free_room import free_bytes, is_same_drive
from engine.platform.language import tr
from gui.table_work.trash import TRASH, Trash
from tablebase.formation.goal import goal_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gui.table_work.requests import BuildRequest
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal
    from tablebase.formation.own_file import FileChange, OwnFile
    from tablebase.library.table_info import TableInfo
    from tablebase.plan.purpose import NextTable
    from tablebase.probe.reader import Tablebase
    from tablebase.store.replace_table import Conversion


class FormationFiles:
    """Two files of formations; the user's own one need not exist."""

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self.own: Mapping[str, Formation] = {}  # formations from the user's file
        self._stamps: object = None
        self._formations: Mapping[str, Formation] = {}
        self.problem = ""  # why the user's file is currently ignored; "" if it isn't

    @property
    def own_file(self) -> "OwnFile":
        from tablebase.formation.own_file import OwnFile

        if self._own is None:
            raise AppError(tr("there is no folder for formations of your own"))
        return OwnFile(self._own)

    def read(self) -> "Mapping[str, Formation]":
        """Return all formations; the same object as long as no file changes."""
        from tablebase.formation.patterns_file import CONFIG_PATH, load_formations

        stamps = (_stamp(CONFIG_PATH), _stamp(self._own))
        if stamps != self._stamps:
            try:
                self._formations, self.problem = load_formations(own=self._own), ""
                self.own = self.own_file.read() if self._own else {}
            except AppError as error:  # the user may be editing it: the others still work
                self._formations, self.problem = load_formations(), str(error)
                self.own = {}
            self._stamps = stamps
        return self._formations


def _stamp(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status else None


@dataclass(frozen=True)
class Cost:
    """The cost of building a table, and the resources of this machine."""

    boards: int
    n_bytes: int
    memory_bytes: int
    seconds: float
    free_bytes: int | None  # None: unknown for the folder
    free_memory_bytes: int | None
    threads: int = 1
    is_most: bool = False  # the table may be smaller than that
    is_hopeless: bool = False  # no board has a chance
    scratch_bytes: int = 0  # of working files, until it is built
    free_scratch_bytes: int | None = None  # drive of the working files, if it is another one

    @property
    def fits_disk(self) -> bool:
        """Whether there is space for it and its working files, with a tenth to spare."""
        needed = 1.1 * self.n_bytes
        if self.free_scratch_bytes is None:
            needed += 1.1 * self.scratch_bytes
        elif not self.fits_scratch:
            return False
        return self.free_bytes is None or needed <= self.free_bytes

    @property
    def fits_scratch(self) -> bool:
        """Whether working files fit on a drive of their own, with a tenth to spare."""
        free = self.free_scratch_bytes
        return free is None or 1.1 * self.scratch_bytes <= free

    @property
    def fits_memory(self) -> bool:
        return self.free_memory_bytes is None or self.memory_bytes <= self.free_memory_bytes


class TablesService:
    """The user's tables: built in `home` by default, found in `more_folders`, too.

    Estimates that take seconds are kept in a file: see `tablebase.plan.known_costs`.
    """

    def __init__(
        self,
        home: Path,  # where tables are built by default
        more_folders: Callable[[], Sequence[Path]] = lambda: (),
        own_formations: Path | None = None,
        estimates: Path | None = None,
    ) -> None:
        self.home, self._estimates = home, estimates
        self._more_folders = more_folders
        self.formation_files = FormationFiles(own_formations)
        self.trash = Trash()
        self._parts: dict[Path, tuple[Path, ...]] = {}

    def folders(self) -> list[Path]:
        return list(dict.fromkeys([self.home, *self._more_folders()]))

    def scan(self) -> "list[TableInfo]":
        order = {"complete": 0, "away": 1, "partial": 2, "damaged": 3}
        there = [folder for folder in self.folders() if folder.is_dir()]
        return sorted(
            self._scanned(there),
            key=lambda t: (order.get(t.state, 4), t.pattern, goal_of(t.target).order),
        )

    def scan_folder(self, folder: Path) -> "list[TableInfo]":
        """Return the tables in a folder, and the table that it is itself, ours or foreign."""
        return self._scanned([folder])

    def _scanned(self, folders: Sequence[Path]) -> "list[TableInfo]":
        from tablebase.library.catalog import scan

        tables = scan(folders, self.formations)
        return [table for table in tables if TRASH not in table.path.parts]

    def join(self, table: Path, parts: Sequence[Path]) -> None:
        """Tell a table where more of its layers are, besides the folders it knows."""
        self._parts[table] = tuple(parts)

    def open(self, path: Path) -> "Tablebase":
        from tablebase.library.opening import open_table

        return open_table([path, *self._parts.get(path, ())], self.formations)

    def formations(self) -> "Mapping[str, Formation]":
        """Return all formations by name; the same object as long as their files do not change."""
        return self.formation_files.read()

    def position_symmetry(self, table: str) -> str:
        from coach.grading.position import position_symmetry

        formation = self.formations().get(table.rpartition("_")[0])
        return position_symmetry(formation) if formation else "full"

    def save_formation(
        self, formation: "Formation", replaces: str = "", place: int | None = None
    ) -> "FileChange":
        """Write an own formation, in place of the one named `replaces`.

        Raise AppError if another one has its name, or the file can't be read or written.
        """
        from tablebase.formation.patterns_file import load_formations

        return self.formation_files.own_file.put(formation, load_formations(), replaces, place)

    def add_formations(self, formations: "Sequence[Formation]") -> "FileChange":
        """Write several own formations of the user, all or none; raise as `save_formation`."""
        from tablebase.formation.patterns_file import load_formations

        return self.formation_files.own_file.add(formations, load_formations())

    def delete_formation(self, *names: str) -> "FileChange":
        return self.formation_files.own_file.remove(*names)

    def next_table(
        self, formations: "Mapping[str, Formation]", built: "Mapping[tuple[str, Goal | int], int]"
    ) -> "NextTable | None":
        """Return the table to build next, which has room on the drive."""
        from tablebase.plan.purpose import next_table

        room = free_bytes(self.home)
        return next_table(formations, built, float("inf") if room is None else room)

    def cost(self, request: "BuildRequest", threads: int) -> Cost:
        from tablebase.formation.patterns_file import find_formation

        formation = find_formation(request.pattern, self.formations())
        if request.then:
            from tablebase.probe.continuation import chained_to

            next_table = request.folder / request.then
            goal = goal_of(request.target)
            formation = chained_to(formation, goal, next_table, request.spawn4)
        return self.cost_to_build(formation, request, threads)

    def cost_to_build(
        self,
        formation: "Formation",
        request: "BuildRequest",
        threads: int,
        watch: Callable[[float], None] | None = None,
    ) -> Cost:
        """Return the cost of building a table of a formation, which need not be in any file.

        `watch` is called with the progress, from 0 to 1; an exception from it ends the work. With
        it, a table too large for this machine's memory is not examined: its boards stay unknown.
        """
        import psutil

        from tablebase.formation.extra_steps import with_extra_steps
        from tablebase.memory.limits import default_limit
        from tablebase.plan.estimate import estimate, memory_for
        from tablebase.plan.known_costs import StoredCounts

        steps = request.extra_steps or None
        formation = with_extra_steps(formation, request.target, steps)
        there = psutil.virtual_memory()
        if watch and (memory := memory_for(formation, request.target)) > there.total:
            free = free_bytes(request.folder)
            return Cost(0, 0, memory, 0.0, free, int(there.available), threads)
        store = StoredCounts(self._estimates) if self._estimates else None
        options, is_chained = request.contents, bool(request.then)
        need = estimate(
            formation, request.target, options, watch=watch, store=store, is_chained=is_chained
        )
        return Cost(
            boards=int(need.boards),
            n_bytes=int(need.bytes),
            memory_bytes=int(need.memory_bytes),
            seconds=need.wall_s(threads),
            free_bytes=free_bytes(request.folder),
            free_memory_bytes=int(there.available),
            threads=threads,
            is_most=need.is_most,
            is_hopeless=need.stored == 0,
            scratch_bytes=int(need.scratch_within(request.memory_bytes or default_limit())),
            free_scratch_bytes=_free_scratch_bytes(request),
        )

    def begun_conversion(self, table: Path) -> "Conversion | None":
        from tablebase.store.replace_table import load_conversion, new_folder

        return load_conversion(new_folder(table))

    def empty_trash(self) -> None:
        """Permanently delete what earlier sessions trashed; only what we put there ourselves."""
        self.trash.empty(self.folders())


def _free_scratch_bytes(request: "BuildRequest") -> int | None:
    """Return the free space for working files; None if they are on the table's drive."""
    if not request.scratch or is_same_drive(Path(request.scratch), request.folder):
        return None
    return free_bytes(Path(request.scratch))


def check_folder(folder: Path) -> str:
    if not folder.is_absolute():
        return tr("{folder} is not a full path: start it at the root of a drive", folder=folder)
    for place in (folder, *folder.parents):
        if place.is_dir():
            if os.access(place, os.W_OK):
                return ""
            return tr("{folder} cannot be written: choose another folder", folder=place)
        if place.exists():
            return tr("{path} is a file: choose a folder", path=place)
    return tr("{folder} does not exist: choose another folder", folder=folder)
