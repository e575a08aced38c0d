"""The runs along routes on disk: kept, listed and removed off the window's thread. No Qt."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from coach.database import DamagedDatabaseError, set_aside
from coach.routes.code import Route
from coach.routes.results import KeptRun, RouteResults
from engine.language import tr
from gui.core.lookup import Tasks
from gui.text.messages import message_of

T = TypeVar("T")
_log = logging.getLogger(__name__)


class RouteStore:
    """Keeps runs in ``routes.db``.

    Parameters
    ----------
    folder : Path or None
        DATA; None keeps nothing.
    tasks : Tasks
        One worker, so that all is done in the order in which it is asked for.
    failed : callable
        Hears what could not be done, as a sentence.
    now : callable
        Date and time, with a time zone.
    """

    def __init__(
        self,
        folder: Path | None,
        tasks: Tasks,
        failed: Callable[[str], None],
        now: Callable[[], datetime],
    ) -> None:
        self._path = folder / "routes.db" if folder else None
        self._tasks, self._failed, self._now = tasks, failed, now
        self._results: RouteResults | None = None
        self._futures: list[Future[object]] = []

    def keep(self, run: KeptRun, kept: Callable[[], None] = lambda: None) -> None:
        """Keep a run, in place of the one of its number, and call `kept`."""
        self._ask(lambda results: results.keep(run), lambda _: kept())

    def remove(self, number: int, removed: Callable[[KeptRun | None], None]) -> None:
        """Forget a run and call `removed` with it, for `keep` to bring back."""
        self._ask(lambda results: results.remove(number), removed)

    def list(self, listed: Callable[[Sequence[KeptRun]], None]) -> None:
        """Call `listed` with the runs, the newest first."""
        self._ask(lambda results: results.runs(), listed)

    def runs_of(self, route: Route, listed: Callable[[Sequence[KeptRun]], None]) -> None:
        """Call `listed` with all runs along a route, the best first."""
        self._ask(lambda results: results.runs_of(route), listed)

    def close(self) -> None:
        """Wait for what is not done yet, and let go of the file."""
        for future in self._futures:
            with suppress(Exception):
                future.result()
        if self._results:
            self._results.close()
            self._results = None

    def _ask(self, work: Callable[[RouteResults], T], done: Callable[[T], None]) -> None:
        if self._path is None:
            return
        self._futures = [one for one in self._futures if not one.done()]
        future = self._tasks.run(lambda: work(self._open()), done, self._report)
        if isinstance(future, Future):
            self._futures.append(future)

    def _open(self) -> RouteResults:
        assert self._path
        if self._results is None:
            try:
                self._results = RouteResults(self._path)
            except DamagedDatabaseError as error:
                kept = set_aside(self._path, self._now())
                _log.warning("%s; kept as %s", error, kept)
                self._results = RouteResults(self._path)
        return self._results

    def _report(self, error: BaseException) -> None:
        _log.error("routes are not kept", exc_info=error)
        self._failed(tr("Your route is not saved. {why}", why=message_of(error)))
