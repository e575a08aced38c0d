"""The players that `play` knows by name, and one game of each.

The same seed gives every player the same start and the same stream of spawns.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.evaluation import DEFAULT_WEIGHTS, load_evaluation
from ai.search import Search
from ai.selfplay import DEPTHS, MOVES, SCORE, SEARCHED, cells_sum, new_tally, play, spawn_in_cells

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]
_DIGITS = "0123456789abcdefgh"
_CHUNK = 64  # moves between two looks at the clock


@dataclass(frozen=True)
class GameResult:
    """One finished game.

    Attributes
    ----------
    seed, score, moves : int
    max_exponent : int
        Of the largest tile at the end, which is the largest ever.
    final : str
        The last position: 16 digits, hexadecimal and beyond (g is 65536).
    cpu_s : float
    nodes, depths : int
        Summed over all moves.
    """

    seed: int
    score: int
    moves: int
    max_exponent: int
    final: str
    cpu_s: float
    nodes: int
    depths: int


def cells_text(cells: U8) -> str:
    """Return 16 exponents as a game's last position is written."""
    return "".join(_DIGITS[exponent] for exponent in cells)


class MainPlayer:
    """The program's own player: search with one evaluation."""

    def __init__(self, weights: Path = DEFAULT_WEIGHTS, spawn4: float = 0.1) -> None:
        self.search = Search(load_evaluation(weights, spawn4))
        self._play_on(np.zeros(16, np.uint8), np.zeros(1, np.uint64), new_tally(), _Pace(None, 1))

    def play(
        self,
        seed: int,
        *,
        ms: float | None = None,
        nodes: int | None = None,
        start: Sequence[int] | None = None,
    ) -> GameResult:
        """Play one game to its end, with one of two budgets.

        Parameters
        ----------
        seed : int
        ms : float
            CPU milliseconds a move, on average over the game; such games are not the same twice.
        nodes : int
            Nodes a move, see `ai.deepening.Plan`; the same seed gives the same game.
        start : sequence of int, optional
            16 exponents to start from instead of two random tiles.
        """
        self.search.forget()
        spawn4 = self.search.evaluation.spawn4
        state = np.array([seed & (1 << 64) - 1], np.uint64)
        cells = np.array(start if start is not None else [0] * 16, np.uint8)
        if start is None:
            spawn_in_cells(cells, state, spawn4)
            spawn_in_cells(cells, state, spawn4)
        tally = new_tally()
        pace = _Pace(ms, nodes)
        cpu_s = self._play_on(cells, state, tally, pace)
        final = cells_text(cells)
        points, moves = int(tally[SCORE]), int(tally[MOVES])
        nodes, depths = int(tally[SEARCHED]), int(tally[DEPTHS])
        return GameResult(seed, points, moves, int(cells.max()), final, cpu_s, nodes, depths)

    def _play_on(self, cells: U8, state: U64, tally: I64, pace: "_Pace") -> float:
        """Play to the end; return the seconds of CPU it took."""
        search, began = self.search, time.thread_time()
        spawn4 = search.evaluation.spawn4
        goes_on = True
        while goes_on:
            phase = search.enter(int(cells_sum(cells)))
            plan = search.settings.plan(pace.nodes)
            entered, made = time.thread_time(), int(tally[MOVES])
            goes_on = play(
                cells, state, tally, _CHUNK, phase.until_sum, spawn4, plan,
                phase.rules, phase.evaluator, search.table, search.control, search.values,
            )  # fmt: skip
            pace.adjust(1000 * (time.thread_time() - entered), int(tally[MOVES]) - made)
        return time.thread_time() - began


class _Pace:
    """The nodes of a move: as given, or whatever takes the milliseconds given."""

    def __init__(self, ms: float | None, nodes: int | None) -> None:
        if (ms is None) == (nodes is None):
            raise ValueError("expected a budget in ms or in nodes, one of the two")
        self._ms = ms
        self._nodes = float(nodes) if nodes is not None else 1000.0 * (ms or 0)

    @property
    def nodes(self) -> int:
        return max(1, int(self._nodes))

    def adjust(self, ms: float, moves: int) -> None:
        """Take note that so many moves took so long, this time."""
        if self._ms is not None and ms > 0 and moves > 0:
            ratio = min(2.0, max(0.5, self._ms * moves / ms))
            self._nodes *= ratio**0.5  # half way there: one stretch of moves says little
