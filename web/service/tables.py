"""The tables that the service answers from, by name; clients never see paths."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.formats.board_text import read_board
from engine.platform.errors import InvalidBoardError
from engine.platform.language import tr
from tablebase.errors import TableError
from tablebase.formation.formation import Formation, half_sum
from tablebase.formation.goal import goal_of
from tablebase.library.catalog import Stamp, scan, stamp_of
from tablebase.library.opening import open_table
from tablebase.library.table_info import TableInfo
from tablebase.probe.answers import Answer, look_up, quick_answers
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache, NotCachedError
from web.service.refusals import RequestError, sentence_of
from web.service.requests import MAX_PROBE_S

LOOK_AGAIN_S = 1.0
CACHE_BYTES = 256 << 20
AT_ONCE = 512  # boards that machine code looks up before others get a turn
SLICE_S = 0.02  # time for proofs, a board after the other, before others get a turn
_INSIDE = ("path", "folders", "message")  # they name folders of this machine
_USABLE = ("complete", "away")


class ServedTables:
    """The finished tables of some folders, opened when needed; one caller at a time.

    `formations` returns all of them, for tables of other programs; see `open_table`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        clock: Callable[[], float] = time.monotonic,  # returns seconds
        formations: Callable[[], Mapping[str, Formation]] | None = None,
    ) -> None:
        self._folders, self._clock, self._formations = list(folders), clock, formations
        self._cache = BlockCache(CACHE_BYTES)
        self._looked_at: float | None = None
        self._stamp: Stamp | None = None
        self._infos: Mapping[str, TableInfo] = {}
        self._open: dict[str, Tablebase] = {}

    def listed(self) -> list[dict[str, Any]]:
        """Return the fields of ``tables --json`` for each table, without its location."""
        return [
            {name: value for name, value in info.to_json().items() if name not in _INSIDE}
            for info in self._infos_by_name().values()
        ]

    def choose(self, names: Sequence[str] | None) -> list[Tablebase]:
        """Return tables by name, or all by target, largest first; RequestError if unusable."""
        infos = self._infos_by_name()
        if names is not None:
            return [self._named(name, infos) for name in names]
        usable = [info for info in infos.values() if info.state in _USABLE]
        usable.sort(key=lambda info: goal_of(info.target).order, reverse=True)
        tables = []
        for info in usable:
            try:
                tables.append(self._opened(info))
            except TableError as error:
                sentence_of(error)  # into the log; the others can answer
        return tables

    def look_up(self, board: str, names: Sequence[str] | None, after: bool) -> Answer:
        """Return the answer about a board, as ``probe --json`` prints it."""
        return look_up(board, self._tables_to_ask(names), after, sentence_of)[0]

    def look_ups(
        self, boards: Sequence[str], names: Sequence[str] | None, after: bool
    ) -> Iterator[dict[int, Answer]]:
        """Yield the answers about many boards by their places in the list, some at a time.

        Boards close together in a table are looked up together. Where a proof is needed, which
        takes milliseconds a board, time decides how many: `SLICE_S`, and `MAX_PROBE_S` for all.
        """
        read: dict[int, int] = {}
        for i, text in enumerate(boards):
            with suppress(InvalidBoardError):
                read[i] = read_board(text).board
        yield {
            i: self.look_up(boards[i], names, after) for i in range(len(boards)) if i not in read
        }
        slow: deque[int] = deque()
        order = sorted(read, key=lambda i: half_sum(read[i]))
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            answers = quick_answers([read[i] for i in some], self._tables_to_ask(names), after)
            yield {some[i]: answer for i, answer in answers.items()}
            slow += (place for i, place in enumerate(some) if i not in answers)
        taken_s = 0.0
        while slow:
            if taken_s > MAX_PROBE_S:
                text = tr("it takes too long: ask for fewer boards")
                yield {i: {"board": boards[i], "error": text} for i in slow}
                return
            part: dict[int, Answer] = {}
            began = self._clock()
            while slow and self._clock() - began < SLICE_S:
                i = slow.popleft()
                part[i] = self.look_up(boards[i], names, after)
            taken_s += self._clock() - began
            yield part

    def look_up_at_once(
        self, board: str, names: Sequence[str] | None, after: bool
    ) -> Answer | None:
        """Return the answer of `look_up` for a board if that takes microseconds, else None.

        It does if the needed parts of tables are unpacked, and nothing is left to prove.
        """
        if self._is_stale():
            return None
        try:
            with self._cache.only_cached():
                return self.look_up(board, names, after)
        except NotCachedError:
            return None

    def close(self) -> None:
        for table in self._open.values():
            table.close()
        self._open.clear()

    def _infos_by_name(self) -> Mapping[str, TableInfo]:
        """Return all tables by name; of several of one name, the first."""
        if self._is_stale():
            self._looked_at = self._clock()
            stamp = stamp_of(self._folders)
            if stamp != self._stamp:
                self._stamp = stamp
                self.close()
                infos: dict[str, TableInfo] = {}
                for info in scan(self._folders, self._formations):
                    infos.setdefault(info.name, info)
                self._infos = infos
        return self._infos

    def _tables_to_ask(self, names: Sequence[str] | None) -> list[Tablebase]:
        tables = self.choose(names)
        if not tables:
            raise RequestError(404, tr("there is no finished table yet: build one first"))
        return tables

    def _is_stale(self) -> bool:
        return self._looked_at is None or self._clock() - self._looked_at >= LOOK_AGAIN_S

    def _named(self, name: str, infos: Mapping[str, TableInfo]) -> Tablebase:
        info = infos.get(name)
        if info is None:
            text = tr(
                "there is no table {name}; expected one of {names}",
                name=repr(name),
                names=", ".join(infos) or tr("none"),
            )
            raise RequestError(404, text)
        if info.state not in _USABLE:
            text = tr("the table {name} is not finished, or damaged", name=name)
            raise RequestError(409, text)
        return self._opened(info)

    def _opened(self, info: TableInfo) -> Tablebase:
        if info.name not in self._open:
            self._cache.look_elsewhere()
            table = open_table(info.path, self._formations)
            table.keep_layers(self._cache)
            self._open[info.name] = table
        return self._open[info.name]
