"""Formations: which large tiles are locked, where the target counts, where a table starts."""

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, Any

from tablebase.errors import FormationError
from tablebase.formation.goal import TARGETS, Goal, TileGoal, check_target, goal_of

if TYPE_CHECKING:
    from engine.platform.array_types import I64, U64


@dataclass(frozen=True)
class Formation:
    """One formation; every board is a 64-bit number, cell 0 (top left) in the highest nibble."""

    name: str
    category: str
    masks: tuple[int, ...]
    target_cells: int
    symmetry: str
    seeds: tuple[int, ...]
    extra_steps: int
    walls: bool
    seed_mode: str = "explicit"

    @cached_property
    def n_large(self) -> int:
        """Return the number of large tiles or walls (nibble F) on a board of this formation."""
        return count_f(self.seeds[0])

    @cached_property
    def fixed_mask(self) -> int:
        """Return the cells that hold F on every board of this formation."""
        if self.walls:
            return f_cells(self.seeds[0])
        return reduce(and_, self.masks) if self.masks else 0

    @property
    def n_movable(self) -> int:
        return self.n_large - count_f(self.fixed_mask)

    @property
    def is_generated(self) -> bool:
        """Return whether layer 0 is generated, because the written seed is not beyond it."""
        n_twos = 15 - self.n_large
        return self.seed_mode == "generated" and half_sum(self.seeds[0]) <= n_twos

    @cached_property
    def seed_half_sum(self) -> int:
        """Return half the sum of the tiles of a board of layer 0 that are not F."""
        return 15 - self.n_large if self.is_generated else half_sum(self.seeds[0])

    @cached_property
    def layer_0(self) -> "U64":
        """Return the boards that a table starts from: the seeds as written, or generated ones."""
        import numpy as np  # not needed to list formations

        from tablebase.formation.generated_seeds import generated_layer

        if self.is_generated:
            boards = generated_layer(self.n_large)
        else:
            boards = np.array(self.seeds, np.uint64)
        boards.setflags(write=False)
        return boards

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Return the boards that games start from: the seeds with an empty cell for a new tile."""
        with_room = tuple(seed for seed in self.seeds if "0" in f"{seed:016x}")
        return with_room or tuple(self.layer_0.tolist())

    def is_inside(self, board: int) -> bool:
        """Return whether `board` has all F of at least one mask; True if there are no masks."""
        return not self.masks or any(board & mask == mask for mask in self.masks)

    @cached_property
    def arrangements(self) -> tuple[int, ...]:
        """Return every placement of a board's F tiles, as boards of F alone, ascending."""
        if self.walls:
            return (self.fixed_mask,)
        cells = [15 << 4 * i for i in range(16)]
        fixed = self.fixed_mask
        free = [cell for cell in cells if not cell & fixed]
        ways = (fixed | sum(chosen) for chosen in combinations(free, self.n_movable))
        return tuple(sorted(way for way in ways if self.is_inside(way)))

    def n_layers(self, target: Goal | int) -> int:
        return goal_of(target).n_layers(self)

    def is_full(self, target: Goal | int) -> bool:
        """Return whether no board can be left in the last two layers of the table for a goal."""
        goal = goal_of(target)
        return goal.n_layers(self) >= goal.full_layers(self)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "category": self.category,
            "masks": [hex_text(mask) for mask in self.masks],
            "target_cells": hex_text(self.target_cells),
            "symmetry": self.symmetry,
            "seeds": [hex_text(seed) for seed in self.seeds],
            "extra_steps": self.extra_steps,
            "walls": self.walls,
            "seed_mode": self.seed_mode,
        }


def half_sum(board: int) -> int:
    """Return half the sum of the face values of the tiles that are not F."""
    total = 0
    while board:
        nibble = board & 15
        if 0 < nibble < 15:
            total += 1 << (nibble - 1)
        board >>= 4
    return total


def half_sums(boards: "U64") -> "I64":
    import numpy as np  # not needed to list formations

    total = np.zeros(boards.size, np.int64)
    halves = np.array([0, *(1 << exponent for exponent in range(14)), 0])
    for shift in range(0, 64, 4):
        total += halves[(boards >> np.uint64(shift) & np.uint64(15)).astype(np.int64)]
    return total


def check_buildable(formation: Formation, target: Goal | int) -> Goal:
    """Return the goal; raise FormationError if `formation` has no table for it.

    There are no tables for the goal at all; or the seeds have already reached it, the free cells
    have no room for it, the layers are too few, or they go beyond the largest tile sum that a layer
    can have.
    """
    goal = check_target(target)
    if why := goal.why_not(formation):
        raise FormationError(
            "{name!r} has no table for target {target}: {why}",
            name=formation.name,
            target=goal,
            why=why,
        )
    return goal


def buildable_targets(formation: Formation) -> list[TileGoal]:
    return [TileGoal(target) for target in TARGETS if not why_no_table(formation, target)]


def why_no_table(formation: Formation, target: Goal | int) -> str:
    try:
        check_buildable(formation, target)
    except FormationError as error:
        return str(error)
    return ""


def f_cells(board: int) -> int:
    ones = board & (board >> 1) & (board >> 2) & (board >> 3) & 0x1111_1111_1111_1111
    return ones * 15


def count_f(board: int) -> int:
    return bin(f_cells(board)).count("1") // 4


def hex_text(board: int) -> str:
    return f"{board:#018x}"
