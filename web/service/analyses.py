"""Whole games judged by tables and search: the report of ``analyze --engine --json``, as a job.

A game of ten thousand moves takes half a minute, so clients start a job, follow its progress and
ask for the result later. Nothing is written to disk: search results of the last games are kept in
memory, so a canceled game resumes from there.
"""

import asyncio
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from typing import Any

from ai.chances.chance_search import ChanceSearch
from ai.errors import PlayError
from ai.thinking_time import nodes_of
from coach.analysis.analyze import Analysis
from coach.analysis.data import AnalyzedFile, to_json
from coach.recordings.game_files import read_game
from coach.recordings.recording import recording_of
from coach.whole_game.analysis import WholeGameAnalysis, check_whole
from coach.whole_game.game_search import Stage
from coach.whole_game.report import moves_to_json, of_analyzed
from coach.whole_game.stored_chances import Key
from engine.formats.replay import Rates, Replay
from engine.platform.errors import AppError
from engine.platform.language import tr
from web.service.jobs import Event, Job, Jobs
from web.service.refusals import RequestError, bug, sentence_of, too_busy
from web.service.requests import MAX_ANALYSIS_S, AnalyzeRequest
from web.service.tables import ServedTables
from web.service.workers import Worker

MAX_WAITING = 8
MAX_KEPT = 8
"""Number of analyses whose results are kept: one of a long game takes megabytes."""
_REPORT_EVERY_S = 0.2
_NAME = "game"
_logger = logging.getLogger(__name__)


class GameAnalysis(Job):
    """A game being judged, or waiting for that; its `event` is its progress.

    The `result` of a canceled game is as far as it got.
    """

    def __init__(self, replay: Replay, recorded_as: str, request: AnalyzeRequest) -> None:
        super().__init__("waiting")
        self.replay, self.recorded_as, self.request = replay, recorded_as, request
        self.result: dict[str, Any] | None = None
        self.cancelled = threading.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def outcome(self) -> Event:
        return {**self.progress, "result": self.result} if self.is_over else self.progress


class AnalysisJobs:
    """Judges one whole game after another, on its own thread, with tables of its own."""

    def __init__(
        self, tables: ServedTables, spawn4: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tables, self._spawn4, self._clock = tables, spawn4, clock
        self._worker = Worker("analysis", MAX_WAITING)
        self.jobs = Jobs[GameAnalysis](tr("there is no such analysis"), MAX_KEPT)
        self._kept = _LastGames()
        self._search: ChanceSearch | None = None

    async def begin(self, data: bytes, request: AnalyzeRequest) -> Event:
        """Start to judge a recorded game; ReplayError or NotWholeError if that can't be done."""
        self._check_room()
        recorded_as, replay = await asyncio.to_thread(read_game, data, _NAME)
        self._check_room()  # others came while the game was read
        check_whole(recording_of(replay, _NAME))
        job = GameAnalysis(replay, recorded_as, request)
        job.task = self.jobs.begin(job, self._run(job))
        return job.progress

    async def cancel(self, name: str) -> Event:
        """Ask an analysis to end; its result is what it has found by then."""
        job = self.jobs.find(name)
        job.cancelled.set()
        if job.state == "waiting":
            await job.change(state="canceled")
            if job.task:
                job.task.cancel()  # another game may wait in its place
        return job.progress

    async def close(self) -> None:
        for job in self.jobs.every():
            job.cancelled.set()
        await self.jobs.wait()
        self._worker.close()
        self._tables.close()

    def _check_room(self) -> None:
        if sum(not job.is_over for job in self.jobs.every()) >= MAX_WAITING:
            raise too_busy(tr("too many games wait to be judged: try again later"))

    async def _run(self, job: GameAnalysis) -> None:
        loop = asyncio.get_running_loop()

        def change(**values: Any) -> None:
            asyncio.run_coroutine_threadsafe(job.change(**values), loop)

        try:
            result = await self._worker.run(partial(self._analyze, job, change))
        except AppError as error:
            await job.change(state="failed", error=sentence_of(error))
        except Exception:
            _logger.exception("a bug in an analysis")
            await job.change(state="failed", error=str(bug()))
        else:
            state = "canceled" if job.cancelled.is_set() else "done"
            await job.change(state=state, result=result)

    def _analyze(self, job: GameAnalysis, change: Callable[..., None]) -> dict[str, Any] | None:
        """Judge a game, on the worker's thread."""
        if job.cancelled.is_set():
            return None
        change(state="running")
        request, until = job.request, self._clock() + MAX_ANALYSIS_S
        reported_at = -_REPORT_EVERY_S

        def is_over() -> bool:
            return job.cancelled.is_set() or self._clock() > until

        def report_progress(stage: Stage) -> None:
            nonlocal reported_at
            if self._clock() - reported_at >= _REPORT_EVERY_S:
                reported_at = self._clock()
                event = {"event": "progress", "rough": stage.is_rough, "share": stage.share}
                change(event={**event, "done": stage.done, "total": stage.total})

        tables = self._tables.choose(request.tables)
        analysis = Analysis(job.replay, tables, request.least_moves, request.is_strict, sentence_of)
        for _ in analysis.run():
            if is_over():
                break
        report = analysis.report
        whole = WholeGameAnalysis(
            self._chances().look,
            nodes_of(request.ms),
            self._kept,
            lambda: datetime.now(timezone.utc),
        )
        game = whole.run(recording_of(report.replay, _NAME), tables, report_progress, is_over)
        analyzed = of_analyzed(game)
        if request.with_moves:
            analyzed["move_list"] = moves_to_json(game.recording)
        file = AnalyzedFile(_NAME, job.recorded_as, report)
        return to_json(replace(file, game=analyzed), with_moves=request.with_moves)

    def _chances(self) -> ChanceSearch:
        if self._search is None:
            try:
                self._search = ChanceSearch(self._spawn4)
            except PlayError as error:  # for games with so many 4s
                raise RequestError(422, str(error)) from error
        return self._search


class _LastGames:
    """Search results of the last games, kept as long as the service runs."""

    def __init__(self) -> None:
        self._games: OrderedDict[Key, dict[int, Rates]] = OrderedDict()

    def known(self, key: Key) -> dict[int, Rates]:
        return dict(self._games.get(key, {}))

    def keep(self, key: Key, rates: Mapping[int, Rates], _now: datetime) -> None:
        self._games.setdefault(key, {}).update(rates)
        self._games.move_to_end(key)
        while len(self._games) > 8:
            self._games.popitem(last=False)
