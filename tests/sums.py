"""The chance of a sum of tiles by brute force, from its definition: the oracle of sum goals.

A board has reached the goal when its tiles, all but F, add up to at least `total`, new tile or
not. Otherwise you make the best of its legal moves; without one it is lost. Only moves and images
are those of the brute-force solver; nothing here knows of layers.
"""

from dataclasses import dataclass, field

from brute_force import Moves, Rules, cells_of, spawned_boards


def sum_of(board: int) -> int:
    return sum(1 << tile for tile in cells_of(board) if 0 < tile < 15)


@dataclass
class SumChances:
    """Chances of one formation and sum; `rates` has every after-state that was asked about."""

    rules: Rules
    total: int
    rates: dict[int, float] = field(default_factory=dict)
    _best: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.moves = Moves(self.rules)

    def of_after(self, after: int) -> float:
        """The rate of a canonical after-state: the mean over its new tiles."""
        if after not in self.rates:
            spawn4 = self.rules.spawn4
            worth = [
                (1 - spawn4) * self.of_position(two) + spawn4 * self.of_position(four)
                for two, four in zip(
                    spawned_boards(after, 1), spawned_boards(after, 2), strict=True
                )
            ]
            self.rates[after] = sum(worth) / len(worth) if worth else 0.0
        return self.rates[after]

    def of_position(self, board: int) -> float:
        """The rate of a board that is yours to move."""
        board = self.moves.canonical(board)
        if board not in self._best:
            is_reached = sum_of(board) >= self.total
            self._best[board] = (
                1.0 if is_reached else max(map(self.of_after, self.moves(board)), default=0.0)
            )
        return self._best[board]

    def from_seeds(self) -> dict[int, float]:
        """Every after-state that comes up before the sum is reached, with its rate."""
        for seed in self.rules.seeds:
            self.of_after(self.moves.canonical(seed))
        return self.rates
