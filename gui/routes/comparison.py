"""Runs of the table and the AI on a route, on another thread. No Qt."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from ai.choice import CHOOSERS, Chooser
from ai.thinking_time import WHOLE_GAME_MS
from coach.play.run import Run
from coach.routes.code import Route
from coach.routes.play import play
from coach.routes.result import TABLE, RouteResult, result_of
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import setup_of
from engine.platform.tasks import Tasks
from gui.play.services import PlayServices
from gui.text.messages import message_of
from gui.work.store_service import StoreService
from tablebase.probe.table import Table

AI = "search"
"""Without tables: with one it would play like the table."""
_TABLE_ROUTE_MS = 20.0  # for a move, of a route on a table
_log = logging.getLogger(__name__)


class Comparison:
    """Has the table and the AI play a route, each with the table opened for itself."""

    def __init__(
        self, services: PlayServices, runs: StoreService[RouteResults], tasks: Tasks
    ) -> None:
        self._open_table, self._now = services.open_table, services.now
        self._table_folders = services.table_folders
        self._runs, self._tasks = runs, tasks
        self._chooser: tuple[float, Chooser] | None = None  # and the probability of fours it uses
        self._current: object | None = None

    @property
    def is_playing(self) -> bool:
        return self._current is not None

    def start(
        self,
        make: Callable[[Table | None], Route],
        path: Path | None,
        players: Sequence[str],
        played: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        """Keep the results of the players, in place of older ones, then call `played`.

        `make` returns the route on the table.
        """
        request = self._current = object()

        def is_cancelled() -> bool:
            return self._current is not request

        def work() -> list[RouteResult]:
            results = (
                self._played(who, make, path, is_cancelled) for who in players if not is_cancelled()
            )
            return [result for result in results if result]

        def finished(results: Sequence[RouteResult]) -> None:
            if not is_cancelled():
                self._current, now = None, self._now()
                self._runs.change(lambda runs: _keep(runs, results, now), lambda _: played())

        def not_finished(error: BaseException) -> None:
            _log.error("%s did not play the route", ", ".join(players), exc_info=error)
            if not is_cancelled():
                self._current = None
                failed(message_of(error))

        self._tasks.run(work, finished, not_finished)

    def stop(self) -> None:
        """Stop the current run; no more callbacks follow."""
        self._current = None

    def _played(
        self,
        who: str,
        make: Callable[[Table | None], Route],
        path: Path | None,
        is_cancelled: Callable[[], bool],
    ) -> RouteResult | None:
        """Play a route synchronously; return None if it was canceled."""
        table: Table | None = self._open_table(path) if path else None
        try:
            route = make(table)
            run = Run(setup_of(route, table), self._now())
            choose = None
            if who != TABLE:
                chooser = self._chooser_for(route.spawn4)
                ms = _TABLE_ROUTE_MS if table else WHOLE_GAME_MS
                choose = lambda cells: chooser.choose(cells, ms, is_cancelled)  # noqa: E731
            return result_of(run, who) if play(run, table, choose, is_cancelled) else None
        finally:
            if path and table is not None:
                table.close()

    def _chooser_for(self, spawn4: float) -> Chooser:
        if self._chooser is None or self._chooser[0] != spawn4:
            self._chooser = spawn4, CHOOSERS[AI].make(self._table_folders(), spawn4)
        return self._chooser[1]


def _keep(runs: RouteResults, results: Sequence[RouteResult], now: datetime) -> None:
    for result in results:
        older = {run.result.who: run.number for run in runs.runs_of(result.route)}
        runs.keep(StoredRun(older.get(result.who, 0), now, result))
