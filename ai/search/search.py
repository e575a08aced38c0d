"""A search for successive positions, with one evaluation and one transposition table."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluation import Evaluation, PhaseTables
from ai.evaluation.familiar_shapes import Familiarity
from ai.evaluation.walls import MIN_CHANCE
from ai.search.deepening import Plan, best_direction, deepen
from ai.search.expectimax import AGE, N_CONTROLS, NODES, STOP, TAG
from ai.search.known_positions import Known, write_known
from ai.search.transposition import MAX_DEPTH, N_AGES, TABLE_SIZE_LOG2, new_table
from ai.thinking_time import NODES_PER_MS
from engine.formats.sliding import legal_moves
from engine.platform.default_callbacks import never_cancelled

U8 = npt.NDArray[np.uint8]
NETWORK_SLACK = 160
"""See `SearchSettings.of`: lines of less than a thousandth end, all others at one depth."""
FIRST_NODES = 2_000
MAX_NODES = 1 << 40  # of one step


@dataclass(frozen=True)
class SearchSettings:
    """The depth limits of a search; the budget is given with each position."""

    max_depth: int = MAX_DEPTH  # moves looked ahead at most, 1 to 63
    # See `ai.search.deepening.Plan`.
    slack: int = 32
    slack_per_move: int = 16
    n_rare: int = 2  # how many of the rarer tile, usually the 4, may come on a line, 0 to 3
    # Multiple of its nodes that a search may use before the current iteration is aborted.
    overrun: float = 8.0

    @classmethod
    def of(cls, phase: PhaseTables) -> "SearchSettings":
        """Return the settings that serve an evaluation best.

        A network for whole games is wrong now and then, and the best of many values is biased
        upward, the more so the deeper the search. If improbable lines were cut earlier, boards with
        few empty cells, whose lines are probable, would be searched deeper and seem better.
        """
        if phase.is_network:
            return cls(slack=NETWORK_SLACK, slack_per_move=0)
        return cls()

    def plan(self, nodes: int) -> Plan:
        limits = (nodes, int(nodes * self.overrun) + 1)
        fields = (self.max_depth, self.slack, self.slack_per_move, self.n_rare, *limits)
        return Plan(*map(np.int64, fields))


@dataclass(frozen=True)
class SearchAnswer:
    """The result of a search."""

    direction: int | None  # the best move, the first of equal ones; None if there is none
    # By direction, on the evaluation's scale; None for an illegal move.
    values: tuple[float | None, ...]
    depth: int  # moves looked ahead
    nodes: int  # positions searched
    ms: float  # time taken
    # Whether the values are chances of the next large tile by a network, in [0, 1].
    is_chance: bool = False
    are_points: bool = False  # whether the values are points still to come


class Search:
    """Searches positions; one caller at a time, but any thread may call `stop`.

    The settings are those best for the evaluation of each position unless given. The transposition
    table has ``2**table_size_log2`` entries of 16 bytes.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        settings: SearchSettings | None = None,
        table_size_log2: int = TABLE_SIZE_LOG2,
    ) -> None:
        self.evaluation, self.settings = evaluation, settings or SearchSettings()
        self._keeps_settings, self._kind = settings is not None, (False, False)
        self._familiarity = evaluation.elsewhere and Familiarity(evaluation.elsewhere[0])
        self.table = new_table(table_size_log2)
        self.control = np.zeros(N_CONTROLS, np.int64)
        self._tables, self._controls = [self.table], [self.control]  # one for each thread
        self.values = np.zeros(4, np.float32)
        self._nodes_per_ms = float(NODES_PER_MS)  # until the first search has been timed

    def stop(self) -> None:
        """Stop the running search, from another thread; it returns its result so far."""
        for control in self._controls:
            control[STOP] = 1

    def forget(self) -> None:
        """Reset: the next search doesn't use results of earlier ones."""
        self._clear_tables()
        for control in self._controls:
            control[:] = 0
        if self._familiarity:
            self._familiarity.forget()

    def evaluation_of(self, cells: Sequence[int] | U8) -> Evaluation:
        """Return the evaluation for 16 exponents: the next position of this or a new game.

        A network for whole games may leave unfamiliar positions to another evaluation.
        """
        elsewhere = self.evaluation.elsewhere
        if not elsewhere or not self._familiarity:
            return self.evaluation
        is_at_home = self._familiarity.is_at_home(cells)
        late = self.evaluation.late
        if late and late.is_late(cells) and not elsewhere[0].has_four(cells):
            return late
        return self.evaluation if is_at_home else elsewhere[1]

    def goal(self, cells: Sequence[int] | U8) -> int:
        return self.evaluation_of(cells).goal(cells)

    def sees_whole_game(self, cells: Sequence[int] | U8) -> bool:
        return self.evaluation_of(cells).is_whole_game

    def sees_late_game(self, cells: Sequence[int] | U8) -> bool:
        return self.evaluation_of(cells) is self.evaluation.late

    def enter(self, phase: PhaseTables) -> None:
        """Prepare for an evaluation: have the table distinguish its values from those of others."""
        if not self._keeps_settings:
            self.settings = SearchSettings.of(phase)
        kind = (phase.is_network, phase.is_late)
        if kind != self._kind:  # tags distinguish evaluations of one kind
            self._clear_tables()
            self._kind = kind
        self.control[TAG] = phase.tag

    def _clear_tables(self) -> None:
        for table in self._tables:
            table[:] = 0

    def by_nodes(
        self,
        cells: Sequence[int],
        nodes: int,
        known: Known | None = None,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> SearchAnswer:
        """Search 16 exponents until `nodes` are used: the same answer after the same searches.

        `known` is called beside walls for known values of positions ahead, see
        ai.search.known_positions. `is_cancelled` is asked once, at the start; True acts as
        `stop`. To cancel a search on another thread, make it return True, then call `stop`: one of
        the two takes effect, whether the search has begun or not.
        """
        array = np.array(cells, np.uint8)
        for control in self._controls:
            control[STOP] = 0
        if is_cancelled():
            self.stop()
        evaluation = self.evaluation_of(array)
        phase, board = evaluation.look(array)
        began = time.perf_counter()
        depth = self._deepen(phase, board, nodes, known)
        if phase.goal and depth and self.values.max() < MIN_CHANCE:
            phase, board = evaluation.look_without_walls(array)
            depth = self._deepen(phase, board, nodes, None)
        ms = 1000 * (time.perf_counter() - began)
        if depth == 0:
            return _unsearched(cells, ms)
        is_chance = phase.goal > 0
        values = tuple(_value(float(v), is_chance) for v in self.values)
        direction, nodes = int(best_direction(self.values)), self._nodes_used()
        return SearchAnswer(direction, values, depth, nodes, ms, is_chance, phase.is_network)

    def _deepen(self, phase: PhaseTables, board: np.uint64, nodes: int, known: Known | None) -> int:
        self.enter(phase)
        if phase.goal and known:
            age = (int(self.control[AGE]) + 1) % N_AGES
            write_known(board, phase.rules, phase.evaluator, known, phase.tag, age, [self.table])
        plan = self.settings.plan(nodes)
        rules, evaluator = phase.rules, phase.evaluator
        return int(deepen(board, plan, rules, evaluator, self.table, self.control, self.values))

    def _nodes_used(self) -> int:
        return sum(int(control[NODES]) for control in self._controls)

    def by_time(
        self,
        cells: Sequence[int],
        ms: float,
        known: Known | None = None,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> SearchAnswer:
        """Search 16 exponents for about `ms` milliseconds, by the speed of earlier searches."""
        answer = self.by_nodes(cells, max(1, int(ms * self._nodes_per_ms)), known, is_cancelled)
        if answer.ms > 0.05 and answer.nodes > 100:
            self._nodes_per_ms += 0.1 * (answer.nodes / answer.ms - self._nodes_per_ms)
        return answer


def _unsearched(cells: Sequence[int], ms: float) -> SearchAnswer:
    """Return the answer where the search board has no legal move.

    Usually there is none at all. Beside one of each tile from 2 to 16384, two 32768 may still
    merge, though there is no gap to close on a search board: see `ai.evaluation.large_tiles`.
    """
    values = tuple(0.0 if is_legal else None for is_legal in legal_moves(cells, merge_32768=True))
    direction = values.index(0.0) if any(value is not None for value in values) else None
    return SearchAnswer(direction, values, int(direction is not None), 0, ms)


def _value(value: float, is_chance: bool) -> float | None:
    """Return a value for the answer; None for an illegal move, 0 chance if it breaks walls."""
    if not math.isfinite(value):
        return None
    return max(value, 0.0) if is_chance else value


def answers(
    search: Search,
    cells: Sequence[int],
    nodes: int | None,
    known: Known | None,
    is_cancelled: Callable[[], bool],
) -> Iterator[SearchAnswer]:
    """Search a position in steps; yield an answer after each, with all nodes and time so far.

    The budget is doubled every time, up to `nodes` in all. Results of a step stay in the
    transposition table for the next, so all steps together take little longer than the last one
    alone. It ends when the nodes are used, when it is canceled (asked before each step), or
    when there is nothing left to find: only one move is legal, or nothing lies deeper.
    """
    used, ms, step = 0, 0.0, FIRST_NODES
    best: SearchAnswer | None = None
    while True:
        budget = step if nodes is None else max(1, min(step, nodes - used))
        answer = search.by_nodes(cells, budget, known, is_cancelled)
        used, ms = used + answer.nodes, ms + answer.ms
        if best is None or answer.depth >= best.depth:  # a stopped one may have seen less
            best = answer
        yield replace(best, nodes=used, ms=ms)
        is_used_up = nodes is not None and used >= nodes
        if is_used_up or answer.nodes < budget or is_cancelled():
            return
        step = min(2 * step, MAX_NODES)
