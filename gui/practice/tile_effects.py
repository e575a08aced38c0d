"""The rate of a move explained by the rates after every new tile. No Qt.

One tile ahead the rate of a spawn is that of the best reply to it; their mean, weighted by how
probable each is, is the rate of the move itself. Two tiles ahead the mean would be the same again,
so the worst case is shown instead: the lowest rate that the second tile can leave after the best
reply.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from coach.grading.rated import Rated
from coach.play.board_edits import put
from coach.play.judge import Lookup, answer_of
from engine.bitboard import cells, from_cells
from engine.spawn import possible_spawns
from engine.trace import slide_cells
from tablebase.probe.table import Table

Ask = Callable[[Sequence[int]], list[Rated]]


@dataclass(frozen=True)
class Spawn:
    """One new tile and the rate after it."""

    cell: int
    exponent: int
    probability: float  # probability of this tile among all
    rate: float | None = None  # rate of the best reply; None if the table doesn't know the position
    reply: int | None = None  # the direction of the best reply
    # Difference between the best and the second best reply, as a probability; None if there is only
    # one.
    margin: float | None = None
    # The lowest rate after the tile following the reply; None if unknown or not looked up yet.
    worst: float | None = None
    is_bound: bool = False  # whether these rates are lower bounds


@dataclass(frozen=True)
class TileEffects:
    """All new tiles after a move."""

    # The position and the move.
    board: int
    direction: int
    after: int  # the position after the move, before the new tile
    # By cell, a 2 before a 4; impossible ones are left out.
    spawns: tuple[Spawn, ...] = field(default=())
    n_known: int = 0  # number of them looked up
    plies: int = 1  # 1, or 2 if `worst` is wanted, too

    @property
    def is_complete(self) -> bool:
        return self.n_known == len(self.spawns)

    @property
    def expected(self) -> float | None:
        if not self.is_complete or any(spawn.rate is None for spawn in self.spawns):
            return None
        return sum(spawn.probability * (spawn.rate or 0.0) for spawn in self.spawns)

    @property
    def are_bounds(self) -> bool:
        return any(spawn.is_bound for spawn in self.spawns)

    def of(self, exponent: int) -> dict[int, Spawn]:
        return {spawn.cell: spawn for spawn in self.spawns if spawn.exponent == exponent}

    def figure(self, spawn: Spawn) -> float | None:
        """Return the rate to show for a tile: after it, or two tiles ahead."""
        return spawn.worst if self.plies == 2 else spawn.rate

    def by_harm(self) -> list[Spawn]:
        """Return the known ones, worst first; ties by probability."""
        known = [spawn for spawn in self.spawns if self.figure(spawn) is not None]
        return sorted(known, key=lambda spawn: (self.figure(spawn), -spawn.probability))


def unrated_effects(
    board: int, direction: int, walls: bool, spawn4: float, plies: int = 1
) -> TileEffects | None:
    """Return all possible tiles after a move, without rates yet; None if it is illegal."""
    before = cells(board)
    after = list(slide_cells(before, direction, walls).cells)
    if after == before:
        return None
    empty = [cell for cell, exponent in enumerate(after) if exponent == 0]
    spawns = tuple([Spawn(*spawn) for spawn in possible_spawns(empty, spawn4)])
    return TileEffects(board, direction, from_cells(after), spawns, plies=plies)


def rate_effects(
    effects: TileEffects, walls: bool, spawn4: float, ask: Ask
) -> Iterator[TileEffects]:
    """Yield the state after each further spawn; the last one is complete.

    `ask` is called for one spawn at a time, so that the caller can stop between two of them.
    """
    spawns = list(effects.spawns)
    for i, spawn in enumerate(spawns):
        board = put(effects.after, spawn.cell, spawn.exponent)
        spawns[i] = _known(spawn, ask([board])[0])
        reply = spawns[i].reply
        if effects.plies == 2 and reply is not None:
            worst = _worst_after(board, reply, walls, spawn4, ask)
            spawns[i] = replace(spawns[i], worst=worst)
        effects = replace(effects, spawns=tuple(spawns), n_known=i + 1)
        yield effects


def _known(spawn: Spawn, answer: Rated) -> Spawn:
    if answer.certain_rate is None:
        return spawn
    if answer.best is None:
        return replace(spawn, rate=0.0)  # no move is left
    others = sorted((rate for rate in answer.rates if rate is not None), reverse=True)
    margin = others[0] - others[1] if len(others) > 1 else None
    is_bound, rate = answer.are_bounds, answer.best_rate
    return replace(spawn, rate=rate, reply=answer.best, margin=margin, is_bound=is_bound)


def _worst_after(board: int, reply: int, walls: bool, spawn4: float, ask: Ask) -> float | None:
    first = ask([board])[0]
    if first.best_rate >= 1.0:
        return 1.0  # nothing can go wrong anymore, even if the table has no such boards
    next_effects = unrated_effects(board, reply, walls, spawn4)
    if next_effects is None:
        return None
    boards = [put(next_effects.after, spawn.cell, spawn.exponent) for spawn in next_effects.spawns]
    answers = ask(boards)
    rates = [answer.certain_rate for answer in answers]
    known = [rate for rate in rates if rate is not None]
    return min(known) if len(known) == len(rates) else None


_SPAWNS_AT_ONCE = {1: 8, 2: 1}  # by plies: a few milliseconds, then other requests get their turn
_MAX_CACHED = 200
_log = logging.getLogger(__name__)


class _ForgottenError(Exception):
    """The answer is no longer wanted."""


class Explainer:
    """Queries a table for the chance after every tile that may follow a move."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._question = 0  # counts requests: results of earlier ones are dropped
        self._cache: dict[tuple[int, int, int], TileEffects] = {}
        self._table: Table | None = None

    def forget(self) -> None:
        """Stop the running request; its results are dropped."""
        self._question += 1

    def ask(
        self, board: int, direction: int, plies: int, show: Callable[[TileEffects], None]
    ) -> bool:
        """Call `show` with partial results, repeatedly until complete.

        Return False, without a call, if the move is illegal or no table is open.
        """
        self.forget()
        table = self._lookup.table
        if table is None:
            return False
        if table is not self._table:
            self._table, self._cache = table, {}
        if effects := self._cache.get((board, direction, plies)):
            show(effects)
            return True
        first = unrated_effects(board, direction, table.formation.walls, table.spawn4, plies)
        if first is None:
            return False
        if plies == 2 and (whole := self._cache.get((board, direction, 1))):
            show(whole)  # better than an empty board while the rest is looked up
        answers: dict[int, Rated] = {}

        question, before = self._question, self._lookup.answer(board)
        follows = before is not None and before.is_followed(direction)

        def ask(boards: Sequence[int]) -> list[Rated]:
            for board in boards:
                if question != self._question:  # read on the worker thread; an old value is fine
                    raise _ForgottenError
                if board not in answers:
                    answers[board] = answer_of(table, board, follows)
            return [answers[board] for board in boards]

        parts = rate_effects(first, table.formation.walls, table.spawn4, ask)
        self._continue(question, parts, first, answers, show)
        return True

    def _continue(
        self,
        question: int,
        parts: Iterator[TileEffects],
        so_far: TileEffects,
        answers: dict[int, Rated],
        show: Callable[[TileEffects], None],
    ) -> None:
        def work(_table: Table) -> tuple[TileEffects, dict[int, Rated]] | None:
            effects = so_far
            try:
                for _ in range(_SPAWNS_AT_ONCE[effects.plies]):
                    effects = next(parts, effects)
            except _ForgottenError:
                return None
            return effects, dict(answers)

        def done(result: tuple[TileEffects, dict[int, Rated]] | None) -> None:
            if result is None or question != self._question:
                return
            effects, known = result
            self._lookup.keep(known)  # the rates are ready for any new tile
            if effects.is_complete and all(answer.is_final for answer in known.values()):
                self._store(effects)
            show(effects)
            if not effects.is_complete:
                self._continue(question, parts, effects, answers, show)

        self._lookup.run(work, done, _log_error)

    def _store(self, effects: TileEffects) -> None:
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[effects.board, effects.direction, effects.plies] = effects


def _log_error(error: BaseException) -> None:
    _log.error("explaining a move failed", exc_info=error)
