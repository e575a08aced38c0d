"""Separating luck from skill: the effect of each move and of each new tile.

A table knows the *best rate* of a position, and the *rate* of each move: the mean of the best rates
after all possible new tiles. So every change of the success rate has exactly one cause::

    skill of a move   ln(rate) - ln(best rate before)      never above 0, 0 for a perfect move
    luck of a tile    ln(best rate after) - ln(rate)

    ln(best rate at the end) = ln(best rate at the start) + sum of skill + sum of luck

Logarithms are used because a game is a product: doubling the chance is the same luck early or late.
The same holds in plain rates, ``end = start - points lost + points of luck``. The two differ:

* In rates, luck is fair: its mean over all possible tiles is exactly 0, whatever is played.
* In logarithms it is not: its mean is below 0 (Jensen's inequality), the more so the more is at
  stake. Over a successful game it makes up the gap between the initial chance and 1, apart from
  skill. Its negative is the *difficulty* of a game: how much the tiles worked against the player.

Skill is the logarithm of the match rate, except for the tolerance within which moves are perfect.
"""

import math
from dataclasses import dataclass, replace

LOST = -math.inf

REMEMBERED = 3
"""Number of moves for which the luck of a tile is remembered."""


@dataclass(frozen=True)
class SpawnLuck:
    """The luck of one new tile."""

    log: float  # ln(best rate after) - ln(rate); -inf for a tile that leaves no chance
    points: float  # best rate after - rate, in [-1, 1]


def spawn_luck(rate: float | None, best_after: float | None) -> SpawnLuck | None:
    """Return the luck of a new tile; None if a rate is unknown, or nothing was left to lose.

    `rate` is that of the move before the tile, `best_after` the best one of the position with the
    tile; 1 once the target is reached.

    >>> spawn_luck(0.5, 0.5), spawn_luck(0.5, None)
    (SpawnLuck(log=0.0, points=0.0), None)
    """
    if rate is None or best_after is None or rate <= 0.0:
        return None
    return SpawnLuck(log_ratio(best_after, rate), best_after - rate)


def log_ratio(part: float, whole: float) -> float:
    """Return ln(part / whole) for ``whole > 0``; -inf if `part` is 0."""
    return math.log(part) - math.log(whole) if part > 0.0 else LOST


@dataclass(frozen=True)
class Fortune:
    """Skill and luck over a stretch of a game: `add` returns the next one and keeps the old one."""

    # The best rates at both ends of the known stretch, in [0, 1].
    start: float
    end: float
    # The sums in logarithms: ``ln(end) = ln(start) + skill + luck``; -inf if a move or a tile left
    # no chance.
    skill: float = 0.0
    luck: float = 0.0
    # The sums in rates: ``end = start - points_lost + points_of_luck``.
    points_lost: float = 0.0
    points_of_luck: float = 0.0
    n_tiles: int = 0  # new tiles whose luck is known
    # The lowest and highest luck of one tile, in rates.
    worst_tile: float = 0.0
    best_tile: float = 0.0

    @classmethod
    def from_rate(cls, best_rate: float) -> "Fortune":
        return cls(best_rate, best_rate)

    @property
    def difficulty(self) -> float:
        """Return the difficulty, the negative of luck: positive for bad luck."""
        return -self.luck

    def add(self, rate: float, best_after: float) -> "Fortune":
        """Return the fortune after a move and its new tile; both rates must be known.

        ValueError: nothing was left to lose before the move.
        """
        if self.end <= 0.0:
            raise ValueError("nothing is left to lose: no move can follow")  # no text
        luck = spawn_luck(rate, best_after) or SpawnLuck(0.0, best_after - rate)
        return replace(
            self,
            end=best_after,
            skill=self.skill + log_ratio(rate, self.end),
            luck=self.luck + luck.log,
            points_lost=self.points_lost + self.end - rate,
            points_of_luck=self.points_of_luck + luck.points,
            n_tiles=self.n_tiles + 1,
            worst_tile=min(self.worst_tile, luck.points),
            best_tile=max(self.best_tile, luck.points),
        )
