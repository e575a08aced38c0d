"""Search behind the interface of a table: it answers for any position, with estimates."""

from dataclasses import dataclass

from ai.chances.goal import Goal
from coach.recordings.recording import SEARCH
from coach.whole_game.game_search import Look
from engine.bitboard import cells
from engine.formats.replay import Rates
from engine.spawn import Rng

_SHARE_OF_4 = 0.1
_EVERY_CELL = (1 << 64) - 1


@dataclass(frozen=True)
class FreeBoard:
    """The whole board in the place of a formation.

    Attributes
    ----------
    n_large : int
        The large tiles next to which the goal is to be made.
    """

    n_large: int
    masks: tuple[int, ...] = ()
    target_cells: int = _EVERY_CELL
    walls: bool = False
    symmetry: str = "full"


@dataclass(frozen=True)
class Estimated:
    """Search's answer for a position, in the form of a table's.

    Attributes
    ----------
    rates : tuple of four float or None
    best : int or None
    unknown : tuple of int
        Empty: search values every move.
    """

    rates: Rates
    best: int | None
    unknown: tuple[int, ...] = ()


class SearchedTable:
    """Answers like a table, by a search with a fixed number of nodes.

    Parameters
    ----------
    goal : Goal
        Goal of the start position; its tile is the target.
    look : Look
    nodes : int
        For each position.
    """

    name = SEARCH
    spawn4 = _SHARE_OF_4
    rate = "float32"
    is_thinned = is_limited = False

    def __init__(self, goal: Goal, look: Look, nodes: int) -> None:
        self._look, self._nodes = look, nodes
        self.target = 1 << goal.exponent
        self.formation = FreeBoard(goal.n_large)

    def probe(self, board: int, comes_up: bool = False) -> Estimated:  # noqa: ARG002
        """Return the chances of a position's moves."""
        left, right, up, down = self._look(tuple(cells(board)), self._nodes).chances
        rates = left, right, up, down
        known = [(chance, -one) for one, chance in enumerate(rates) if chance is not None]
        return Estimated(rates, -max(known)[1] if known else None)

    def start_board(self, rng: Rng) -> int:
        """Raise: search has no start boards."""
        raise NotImplementedError("search has no start of its own")  # no text

    def close(self) -> None:
        """There are no files."""
