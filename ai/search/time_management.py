"""How a player's time is spread over a game: little where nothing can go wrong, much where all may.

A game is lost where many large tiles stand that cannot merge yet, in the moves before a long
cascade. With five tiles of 128 or more a search gets about what each would get if all got the
same, with eight six times as much, with two a seventh.
"""

import numpy as np
import numpy.typing as npt

_LARGE = 7  # exponent of 128
# Set by hand after a fourth power of the number, of which 60 games were tried (216,522 +-15,479
# points, 199,890 +-11,759 with equal shares: within chance); this list itself was not compared.
# In six games at 1,500 nodes a move it averages 1: their positions had so many large tiles in
# 1, 4, 13, 26, 24, 21, 9 and 2 % of all cases, and eight of them in one of a thousand.
_EFFORTS = (0.1, 0.1, 0.15, 0.35, 0.7, 1.45, 2.9, 5.3, 8.0)
_SPENT_OVER = 3000  # moves over which saved time is spent, and owed time saved
_LEAST, _MOST = 0.4, 5.0  # times what a move deserves
_SURE_AFTER = 16  # moves: fewer say little of the speed
_NODES_PER_MS = 5000.0  # until the first searches have been timed


def effort(cells: npt.NDArray[np.uint8]) -> float:
    """Return which multiple of the average time the search of a position (uint8[16]) deserves."""
    n_large = int(np.count_nonzero(cells >= _LARGE))
    return _EFFORTS[min(n_large, len(_EFFORTS) - 1)]


class Pace:
    """The nodes of a search: as given, or whatever takes the milliseconds given.

    What easy moves and moves of tables leave of their time is saved and spent over those to come;
    what hard ones took too much is saved again: over a long game the average is kept.

    Parameters
    ----------
    ms : float or None
        CPU milliseconds a move, on average.
    nodes : int or None
        Or nodes a move.

    Raises
    ------
    ValueError
        Both are given, or none.
    """

    def __init__(self, ms: float | None, nodes: int | None) -> None:
        if (ms is None) == (nodes is None):
            raise ValueError("expected a budget in ms or in nodes, one of the two")  # no text
        self._ms, self._given_nodes = ms, nodes
        self._nodes_per_ms, self._saved_ms = _NODES_PER_MS, 0.0

    def nodes(self, share: float) -> int:
        """Return the nodes of a search that deserves `share` times the average."""
        if self._given_nodes is not None:
            return max(1, int(self._given_nodes * share))
        return max(1, int(self._nodes_per_ms * self._allowed_ms(share)))

    def adjust(self, ms: float, moves: int, share: float) -> None:
        """Take note that so many searches took so long."""
        if self._ms is None or ms <= 0 or moves <= 0:
            return
        ratio = min(2.0, max(0.5, self._allowed_ms(share) * moves / ms))
        # One chunk of moves says little, one move hardly anything.
        self._nodes_per_ms *= ratio ** (0.5 * min(1.0, moves / _SURE_AFTER))
        self._saved_ms += self._ms * moves - ms

    def save(self, ms: float) -> None:
        """Take note that a table decided a move in so long."""
        if self._ms is not None:
            self._saved_ms += self._ms - ms

    def _allowed_ms(self, share: float) -> float:
        ms = self._ms or 1.0
        return ms * share * min(_MOST, max(_LEAST, 1.0 + self._saved_ms / (ms * _SPENT_OVER)))
