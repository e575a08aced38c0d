"""A practice game: moves, spawns, edits and turns, all undoable. No Qt.

Every entry of its history, a tree, is a `Step`: the board after it and its cause. A board may be an
after-state that waits for its new tile (`needs_spawn`): the user places it in manual mode, and an
adversary takes a moment to choose it.
"""

from dataclasses import replace
from enum import Enum

from coach.play.board_edits import SPAWNED, put, turned
from engine.bitboard import cells, from_cells
from engine.moves import can_move, move
from engine.spawn import Rng, spawn
from engine.trace import slide_cells
from gui.practice.tree import MoveTree, Node, Step


class SpawnMode(str, Enum):
    """How the new tile is chosen."""

    RANDOM = "random"
    BEST = "best"
    WORST = "worst"
    MANUAL = "manual"


class PracticeSession:
    """The board of the practice page, its history and its way of spawning tiles.

    With `walls`, nibble F is a wall that nothing moves.
    """

    def __init__(self, board: int, walls: bool, rng: Rng, spawn4: float = 0.1) -> None:
        self.walls, self.spawn4 = walls, spawn4
        self.spawn_mode = SpawnMode.RANDOM
        self._rng = rng
        self.tree = MoveTree(Step(board))

    @property
    def step(self) -> Step:
        return self.tree.here.step

    @property
    def board(self) -> int:
        return self.step.board

    @property
    def place(self) -> tuple[int, int]:
        return self.tree.depth, len(self.tree.line()) - 1

    @property
    def can_undo(self) -> bool:
        return self.tree.here.parent is not None

    @property
    def can_redo(self) -> bool:
        return self.tree.here.next is not None

    def legal_moves(self) -> list[int]:
        """Return the directions that change the board; none while a tile is awaited."""
        step = self.step
        if step.needs_spawn:
            return []
        return [d for d in range(4) if move(step.board, d, self.walls) != step.board]

    @property
    def is_over(self) -> bool:
        step = self.step
        return not step.needs_spawn and not can_move(step.board, self.walls)

    def move(self, direction: int) -> Step | None:
        """Slide, spawn if the mode is random, and return the step; None if illegal."""
        before = self.step
        if before.needs_spawn:
            return None
        motion = slide_cells(cells(before.board), direction, self.walls)
        after = from_cells(motion.cells)
        if after == before.board:
            return None
        if self.spawn_mode is not SpawnMode.RANDOM:
            return self._push(Step(after, "move", direction, motion.slides, needs_spawn=True))
        board, cell, exponent = spawn(after, self._rng, self.spawn4)
        return self._push(Step(board, "move", direction, motion.slides, (cell, exponent)))

    def spawn(self, cell: int, exponent: int) -> Step | None:
        """Place the awaited tile; return None if none is awaited or the cell is taken.

        A tile placed by the user is a step of its own; one chosen by the adversary belongs to the
        move.
        """
        if not self.step.needs_spawn or exponent not in SPAWNED or cells(self.board)[cell]:
            return None
        board = put(self.board, cell, exponent)
        if self.spawn_mode is SpawnMode.MANUAL:
            return self._push(Step(board, "spawn", spawned=(cell, exponent)))
        done = replace(self.step, board=board, spawned=(cell, exponent), needs_spawn=False)
        self.tree.replace(done)
        return self.step

    def spawn_at_random(self) -> Step | None:
        if not self.step.needs_spawn:
            return None
        _, cell, exponent = spawn(self.board, self._rng, self.spawn4)
        return self.spawn(cell, exponent)

    def restart(self, board: int) -> Step:
        """Start again from `board`; undo leads back to the previous place."""
        return self.step if board == self.board else self._push(Step(board, "start"))

    def edit(self, board: int) -> Step:
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
        return self.step if self.tree.back() else None

    def redo(self) -> Step | None:
        return self.step if self.tree.forward() else None

    def go(self, node: Node) -> Step:
        self.tree.go(node)
        return self.step

    def load(self, branch: Node) -> Step:
        """Add a recording after the current place and go to its start; undo leads back."""
        self.tree.graft(branch)
        return self.step

    def _push(self, step: Step) -> Step:
        return self.tree.push(step).step
