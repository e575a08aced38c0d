"""Time management over a game: little time for safe positions, more for critical ones.

Games are lost when there are many large tiles that cannot merge yet, in the moves before a long
cascade. With four or five tiles of 128 or more, a search gets about the average time, with eight
eight times as much, with two a seventh.
"""

import numpy as np
import numpy.typing as npt

_LARGE = 7  # exponent of 128
# Set by hand after a fourth power of the number, of which 60 games were tried (216,522 +-15,479
# points, 199,890 +-11,759 with equal shares: within chance); this list itself was not compared.
# In six games at 1,500 nodes a move it averages 1: their positions had so many large tiles in
# 1, 4, 13, 26, 24, 21, 9 and 2 % of all cases, and eight of them in one of a thousand.
_EFFORTS = (0.1, 0.1, 0.15, 0.35, 0.7, 1.45, 2.9, 5.3, 8.0)
# How far the time spent may exceed the budget, in budgets of a move and as a share of the moves
# made: at half of that, a search gets half of its due. A larger limit leaves more to hard
# positions, a smaller one keeps the average closer.
_LEASH, _LEASH_SHARE = 150.0, 0.02
_RESERVE_SHARE = 0.006  # of the moves: games end in hard positions, where it is spent
_MIN_FACTOR, _MAX_FACTOR = 0.25, 4.0  # times a move's due
_SHARES_KNOWN = 1000.0  # virtual moves of average effort before the first of a game
_SPEED_OVER = 200.0  # moves after which a measured speed counts half
_NODES_PER_MS, _SPEED_KNOWN = 5000.0, 16.0  # assumed speed, weighted as this many timed moves


def effort(cells: npt.NDArray[np.uint8]) -> float:
    """Return the multiple of the average time that a position (uint8[16]) deserves."""
    n_large = int(np.count_nonzero(cells >= _LARGE))
    return _EFFORTS[min(n_large, len(_EFFORTS) - 1)]


class NodeBudget:
    """The node budget of a search: as given, or as many as fit the given milliseconds.

    The effort of a position is relative to that of the game so far, with table moves as zero: time
    saved by easy moves and tables goes to the others. Overspending is made up within some hundred
    moves, since a game may end at any time. `ms` are of CPU time per move, on average; exactly one
    of both is given.
    """

    def __init__(self, ms: float | None, nodes: int | None) -> None:
        if (ms is None) == (nodes is None):
            raise ValueError("expected a budget in ms or in nodes, one of the two")  # no text
        self._ms, self._given_nodes = ms, nodes
        self._moves, self._saved = 0, 0.0  # saved: in budgets of a move
        self._shares = _SHARES_KNOWN
        timed = _SPEED_KNOWN * (ms or 1.0)
        # Sums, not a mean of ratios: searches with the same nodes take very different times.
        self._timed_nodes, self._timed_ms = timed * _NODES_PER_MS, timed

    def nodes(self, share: float) -> int:
        if self._given_nodes is not None:
            return max(1, int(self._given_nodes * share))
        deserved = share * (_SHARES_KNOWN + self._moves) / self._shares
        ahead = self._saved - _RESERVE_SHARE * self._moves
        leash = max(_LEASH, _LEASH_SHARE * self._moves)
        ms = (self._ms or 1.0) * deserved * min(_MAX_FACTOR, max(_MIN_FACTOR, 1.0 + ahead / leash))
        return max(1, int(self._timed_nodes / self._timed_ms * ms))

    def adjust(self, ms: float, moves: int, share: float) -> None:
        if self._ms is None or moves <= 0:
            return
        faded = 0.5 ** (moves / _SPEED_OVER)
        self._timed_nodes = faded * self._timed_nodes + moves * self.nodes(share)
        self._timed_ms = faded * self._timed_ms + ms
        self._count(ms, moves, share)

    def save(self, ms: float) -> None:
        if self._ms is not None:
            self._count(ms, 1, 0.0)

    def _count(self, ms: float, moves: int, share: float) -> None:
        self._moves += moves
        self._shares += moves * share
        self._saved += moves - ms / (self._ms or 1.0)
