"""One search by several threads: the root is split, each thread has its share of the spawns.

After each legal move come the spawns; these positions are dealt to the threads in turn, and each
thread searches its own with a transposition table of its own, so threads neither wait for nor
disturb one another, and what they find does not depend on how fast they are: the same searches
with the same budget in nodes give the same answers, for any number of threads. Different numbers
of threads may differ in the last digits, for a table that knows more answers more deeply.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation import Evaluation, Phase
from ai.expectimax import (
    AGE,
    LIMIT,
    LOCK,
    N_CONTROLS,
    NODES,
    STOP,
    TAG,
    chance_value,
    keeps,
    lock_of,
    lock_that_holds,
)
from ai.large_tiles import search_board
from ai.search import TABLE_SIZE_LOG2, Answer, Settings
from ai.selfplay import cells_sum
from ai.transposition import MAX_SLACK, N_AGES, new_table
from engine.jit import kernel
from engine.kernels.moves import slide, slide_score
from engine.moves import move, move_score


class Share(NamedTuple):
    """The positions of one thread.

    Attributes
    ----------
    boards : uint64[n]
    directions : int64[n]
        The root move before the spawn.
    weights : float64[n]
        The probability of the spawn.
    kinds : int64[n]
        0 after a 2, 1 after a 4.
    costs : int64[n]
        What the spawn costs of the slack.
    """

    boards: npt.NDArray[np.uint64]
    directions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    kinds: npt.NDArray[np.int64]
    costs: npt.NDArray[np.int64]


@kernel
def solve_positions(share, depth, slack, fours, rules, evaluator, table, control, values):
    """Fill `values` (float32[n]) with those of positions to move, `depth` moves ahead, 1 or more.

    `slack` is that of the root: each position pays for its own spawn.
    """
    for i in range(share.boards.size):
        board, best = share.boards[i], rules.dead
        left, fours_left = slack - share.costs[i], fours - share.kinds[i]
        control[NODES] += 1
        lock = lock_of(board)  # its new tile is too small to matter
        control[LOCK] = np.int64(lock)
        is_last = depth == 1 or left < 0
        held = np.uint64(0) if is_last else lock_that_holds(board, lock, rules.moves)
        for direction in range(4):
            after = slide(board, direction, rules.moves)
            if after != board and keeps(board, after, held):
                value = chance_value(
                    after, depth - 1, left, fours_left, rules, evaluator, table, control
                )
                points = np.float32(slide_score(board, direction, rules.moves))
                best = max(best, value + rules.points * points)
        values[i] = best


class SplitSearch:
    """Searches positions with several threads; one caller at a time, but anybody may stop it.

    Parameters
    ----------
    evaluation : Evaluation
    threads : int
    settings : Settings
    table_size_log2 : int
        Of the table of each thread.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        threads: int = 2,
        settings: Settings | None = None,
        table_size_log2: int = TABLE_SIZE_LOG2,
    ) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; expected 1 or more")
        self.evaluation, self.settings = evaluation, settings or Settings()
        self._tables = [new_table(table_size_log2) for _ in range(threads)]
        self._controls = [np.zeros(N_CONTROLS, np.int64) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="search")

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def stop(self) -> None:
        """End the search that is running, from another thread; it answers with what it has."""
        for control in self._controls:
            control[STOP] = 1

    def by_nodes(self, cells: Sequence[int], nodes: int) -> Answer:
        """Search 16 exponents until all threads together have used `nodes`."""
        began = time.perf_counter()
        array = np.array(cells, np.uint8)
        phase = self.evaluation.phase_of(int(cells_sum(array)))
        board = int(search_board(array))
        shares = self._shares(board, phase)
        limit = int(nodes * self.settings.overrun / len(shares)) + 1
        for control in self._controls:
            control[NODES], control[LIMIT], control[STOP] = 0, limit, 0
            control[AGE], control[TAG] = (control[AGE] + 1) % N_AGES, phase.tag
        best: tuple[float | None, ...] = (None,) * 4
        reached = 0
        n_legal = sum(move(board, direction) != board for direction in range(4))
        for depth in range(2, self.settings.max_depth + 1) if n_legal else ():
            values = self._values(board, shares, phase, depth)
            whole = all(c[NODES] < c[LIMIT] and not c[STOP] for c in self._controls)
            if not whole and reached:
                break
            best, reached = values, depth
            if n_legal == 1 or not whole or self._n_nodes() >= nodes:
                break
        ms = 1000 * (time.perf_counter() - began)
        if reached == 0:
            return Answer(None, best, 0, 0, ms)
        legal = [direction for direction in range(4) if best[direction] is not None]
        first_best = max(legal, key=lambda direction: best[direction] or 0.0)
        return Answer(first_best, best, reached, self._n_nodes(), ms)

    def _n_nodes(self) -> int:
        return sum(int(control[NODES]) for control in self._controls)

    def _shares(self, board: int, phase: Phase) -> list[Share]:
        """Deal the positions after all moves and spawns to the threads."""
        rows = []
        for direction in range(4):
            if (after := move(board, direction)) == board:
                continue
            places = [4 * i for i in range(16) if not after >> (4 * i) & 15]
            for kind, chance in enumerate((1 - self.evaluation.spawn4, self.evaluation.spawn4)):
                cost = int(phase.rules.costs[kind, len(places)])
                weight = chance / len(places)
                rows += [(after | kind + 1 << at, direction, weight, kind, cost) for at in places]
        n = len(self._tables)
        return [_share(rows[i::n]) for i in range(n)]

    def _values(
        self, board: int, shares: list[Share], phase: Phase, depth: int
    ) -> tuple[float | None, ...]:
        total = self.settings.slack + depth * self.settings.slack_per_move
        slack = np.int64(min(total, MAX_SLACK))
        found = [np.zeros(share.boards.size, np.float32) for share in shares]
        running = [
            self._pool.submit(
                solve_positions, share, np.int64(depth - 1), slack,
                np.int64(self.settings.fours), phase.rules, phase.evaluator, table, control, out,
            )
            for share, table, control, out in zip(
                shares, self._tables, self._controls, found, strict=True
            )
        ]  # fmt: skip
        for future in running:
            future.result()
        totals: list[float | None] = [None] * 4
        for direction in range(4):
            if move(board, direction) != board:
                totals[direction] = float(phase.rules.points) * move_score(board, direction)
        for share, out in zip(shares, found, strict=True):
            for direction, weight, value in zip(share.directions, share.weights, out, strict=True):
                before = totals[direction]
                totals[direction] = (before or 0.0) + float(weight) * float(value)
        return tuple(totals)


def _share(rows: list[tuple[int, int, float, int, int]]) -> Share:
    boards, directions, weights, kinds, costs = zip(*rows, strict=True) if rows else ((),) * 5
    return Share(
        np.array(boards, np.uint64),
        np.array(directions, np.int64),
        np.array(weights, np.float64),
        np.array(kinds, np.int64),
        np.array(costs, np.int64),
    )
