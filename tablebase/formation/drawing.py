"""A formation as the user draws it: locked cells, walls, target cells; the rest follows.

What follows from a drawing:

* the **symmetry**: the largest set of symmetries that the file format has and that keeps the
  drawing;
* the **target cells**: all of them, or all between walls, unless some are marked;
* the **start boards**: the shipped formations share a shape. Between walls it is the empty board;
  where all large tiles move, the board of twos that layer 0 is generated from; beside locked tiles,
  the rows that hold them are full of alternating 2 and 4, so that a move sideways leaves them in
  place, and one more 2 is on the rest: in front in one checkering, at the end in the other. Lines
  are columns where those have fewer cells to fill.

Deviations in a formation of the file (its own start boards, a smaller symmetry) are kept.
"""

from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import and_

from engine.geometry import MODES, Destination, destinations, permute, square_destination
from engine.moves import move
from engine.platform.language import mark, tr, trn
from tablebase.errors import FormationError
from tablebase.formation.checks import WALLS_AROUND, FieldError
from tablebase.formation.formation import Formation, count_f, half_sum
from tablebase.formation.goal import TARGETS
from tablebase.formation.patterns_file import parse_formation

OWN_CATEGORY = "Your own"  # no text: as the file has it
EXTRA_STEPS, EXTRA_STEPS_OF_FREE = 48, 36
ALL_CELLS = (1 << 64) - 1
CELLS = tuple(15 << 60 - 4 * cell for cell in range(16))
_ROWS = tuple(tuple(range(4 * row, 4 * row + 4)) for row in range(4))
_COLUMNS = tuple(tuple(range(column, 16, 4)) for column in range(4))
_PUT_WALL = mark("Click a cell to put a wall there.")
_PUT_LARGE_TILE = mark("Click a cell to put a large tile there.")
_UNDER_WALL = mark("The target counts only where a wall always stands. Mark a free cell.")
_UNDER_LARGE_TILE = mark(
    "The target counts only where a large tile always stands. Mark a free cell."
)
_QUARTER_TURNS = ("rotate_right", "rotate_180", "rotate_left")


@dataclass(frozen=True)
class Drawing:
    """What the user has drawn; a value. Cells are boards with F there and nothing else."""

    masks: tuple[int, ...] = (0,)  # the large tiles, or walls; several if there are alternatives
    targets: int = 0  # where the target counts; 0 for everywhere
    n_loose: int = 0  # further large tiles, which may stand anywhere
    walls: bool = False
    # The user's own choices instead of derived values.
    own_symmetry: str = ""
    own_seeds: tuple[int, ...] = ()
    extra_steps: int | None = None

    @property
    def n_large(self) -> int:
        return max(map(count_f, self.masks)) + self.n_loose

    @property
    def n_free(self) -> int:
        """Return the number of free cells; negative when there are more large tiles than cells."""
        return 16 - self.n_large

    @property
    def is_free(self) -> bool:
        """Return whether all large tiles may stand anywhere."""
        return not self.walls and not any(self.masks)

    @property
    def target_cells(self) -> int:
        everywhere = ALL_CELLS & ~self.masks[0] if self.walls else ALL_CELLS
        return self.targets or everywhere

    @cached_property
    def symmetries(self) -> tuple[str, ...]:
        """Return the symmetries that a formation of this drawing may have, the largest first."""
        modes = [mode for mode in MODES if self._allows(mode)]
        return tuple(sorted(modes, key=lambda mode: -len(destinations(mode))))

    @property
    def symmetry(self) -> str:
        if self.own_symmetry in self.symmetries:
            return self.own_symmetry
        return self.symmetries[0]

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        return self.own_seeds or _start_boards(self)

    def turned(self, how: str) -> "Drawing":
        goes_to = square_destination(how)
        return replace(
            self,
            masks=tuple(permute(mask, goes_to) for mask in self.masks),
            targets=permute(self.targets, goes_to),
            own_symmetry="",
            own_seeds=tuple(permute(seed, goes_to) for seed in self.own_seeds),
        )

    def better_turn(self) -> str:
        """Return the turn that gives the drawing a larger symmetry; "" when none does."""
        if self.own_symmetry:
            return ""
        n_now = len(destinations(self.symmetry))
        for how in _QUARTER_TURNS:
            if len(destinations(self.turned(how).symmetry)) > n_now:
                return how
        return ""

    def formation(self, name: str, category: str = OWN_CATEGORY) -> Formation:
        """Return the formation, checked.

        Raises FormationError if its parts contradict each other; `faults` explains nearly all cases
        in plainer words.
        """
        steps = EXTRA_STEPS_OF_FREE if self.is_free else EXTRA_STEPS
        is_generated = self.is_free and not self.own_seeds
        return parse_formation(
            {
                "name": name,
                "category": category,
                "masks": [] if self.walls or self.is_free else [f"{m:016x}" for m in self.masks],
                "target_cells": f"{self.target_cells:016x}",
                "symmetry": self.symmetry,
                "seeds": [f"{seed:016x}" for seed in self.seeds],
                "extra_steps": steps if self.extra_steps is None else self.extra_steps,
                "walls": self.walls,
                "seed_mode": "generated" if is_generated else "explicit",
            }
        )

    def _allows(self, mode: str) -> bool:
        around = WALLS_AROUND.get(mode, 0)
        if around and not (self.walls and self.masks[0] & around == around):
            return False
        return all(self._has_symmetry(destination) for destination in destinations(mode))

    def _has_symmetry(self, destination: Destination) -> bool:
        return (
            all(permute(mask, destination) in self.masks for mask in self.masks)
            and permute(self.target_cells, destination) == self.target_cells
        )


def drawing_of(formation: Formation) -> Drawing:
    masks = (formation.fixed_mask,) if formation.walls else formation.masks or (0,)
    drawn = Drawing(
        masks=masks,
        targets=formation.target_cells,
        n_loose=0 if formation.walls else formation.n_large - max(map(count_f, masks)),
        walls=formation.walls,
        extra_steps=formation.extra_steps,
    )
    everywhere = replace(drawn, targets=0)
    if everywhere.target_cells == drawn.target_cells:
        drawn = everywhere
    if drawn.symmetry != formation.symmetry:
        drawn = replace(drawn, own_symmetry=formation.symmetry)
    is_generated = formation.seed_mode == "generated"
    if drawn.seeds != formation.seeds or drawn.is_free != is_generated:
        drawn = replace(drawn, own_seeds=formation.seeds)
    usual = EXTRA_STEPS_OF_FREE if drawn.is_free else EXTRA_STEPS
    return replace(drawn, extra_steps=None) if formation.extra_steps == usual else drawn


def faults(drawing: Drawing) -> tuple[str, ...]:
    """Return the reasons why a drawing gives no formation, as plain sentences; () if it does."""
    if not any(drawing.masks) and not drawing.n_loose:
        return (tr(_PUT_WALL if drawing.walls else _PUT_LARGE_TILE),)
    if drawing.n_free < 1:
        return (tr("No cell is free. New tiles need room to appear."),)
    if not all(drawing.masks) and len(drawing.masks) > 1:
        return (tr("An arrangement has no large tile. Draw it or remove it."),)
    if not drawing.target_cells & ~reduce(and_, drawing.masks):
        return (tr(_UNDER_WALL if drawing.walls else _UNDER_LARGE_TILE),)
    if 2 << drawing.n_free < TARGETS[0]:
        return (
            trn(
                "The smallest target, {target}, doesn't fit on {n} free cell. Free some more.",
                "The smallest target, {target}, doesn't fit on {n} free cells. Free some more.",
                drawing.n_free,
                target=TARGETS[0],
            ),
        )
    try:
        formation = drawing.formation("drawing")
    except FormationError as error:  # it has no name yet, so its text goes without
        text = error.detail if isinstance(error, FieldError) else str(error)
        return (tr("{text}.", text=text[:1].upper() + text[1:]),)
    if not _can_begin(formation):
        if drawing.walls:
            return (tr("No tile can move between these walls. Open some."),)
        return (tr("Every move from the start boards breaks the formation. Lock other cells."),)
    return ()


def _can_begin(formation: Formation) -> bool:
    """Return whether a new tile on a start board leaves a move inside the formation."""
    if formation.seed_mode == "generated":
        return True
    cells = range(0, 64, 4)
    with_a_two = [s | 1 << cell for s in formation.seeds for cell in cells if not s >> cell & 15]
    return any(
        after != board and formation.is_inside(after)
        for board in with_a_two
        for after in (move(board, direction, formation.walls) for direction in range(4))
    )


def _start_boards(drawing: Drawing) -> tuple[int, ...]:
    large = drawing.masks[0]
    if drawing.walls:
        return (large,)
    if not large:
        n = drawing.n_loose  # an empty cell, twos, and the large tiles at the end
        return (int("0" + "1" * (15 - n) + "f" * n, 16) if n < 16 else ALL_CELLS,)
    full, rest = _full_and_rest(large)
    cells = [*rest, *full]
    n_loose = count_f(max(drawing.masks, key=count_f)) - count_f(large) + drawing.n_loose
    loose = cells[max(0, len(cells) - n_loose) :]  # beside the locked ones
    full = [cell for cell in full if cell not in loose]
    rest = [cell for cell in rest if cell not in loose]
    base = large | sum(CELLS[cell] for cell in loose)
    first = sum(full[:1])
    boards = []
    for odd, at in ((0, 0), (1, -1)):
        board = base
        for cell in full:
            is_four = (_color(cell) + _color(first) + odd) % 2
            board |= (2 if is_four else 1) << 60 - 4 * cell
        if len(rest) > 1:
            board |= 1 << 60 - 4 * rest[at]
        boards.append(board)
    least = min(map(half_sum, boards))
    if half_sum(boards[0]) != half_sum(boards[1]):
        # Both have the lighter checkering: all start boards must have the same tile sum.
        light = next(board for board in boards if half_sum(board) == least)
        tiles = light & ~sum(CELLS[cell] for cell in rest)
        boards = [tiles | (1 << 60 - 4 * rest[at] if len(rest) > 1 else 0) for at in (0, -1)]
    return tuple(dict.fromkeys(boards))


def _full_and_rest(large: int) -> tuple[list[int], list[int]]:
    """Return the cells to fill, and the other free cells, of which there is at least one."""
    free = [cell for cell in range(16) if not large & CELLS[cell]]
    choices: list[tuple[list[int], list[int]]] = []
    for lines in (_ROWS, _COLUMNS):
        held = {cell for line in lines if any(large & CELLS[c] for c in line) for cell in line}
        full = [cell for cell in free if cell in held]
        rest = [cell for cell in free if cell not in held]
        if rest:
            choices.append((full, rest))
    return min(choices, key=lambda choice: len(choice[0]), default=([], free))


def _color(cell: int) -> int:
    return (cell // 4 + cell % 4) % 2
