"""Parallel search: the root is split, and each thread gets a share of the spawns.

After each legal move come the spawns; these positions are dealt to the threads in turn, and each
thread searches its own with a transposition table of its own, so threads neither wait for nor
disturb one another, and results do not depend on their speed: the same searches with the same node
budget give the same answers for a given number of threads. Different numbers of threads may differ
in the last digits, because a fuller table answers more deeply.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluate import held_at_root
from ai.evaluation.evaluation import DEFAULT_WEIGHTS, Evaluation, PhaseTables, load_evaluation
from ai.search.expectimax import (
    AGE,
    LIMIT,
    LOCK,
    N_CONTROLS,
    NODES,
    STOP,
    TAG,
    chance_value,
    keeps,
    lock_below,
    lock_that_holds,
)
from ai.search.known_positions import Known, write_known
from ai.search.search import Search, SearchSettings
from ai.search.transposition import MAX_SLACK, N_AGES, TABLE_SIZE_LOG2, new_table
from engine.kernels.moves import slide, slide_score
from engine.platform.jit import kernel

MIN_NODES = 200_000
"""A search of fewer is done by one thread. Two threads that share no table search half as many
positions again, so they gain little: eight positions, two virtual cores, 10 moves ahead in 50 to 55
instead of 58 ms, 11 moves ahead in 115 instead of 137. Dealing the spawns in other ways gained no
more: all of a move to one thread, or half of the cells."""

F32 = npt.NDArray[np.float32]
ILLEGAL, BREAKING, KEEPING = range(3)
"""The effect of a root move: illegal, breaks walls while others do not, or neither."""


class ThreadShare(NamedTuple):
    """The positions of one thread."""

    boards: npt.NDArray[np.uint64]  # uint64[n]
    directions: npt.NDArray[np.int64]  # int64[n]: the root move before the spawn
    weights: npt.NDArray[np.float64]  # float64[n]: the probability of the spawn
    kinds: npt.NDArray[np.int64]  # int64[n]: 0 after the likelier tile, 1 after the rarer one
    costs: npt.NDArray[np.int64]  # int64[n]: slack used by the spawn


@kernel
def look_at_moves(board, rules, evaluator, kinds, afters, points):
    """Fill the kinds (int64[4], see `ILLEGAL`), after-states and points of the root's moves."""
    held = lock_that_holds(board, held_at_root(board, evaluator), rules.moves)
    for direction in range(4):
        after = slide(board, direction, rules.moves)
        kinds[direction] = 0 if after == board else 1 + keeps(board, after, held)
        afters[direction] = after
        points[direction] = rules.points * np.float32(slide_score(board, direction, rules.moves))


@kernel
def solve_positions(share, depth, slack, n_rare, rules, evaluator, table, control, values):
    """Fill `values` (float32[n]) with those of positions to move, `depth` (1 or more) moves ahead.

    `slack` is that of the root: each position pays for its own spawn.
    """
    for i in range(share.boards.size):
        board, best = share.boards[i], rules.dead
        left, n_left = slack - share.costs[i], n_rare - share.kinds[i]
        control[NODES] += 1
        lock = lock_below(board, evaluator)  # its new tile is too small to matter
        control[LOCK] = np.int64(lock)
        is_last = depth == 1 or left < 0
        held = np.uint64(0) if is_last else lock_that_holds(board, lock, rules.moves)
        for direction in range(4):
            after = slide(board, direction, rules.moves)
            if after != board and keeps(board, after, held):
                value = chance_value(
                    after, depth - 1, left, n_left, rules, evaluator, table, control
                )
                points = np.float32(slide_score(board, direction, rules.moves))
                best = max(best, value + rules.points * points)
        values[i] = best


class ParallelSearch(Search):
    """Searches positions like `search.Search`, using several threads for larger searches.

    Each thread has a table of `table_size_log2`; searches below `least_nodes` use one thread.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        threads: int = 2,
        settings: SearchSettings | None = None,
        table_size_log2: int = TABLE_SIZE_LOG2,
        least_nodes: int = MIN_NODES,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; expected 1 or more")  # no text
        super().__init__(evaluation, settings, table_size_log2)
        self._tables += [new_table(table_size_log2) for _ in range(threads - 1)]
        self._controls += [np.zeros(N_CONTROLS, np.int64) for _ in range(threads - 1)]
        self._least_nodes = least_nodes
        # The calling thread works, too.
        self._pool = ThreadPoolExecutor(max(1, threads - 1), thread_name_prefix="search")

    def close(self) -> None:
        self._pool.shutdown()

    def _deepen(self, phase: PhaseTables, board: np.uint64, nodes: int, known: Known | None) -> int:
        self.enter(phase)
        is_small = nodes < self._least_nodes or self.settings.max_depth < 2
        for control in self._controls[1:]:
            control[NODES] = 0
        if is_small or len(self._tables) == 1:
            return super()._deepen(phase, board, nodes, known)
        kinds, afters = np.zeros(4, np.int64), np.zeros(4, np.uint64)
        points = np.zeros(4, np.float32)
        look_at_moves(board, phase.rules, phase.evaluator, kinds, afters, points)
        if not kinds.any():
            return 0
        shares = self._shares(kinds, afters, phase)
        age = (int(self.control[AGE]) + 1) % N_AGES
        # Of many threads some have no position, and one may have the largest: whoever ends the
        # search must have used its nodes, or it would look as if there was nothing left to find.
        n_busy = sum(share.boards.size > 0 for share in shares)
        limit = int(nodes * max(1.0, self.settings.overrun / n_busy)) + 1
        for control in self._controls:
            control[NODES], control[LIMIT] = 0, limit
            control[AGE], control[TAG] = age, phase.tag
        if phase.goal and known:
            write_known(board, phase.rules, phase.evaluator, known, phase.tag, age, self._tables)
        base = np.where(kinds == BREAKING, phase.rules.dead - np.float32(1), points)
        base[kinds == ILLEGAL] = -np.inf
        reached = n_all = n_nodes = 0
        for depth in range(2, self.settings.max_depth + 1):
            values = self._values(base, shares, phase, depth)
            is_whole = all(c[NODES] < c[LIMIT] and not c[STOP] for c in self._controls)
            if not is_whole and reached:
                break
            n_before, n_nodes = n_nodes, self._nodes_used() - n_all
            n_all += n_nodes
            is_same = n_nodes == n_before and np.array_equal(values, self.values)
            if is_same and n_nodes and self.settings.slack_per_move == 0:
                break  # as in `deepen`
            self.values[:], reached = values, depth
            is_clear = np.count_nonzero(kinds == KEEPING) == 1
            if is_clear or not is_whole or self._nodes_used() >= nodes:
                break
        return reached

    def _shares(
        self, kinds: npt.NDArray[np.int64], afters: npt.NDArray[np.uint64], phase: PhaseTables
    ) -> list[ThreadShare]:
        rows = []
        for direction in np.flatnonzero(kinds == KEEPING).tolist():
            after = int(afters[direction])
            places = [4 * i for i in range(16) if not after >> (4 * i) & 15]
            for four, chance in enumerate((1 - self.evaluation.spawn4, self.evaluation.spawn4)):
                cost, weight = int(phase.rules.costs[four, len(places)]), chance / len(places)
                kind = four ^ int(phase.rules.likely)
                rows += [(after | four + 1 << at, direction, weight, kind, cost) for at in places]
        n = len(self._tables)
        return [_share(rows[i::n]) for i in range(n)]

    def _values(
        self, base: F32, shares: Sequence[ThreadShare], phase: PhaseTables, depth: int
    ) -> F32:
        """Return the values of the root's moves (float32[4])."""
        total = self.settings.slack + depth * self.settings.slack_per_move
        slack, n_rare = np.int64(min(total, MAX_SLACK)), np.int64(self.settings.n_rare)
        outputs = [np.zeros(share.boards.size, np.float32) for share in shares]
        parts = [
            partial(
                solve_positions, share, np.int64(depth - 1), slack, n_rare, phase.rules,
                phase.evaluator, table, control, out,
            )
            for share, table, control, out in zip(
                shares, self._tables, self._controls, outputs, strict=True
            )
        ]  # fmt: skip
        running = [self._pool.submit(part) for part in parts[1:]]
        parts[0]()
        for future in running:
            future.result()
        values = base.astype(np.float64)
        for share, out in zip(shares, outputs, strict=True):
            np.add.at(values, share.directions, share.weights * out)
        return values.astype(np.float32)


def ready_search(
    spawn4: float,
    settings: SearchSettings | None = None,
    threads: int | None = None,
    weights: Path = DEFAULT_WEIGHTS,
) -> ParallelSearch:
    """Return a search, its kernels loaded; by default with two threads if the machine has two."""
    n_threads = threads or min(2, os.cpu_count() or 1)
    search = ParallelSearch(load_evaluation(weights, spawn4), n_threads, settings)
    for nodes in (10, MIN_NODES):  # one thread, and several
        search.by_nodes([1, 1] + [0] * 14, nodes)
    search.forget()
    return search


def _share(rows: list[tuple[int, int, float, int, int]]) -> ThreadShare:
    boards, directions, weights, kinds, costs = zip(*rows, strict=True) if rows else ((),) * 5
    return ThreadShare(
        np.array(boards, np.uint64),
        np.array(directions, np.int64),
        np.array(weights, np.float64),
        np.array(kinds, np.int64),
        np.array(costs, np.int64),
    )
