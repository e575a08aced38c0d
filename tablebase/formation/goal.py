"""What a table leads to: a tile, or a sum of tiles.

A goal is a value: the folder PATTERN_GOAL is named after it, ``build 3x3 sum1800`` names it, and
the manifest records it. What the builder, the reader and the estimate must know of a goal are the
methods of `Goal`. A third kind is a class more, and a line in `_READERS`.

A tile is reached by a move, on cells that the formation names, and whatever is not there a few
layers after the tile's own sum has lost. A sum is reached when the board has it, whichever way its
tiles lie: a move never changes the sum, so a new tile does it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from engine.language import tr
from tablebase.errors import FormationError

TARGETS = tuple(1 << exponent for exponent in range(6, 15))
MAX_HALF_SUM = (1 << 14) - 1 - 4  # half a tile sum has 14 bits, and a spawn may add to it
MIN_LAYERS = 3


class Played(Protocol):
    """What a goal must know of `tablebase.formation.formation.Formation`."""

    @property
    def n_large(self) -> int:
        """The number of large tiles or walls."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The boards as written from which a table starts."""

    @property
    def seed_half_sum(self) -> int:
        """Half the sum of the tiles of layer 0 that are not F."""

    @property
    def extra_steps(self) -> int:
        """Layers beyond half the target tile."""

    @property
    def target_cells(self) -> int:
        """Nibbles where a target tile counts."""


class Goal(ABC):
    """What a table leads to; equal goals are equal values, and ``str`` is how names spell them.

    Attributes
    ----------
    kind : str
        "tile" or "sum".
    order : tuple of int
        Where lists of tables have it.
    tile : int
        Face value of the tile that reaches the goal; 0 when none does.
    least_large : int
        Exponent that large tiles must have, for small ones never to become like them on the way.
    last_rate : float
        What after-states of the last two layers are worth that hold no such tile.
    json : int or str
        The goal as files have it.
    lesser : tuple of Goal
        Goals whose tables tell what this one's will be like, each twice the one before.
    """

    kind: ClassVar[str]
    last_rate: ClassVar[float]

    @property
    @abstractmethod
    def order(self) -> tuple[int, int]:
        """Where lists of tables have it."""

    @property
    @abstractmethod
    def tile(self) -> int:
        """Face value of the tile that reaches it; 0 when none does."""

    @property
    @abstractmethod
    def least_large(self) -> int:
        """Exponent that large tiles must have."""

    @property
    @abstractmethod
    def json(self) -> int | str:
        """The goal as files have it."""

    @property
    @abstractmethod
    def lesser(self) -> "tuple[Goal, ...]":
        """Goals whose tables tell what this one's will be like."""

    @abstractmethod
    def words(self) -> str:
        """Return the goal as people read it."""

    @property
    def is_possible(self) -> bool:
        """Whether there are tables for it, by some formation."""
        try:
            self.check()
        except FormationError:
            return False
        return True

    @abstractmethod
    def check(self) -> None:
        """Raise FormationError when there are no tables for it, whatever the formation."""

    @abstractmethod
    def n_layers(self, formation: Played) -> int:
        """Return the number of layers of a table."""

    @abstractmethod
    def cells(self, formation: Played) -> int:
        """Return the cells (nibbles F) where `tile` counts."""

    @abstractmethod
    def is_within(self, formation: Played) -> bool:
        """Tell whether the free cells have room for it."""

    @abstractmethod
    def is_reached_by(self, half_sum: int) -> bool:
        """Tell whether every board with that half-sum has reached it."""

    @abstractmethod
    def why_not(self, formation: Played) -> str:
        """Return why there is no table for it, to be said after a colon; "" when there is."""

    def is_sure_after(self, half_sum: int) -> bool:
        """Tell whether every after-state of that half-sum is sure of it: any new tile does it."""
        return self.is_reached_by(half_sum + 1)


class TileGoal(int, Goal):
    """A tile, which is also its face value: 256 and ``TileGoal(256)`` are equal."""

    kind = "tile"
    last_rate = 0.0  # it comes too late

    @property
    def order(self) -> tuple[int, int]:
        """By size."""
        return 0, int(self)

    @property
    def tile(self) -> int:
        """The face value."""
        return int(self)

    @property
    def least_large(self) -> int:
        """The tile's own exponent."""
        return self.bit_length() - 1

    @property
    def json(self) -> int | str:
        """The face value."""
        return int(self)

    @property
    def lesser(self) -> tuple[Goal, ...]:
        """The smaller tiles."""
        return tuple(TileGoal(tile) for tile in TARGETS if tile < self)

    def words(self) -> str:
        """Return the face value as text."""
        return str(self)

    def check(self) -> None:
        """Raise FormationError when there are no tables for it, whatever the formation."""
        if self not in TARGETS:
            raise _no_tile(self.tile)

    def n_layers(self, formation: Played) -> int:
        """Return the number of layers: up to half the tile, and a few more."""
        return self // 2 + formation.extra_steps

    def cells(self, formation: Played) -> int:
        """Return the formation's target cells."""
        return formation.target_cells

    def is_within(self, formation: Played) -> bool:
        """Tell whether it fits: on n free cells 4, 4, 8, 16 ... add up to 2 ** (n + 1)."""
        return self <= 2 << (16 - formation.n_large)

    def is_reached_by(self, half_sum: int) -> bool:  # noqa: ARG002
        """Return False: no sum makes a tile."""
        return False

    def why_not(self, formation: Played) -> str:
        """Return why there is no table for it, to be said after a colon; "" when there is."""
        n_layers = self.n_layers(formation)
        largest = max(map(_largest_tile, formation.seeds))
        if largest >= self:
            return tr("its seeds hold a {tile} already, a target must be larger", tile=largest)
        if n_layers < MIN_LAYERS:
            return tr(
                "with {steps} extra steps it has fewer than {layers} layers",
                steps=formation.extra_steps,
                layers=MIN_LAYERS,
            )
        return _too_large(formation.seed_half_sum + n_layers - 1)


@dataclass(frozen=True)
class SumGoal(Goal):
    """A sum of the tiles that are not F: reached as soon as a board has it, or more."""

    total: int
    kind: ClassVar[str] = "sum"
    last_rate: ClassVar[float] = 1.0  # the next tile, or the last one, makes the sum

    def __str__(self) -> str:
        return f"sum{self.total}"

    @property
    def order(self) -> tuple[int, int]:
        """After all tiles, by size."""
        return 1, self.total

    @property
    def tile(self) -> int:
        """No tile: 0."""
        return 0

    @property
    def least_large(self) -> int:
        """The exponent of the first tile that is the sum all by itself."""
        return (self.total - 1).bit_length()

    @property
    def json(self) -> int | str:
        """Such as "sum1800"."""
        return str(self)

    @property
    def lesser(self) -> tuple[Goal, ...]:
        """None: each sum is counted or sampled by itself."""
        return ()

    def words(self) -> str:
        """Return such as "sum 1,800"."""
        return tr("sum {sum}", sum=f"{self.total:,}")

    def check(self) -> None:
        """Raise FormationError when there are no tables for it, whatever the formation."""
        if self.total % 2 or not 0 < self.total <= 2 * MAX_HALF_SUM:
            raise FormationError(
                tr(
                    "no table for {target}: expected an even sum up to {most}, such as sum1800",
                    target=self,
                    most=2 * MAX_HALF_SUM,
                )
            )

    def n_layers(self, formation: Played) -> int:
        """Return the number of layers: from the seeds' sum to this one."""
        return self.total // 2 - formation.seed_half_sum + 1

    def cells(self, formation: Played) -> int:  # noqa: ARG002
        """Return no cell: no tile counts more than others."""
        return 0

    def is_within(self, formation: Played) -> bool:
        """Tell whether so much fits on the free cells."""
        return self.total <= _largest_sum(formation)

    def is_reached_by(self, half_sum: int) -> bool:
        """Tell whether it is that sum or more."""
        return 2 * half_sum >= self.total

    @staticmethod
    def limits(formation: Played) -> tuple[int, int]:
        """Return the least and the largest sum that a formation has a table for."""
        least = 2 * (formation.seed_half_sum + MIN_LAYERS - 1)
        return least, min(_largest_sum(formation), 2 * MAX_HALF_SUM)

    def why_not(self, formation: Played) -> str:
        """Return why there is no table for it, to be said after a colon; "" when there is."""
        least, _ = self.limits(formation)
        if self.total < least:
            return tr(
                "the tiles of its seeds add up to {sum} already, expected a sum from {least} on",
                sum=2 * formation.seed_half_sum,
                least=least,
            )
        if not self.is_within(formation):
            return tr(
                "its {n} free cells hold a sum of {most} at most",
                n=16 - formation.n_large,
                most=_largest_sum(formation),
            )
        return _too_large(self.total // 2)


def goal_of(target: Goal | int) -> Goal:
    """Return a goal; a bare number is the face value of a tile."""
    return target if isinstance(target, Goal) else TileGoal(target)


def check_target(target: object) -> Goal:
    """Return the goal, or tile, if there are tables for it; raise FormationError otherwise."""
    if not isinstance(target, int | Goal):
        raise _no_tile(target)
    goal = goal_of(target)
    goal.check()
    return goal


def read_goal(text: str) -> Goal | None:
    """Return the goal that a name or the command line spells, None if it is none."""
    for pattern, read in _READERS:
        if match := re.fullmatch(pattern, text, re.ASCII):
            return read(int(match[1]))
    return None


def goal_in(value: object) -> Goal | None:
    """Return the goal that a file has as `Goal.json`, None if that is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return TileGoal(value)
    goal = read_goal(value) if isinstance(value, str) else None
    return goal if goal is not None and goal.json == value else None


_READERS: tuple[tuple[str, Callable[[int], Goal]], ...] = (
    (r"(\d{1,9})", TileGoal),
    (r"sum(\d{1,9})", SumGoal),
)


def _no_tile(target: object) -> FormationError:
    known = ", ".join(map(str, TARGETS))
    return FormationError(
        tr(
            "no table for target {target!r}: expected one of {known}, or a sum such as sum1800",
            target=target,
            known=known,
        )
    )


def _too_large(top: int) -> str:
    """Return what is wrong with a largest half-sum, "" when nothing is."""
    if top <= MAX_HALF_SUM:
        return ""
    return tr(
        "tile sums up to {sum} are too large, expected at most {most}",
        sum=2 * top,
        most=2 * MAX_HALF_SUM,
    )


def _largest_sum(formation: Played) -> int:
    """Return what fits on n free cells: 4, 8, 16 ... up to 2 ** (n + 1)."""
    return (4 << (16 - formation.n_large)) - 4


def _largest_tile(board: int) -> int:
    nibbles = ((board >> shift) & 15 for shift in range(0, 64, 4))
    return 1 << max((nibble for nibble in nibbles if nibble < 15), default=0)
