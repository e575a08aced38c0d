"""The history of a game: positions, the moves between them, and the present one."""

from dataclasses import dataclass

Tile = tuple[int, int]
"""A cell and an exponent."""


@dataclass(frozen=True)
class HistoryEntry:
    """A position, the move that led to it, and totals of the moves so far."""

    cells: bytes  # 16 exponents
    # The points, and the state of the generator for the next spawns.
    score: int
    rng_state: int
    direction: int | None = None  # None where the board was set
    spawned: Tile | None = None  # (cell, exponent) or None: the new tile of the move
    is_chosen: bool = False  # whether it was chosen; otherwise the generator drew it
    ms: int | None = None  # the time of the move in milliseconds; None if unknown
    # Moves, fours among their new tiles, and known times, from the start to here.
    n_moves: int = 0
    n_fours: int = 0
    played_ms: int = 0
    # Whether the moves started from a position that was set, not from the game's start.
    is_set: bool = False


class GameHistory:
    """The steps of a game, one of them the present one; those after it were undone."""

    def __init__(self, first: HistoryEntry) -> None:
        self.steps, self.at = [first], 0

    def copy(self) -> "GameHistory":
        twin = GameHistory(self.steps[0])
        twin.steps, twin.at = list(self.steps), self.at
        return twin

    @property
    def now(self) -> HistoryEntry:
        return self.steps[self.at]

    @property
    def before(self) -> HistoryEntry:
        if not self.at:
            raise IndexError("there is no step before the first")  # no text
        return self.steps[self.at - 1]

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at + 1 < len(self.steps)

    def push(self, step: HistoryEntry) -> None:
        self.steps[self.at + 1 :] = [step]
        self.at += 1

    def undo(self) -> bool:
        done = self.can_undo
        self.at -= done
        return done

    def redo(self) -> bool:
        done = self.can_redo
        self.at += done
        return done

    def since_set(self) -> list[HistoryEntry]:
        """Return the last step whose position was set, or the start, and all moves after it."""
        first = self.at
        while first and self.steps[first].direction is not None:
            first -= 1
        return self.steps[first : self.at + 1]
