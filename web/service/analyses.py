"""Whole games judged, by tables and search: what ``analyze --engine --json`` tells, as a job.

A game of ten thousand moves takes half a minute, so it is begun, told about and asked for later.
Nothing is written: what search found of the last games is kept in memory, so that a game that was
canceled goes on from there.
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
from typing import Any, NamedTuple

from ai.chances.chance_search import ChanceSearch
from ai.errors import PlayError
from coach.analysis.analyze import Analysis
from coach.analysis.data import AnalyzedFile, to_json
from coach.recordings.game_files import read_game
from coach.recordings.recording import recording_of
from coach.whole_game.analysis import WholeGameAnalysis, check_whole
from coach.whole_game.game_search import NODES_PER_MS, Stage
from coach.whole_game.kept_chances import Key
from coach.whole_game.report import moves_to_json, of_analyzed
from engine.errors import AppError
from engine.formats.replay import Rates, Replay
from engine.language import tr
from web.service.jobs import Event, Job, Jobs
from web.service.refusals import RequestError, bug, sentence_of, too_busy
from web.service.tables import ServedTables
from web.service.workers import Worker

MOST_WAITING = 8
MOST_KEPT = 8
"""Analyses of which one can still ask what was found: one of a long game takes megabytes."""
MOST_S = 1800.0
"""A game that takes longer is told as far as it was judged."""
_MOST_GAMES = 8
_TELL_EVERY_S = 0.2
_NAME = "game"
_logger = logging.getLogger(__name__)


class Asked(NamedTuple):
    """What is wanted of a game.

    Attributes
    ----------
    tables : list of str or None
        Names of tables; None for all.
    least_moves : int
    is_strict : bool
        See `coach.analysis.analyze.Analysis`.
    ms : float
        Of search for a move.
    with_moves : bool
        Whether every move is told.
    """

    tables: list[str] | None
    least_moves: int
    is_strict: bool
    ms: float
    with_moves: bool


class GameAnalysis(Job):
    """A game that is judged, or waits for that; its `event` says how far it is.

    Attributes
    ----------
    result : dict or None
        What was found; of a canceled one as far as it went.
    """

    def __init__(self, replay: Replay, recorded_as: str, asked: Asked) -> None:
        super().__init__("waiting")
        self.replay, self.recorded_as, self.asked = replay, recorded_as, asked
        self.result: dict[str, Any] | None = None
        self.cancelled = threading.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def found(self) -> Event:
        """How far it is, and what was found."""
        return {**self.told, "result": self.result} if self.is_over else self.told


class AnalysisDesk:
    """Judges one whole game after the other, on a thread of its own.

    Parameters
    ----------
    tables : ServedTables
        Nobody else asks these.
    spawn4 : float
        How often a new tile was a 4.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self, tables: ServedTables, spawn4: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tables, self._spawn4, self._clock = tables, spawn4, clock
        self._worker = Worker("analysis", MOST_WAITING)
        self._jobs = Jobs[GameAnalysis](tr("there is no such analysis"), MOST_KEPT)
        self._tasks: set[asyncio.Task[None]] = set()
        self._kept = _LastGames()
        self._search: ChanceSearch | None = None

    async def begin(self, data: bytes, asked: Asked) -> Event:
        """Begin to judge a recorded game and return how far that is.

        Raises
        ------
        ReplayError
            It is no recorded game.
        NotWholeError
            Search cannot judge it.
        RequestError
            Too many wait already.
        """
        self._check_room()
        recorded_as, replay = await asyncio.to_thread(read_game, data, _NAME)
        self._check_room()  # others came while that was read
        check_whole(recording_of(replay, _NAME))
        job = GameAnalysis(replay, recorded_as, asked)
        self._jobs.add(job)
        job.task = task = asyncio.create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job.told

    def find(self, name: str) -> GameAnalysis:
        """Return an analysis; raise RequestError when there is none of that name."""
        return self._jobs.find(name)

    async def cancel(self, name: str) -> Event:
        """Ask an analysis to end; what was found by then is its result."""
        job = self.find(name)
        job.cancelled.set()
        if job.state == "waiting":
            await job.change(state="canceled")
            if job.task:
                job.task.cancel()  # another game may wait in its place
        return job.told

    async def close(self) -> None:
        """End what is under way."""
        for job in self._jobs.every():
            job.cancelled.set()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._worker.close()
        self._tables.close()

    def _check_room(self) -> None:
        if sum(not job.is_over for job in self._jobs.every()) >= MOST_WAITING:
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
        asked, until = job.asked, self._clock() + MOST_S
        told_at = -_TELL_EVERY_S

        def is_over() -> bool:
            return job.cancelled.is_set() or self._clock() > until

        def tell(stage: Stage) -> None:
            nonlocal told_at
            if self._clock() - told_at >= _TELL_EVERY_S:
                told_at = self._clock()
                event = {"event": "progress", "rough": stage.is_rough, "share": stage.share}
                change(event={**event, "done": stage.done, "total": stage.total})

        tables = self._tables.chosen(asked.tables)
        analysis = Analysis(job.replay, tables, asked.least_moves, asked.is_strict)
        for _ in analysis.run():
            if is_over():
                break
        report = analysis.report
        whole = WholeGameAnalysis(
            self._chances().look,
            max(1, round(asked.ms * NODES_PER_MS)),
            self._kept,
            lambda: datetime.now(timezone.utc),
        )
        game = whole.run(recording_of(report.replay, _NAME), tables, tell, is_over)
        found = of_analyzed(game)
        if asked.with_moves:
            found["move_list"] = moves_to_json(game.recording)
        file = AnalyzedFile(_NAME, job.recorded_as, report)
        return to_json(replace(file, game=found), with_moves=asked.with_moves)

    def _chances(self) -> ChanceSearch:
        if self._search is None:
            try:
                self._search = ChanceSearch(self._spawn4)
            except PlayError as error:  # of games with so many 4s
                raise RequestError(422, str(error)) from error
        return self._search


class _LastGames:
    """What search found in the last games, for as long as the service runs."""

    def __init__(self) -> None:
        self._games: OrderedDict[Key, dict[int, Rates]] = OrderedDict()

    def known(self, key: Key) -> dict[int, Rates]:
        return dict(self._games.get(key, {}))

    def keep(self, key: Key, found: Mapping[int, Rates], _now: datetime) -> None:
        self._games.setdefault(key, {}).update(found)
        self._games.move_to_end(key)
        while len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)
