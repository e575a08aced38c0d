"""Analysis of one position by tables and search for any length of time, with live results."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ai.dispatch.dispatcher import Decision, Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.search.parallel_search import ready_search
from ai.search.search import Search, answers
from engine.platform.default_callbacks import never_cancelled
from engine.trace import slide_cells

MAX_PLIES = 4
"""Moves of a variation."""
_REPLY_NODES = 1_000  # nodes for each position of a variation, except the first
_TILE_NODES = 1  # to compare new tiles
_REPLY_TABLE_LOG2 = 10


@dataclass(frozen=True)
class Budget:
    """The limit of an analysis, in nodes or milliseconds; with neither, until it is stopped."""

    nodes: int | None = None
    ms: float | None = None


@dataclass(frozen=True)
class AnalysisResult:
    """The results for a position so far."""

    decision: Decision
    ms: float  # time since the start


@dataclass(frozen=True)
class Ply:
    """A move of a line, and the new tile after it."""

    direction: int
    spawned: tuple[int, int] | None = None  # (cell, exponent) or None: None after the last move


class Thinker:
    """Analysis by the best applicable table, or search if there is none; one caller at a time.

    Tables finished later are used, too; those for another share of fours are not.
    """

    def __init__(
        self, folders: Sequence[Path], spawn4: float = 0.1, threads: int | None = None
    ) -> None:
        self._search = ready_search(spawn4, threads=threads)
        self._reply_search = Search(self._search.evaluation, None, _REPLY_TABLE_LOG2)
        self._tables = OpenTables(folders, spawn4)
        self._tables.tables()  # opened now, so that the first query needn't wait
        self._dispatcher = Dispatcher(self._tables, self._search)

    def think(
        self,
        cells: Sequence[int],
        budget: Budget,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Iterator[AnalysisResult]:
        """Yield the findings for 16 exponents, at least one; the last one counts.

        To cancel from another thread, make `is_cancelled` return True, then call `stop`: see
        `ai.search.search.Search.by_nodes`.
        """
        began = time.monotonic()
        until = math.inf if budget.ms is None else began + budget.ms / 1000

        def is_over() -> bool:
            return is_cancelled() or time.monotonic() >= until

        timer = None
        if budget.ms is not None:
            timer = threading.Timer(budget.ms / 1000, self._search.stop)
            timer.daemon = True
            timer.start()
        try:
            decision = self._dispatcher.look(cells)
            if isinstance(decision, Decision):
                yield AnalysisResult(decision, 1000 * (time.monotonic() - began))
                return
            for answer in answers(self._search, cells, budget.nodes, decision.known, is_over):
                yield AnalysisResult(decision.decide(answer), 1000 * (time.monotonic() - began))
        finally:
            if timer is not None:
                timer.cancel()

    def variation(
        self,
        cells: Sequence[int],
        direction: int,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> tuple[Ply, ...]:
        """Return a move and what is likely to follow: the principal variation.

        After each move comes the 2 that leaves the value nearest to the expected one; the next move
        is that of a table or a short search.
        """
        variation: list[Ply] = []
        position = tuple(cells)
        while not is_cancelled():
            after = slide_cells(position, direction, merge_32768=True).cells
            if len(variation) + 1 == MAX_PLIES:
                return (*variation, Ply(direction))
            empty = [cell for cell in range(16) if not after[cell]]
            boards = {cell: (*after[:cell], 1, *after[cell + 1 :]) for cell in empty}
            values = {cell: self._value(boards[cell]) for cell in empty if not is_cancelled()}
            if len(values) < len(empty):
                break
            mean = sum(values.values()) / len(values)
            cell = min(empty, key=lambda at: (abs(values[at] - mean), at))
            position = boards[cell]
            reply = self._dispatcher.choose(
                position, lambda board, _: self._reply_search.by_nodes(board, _REPLY_NODES)
            )
            if reply.direction is None:
                break
            variation.append(Ply(direction, (cell, 1)))
            direction = reply.direction
        return (*variation, Ply(direction))

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._search.stop()

    def close(self) -> None:
        self._tables.close()
        self._search.close()

    def _value(self, cells: Sequence[int]) -> float:
        answer = self._reply_search.by_nodes(cells, _TILE_NODES)
        return max((value for value in answer.values if value is not None), default=0.0)
