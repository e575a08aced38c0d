"""How a player's time is spread over a game: little where nothing can go wrong, much where all may.

A game is lost where many large tiles stand that cannot merge yet, in the moves before a long
cascade. With five tiles of 128 or more a search gets about what each would get if all got the
same, with eight six times as much, with two a seventh.
"""

import numpy as np
import numpy.typing as npt

_LARGE = 7  # exponent of 128
# Over games that come to about 16384 these average 1: their positions have so many large tiles in
# 1, 4, 13, 26, 24, 21, 9 and 2 % of all cases, and eight of them in one of a thousand.
_EFFORTS = (0.1, 0.1, 0.15, 0.35, 0.7, 1.45, 2.9, 5.3, 8.0)
_SPENT_OVER = 500  # searches over which saved time is spent
_MOST_EXTRA = 4.0  # times what a move has of its own
_SURE_AFTER = 16  # moves: fewer say little of the speed


def effort(cells: npt.NDArray[np.uint8]) -> float:
    """Return which multiple of the average time the search of a position (uint8[16]) deserves."""
    n_large = int(np.count_nonzero(cells >= _LARGE))
    return _EFFORTS[min(n_large, len(_EFFORTS) - 1)]


class Pace:
    """The nodes of a search: as given, or whatever takes the milliseconds given.

    What moves of tables leave of their time is saved, and spent over the searches to come.

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
            raise ValueError("expected a budget in ms or in nodes, one of the two")
        self._ms, self._saved_ms = ms, 0.0
        self._nodes = float(nodes) if nodes is not None else 1000.0 * (ms or 0)

    def nodes(self, share: float) -> int:
        """Return the nodes of a search that deserves `share` times the average."""
        return max(1, int(self._nodes * share))

    def adjust(self, ms: float, moves: int, share: float) -> None:
        """Take note that so many searches took so long."""
        if self._ms is None or ms <= 0 or moves <= 0:
            return
        own_ms = self._ms * share
        extra_ms = min(_MOST_EXTRA * own_ms, max(0.0, self._saved_ms / _SPENT_OVER))
        self._saved_ms -= extra_ms * moves
        ratio = min(2.0, max(0.5, (own_ms + extra_ms) * moves / ms))
        # One chunk of moves says little, one move hardly anything.
        self._nodes *= ratio ** (0.5 * min(1.0, moves / _SURE_AFTER))

    def save(self, ms: float, share: float) -> None:
        """Take note that a table decided a move in so long."""
        if self._ms is not None:
            self._saved_ms += self._ms * share - ms
