"""The players available to `play`, and playing one game with each.

The same seed gives every player the same start and the same stream of spawns.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.dispatch.dispatcher import SEARCH, Dispatcher
from ai.dispatch.open_tables import OpenTables
from ai.evaluation.evaluation import DEFAULT_WEIGHTS, load_evaluation
from ai.game_result import GameResult, cells_text
from ai.match.selfplay import DEPTHS, HOPELESS, MOVES, OVER, SCORE, SEARCHED, new_tally, play
from ai.search.search import Search
from ai.search.time_management import NodeBudget, effort
from engine.kernels.cells import slide_cells, spawn_in_cells

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]
_CHUNK = 16  # moves until the clock and the tables are checked again
_ANY = -1  # positions with walls or without


class MainPlayer:
    """The program's own player: the best of all applicable tables, and search."""

    def __init__(
        self, weights: Path = DEFAULT_WEIGHTS, spawn4: float = 0.1, tables: Sequence[Path] = ()
    ) -> None:
        self.search = Search(load_evaluation(weights, spawn4))
        self.open_tables = OpenTables(tables, spawn4)
        self.dispatcher = Dispatcher(self.open_tables, self.search)
        full = np.full(16, 1, np.uint8)  # one move of each kind loads the compiled code
        self._search_on(_GameInPlay(0, full), NodeBudget(None, 1), 1)
        self._choose_move(_GameInPlay(0, full), NodeBudget(None, 1))

    def play(
        self,
        seed: int,
        *,
        ms: float | None = None,
        nodes: int | None = None,
        start: Sequence[int] | None = None,
    ) -> GameResult:
        """Play one game to its end, with one of two budgets.

        `ms` are CPU milliseconds per move, on average over the game: time saved by tables goes to
        search. Such games are not reproducible. `nodes` are per searched move, on average over a
        long game; the same seed and tables give the same game. It starts from two random tiles
        unless 16 exponents are given.
        """
        self.search.forget()
        spawn4 = self.search.evaluation.spawn4
        game = _GameInPlay(seed, np.array(start if start is not None else [0] * 16, np.uint8))
        if start is None:
            spawn_in_cells(game.cells, game.state, spawn4)
            spawn_in_cells(game.cells, game.state, spawn4)
        began = time.thread_time()
        pace, goes_on = NodeBudget(ms, nodes), True
        while goes_on:
            if self.dispatcher.may_apply(game.cells.tolist()):
                goes_on = self._choose_move(game, pace)
            else:
                goes_on = self._search_on(game, pace, _CHUNK)
        return game.result(time.thread_time() - began)

    def _search_on(self, game: "_GameInPlay", pace: NodeBudget, n_moves: int) -> bool:
        search, share = self.search, effort(game.cells)
        evaluation = search.evaluation_of(game.cells)
        phase, _ = evaluation.look(game.cells)
        goal = phase.goal if phase.goal or phase.leaves_walls else _ANY
        if game.is_hopeless and phase.goal:
            (phase, _), goal = evaluation.look_without_walls(game.cells), _ANY
        search.enter(phase)
        plan = search.settings.plan(pace.nodes(share))
        made = int(game.tally[MOVES])
        ended = play(
            game.cells, game.state, game.tally, n_moves, (phase.from_sum, phase.until_sum), goal,
            phase.is_late, phase.largest, search.evaluation.spawn4, plan, phase.rules,
            phase.evaluator, search.table, search.control, search.values,
        )  # fmt: skip
        moves = int(game.tally[MOVES]) - made
        ms = game.ms_taken()
        game.sources[SEARCH] += moves
        game.source_s[SEARCH] += ms / 1000
        pace.adjust(ms, moves, share)
        game.is_hopeless = ended == HOPELESS
        return bool(ended != OVER)

    def _choose_move(self, game: "_GameInPlay", pace: NodeBudget) -> bool:
        share = effort(game.cells)
        choice = self.dispatcher.choose(
            game.cells.tolist(),
            lambda cells, known: self.search.by_nodes(cells, pace.nodes(share), known),
        )
        if choice.direction is None:
            return False
        game.tally[SCORE] += slide_cells(game.cells, choice.direction)
        spawn_in_cells(game.cells, game.state, self.search.evaluation.spawn4)
        game.tally[MOVES] += 1
        game.tally[SEARCHED] += choice.nodes
        game.tally[DEPTHS] += choice.depth
        ms = game.ms_taken()
        game.sources[choice.source] += 1
        game.source_s[choice.source] += ms / 1000
        if choice.nodes:
            pace.adjust(ms, 1, share)
        else:
            pace.save(ms)
        return True


class _GameInPlay:
    """A position, its spawn generator, and the statistics so far."""

    def __init__(self, seed: int, cells: U8) -> None:
        self.seed, self.cells = seed, cells
        self.state: U64 = np.array([seed & (1 << 64) - 1], np.uint64)
        self.tally: I64 = new_tally()
        self.is_hopeless = False  # the network gave up: lines play the next moves
        self.sources: Counter[str] = Counter()
        self.source_s: defaultdict[str, float] = defaultdict(float)
        self._counted_until = time.thread_time()

    def ms_taken(self) -> float:
        """Return the CPU time since the last call, so that no time between searches is missed."""
        before, self._counted_until = self._counted_until, time.thread_time()
        return 1000 * (self._counted_until - before)

    def result(self, cpu_s: float) -> GameResult:
        sources = {name: n for name, n in self.sources.items() if n}
        return GameResult(
            seed=self.seed,
            score=int(self.tally[SCORE]),
            moves=int(self.tally[MOVES]),
            max_exponent=int(self.cells.max()),
            final=cells_text(self.cells),
            cpu_s=cpu_s,
            nodes=int(self.tally[SEARCHED]),
            depths=int(self.tally[DEPTHS]),
            sources=sources,
            source_s={name: self.source_s[name] for name in sources},
        )
