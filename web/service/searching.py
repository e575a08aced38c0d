"""The best move of a board, by tables and search: one board after another, step by step."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path

from ai.dispatch.thinker import AnalysisResult, Budget, Thinker
from ai.protocol.events import Event, best_move, info
from web.service.workers import Worker


class Searcher:
    """Searches on its own thread."""

    def __init__(self, folders: Sequence[Path], spawn4: float) -> None:
        self._make = partial(Thinker, folders, spawn4)
        self._worker = Worker("search", max_waiting=16)
        self._thinker: Thinker | None = None
        self._under_way: threading.Event | None = None  # set if nobody wants it any more

    async def get_ready(self) -> None:
        await self._worker.run(self._ready)

    async def best(self, cells: Sequence[int], budget: Budget) -> AnalysisResult:
        """Return the final finding; being cancelled ends the search."""
        dropped = threading.Event()
        try:
            return await self._worker.run(partial(self._think, cells, budget, dropped, None))
        finally:
            self._drop(dropped)

    async def events(self, cells: Sequence[int], budget: Budget) -> AsyncIterator[Event]:
        """Yield intermediate findings, and the move; leaving ends the search."""
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        dropped = threading.Event()

        def report(result: AnalysisResult, thinker: Thinker) -> None:
            direction = result.decision.direction
            variation = (
                () if direction is None else thinker.variation(cells, direction, dropped.is_set)
            )
            loop.call_soon_threadsafe(events.put_nowait, info(result, variation))

        async def search() -> AnalysisResult:
            try:
                return await self._worker.run(partial(self._think, cells, budget, dropped, report))
            finally:
                events.put_nowait(None)

        task = asyncio.create_task(search())
        task.add_done_callback(_look_at)
        try:
            while (event := await events.get()) is not None:
                yield event
            yield best_move(await task)
        finally:
            self._drop(dropped)

    def _drop(self, dropped: threading.Event) -> None:
        """End a search that nobody wants any more."""
        dropped.set()
        if self._under_way is dropped and self._thinker:
            self._thinker.stop()

    def close(self) -> None:
        if self._under_way:
            self._under_way.set()
        if self._thinker:
            self._thinker.stop()
        self._worker.close()
        if self._thinker:
            self._thinker.close()

    def _think(
        self,
        cells: Sequence[int],
        budget: Budget,
        dropped: threading.Event,
        report: Callable[[AnalysisResult, Thinker], None] | None,
    ) -> AnalysisResult:
        """Search, on the worker's thread."""
        thinker = self._ready()
        self._under_way = dropped
        result: AnalysisResult | None = None
        for result in thinker.think(cells, budget, dropped.is_set):
            if report and not dropped.is_set():
                report(result, thinker)
        self._under_way = None
        assert result is not None  # at least one
        return result

    def _ready(self) -> Thinker:
        if self._thinker is None:
            self._thinker = self._make()
        return self._thinker


def _look_at(task: "asyncio.Task[AnalysisResult]") -> None:
    """Fetch the outcome of a search that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
