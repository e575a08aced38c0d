"""The players of the ladder as objects that choose a move: `ladder` has their names.

A player is for one game at a time and one thread. The same seed and the same positions give the
same choices.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.baselines import linear_search
from ai.baselines import probability_cutoff as chance_search
from ai.baselines.linear_value import (
    DEFAULT_LINEAR_WEIGHTS,
    LinearValue,
    make_value,
    read_linear_weights,
)
from ai.baselines.monte_carlo import play_out_values, random_move, score_move
from ai.errors import PlayError
from ai.evaluation.evaluation import ENDLESS, Evaluation, read_weights
from ai.evaluation.game_net import LARGEST_KNOWN, stage_of_board
from ai.evaluation.game_net_file import DEFAULT_NETWORK, read_game_net
from ai.evaluation.large_tiles import known_board
from ai.evaluation.line_scores import LineScores, hand_scores, matrix_scores, port_scores
from ai.evaluation.rules import N_TAGS, game_rules
from ai.evaluation.staged_net import StagedNet
from ai.search.deepening import Plan, best_direction, deepen
from ai.search.expectimax import N_CONTROLS, NODES, TAG
from ai.search.search import NETWORK_SLACK, Search
from ai.search.time_management import effort
from ai.search.transposition import TABLE_SIZE_LOG2, new_table
from engine.bitboard import cells
from engine.moves import row_tables
from engine.spawn import Rng

_PLAYER_STREAM = 0x706C_6179_6572_0000  # "player": its numbers are not those of the spawns


class LadderPlayer(ABC):
    """Chooses moves."""

    def __init__(self) -> None:
        self.moves = row_tables()
        # Values of the moves at the last choice, by direction; -inf for an illegal move. Unchanged
        # by players that compare no values.
        self.values: npt.NDArray[np.float64] = np.full(4, -np.inf)
        # Counts of the last choice.
        self.moves_evaluated = 0
        self.cache_hits = 0

    def begin(self, seed: int) -> None:  # noqa: B027, most have nothing to forget
        ...

    @abstractmethod
    def choose(self, board: np.uint64) -> int:
        """Return the direction to play; -1 when no move is legal."""

    def _best(self) -> int:
        direction = int(np.argmax(self.values))
        return direction if self.values[direction] > -np.inf else -1


class RandomPlayer(LadderPlayer):
    """Any legal move."""

    def __init__(self) -> None:
        super().__init__()
        self._state = np.zeros(1, np.uint64)

    def begin(self, seed: int) -> None:
        self._state[0] = _own_state(seed)

    def choose(self, board: np.uint64) -> int:
        return int(random_move(board, self.moves, self._state))


class ScorePlayer(LadderPlayer):
    """The after-state with the best score."""

    def __init__(self, scores: LineScores) -> None:
        super().__init__()
        self._scores = scores

    def choose(self, board: np.uint64) -> int:
        self.moves_evaluated = 4
        return int(score_move(board, self.moves, self._scores))


class MonteCarloPlayer(RandomPlayer):
    """The move after which random games score the most points."""

    def __init__(self, n_games: int, by_score: bool, spawn4: float) -> None:
        super().__init__()
        self._n_games, self._by_score, self._spawn4 = n_games, by_score, spawn4

    def choose(self, board: np.uint64) -> int:
        self.moves_evaluated = int(
            play_out_values(
                board, self._n_games, self._by_score, self.moves, hand_scores(), self._state,
                self._spawn4, self.values,
            )
        )  # fmt: skip
        return self._best()


class ChancePlayer(LadderPlayer):
    """Expectimax that cuts improbable lines."""

    def __init__(
        self,
        scores: LineScores,
        least_chance: float,
        max_depth: int,
        cache_depth: int,
        spawn4: float,
    ) -> None:
        super().__init__()
        self._scores, self._max_depth = scores, max_depth
        self._least_chance, self._cache_depth, self._spawn4 = least_chance, cache_depth, spawn4
        self._memory = chance_search.new_memory(18 if cache_depth else 1)
        self._counts = np.zeros(chance_search.N_COUNTS, np.int64)

    def choose(self, board: np.uint64) -> int:
        depth = self._max_depth
        rules = chance_search.ChanceRules(
            self.moves,
            np.float64(self._least_chance),
            np.int64(depth),
            np.int64(min(depth, self._cache_depth)),
            np.float64(self._spawn4),
        )
        counts = self._counts
        counts[: chance_search.STAMP] = 0
        chance_search.root_values(board, rules, self._scores, self._memory, counts, self.values)
        self.moves_evaluated = int(counts[chance_search.MOVES_EVALUATED])
        self.cache_hits = int(counts[chance_search.CACHE_HITS])
        return self._best()


class SearchPlayer(LadderPlayer):
    """The program's own search with only the line evaluation: no tables and no networks.

    `nodes` are positions per move, on average over a long game.
    """

    def __init__(self, nodes: int, spawn4: float) -> None:
        super().__init__()
        self._search, self._nodes = Search(Evaluation(read_weights(), spawn4)), nodes

    def begin(self, seed: int) -> None:  # noqa: ARG002, nothing is left to chance
        self._search.forget()

    def choose(self, board: np.uint64) -> int:
        position = np.array(cells(int(board)), np.uint8)
        answer = self._search.by_nodes(position.tolist(), int(self._nodes * effort(position)))
        self.values[:] = [-np.inf if value is None else value for value in answer.values]
        self.moves_evaluated = answer.nodes
        return -1 if answer.direction is None else answer.direction


class NetworkPlayer(LadderPlayer):
    """The search to a fixed depth over a network for whole games; depth 1 is greedy."""

    def __init__(self, net: StagedNet, depth: int, spawn4: float) -> None:
        super().__init__()
        self._net, self._rules = net, game_rules(0.0, 1.0, spawn4)
        fields = (depth, NETWORK_SLACK, 0, 2, ENDLESS, ENDLESS)
        self._plan = Plan(*map(np.int64, fields))
        self._table, self._control = new_table(TABLE_SIZE_LOG2), np.zeros(N_CONTROLS, np.int64)
        self._found = np.full(4, -np.inf, np.float32)

    def begin(self, seed: int) -> None:  # noqa: ARG002, nothing is left to chance
        self._table[:] = 0
        self._control[:] = 0

    def choose(self, board: np.uint64) -> int:
        board = np.uint64(known_board(board, LARGEST_KNOWN))
        stage = int(stage_of_board(board))
        net = self._net.at(stage)
        self._control[TAG] = stage % N_TAGS  # results of another stage are of no use
        depth = deepen(
            board, self._plan, self._rules, net, self._table, self._control, self._found
        )  # fmt: skip
        self.values[:] = self._found
        self.moves_evaluated = int(self._control[NODES])
        return int(best_direction(self._found)) if depth else -1


class LinearPlayer(LadderPlayer):
    """Expectimax over the linear value function, to a depth in plies.

    With at most `few` empty cells it searches two plies deeper; a chance node draws `sample` of
    them.
    """

    def __init__(
        self, value: LinearValue, depth: int, few: int, sample: int, spawn4: float = 0.1
    ) -> None:
        super().__init__()
        self._value, self._depth, self._few = value, np.int64(depth), np.int64(few)
        self._sample, self._spawn4 = np.int64(sample), np.float64(spawn4)
        self._table = linear_search.new_value_table()
        self._counts = np.zeros(linear_search.N_COUNTS, np.int64)
        self._rules = self._rules_of(0)

    def begin(self, seed: int) -> None:
        """Clear the last game: cells are drawn by the game's seed."""
        self._rules = self._rules_of(seed)
        self._table.depths.fill(0)

    def choose(self, board: np.uint64) -> int:
        self._counts.fill(0)
        depth = np.int64(linear_search.plies(board, self._depth, self._few))
        linear_search.move_values(
            board, depth, self._rules, self._value, self._table, self._counts, self.values
        )
        self.moves_evaluated = int(self._counts[linear_search.SLIDES])
        self.cache_hits = int(self._counts[linear_search.HITS])
        return self._best()

    def _rules_of(self, seed: int) -> linear_search.SampleRules:
        state = np.uint64(_own_state(seed))
        return linear_search.SampleRules(self.moves, self._sample, state, self._spawn4)


def _own_state(seed: int) -> int:
    return Rng(seed ^ _PLAYER_STREAM).next_u64()


Maker = Callable[[Path | None, float], LadderPlayer]
"""Makes a player, with weights from a file where it has any, for games of such a rate of fours."""


def _without_weights(make: Callable[[float], LadderPlayer]) -> Maker:
    def checked(weights: Path | None, spawn4: float) -> LadderPlayer:
        if weights is not None:
            raise PlayError("this AI reads no weights: leave {path} out", path=weights)
        return make(spawn4)

    return checked


def _network(depth: int) -> Maker:
    def make(weights: Path | None, spawn4: float) -> LadderPlayer:
        return NetworkPlayer(read_game_net(weights or DEFAULT_NETWORK), depth, spawn4)

    return make


def _linear(weights: Path | None, spawn4: float) -> LadderPlayer:
    params = read_linear_weights(weights or DEFAULT_LINEAR_WEIGHTS)
    return LinearPlayer(make_value(params), depth=5, few=4, sample=6, spawn4=spawn4)


LADDER_PLAYERS: dict[str, Maker] = {
    "random": _without_weights(lambda _spawn4: RandomPlayer()),
    "hand": _without_weights(lambda _spawn4: ScorePlayer(hand_scores())),
    "monte-carlo": _without_weights(lambda spawn4: MonteCarloPlayer(100, False, spawn4)),
    "hand-monte-carlo": _without_weights(lambda spawn4: MonteCarloPlayer(100, True, spawn4)),
    "matrix": _without_weights(
        lambda spawn4: ChancePlayer(matrix_scores(), 0.0, 2, 0, spawn4)  # the root move is one ply
    ),
    "linear": _linear,
    "port": _without_weights(lambda spawn4: ChancePlayer(port_scores(), 1e-4, 8, 6, spawn4)),
    "network": _network(1),
    "network-3": _network(3),
    "hand-search": _without_weights(lambda spawn4: SearchPlayer(40_000, spawn4)),
}
"""Factory of each player of `ladder.LADDER`, given a file of weights and the probability of
fours."""
