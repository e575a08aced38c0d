"""A test: a game judged move by move by a table, which can be replayed under the same conditions.

The new tile after move n depends only on the seed, on n and on which cells are empty: the same
moves meet the same tiles, both in a rematch and after an undo, and a test that takes a different
turn has the same luck from there on as far as possible.

No Qt, no files; see `coach.exam.session_file`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import cast

from coach.exam.goal import TARGET, ExamGoal
from coach.grading.grade import Judgement, Rates, Score, Tolerance, judge
from coach.grading.rated import UnknownRates
from engine.bitboard import cells, from_cells
from engine.formats.replay import Rates as FourRates
from engine.formats.replay import Replay, ReplayMove
from engine.platform.language import tr
from engine.spawn import Rng, spawn
from engine.symmetry import SYMMETRIES, transform
from engine.trace import Slide, slide_cells
from tablebase.formation.goal import Goal as TableGoal


class End(Enum):
    """The reason why a test ended."""

    REACHED = "reached"  # the target is where it counts
    NO_MOVE = "no move"  # no text: no move is left, or none that stays in the formation
    LOST = "lost"  # the table knows no way to the target anymore
    OUTSIDE = "outside"  # the table does not answer for this position
    TIME = "time"  # the time for a move ran out
    MOVES = "moves"  # the set number of moves was made
    MISS = "miss"  # a move was not perfect, but every move had to be


class Refusal(Enum):
    """The reason why a move is not accepted."""

    ILLEGAL = "illegal"  # nothing slides that way
    LEAVES = "leaves"  # legal, but it breaks the table's formation
    UNKNOWN = "unknown"  # the table doesn't know its rate


@dataclass(frozen=True)
class Setup:
    """The setup of a test; together with the moves it determines everything else."""

    table: str  # name of the table, such as "L3_512"
    target: TableGoal | int  # what to reach: a bare number is the face value of a tile
    spawn4: float  # the probability of a 4
    rate: str  # the type in which the table stores rates: it decides which of them count as equal
    seed: int  # of the new tiles, 0 to 2**64 - 1
    start: int  # the first position, after turning
    walls: bool = False  # whether nibble F is a wall
    symmetry: str = "identity"  # how the start was turned, one of `engine.symmetry.SYMMETRIES`
    is_given: bool = False  # whether the start was typed rather than drawn
    allows_undo: bool = False  # whether moves may be taken back; the result shows if any were
    leaves_out_forced: bool = False  # whether forced moves are left out of the score
    seconds_per_move: int = 0  # how long a move may take, 0 without a limit
    # Percentage points that a move may lose and still be perfect; 0 for none.
    perfect_within: float = 0.0
    goal: ExamGoal = TARGET

    @property
    def tolerance(self) -> Tolerance:
        """The tolerance for equal rates, from the table and the rules; all grades use it."""
        return Tolerance.of_type(self.rate).allowing(self.perfect_within / 100)


@dataclass(frozen=True)
class PlayedMove:
    """A move of a test."""

    board: int  # the position before it
    direction: int
    # The new tile.
    cell: int
    exponent: int
    rates: FourRates  # the table's rates for `board`
    judgement: Judgement
    ms: int  # how long it took
    is_retry: bool  # whether an earlier try at this position was taken back
    slides: tuple[Slide, ...]  # the tile movements
    unknown: tuple[int, ...] = ()  # other legal moves whose rates the table doesn't know


def end_of_rates(rates: Rates | None, is_best_known: bool) -> End | None:
    """Return the reason why play can't go on by a table's rates for a position with a legal move.

    Parameters
    ----------
    rates : sequence of four float or None, or None
        None if the table has no answer.
    is_best_known : bool
        Whether the best move is known: False if a move of unknown rate may be the best.
    """
    if rates is None or not is_best_known:
        return End.OUTSIDE
    known = [rate for rate in rates if rate is not None]
    if not known:
        return End.NO_MOVE
    return End.LOST if max(known) <= 0.0 else None


class Session:
    """A test in play or over."""

    def __init__(self, setup: Setup, started: datetime) -> None:
        self.setup, self.started = setup, started
        self.end: End | None = None  # why it ended; None while in play
        self.ended: datetime | None = None
        self.n_undos = 0  # number of moves taken back
        self._tolerance = setup.tolerance
        self._moves: list[PlayedMove] = []
        self._boards = [setup.start]
        self._scores = [Score(leaves_out_forced=setup.leaves_out_forced)]
        self._taken_back: set[tuple[int, int]] = set()  # (number of moves before, position)

    # What there is --------------------------------------------------------------------------

    @property
    def board(self) -> int:
        """The current position."""
        return self._boards[-1]

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """All moves, without those taken back."""
        return tuple(self._moves)

    @property
    def n_moves(self) -> int:
        """The number of moves, without those taken back."""
        return len(self._moves)

    @property
    def last(self) -> PlayedMove | None:
        """The move that led here."""
        return self._moves[-1] if self._moves else None

    @property
    def score(self) -> Score:
        """The score of the moves."""
        return self._scores[-1]

    @property
    def match_rates(self) -> list[float]:
        """The match rate after each move."""
        return [score.match_rate for score in self._scores[1:]]

    @property
    def played_ms(self) -> int:
        """Total time of the moves not taken back, in ms."""
        return sum(move.ms for move in self._moves)

    @property
    def is_marked(self) -> bool:
        """Whether moves were taken back, which marks the result."""
        return self.n_undos > 0

    def worst(self, most: int) -> list[int]:
        """Return the indices of the costliest moves, worst first; perfect moves are left out."""
        wrong = [i for i, move in enumerate(self._moves) if not move.judgement.is_perfect]
        return sorted(wrong, key=lambda i: (-self._moves[i].judgement.loss, i))[:most]

    # Playing --------------------------------------------------------------------------------

    def refusal(
        self, direction: int, rates: Rates, unknown: Collection[int] = ()
    ) -> Refusal | None:
        """Return the reason why a move is not accepted; None if it is.

        Parameters
        ----------
        rates : sequence of four float or None
            The table's rates for `board`.
        unknown : collection of int
            The legal moves whose rates the table doesn't know.
        """
        if not self.is_legal(direction):
            return Refusal.ILLEGAL
        if direction in unknown:
            return Refusal.UNKNOWN
        return Refusal.LEAVES if rates[direction] is None else None

    def is_legal(self, direction: int) -> bool:
        """Return whether any tile slides that way, whether or not the table rates it."""
        before = tuple(cells(self.board))
        return slide_cells(before, direction, self.setup.walls).cells != before

    def play(
        self, direction: int, rates: Rates, ms: int = 0, unknown: Collection[int] = ()
    ) -> PlayedMove:
        """Play and judge a move, then spawn the new tile.

        Parameters
        ----------
        rates : sequence of four float or None
            The table's rates for the position before.
        ms : int
            How long it took.
        unknown : collection of int
            The legal moves whose rates the table doesn't know.

        Raises
        ------
        ValueError
            The test is over, the move is refused (call `refusal` first), or no chance was left.
        """
        if self.end is not None or self.refusal(direction, rates, unknown) is not None:
            raise ValueError(f"move {direction} is not possible in {self.board:016x}")  # no text
        after = from_cells(slide_cells(cells(self.board), direction, self.setup.walls).cells)
        _, cell, exponent = new_tile(after, self.setup.seed, self.n_moves, self.setup.spawn4)
        return self.add(direction, cell, exponent, rates, ms, unknown=unknown)

    def add(
        self,
        direction: int,
        cell: int,
        exponent: int,
        rates: Rates,
        ms: int = 0,
        is_retry: bool | None = None,
        unknown: Collection[int] = (),
    ) -> PlayedMove:
        """Add a move whose new tile is known, for example from a file.

        Raises
        ------
        ValueError
            The move cannot be made or judged, or the cell of the new tile is taken.
        """
        before = tuple(cells(self.board))
        motion = slide_cells(before, direction, self.setup.walls)
        unknown_rates = UnknownRates(frozenset(unknown), is_best_known=True) if unknown else None
        judgement = judge(rates, direction, self._tolerance, unknown_rates)
        if motion.cells == before:
            raise ValueError(tr("no tile slides that way"))
        if judgement is None:
            raise ValueError(tr("its rates do not let it be judged"))
        if motion.cells[cell]:
            raise ValueError(tr("the new tile lies on another one"))
        if is_retry is None:
            is_retry = (self.n_moves, self.board) in self._taken_back
        four = cast(FourRates, tuple(rates))
        move = PlayedMove(
            self.board, direction, cell, exponent, four, judgement, ms, is_retry, motion.slides,
            tuple(sorted(unknown)),
        )  # fmt: skip
        self._moves.append(move)
        self._boards.append(from_cells(motion.cells) | exponent << (60 - 4 * cell))
        self._scores.append(self.score.add(judgement))
        return move

    def undo(self) -> PlayedMove | None:
        """Take the last move back, if allowed; the session is marked from then on."""
        if not self.setup.allows_undo or not self._moves or self.end is End.TIME:
            return None
        move = self._moves.pop()
        self._boards.pop()
        self._scores.pop()
        self._taken_back.add((self.n_moves, self.board))
        self.n_undos += 1
        self.end = self.ended = None
        return move

    def goal_end(self, is_target: bool) -> End | None:
        """Return the `End` if the last move reached or missed the goal; None otherwise.

        Parameters
        ----------
        is_target : bool
            Whether the target is where it counts, which only the formation can tell.
        """
        goal, last = self.setup.goal, self.last
        if goal.ends_at_miss and last and not last.judgement.is_perfect:
            return End.MISS
        if is_target:
            return End.REACHED
        return End.MOVES if goal.moves and self.n_moves >= goal.moves else None

    def conclude(self, rates: Rates | None, is_best_known: bool = True) -> End | None:
        """Return the reason if the test ends at the current position; None otherwise.

        Only the formation can tell whether the target is reached, so the caller has to check that.
        See `end_of_rates` for the arguments.
        """
        if not any(self.is_legal(direction) for direction in range(4)):
            return End.NO_MOVE
        return end_of_rates(rates, is_best_known)

    def finish(self, end: End, when: datetime) -> None:
        """End the test."""
        self.end, self.ended = end, when

    def copy(self) -> "Session":
        """Return a snapshot of the test, for another thread to write."""
        found = Session(self.setup, self.started)
        found.end, found.ended, found.n_undos = self.end, self.ended, self.n_undos
        found._moves, found._boards = self._moves[:], self._boards[:]
        found._scores, found._taken_back = self._scores[:], set(self._taken_back)
        return found

    def replay(self) -> Replay:
        """Return the test as a recorded game."""
        return Replay(
            tuple(cells(self.setup.start)),
            tuple(
                ReplayMove(
                    move.direction,
                    move.cell,
                    move.exponent,
                    move.rates,
                    move.ms,
                    move.judgement.is_forced,
                )
                for move in self._moves
            ),
            self.setup.walls,
            merge_32768=False,
        )


def new_tile(after: int, seed: int, n: int, spawn4: float) -> tuple[int, int, int]:
    """Return (board with the new tile, its cell, its exponent) after move n, counted from 0."""
    return spawn(after, Rng(Rng(seed + n).next_u64()), spawn4)


def symmetries(walls: bool) -> tuple[str, ...]:
    """Return the symmetries in which a table answers: all of them, or only "id" with walls."""
    return ("identity",) if walls else SYMMETRIES


def turned_start(setup: Setup, rng: Rng) -> Setup:
    """Return the setup with its start under a symmetry drawn at random."""
    names = symmetries(setup.walls)
    name = names[rng.below(len(names))]
    return replace(setup, start=transform(setup.start, name), symmetry=name)
