"""A practice game as a value history: moves, spawns, edits and turns, all of them undoable. No Qt.

Every entry of the history is a `Step`: the board after it and how it came about. A board may be an
after-state that waits for its new tile (`needs_spawn`): a person places it in manual mode, and an
adversary takes a moment to choose it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Protocol

from engine.bitboard import cells, from_cells
from engine.errors import InvalidBoardError
from engine.geometry import SQUARE, permute
from engine.spawn import Rng, spawn
from engine.trace import Slide, slide_cells

WALL = 15
SPAWNED = (1, 2)  # the exponents of a new tile: 2 or 4


class SpawnMode(str, Enum):
    """Who chooses the new tile."""

    RANDOM = "random"
    BEST = "best"
    WORST = "worst"
    MANUAL = "manual"


class Goal(Protocol):
    """What a session must know of a formation to see that its target was reached."""

    @property
    def masks(self) -> tuple[int, ...]:
        """Cells that must hold nibble F, at least one of these sets."""

    @property
    def target_cells(self) -> int:
        """Nibbles where the target counts."""

    @property
    def n_large(self) -> int:
        """The number of large tiles that the formation masks."""

    @property
    def walls(self) -> bool:
        """Whether nibble F is a wall."""

    @property
    def symmetry(self) -> str:
        """Under which symmetries the boards of its table are the same."""


@dataclass(frozen=True)
class Step:
    """One entry of the history.

    Attributes
    ----------
    board : int
        The position after the step.
    kind : str
        "start", "move", "spawn", "edit" or "turn".
    direction : int or None
        The direction of a move.
    slides : tuple of Slide
        What moved where, for the animation.
    spawned : (cell, exponent) or None
        The tile that appeared.
    needs_spawn : bool
        Whether the board still waits for its new tile.
    """

    board: int
    kind: str = "start"
    direction: int | None = None
    slides: tuple[Slide, ...] = ()
    spawned: tuple[int, int] | None = None
    needs_spawn: bool = False


class PracticeSession:
    """The board of the practice page, its history and its way of spawning tiles.

    Parameters
    ----------
    board : int
        The first position.
    walls : bool
        Whether nibble F is a wall that nothing moves.
    rng : Rng
        Where random tiles come from.
    spawn4 : float
        The probability of a 4.
    """

    def __init__(self, board: int, walls: bool, rng: Rng, spawn4: float = 0.1) -> None:
        self.walls, self.spawn4 = walls, spawn4
        self.spawn_mode = SpawnMode.RANDOM
        self._rng = rng
        self._steps = [Step(board)]
        self._at = 0

    @property
    def step(self) -> Step:
        """The entry of the history that is shown."""
        return self._steps[self._at]

    @property
    def board(self) -> int:
        """The position that is shown."""
        return self.step.board

    @property
    def place(self) -> tuple[int, int]:
        """How many steps lie behind, and how many there are."""
        return self._at, len(self._steps) - 1

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to play again."""
        return self._at + 1 < len(self._steps)

    def legal_moves(self) -> list[int]:
        """Return the directions that change the board; none while a tile is awaited."""
        if self.step.needs_spawn:
            return []
        before = cells(self.board)
        return [d for d in range(4) if list(slide_cells(before, d, self.walls).cells) != before]

    @property
    def is_over(self) -> bool:
        """Whether no move is left."""
        return not self.step.needs_spawn and not self.legal_moves()

    def move(self, direction: int) -> Step | None:
        """Slide, spawn at random in that mode, and return the step; None when it is illegal."""
        if self.step.needs_spawn:
            return None
        motion = slide_cells(cells(self.board), direction, self.walls)
        after = from_cells(motion.cells)
        if after == self.board:
            return None
        step = Step(after, "move", direction, motion.slides, needs_spawn=True)
        if self.spawn_mode is SpawnMode.RANDOM:
            board, cell, exponent = spawn(after, self._rng, self.spawn4)
            step = replace(step, board=board, spawned=(cell, exponent), needs_spawn=False)
        return self._push(step)

    def spawn(self, cell: int, exponent: int) -> Step | None:
        """Put the awaited tile on an empty cell; None when none is awaited or the cell is taken.

        A tile that a person places is a step of its own, one that the adversary chose belongs to
        the move.
        """
        if not self.step.needs_spawn or exponent not in SPAWNED or cells(self.board)[cell]:
            return None
        board = put(self.board, cell, exponent)
        if self.spawn_mode is SpawnMode.MANUAL:
            return self._push(Step(board, "spawn", spawned=(cell, exponent)))
        done = replace(self.step, board=board, spawned=(cell, exponent), needs_spawn=False)
        self._steps[self._at :] = [done]
        return done

    def spawn_at_random(self) -> Step | None:
        """Place the awaited tile at random, whatever the mode."""
        if not self.step.needs_spawn:
            return None
        _, cell, exponent = spawn(self.board, self._rng, self.spawn4)
        return self.spawn(cell, exponent)

    def restart(self, board: int) -> Step:
        """Begin anew from `board`; undo leads back to where the person was."""
        return self.step if board == self.board else self._push(Step(board, "start"))

    def edit(self, board: int) -> Step:
        """Replace the board by an edited or typed one, undoably."""
        return self.step if board == self.board else self._push(Step(board, "edit"))

    def turn(self, symmetry: str) -> Step | None:
        """Flip or rotate the board, undoably; None when its walls do not allow it."""
        board = turned(self.board, symmetry, self.walls)
        if board is None:
            return None
        if board == self.board:
            return self.step
        return self._push(Step(board, "turn", needs_spawn=self.step.needs_spawn))

    def undo(self) -> Step | None:
        """Go one step back; None at the beginning."""
        if not self.can_undo:
            return None
        self._at -= 1
        return self.step

    def redo(self) -> Step | None:
        """Go one step forward again; None at the end."""
        if not self.can_redo:
            return None
        self._at += 1
        return self.step

    def _push(self, step: Step) -> Step:
        self._steps[self._at + 1 :] = [step]
        self._at += 1
        return step


def put(board: int, cell: int, exponent: int) -> int:
    """Return `board` with the nibble of one cell replaced."""
    shift = 60 - 4 * cell
    return board & ~(15 << shift) | exponent << shift


def wall_cells(board: int, walls: bool) -> frozenset[int]:
    """Return the cells that are wall, none when nibble F is a large tile."""
    found = enumerate(cells(board))
    return frozenset(cell for cell, exponent in found if walls and exponent == WALL)


def check_playable(board: int, present: int, walls: bool) -> None:
    """Raise InvalidBoardError when a typed board has no tile, or walls elsewhere than `present`."""
    if wall_cells(board, walls) != wall_cells(present, walls):
        raise InvalidBoardError("the walls (f) must stay where this table has them")
    if not any(0 < exponent < WALL for exponent in cells(board)):
        raise InvalidBoardError("a board needs at least one tile below 32768")


def turned(board: int, symmetry: str, walls: bool) -> int | None:
    """Return the board under a symmetry of `engine.geometry`, inside its walls if it has any.

    Returns
    -------
    int or None
        None when the window between the walls is not square and the symmetry needs that.
    """
    if not walls:
        return _image(board, symmetry)
    inside = [cell for cell in range(16) if cell not in wall_cells(board, walls)]
    top, left = min(c // 4 for c in inside), min(c % 4 for c in inside)
    height, width = max(c // 4 for c in inside) - top + 1, max(c % 4 for c in inside) - left + 1
    images = {
        "mirror": lambda r, c: (r, width - 1 - c),
        "flip": lambda r, c: (height - 1 - r, c),
        "rotate_left": lambda r, c: (width - 1 - c, r),
        "rotate_right": lambda r, c: (c, height - 1 - r),
    }
    if symmetry.startswith("rotate") and height != width:
        return None
    found, moved = cells(board), cells(board)
    for cell in inside:
        r, c = images[symmetry](cell // 4 - top, cell % 4 - left)
        moved[4 * (r + top) + c + left] = found[cell]
    return from_cells(moved)


def locked_cells(board: int, target_exponent: int, goal: Goal) -> frozenset[int]:
    """Return the cells of the large tiles that a look-up masks.

    They are the `n_large` largest, if all of them are at least the target; where several tiles are
    equal, those that stand where the formation wants them.
    """
    if goal.walls or not goal.n_large:
        return frozenset()
    found = cells(board)
    fitting = [f.large for f in _frames(goal) if _fits(f, found, target_exponent)]
    in_place = max(
        fitting, key=lambda large: sum(found[cell] for cell in large), default=frozenset()
    )
    by_size = sorted(range(16), key=lambda cell: (cell not in in_place, -found[cell]))
    largest = by_size[: goal.n_large]
    if any(found[cell] < target_exponent for cell in largest):
        return frozenset()
    return frozenset(largest)


def has_reached(board: int, target_exponent: int, goal: Goal) -> bool:
    """Return whether the target stands on one of its cells, however the board is turned.

    The large tiles of the formation do not count, even when one of them equals the target.
    """
    found = cells(board)
    if sum(exponent >= target_exponent for exponent in found) <= goal.n_large:
        return False
    return any(
        found[cell] == target_exponent
        for frame in _frames(goal)
        if _fits(frame, found, target_exponent)
        for cell in frame.target - frame.large
    )


@dataclass(frozen=True)
class _Frame:
    """Where a formation, turned in one way, has its large tiles and its target."""

    large: frozenset[int]
    target: frozenset[int]


def _frames(goal: Goal) -> tuple[_Frame, ...]:
    return _turned_frames(goal.masks, goal.target_cells, goal.walls)


@lru_cache(maxsize=8)
def _turned_frames(masks: tuple[int, ...], target: int, walls: bool) -> tuple[_Frame, ...]:
    frames: dict[_Frame, None] = {}
    for symmetry in ("identity",) if walls else tuple(SQUARE):
        target_cells = _filled(_image(target, symmetry))
        for mask in masks or (0,):
            frames[_Frame(_filled(_image(mask, symmetry)), target_cells)] = None
    return tuple(frames)


def _fits(frame: _Frame, found: Sequence[int], target_exponent: int) -> bool:
    return all(found[cell] >= target_exponent for cell in frame.large)


def _filled(board: int) -> frozenset[int]:
    return frozenset(cell for cell, exponent in enumerate(cells(board)) if exponent)


def _image(board: int, symmetry: str) -> int:
    image = SQUARE[symmetry]
    return permute(board, [4 * r + c for r, c in (image(*divmod(cell, 4)) for cell in range(16))])


def adversary_spawn(
    after: int,
    best: bool,
    value_of: Callable[[int], float],
) -> tuple[int, int] | None:
    """Return the (cell, exponent) that helps or hurts the player most; None when nothing is known.

    Parameters
    ----------
    after : int
        The after-state that gets the tile.
    best : bool
        Whether to help.
    value_of : callable
        The best rate of a board with its new tile; asked up to 30 times.
    """
    empty = [cell for cell, exponent in enumerate(cells(after)) if exponent == 0]
    choices = [(cell, exponent) for cell in empty for exponent in SPAWNED]
    if not choices:
        return None
    values = [value_of(put(after, cell, exponent)) for cell, exponent in choices]
    if not any(values):
        return None
    wanted = max(values) if best else min(values)
    return choices[values.index(wanted)]


def describe_cells(board_cells: Sequence[int], walls: bool) -> str:
    """Return the board in words, row by row, for a screen reader."""
    words = [
        "empty" if not e else "wall" if walls and e == WALL else str(1 << e) for e in board_cells
    ]
    rows = [words[start : start + 4] for start in range(0, 16, 4)]
    return "; ".join(f"row {i + 1}: {', '.join(row)}" for i, row in enumerate(rows))
