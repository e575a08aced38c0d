"""Search behind the interface of a table: it answers for any position, with estimates."""

from ai.chances.goal import ChanceGoal
from coach.recordings.recording import SEARCH
from coach.whole_game.game_search import Look
from engine.bitboard import cells
from engine.spawn import Rng
from tablebase.formation.formation import Formation
from tablebase.formation.goal import TileGoal
from tablebase.probe.probes import Probe

_SHARE_OF_4 = 0.1
_EVERY_CELL = (1 << 64) - 1


class SearchedTable:
    """Answers like a table, by a search with a fixed number of nodes for each position.

    `goal` is that of the start position; its tile is the target.
    """

    name = SEARCH
    spawn4 = _SHARE_OF_4
    rate = "float32"
    is_thinned = is_limited = False

    def __init__(self, goal: ChanceGoal, look: Look, nodes: int) -> None:
        self._look, self._nodes = look, nodes
        self.target = TileGoal(1 << goal.exponent)
        self.formation, self.n_large = free_board(goal.n_large), goal.n_large

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        left, right, up, down = self._look(tuple(cells(board)), self._nodes).chances
        rates = left, right, up, down
        known = [(chance, -one) for one, chance in enumerate(rates) if chance is not None]
        return Probe(board, self.name, rates, -max(known)[1] if known else None, masked=board)

    def start_board(self, rng: Rng) -> int:
        raise NotImplementedError("search has no start of its own")  # no text

    def close(self) -> None: ...


def free_board(n_large: int) -> Formation:
    """Return the whole board as a formation: large tiles and the target may be anywhere."""
    return Formation(
        name="",
        category="",
        masks=(),
        target_cells=_EVERY_CELL,
        symmetry="full",
        seeds=(_EVERY_CELL >> 4 * (16 - n_large),),  # says how many large tiles there are
        extra_steps=0,
        walls=False,
    )
