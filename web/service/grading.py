"""Recorded games, judged by all tables that cover parts of them, as ``analyze --json`` does."""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from coach.analysis.analyze import Analysis
from coach.analysis.data import AnalyzedFile, to_json
from coach.recordings.game_files import read_game
from web.service.refusals import sentence_of
from web.service.requests import MAX_GRADE_S, AnalyzeRequest
from web.service.tables import ServedTables
from web.service.workers import Worker

_NAME = "game"


class Grader:
    """Judges one game after another, with its own tables, on its own thread."""

    def __init__(self, tables: ServedTables, clock: Callable[[], float] = time.monotonic) -> None:
        self._tables, self._clock = tables, clock
        self._worker = Worker("grading", max_waiting=8)
        self._is_closing = False

    async def grade(self, data: bytes, request: AnalyzeRequest) -> dict[str, Any]:
        """Return the tables' report on a recorded game; being cancelled ends the work."""
        gone = threading.Event()
        try:
            return await self._worker.run(partial(self._grade, data, request, gone))
        finally:
            gone.set()

    def close(self) -> None:
        self._is_closing = True
        self._worker.close()
        self._tables.close()

    def _grade(self, data: bytes, request: AnalyzeRequest, gone: threading.Event) -> dict[str, Any]:
        recorded_as, replay = read_game(data, _NAME)
        analysis = Analysis(
            replay,
            self._tables.choose(request.tables),
            request.least_moves,
            request.is_strict,
            sentence_of,
        )
        until = self._clock() + MAX_GRADE_S
        for _ in analysis.run():
            if self._is_closing or gone.is_set() or self._clock() > until:
                break
        file = AnalyzedFile(_NAME, recorded_as, analysis.report)
        return to_json(file, with_moves=request.with_moves)
