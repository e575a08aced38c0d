"""The available tables: folders are checked for changes once a second, by their timestamps."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ai.dispatch.cached_table import CachedTable
from engine.spawn import is_same_spawn4
from tablebase.errors import TableError
from tablebase.library.catalog import Stamp, scan, stamp_of
from tablebase.library.opening import open_table
from tablebase.library.table_info import TableInfo
from tablebase.store.block_cache import BlockCache

LOOK_AGAIN_S = 1.0
_CACHE_BYTES = 512 << 20
"""Cache size for unpacked blocks of all tables: a game of the fifth block uses about 300 MB."""


class OpenTables:
    """The finished tables of some folders, opened; those for another `spawn4`, and
    chained ones, are ignored."""

    def __init__(
        self,
        folders: Iterable[Path],
        spawn4: float = 0.1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folders = list(folders)
        self._spawn4, self._clock, self._cache = spawn4, clock, BlockCache(_CACHE_BYTES)
        self._looked_at: float | None = None
        self._stamp: Stamp | None = None
        self._opened: dict[tuple[Path, Stamp], CachedTable | str] = {}
        self._tables: list[CachedTable] = []
        self.warnings: list[str] = []  # reasons why tables that were found cannot be used

    def tables(self) -> Sequence[CachedTable]:
        """Return the tables, including newly finished ones."""
        now = self._clock()
        if self._looked_at is None or now - self._looked_at >= LOOK_AGAIN_S:
            self._looked_at = now
            stamp = stamp_of(self._folders)
            if stamp != self._stamp:
                self._stamp = stamp
                self._look()
        return self._tables

    def drop(self, table: CachedTable, error: TableError) -> None:
        table.close()
        for key, opened in self._opened.items():
            if opened is table:
                self._opened[key] = str(error)
        self._sort()

    def close(self) -> None:
        for table in self._tables:
            table.close()

    def _look(self) -> None:
        before, self._opened = self._opened, {}
        for info in scan(self._folders):
            if info.state in ("complete", "away") and not info.then:
                key = info.path, stamp_of([info.path])
                opened = before.pop(key, None) or self._open(info)
                if opened is not None:
                    self._opened[key] = opened
        for gone in before.values():
            if isinstance(gone, CachedTable):
                gone.close()
        self._sort()

    def _sort(self) -> None:
        results = list(self._opened.values())
        self._tables = [table for table in results if isinstance(table, CachedTable)]
        self.warnings = [problem for problem in results if isinstance(problem, str)]

    def _open(self, info: TableInfo) -> CachedTable | str | None:
        """Return a table, or the reason it is unusable; None for another game or a sum target."""
        try:
            table = open_table(info.path)
        except TableError as error:
            return str(error)
        is_other_game = not is_same_spawn4(table.spawn4, self._spawn4)
        if is_other_game or table.formation.walls or not table.target.tile:
            table.close()
            return None
        table.keep_layers(self._cache)
        return CachedTable(table)
