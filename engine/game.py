"""A game of 2048 in play: board, score, seed, and an unlimited history.

Tiles above 32768 do not fit the nibbles of a bitboard, so a `Game` keeps 16 exponents: two 32768
merge into 65536 (exponent 16), and so on. Everything that computes with bitboards, above all
tables, is given `Game.clamped_bitboard`, in which every larger tile is nibble F, "some big tile
that never merges", as in tables. In text, digits beyond hexadecimal continue with the alphabet:
``g`` is 65536, ``h`` 131072.

The generator's state is part of every step of the history: undo restores it, so the same move
again meets the same spawn, and the same seed gives the same game.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from operator import index

from engine.bitboard import LARGEST_NIBBLE, N_CELLS, cells, check_board, draw_cells, from_cells
from engine.history import GameHistory, HistoryEntry, Tile
from engine.platform.errors import InvalidBoardError
from engine.saved_game import cells_to_text
from engine.spawn import Rng, draw_spawn
from engine.trace import Motion, Slide, slide_cells

LARGEST_EXPONENT = 17  # 131072, the largest tile that a 4x4 board can reach
MAX_SCORE = 1 << 53  # far beyond every score, but a number to compute with


@dataclass(frozen=True)
class MoveResult:
    """All that an animation needs: paths of all tiles; where they merged, (cell, exponent)."""

    direction: int
    slides: tuple[Slide, ...]
    merges: tuple[tuple[int, int], ...]
    spawned: tuple[int, int]
    gained: int


class Game:
    """A board in play.

    Parameters
    ----------
    board : int or sequence of int
        The start position: a bitboard or 16 exponents; `Game.new` starts with two random tiles.
    seed : int
        Seed of the spawns; any whole number.
    spawn4 : float
        The probability that a new tile is a 4.
    walls : bool
        Whether exponent 15 is a wall (`engine.variants`) instead of the tile 32768.
    merge_32768 : bool, optional
        Whether two 32768 merge. By default they do, unless there are walls; False plays by the
        tables' rule, in which they are locked large tiles.

    >>> game = Game(0x1100_0000_0000_0000, seed=1)
    >>> game.move(LEFT).gained, game.score
    (4, 4)
    """

    def __init__(
        self,
        board: int | Sequence[int],
        *,
        seed: int = 0,
        spawn4: float = 0.1,
        walls: bool = False,
        merge_32768: bool | None = None,
    ) -> None:
        if not 0.0 <= spawn4 <= 1.0:
            raise ValueError(f"spawn4 is {spawn4!r}; expected a probability")  # no text
        if walls and merge_32768:
            raise ValueError(
                "walls and merge_32768 exclude each other: exponent 15 is a wall"  # no text
            )
        self.seed, self.spawn4, self.walls = index(seed), float(spawn4), walls
        self.merge_32768 = not walls if merge_32768 is None else merge_32768
        self.history = GameHistory(HistoryEntry(self._checked(board), 0, Rng(seed).state))

    @classmethod
    def new(
        cls,
        seed: int,
        *,
        empty_board: int = 0,
        spawn4: float = 0.1,
        walls: bool = False,
        merge_32768: bool | None = None,
    ) -> "Game":
        game = cls(empty_board, seed=seed, spawn4=spawn4, walls=walls, merge_32768=merge_32768)
        rng = Rng(seed)
        start = bytearray(game.cells)
        for _ in range(2):
            cell, exponent = draw_spawn(_empty(start), rng, spawn4)
            start[cell] = exponent
        game.history = GameHistory(HistoryEntry(bytes(start), 0, rng.state))
        return game

    @property
    def cells(self) -> tuple[int, ...]:
        """The 16 exponents, row by row from the top left; 16 is the tile 65536."""
        return tuple(self._step.cells)

    @property
    def score(self) -> int:
        return self._step.score

    @property
    def bitboard(self) -> int | None:
        """The board as a number; None if it has a tile above 32768, which does not fit."""
        return from_cells(self.cells) if self.max_exponent <= LARGEST_NIBBLE else None

    @property
    def clamped_bitboard(self) -> int:
        return from_cells(min(exponent, LARGEST_NIBBLE) for exponent in self.cells)

    @property
    def max_exponent(self) -> int:
        """The exponent of the largest tile; walls do not count."""
        wall = LARGEST_NIBBLE if self.walls else None
        return max((e for e in self.cells if e != wall), default=0)

    @property
    def text(self) -> str:
        return cells_to_text(self._step.cells)

    @property
    def n_moves(self) -> int:
        return self._step.n_moves

    @property
    def is_from_set_board(self) -> bool:
        return self._step.is_set

    @property
    def n_fours(self) -> int:
        return self._step.n_fours

    @property
    def played_ms(self) -> int:
        """The time of these moves in milliseconds, as far as it is known."""
        return self._step.played_ms

    def played(self) -> tuple[tuple[int, ...], list[tuple[int, Tile]]]:
        """Return the start, or the last position set, and (direction, new tile) since then."""
        first, *moves = self.history.since_set()
        steps = [(s.direction, s.spawned) for s in moves if s.direction is not None and s.spawned]
        return tuple(first.cells), steps

    def times(self) -> list[int | None]:
        return [step.ms for step in self.history.since_set()[1:]]

    def snapshot(self) -> "Game":
        twin = copy(self)
        twin.history = self.history.copy()
        return twin

    def __str__(self) -> str:
        return draw_cells(self.cells, self.walls)

    def can_move(self, direction: int) -> bool:
        return self._slide(direction).cells != self.cells

    def legal_moves(self) -> list[int]:
        return [direction for direction in range(4) if self.can_move(direction)]

    @property
    def is_over(self) -> bool:
        return not any(self.can_move(direction) for direction in range(4))

    def move(
        self, direction: int, spawned: Tile | None = None, ms: int | None = None
    ) -> MoveResult | None:
        """Return None, and change nothing, if the move is illegal; ValueError for a wrong new tile.

        A chosen `spawned` tile, (cell, exponent), is used rather than drawn, and the generator then
        draws nothing; `ms` is the time of the move in milliseconds.
        """
        if not 0 <= direction < 4:  # such as the -1 of an answer without a best move
            raise ValueError(f"direction is {direction!r}; expected 0 to 3")  # no text
        motion = self._slide(direction)
        if motion.cells == self.cells:
            return None
        rng, empty = Rng(self._step.rng_state), _empty(motion.cells)
        is_chosen = spawned is not None
        if spawned is None:
            spawned = draw_spawn(empty, rng, self.spawn4)
        cell, exponent = spawned
        if cell not in empty or exponent not in (1, 2):
            raise ValueError(
                f"new tile {spawned!r}: expected 1 or 2 on one of the cells {empty}"  # no text
            )
        after = bytearray(motion.cells)
        after[cell] = exponent
        now = self._step
        self.history.push(
            HistoryEntry(
                bytes(after),
                now.score + motion.gained,
                rng.state,
                direction,
                spawned,
                is_chosen,
                ms,
                now.n_moves + 1,
                now.n_fours + (exponent == 2),
                now.played_ms + (ms or 0),
                now.is_set,
            )
        )
        return _result(direction, motion, spawned)

    def set_board(self, board: int | Sequence[int], score: int = 0) -> None:
        """Continue from another position, which can be undone; InvalidBoardError, ValueError."""
        if not 0 <= score <= MAX_SCORE:
            raise ValueError(f"score is {score!r}; expected 0 to {MAX_SCORE}")  # no text
        now = self._step
        self.history.push(
            HistoryEntry(
                self._checked(board),
                score,
                now.rng_state,
                n_moves=now.n_moves,
                n_fours=now.n_fours,
                played_ms=now.played_ms,
                is_set=True,
            )
        )

    @property
    def can_undo(self) -> bool:
        return self.history.can_undo

    @property
    def can_redo(self) -> bool:
        return self.history.can_redo

    def undo(self) -> bool:
        return self.history.undo()

    def redo(self) -> bool:
        """`last_move` then has all that an animation needs."""
        return self.history.redo()

    @property
    def last_move(self) -> MoveResult | None:
        step = self._step
        if step.direction is None or step.spawned is None:
            return None
        before = self.history.before.cells
        motion = slide_cells(before, step.direction, self.walls, self.merge_32768)
        return _result(step.direction, motion, step.spawned)

    @property
    def _step(self) -> HistoryEntry:
        return self.history.now

    def _slide(self, direction: int) -> Motion:
        return slide_cells(self._step.cells, direction, self.walls, self.merge_32768)

    def _checked(self, board: int | Sequence[int]) -> bytes:
        if not isinstance(board, Sequence):
            return bytes(cells(check_board(board)))
        if len(board) != N_CELLS:
            raise InvalidBoardError("a board has 16 cells, not {n}", n=len(board))
        largest = LARGEST_EXPONENT if self.merge_32768 else LARGEST_NIBBLE
        for cell, exponent in enumerate(board):
            if not isinstance(exponent, int) or not 0 <= exponent <= largest:
                raise InvalidBoardError(
                    "exponent {exponent!r} in cell {cell}: expected 0 to {largest}",
                    exponent=exponent,
                    cell=cell,
                    largest=largest,
                )
        return bytes(board)


def _result(direction: int, motion: Motion, spawned: tuple[int, int]) -> MoveResult:
    merged_cells = sorted({slide.to_cell for slide in motion.slides if slide.merged})
    merges = tuple((cell, motion.cells[cell]) for cell in merged_cells)
    return MoveResult(direction, motion.slides, merges, spawned, motion.gained)


def _empty(exponents: Sequence[int]) -> list[int]:
    return [cell for cell, exponent in enumerate(exponents) if exponent == 0]
