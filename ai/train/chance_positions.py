"""Positions for fitting chances: the AI plays; tables or the end of the block give the truth.

The truth for a position is a table's rate, if one knows its goal exactly. Otherwise it is that of
the first later position that a table knows, or whether the goal was made: 1 or 0. Games start on
the empty board, or with large tiles in place, as later blocks would be too rare otherwise; and now
and then a random move is played, so that positions of human games occur. Outcomes after such a move
are not used for the positions before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ai.chances.chance_search import lines_of
from ai.chances.goal import BLOCK, MIN_EXPONENT, ChanceGoal, goal_of
from ai.dispatch.cached_table import CachedTable, Rates
from ai.dispatch.tile_profile import OWN_TARGET, TileProfile
from ai.evaluation.evaluation import Evaluation, load_evaluation, read_weights
from ai.search.search import Search
from engine.kernels.cells import slide_cells, spawn_in_cells

STARTS: Sequence[Sequence[tuple[int, int]]] = (
    (),
    ((0, 14),),
    ((0, 14), (1, 13)),
    ((0, 14), (1, 13), (2, 12)),
    ((0, 14), (1, 13), (4, 12)),
    ((0, 13), (1, 14), (2, 12)),
    ((0, 14), (1, 13), (4, 12), (5, 11)),
    ((0, 14), (1, 13), (2, 12), (4, 11)),
    ((0, 13), (1, 14), (2, 12), (4, 11)),
    ((0, 14), (1, 13), (4, 11), (5, 12)),
    ((0, 14), (1, 13), (2, 12), (3, 11)),
    ((0, 15), (1, 14), (2, 13), (4, 12), (5, 11)),
    ((0, 15), (1, 14), (2, 13), (3, 12), (4, 11)),
)
"""Cells and exponents of the large tiles at the start; each is played in turn."""

CARELESS = (0.0, 0.0, 0.003, 0.02)
"""Probability of a random move, by game."""

_LOOK_NODES = (600, 3000, 12000)
_MAX_BLOCKS = 2
"""Later ones have starts of their own."""
_EXACT_SHARE, _OTHER_SHARE, _EASY_SHARE = 1 / 12, 1 / 16, 1 / 150


class Sample(NamedTuple):
    """A position, its search values, and the truth."""

    game: int  # positions of a game are not independent: whole games are held out
    cells: tuple[int, ...]
    goal: ChanceGoal
    values: tuple[float | None, ...]  # search values by the line evaluation
    rates: Rates  # a table's rate of each move; all None if no table knows the position
    outcome: float | None  # the outcome for the goal, if no table knows the position
    table: str  # the table that knows the position; "" for none


@dataclass(frozen=True)
class _TableRates:
    """One table's answer for one position, and its goal."""

    name: str
    goal: ChanceGoal
    rates: Rates

    @property
    def best(self) -> float:
        return max(rate for rate in self.rates if rate is not None)


class Collector:
    """Plays games and collects positions; the same for the same seed."""

    def __init__(
        self, tables: Sequence[CachedTable], seed: int, spawn4: float = 0.1, play_nodes: int = 3000
    ) -> None:
        self._tables = [
            table for table in tables if table.exponent >= MIN_EXPONENT and table.n_large
        ]
        self._seed, self.spawn4, self._play_nodes = seed, spawn4, play_nodes
        self._player = Search(load_evaluation(spawn4=spawn4))
        evaluation = Evaluation(read_weights(), spawn4)
        self._looker = Search(evaluation)
        # The evaluator that gives the scale of the samples' values.
        self.evaluator = lines_of(evaluation)

    def play(self, game: int) -> list[Sample]:
        rng = np.random.default_rng([self._seed, game])
        careless = CARELESS[game // len(STARTS) % len(CARELESS)]
        state = np.array([rng.integers(1 << 63)], np.uint64)
        cells = np.zeros(16, np.uint8)
        for cell, exponent in STARTS[game % len(STARTS)]:
            cells[cell] = exponent
        for _ in range(2):
            spawn_in_cells(cells, state, self.spawn4)
        self._player.forget()
        samples: list[Sample] = []
        open_from, last = 0, _block_of(cells.tolist()) + _MAX_BLOCKS
        while True:
            board = tuple(cells.tolist())
            answers = self._known(board)
            exact = next((answer for answer in answers if answer.goal == goal_of(board)), None)
            if exact:
                open_from = _set_outcomes(samples, open_from, exact.best)
            samples += self._samples(game, board, answers, exact is not None, rng)
            answer = self._player.by_nodes(board, self._play_nodes)
            direction = answer.direction
            if direction is None:
                _set_outcomes(samples, open_from, 0.0)
                return samples
            if rng.random() < careless:
                direction = int(rng.choice([d for d in range(4) if answer.values[d] is not None]))
                # Its outcome says nothing about the positions before.
                samples = [
                    sample for sample in samples if sample.table or sample.outcome is not None
                ]
                open_from = len(samples)
            block = _block_of(board)
            slide_cells(cells, direction)
            if _block_of(cells.tolist()) > block:
                open_from = _set_outcomes(samples, open_from, 1.0)
            if _block_of(cells.tolist()) >= last:
                return samples
            spawn_in_cells(cells, state, self.spawn4)

    def _samples(
        self,
        game: int,
        board: tuple[int, ...],
        known: Sequence[_TableRates],
        is_exact: bool,
        rng: np.random.Generator,
    ) -> Iterator[Sample]:
        """Yield the position once per table that knows it, or once with the outcome pending."""
        goal = goal_of(board)
        is_easy = goal.n_large <= 2 and not known
        share = _EXACT_SHARE if known else _EASY_SHARE if is_easy else _OTHER_SHARE
        if rng.random() >= share:
            return
        self._looker.forget()
        values = self._looker.by_nodes(board, int(rng.choice(_LOOK_NODES))).values
        if not any(value is not None for value in values):
            return
        nothing: Rates = (None,) * 4
        for answer in known:
            yield Sample(game, board, answer.goal, values, answer.rates, None, answer.name)
        if not is_exact:
            yield Sample(game, board, goal, values, nothing, None, "")

    def _known(self, board: tuple[int, ...]) -> list[_TableRates]:
        profile, answers = TileProfile(board, OWN_TARGET), []
        for table in self._tables:
            if profile.goal(table.n_large, table.exponent) != table.exponent:
                continue
            rates = table.rates(profile.masked(table.n_large))
            if rates and any(rate for rate in rates):
                answers.append(
                    _TableRates(table.name, ChanceGoal(table.n_large, table.exponent), rates)
                )
        return answers


def _block_of(cells: Sequence[int]) -> int:
    return sum(1 << cell - BLOCK for cell in cells if cell >= BLOCK)


def _set_outcomes(samples: list[Sample], first: int, outcome: float) -> int:
    for i in range(first, len(samples)):
        if not samples[i].table and samples[i].outcome is None:
            samples[i] = samples[i]._replace(outcome=outcome)
    return len(samples)
