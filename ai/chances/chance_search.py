"""Search that returns chances of the next large tile, for each move of any position."""

from collections.abc import Sequence
from dataclasses import dataclass

from ai.chances.features import features
from ai.chances.goal import ChanceGoal, goal_of
from ai.chances.model import ChanceModel, read_model
from ai.errors import PlayError
from ai.evaluation.evaluation import Evaluation, read_weights
from ai.evaluation.line_tables import LineTables
from ai.search.search import Search
from engine.formats.sliding import slide
from engine.platform.language import mark, tr
from engine.platform.quantities import percent_text

Chances = tuple[float | None, ...]

DEFAULT_NODES = 12_000
"""Some 3 ms of one core."""


@dataclass(frozen=True)
class ChanceEstimate:
    """The search result for a position."""

    goal: ChanceGoal  # the goal that the chances refer to
    chances: Chances  # by direction, in [0, 1]; None for an illegal move
    direction: int | None  # the best move; None if there is none
    # Positions searched, moves looked ahead.
    nodes: int
    depth: int

    @property
    def best(self) -> float:
        """The chance of the best move; 0 if there is no move."""
        return 0.0 if self.direction is None else self.chances[self.direction] or 0.0


class ChanceSearch:
    """Estimates positions one by one: the answer depends only on the position, not on earlier ones.

    Raises PlayError if the model, by default the program's own, was fitted to games with another
    probability of fours.
    """

    def __init__(self, spawn4: float = 0.1, model: ChanceModel | None = None) -> None:
        self._model = model or read_model()
        if not self._model.is_for(spawn4):
            text = mark(
                "chances are known for games in which {known} of the new tiles are 4s, not {share}"
            )
            text = tr(text, known=percent_text(self._model.spawn4), share=percent_text(spawn4))
            raise PlayError(text)
        evaluation = Evaluation(read_weights(), spawn4)  # lines only: one scale everywhere
        self._search = Search(evaluation)
        self._evaluator = lines_of(evaluation)

    def look(
        self, cells: Sequence[int], nodes: int = DEFAULT_NODES, goal: ChanceGoal | None = None
    ) -> ChanceEstimate:
        """Estimate for 16 exponents, up to 17; `goal` replaces the position's own, see
        `ai.chances.goal`.
        """
        self._search.forget()
        answer = self._search.by_nodes(cells, nodes)
        goal = goal or goal_of(cells)
        legal = [move for move in range(4) if answer.values[move] is not None]
        if answer.direction is None or not legal:
            return ChanceEstimate(goal, (None,) * 4, None, 0, 0)
        order = sorted(legal, key=lambda move: (-(answer.values[move] or 0.0), move))
        values = [answer.values[move] or 0.0 for move in order]
        raw = self._model.chances(features(cells, goal, values, self._evaluator))
        chances: list[float | None] = [None] * 4
        most = 1.0
        for direction, chance in zip(order, raw, strict=True):
            if goal.is_made(cells, slide(cells, direction, merge_32768=True)):
                chances[direction] = 1.0
                continue
            most = min(most, float(chance))  # a lower search value gets no higher chance
            chances[direction] = most
        best = max(legal, key=lambda move: (chances[move] or 0.0, -order.index(move)))
        return ChanceEstimate(goal, tuple(chances), best, answer.nodes, answer.depth)

    def stop(self) -> None:
        """Stop the running search, from another thread; its result is then unusable."""
        self._search.stop()


def lines_of(evaluation: Evaluation) -> LineTables:
    evaluator = evaluation.phase_of(0).evaluator
    assert isinstance(evaluator, LineTables)
    return evaluator
