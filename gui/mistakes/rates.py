"""Filling in missing rates of mistakes from the local tables, in the background."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from coach.grading.grade import Rates, Tolerance, judge
from coach.grading.rated import read
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from engine.platform.tasks import Tasks
from gui.work.mistake_service import MistakeService
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

MAX_AT_ONCE = 20_000

FoundRates = list[tuple[int, Rates, tuple[int, ...]]]


class MissingRates:
    """Fills in missing rates of imported mistakes, table by table.

    `tasks` is another runner than the database's: filing must not wait.
    """

    def __init__(
        self, store: MistakeService, open_table: Callable[[Path], Table], tasks: Tasks
    ) -> None:
        self._store, self._open_table, self._tasks = store, open_table, tasks
        self._busy: set[TableKey] = set()

    def fill(self, keys: Sequence[TableKey], tables: Sequence[Any]) -> None:
        """Look for mistakes of these tables without rates, and probe the local tables."""
        paths = {TableKey(table.name, table.spawn4): table.path for table in tables}
        for key in keys:
            if key in paths and key not in self._busy:
                self._busy.add(key)
                self._start(key, paths[key])

    def _start(self, key: TableKey, path: Path) -> None:
        def missing(mistakes: Mistakes) -> list[tuple[int, int]]:
            return mistakes.without_rates(key, MAX_AT_ONCE)

        def store(rates_found: FoundRates) -> None:
            if rates_found:
                self._store.change(lambda mistakes: mistakes.fill_rates(rates_found))

        def failed(error: BaseException) -> None:
            self._busy.discard(key)  # the drive may be back the next time
            self._store.failed.emit(error)

        def probe(boards: list[tuple[int, int]]) -> None:
            if boards:
                work = partial(_probe_all, self._open_table, path, boards)
                self._tasks.run(work, store, failed)

        self._store.ask(missing, probe)

    def forget(self) -> None:
        self._busy.clear()


def _probe_all(
    open_table: Callable[[Path], Table], path: Path, boards: list[tuple[int, int]]
) -> FoundRates:
    table = open_table(path)
    rates_found: FoundRates = []
    try:
        tolerance = Tolerance.of_type(table.rate)
        for mistake_id, board in boards:
            try:
                answer = read(table, board)
            except ProbeError:
                continue  # a position from another person's table
            rates, best = answer.rates, answer.best
            if best is None or answer.unknown_rates:
                continue  # not all its moves are in the table: useless for learning
            if judgement := judge(rates, best, tolerance):
                rates_found.append((mistake_id, rates, judgement.best))
    finally:
        table.close()
    return rates_found
