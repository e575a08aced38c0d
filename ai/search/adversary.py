"""The adversary that places the new tile where it hurts: minimax between spawner and player.

Five plies deep: tile, move, tile, move, tile. The spawner picks a cell and a 2 or a 4, regardless
of probability, for the lowest value; the player picks the move with the highest. At the horizon,
the value of a position is the evaluation of its best move.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluate import after_value
from ai.evaluation.evaluation import Evaluation
from ai.search.expectimax import empty_cells
from engine.kernels.moves import slide, slide_score
from engine.platform.jit import kernel

PLIES = 5
_U = np.uint64


@kernel
def worst_value(after, plies, low, high, rules, evaluator, chosen):
    """Return the value of an after-state with the worst new tile, within alpha-beta bounds.

    `after` has an empty cell.
    `plies` is the odd number of tiles and moves to look ahead, including this tile. A value outside
    of the bounds need only be on the right side. `chosen` (uint64[1]) is overwritten with the bit
    of the worst tile: bit 0 of the cell for a 2, bit 1 for a 4.
    """
    worst, worst_tile = high, _U(0)
    for kind in range(1, -1, -1):  # fours first: they hurt more often
        places = empty_cells(after) << _U(kind)
        while places:
            tile = places & (_U(0) - places)
            places ^= tile
            board = after | tile
            best = rules.dead
            for direction in range(4):
                moved = slide(board, direction, rules.moves)
                if moved == board:
                    continue
                points = rules.points * np.float32(slide_score(board, direction, rules.moves))
                if plies <= 1:
                    value = after_value(moved, evaluator)
                else:
                    value = worst_value(
                        moved,
                        plies - 2,
                        max(low, best) - points,
                        worst - points,
                        rules,
                        evaluator,
                        chosen,
                    )
                best = max(best, value + points)
                if best >= worst:
                    break
            if best < worst or worst_tile == 0:
                worst, worst_tile = min(worst, best), tile
            if worst <= low:
                chosen[0] = worst_tile
                return worst
    chosen[0] = worst_tile
    return worst


class Adversary:
    """Chooses tiles against the player; one caller at a time."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._chosen: npt.NDArray[np.uint64] = np.zeros(1, np.uint64)

    def choose(self, after: Sequence[int]) -> tuple[int, int]:
        """Return the (cell, exponent) of the worst new tile on 16 exponents after a slide."""
        if all(after):
            raise ValueError("no empty cell for a new tile")  # no text
        array = np.array(after, np.uint8)
        phase, board = self._evaluation.look_without_walls(array)
        # Nothing is worse than the end of the game, so the first tile that leads there suffices.
        low, high = phase.rules.dead, np.float32(np.inf)
        worst_value(board, PLIES, low, high, phase.rules, phase.evaluator, self._chosen)
        bit = int(self._chosen[0]).bit_length() - 1
        return 15 - bit // 4, 1 + bit % 4
