"""The goal of a table: a tile, or a sum of tiles.

A goal is a value: the folder PATTERN_GOAL is named after it, ``build 3x3 sum1800`` names it, and
the manifest records it. The methods of `Goal` are all that the builder, the reader and the estimate
need to know about a goal. A third kind takes one more class and its spelling.

A tile is reached by a move, on cells that the formation names; a board that has not reached it by
the last two layers counts as lost. By default those come a few layers after the tile's own sum,
where boards may still reach it; in a full table, no board is left by then. A sum is reached when
the board has it, wherever its tiles are: a move never changes the sum, so a new tile reaches it.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

from engine.bitboard import half_width
from engine.platform.language import tr
from tablebase.errors import FormationError

TARGETS = tuple(1 << exponent for exponent in range(6, 15))
MAX_HALF_SUM = (1 << 14) - 1 - 4  # half a tile sum has 14 bits, and a spawn may add up to 2
MIN_LAYERS = 3
_ALL_CELLS = (1 << 64) - 1


class GoalFormation(Protocol):
    """The part of `tablebase.formation.formation.Formation` that a goal needs."""

    @property
    def n_large(self) -> int: ...
    @property
    def seeds(self) -> tuple[int, ...]: ...
    @property
    def seed_half_sum(self) -> int: ...
    @property
    def extra_steps(self) -> int: ...
    @property
    def target_cells(self) -> int: ...
    @property
    def fixed_mask(self) -> int: ...


class Goal(ABC):
    """The goal of a table; equal goals are equal values, ``str`` gives the spelling in names."""

    kind: ClassVar[str]  # "tile" or "sum"
    # The rate of after-states of the last two layers that hold no such tile.
    last_rate: ClassVar[float]

    @property
    @abstractmethod
    def order(self) -> tuple[int, int]:
        """The sort key in lists of tables."""

    @property
    @abstractmethod
    def tile(self) -> int:
        """Face value of the tile that reaches it; 0 if no tile does."""

    @property
    @abstractmethod
    def least_large(self) -> int:
        """Least exponent of large tiles, so that small ones never become equal on the way."""

    @property
    def json(self) -> int | str:
        """The goal as written in files."""
        return self.tile if self.kind == "tile" else str(self)

    @property
    def lesser(self) -> "tuple[TileGoal, ...]":
        """Goals whose tables help to estimate this one's, each twice the one before."""
        return tuple(TileGoal(tile) for tile in TARGETS if tile < self.tile)

    @abstractmethod
    def words(self) -> str:
        """Return the goal as text for people."""

    @property
    def is_possible(self) -> bool:
        try:
            self.check()
        except FormationError:
            return False
        return True

    @abstractmethod
    def check(self) -> None:
        """Raise FormationError if no formation can have a table for it."""

    @abstractmethod
    def n_layers(self, formation: GoalFormation) -> int:
        """Return the number of layers of a table."""

    @abstractmethod
    def full_layers(self, formation: GoalFormation) -> int:
        """Return the number of layers of a table whose last two can hold no board."""

    def cells(self, formation: GoalFormation) -> int:
        """Return the cells (nibbles F) where `tile` counts."""
        return formation.target_cells if self.tile else 0

    @abstractmethod
    def is_reached_by(self, half_sum: int) -> bool:
        """Return whether every board with that half-sum has reached it."""

    @abstractmethod
    def why_not(self, formation: GoalFormation) -> str:
        """Return the reason, to follow a colon, why it has no table; "" if it has one."""

    def is_sure_after(self, half_sum: int) -> bool:
        """Return whether any new tile on an after-state with that half-sum reaches it."""
        return self.is_reached_by(half_sum + 1)


class TileGoal(int, Goal):
    """A tile, which is also its face value: 256 and ``TileGoal(256)`` are equal."""

    kind = "tile"
    last_rate = 0.0  # a tile would come too late

    @property
    def order(self) -> tuple[int, int]:
        return 0, int(self)

    @property
    def tile(self) -> int:
        return int(self)

    @property
    def least_large(self) -> int:
        return self.bit_length() - 1

    def words(self) -> str:
        return str(self)

    def check(self) -> None:
        if self not in TARGETS:
            raise _no_tile(self.tile)

    def n_layers(self, formation: GoalFormation) -> int:
        return self // 2 + formation.extra_steps

    def full_layers(self, formation: GoalFormation) -> int:
        """Return the layers until no board that has not reached the tile can hold the sum, and two.

        Where the tile counts in every free cell, no tile is as large, and an after-state leaves a
        cell empty. Elsewhere larger ones can be made beside the target cells: the free cells add up
        to no more than without the tiles of the seeds, and those.
        """
        n_free = 16 - formation.n_large
        if (formation.target_cells | formation.fixed_mask) == _ALL_CELLS:
            top = max(self // 4 * (n_free - 1), formation.seed_half_sum)
        else:
            top = _largest_sum(formation) // 2 + formation.seed_half_sum
        return max(top - formation.seed_half_sum + 3, self // 2 + formation.extra_steps)

    def is_reached_by(self, half_sum: int) -> bool:  # noqa: ARG002
        return False

    def why_not(self, formation: GoalFormation) -> str:
        if why := self.why_no_layers(formation):
            return why
        if self > largest_tile(formation):
            return tr(
                "its {n} free cells hold no tile larger than {most}",
                n=16 - formation.n_large,
                most=largest_tile(formation),
            )
        return ""

    def why_no_layers(self, formation: GoalFormation) -> str:
        n_layers = self.n_layers(formation)
        largest = max(map(_largest_on, formation.seeds))
        if largest >= self:
            return tr("its seeds already have a {tile}, and a target must be larger", tile=largest)
        if n_layers < MIN_LAYERS:
            return tr(
                "with {steps} extra steps it has fewer than {layers} layers",
                steps=formation.extra_steps,
                layers=MIN_LAYERS,
            )
        return _too_large(formation.seed_half_sum + n_layers - 1)


@dataclass(frozen=True)
class SumGoal(Goal):
    """A sum of the tiles that are not F: reached as soon as a board has at least this sum."""

    total: int
    kind: ClassVar[str] = "sum"
    last_rate: ClassVar[float] = 1.0  # the next tile, or the last one, reaches the sum

    def __str__(self) -> str:
        return f"sum{self.total}"

    @property
    def order(self) -> tuple[int, int]:
        return 1, self.total

    @property
    def tile(self) -> int:
        return 0

    @property
    def least_large(self) -> int:
        """The exponent of the smallest tile that equals or exceeds the sum by itself."""
        return (self.total - 1).bit_length()

    def words(self) -> str:
        return tr("sum {sum}", sum=f"{self.total:,}")

    def check(self) -> None:
        if self.total % 2 or not 0 < self.total <= 2 * MAX_HALF_SUM:
            raise FormationError(
                "no table for {target}: expected an even sum up to {most}, such as sum1800",
                target=self,
                most=2 * MAX_HALF_SUM,
            )

    def n_layers(self, formation: GoalFormation) -> int:
        return self.total // 2 - formation.seed_half_sum + 1

    def full_layers(self, formation: GoalFormation) -> int:
        return self.n_layers(formation)

    def is_reached_by(self, half_sum: int) -> bool:
        return 2 * half_sum >= self.total

    @staticmethod
    def limits(formation: GoalFormation) -> tuple[int, int]:
        least = 2 * (formation.seed_half_sum + MIN_LAYERS - 1)
        return least, min(_largest_sum(formation), 2 * MAX_HALF_SUM)

    def why_not(self, formation: GoalFormation) -> str:
        least, _ = self.limits(formation)
        if self.total < least:
            return tr(
                "the tiles of its seeds add up to {sum} already, expected a sum from {least} on",
                sum=2 * formation.seed_half_sum,
                least=least,
            )
        if self.total > _largest_sum(formation):
            return tr(
                "its {n} free cells hold a sum of {most} at most",
                n=16 - formation.n_large,
                most=_largest_sum(formation),
            )
        return _too_large(self.total // 2)


def goal_of(target: Goal | int) -> Goal:
    """Return a goal; a plain int is the face value of a tile."""
    return target if isinstance(target, Goal) else TileGoal(target)


def check_target(target: object) -> Goal:
    """Return the goal, or tile, if there are tables for it; raise FormationError otherwise."""
    if not isinstance(target, int | Goal):
        raise _no_tile(target)
    goal = goal_of(target)
    goal.check()
    return goal


def read_goal(text: str) -> Goal | None:
    match = re.fullmatch(r"(sum)?(\d{1,9})", text, re.ASCII)
    if match is None:
        return None
    return SumGoal(int(match[2])) if match[1] else TileGoal(int(match[2]))


def typed_goal(text: str) -> Goal | None:
    """Return the goal that a person spelled, such as "2k" or "Sum-1790"; None if there is none.

    Besides the names of `read_goal`, tiles may be in units of 1024, sums may have a sign or a space
    before the number, and letters and digits may be large or full-width.
    """
    spelled = half_width(text).strip().lower()
    if thousands := re.fullmatch(r"(\d{1,6})k", spelled, re.ASCII):
        return TileGoal(int(thousands[1]) << 10)
    return read_goal(re.sub(r"^sum[-_ =]?", "sum", spelled))


def goal_in(value: object) -> Goal | None:
    """Return the goal that a file gives as `Goal.json`, None if it is not a goal."""
    if isinstance(value, int) and not isinstance(value, bool):
        return TileGoal(value)
    goal = read_goal(value) if isinstance(value, str) else None
    return goal if goal is not None and goal.json == value else None


def _no_tile(target: object) -> FormationError:
    return FormationError(
        "no table for target {target!r}: expected one of {known}, or a sum such as sum1800",
        target=target,
        known=", ".join(map(str, TARGETS)),
    )


def _too_large(top: int) -> str:
    """Return the reason why a largest half-sum is too large; "" if it is not."""
    if top <= MAX_HALF_SUM:
        return ""
    return tr(
        "tile sums up to {sum} are too large, expected at most {most}",
        sum=2 * top,
        most=2 * MAX_HALF_SUM,
    )


def _largest_sum(formation: GoalFormation) -> int:
    """Return the largest sum that fits on n free cells: 4, 8, 16 ... up to 2 ** (n + 1)."""
    return (4 << (16 - formation.n_large)) - 4


def largest_tile(formation: GoalFormation) -> int:
    """Return the largest tile that fits: on n free cells 4, 4, 8, 16 ... add up to 2 ** (n + 1)."""
    return 2 << (16 - formation.n_large)


def _largest_on(board: int) -> int:
    nibbles = ((board >> shift) & 15 for shift in range(0, 64, 4))
    return 1 << max((nibble for nibble in nibbles if nibble < 15), default=0)
