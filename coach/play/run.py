"""A run: a game judged move by move, whose new tiles follow from its setup and its moves.

A test, an attempt at a situation, or a run along a route. Every move on a table is judged by the
table's rates for the position before it. In place of a mistake, a correcting route continues with
the table's best move, so that it costs its loss and no more. A whole game has no table and nothing
to correct; only the points count.

No Qt, no files, no clock; see `coach.exam.session_file`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, cast

from coach.grading.grade import FINE_GRADES, Judgement, Rates, Score, judge
from coach.grading.rated import NO_RATES, UnknownRates, best_of
from coach.play.rules import FREE_GRADES, End, Refusal, end_of_rates, is_mistake, refusal_of
from coach.play.setup import Kind, Setup
from coach.play.tiles import tile_after
from engine.bitboard import LARGEST_NIBBLE, cells, from_cells
from engine.formats.replay import Cells, Replay, ReplayMove
from engine.formats.replay import Rates as FourRates
from engine.platform.language import tr
from engine.trace import Motion, Slide, slide_cells


@dataclass(frozen=True)
class PlayedMove:
    """A move of a run."""

    before: Cells  # the 16 exponents before it; 16 is 65536
    direction: int  # the move pressed
    made: int  # the move made: the table's best one where a route corrected it
    # The new tile.
    cell: int
    exponent: int
    rates: FourRates  # the table's rates for `board`; all None in a whole game
    judged: Judgement | None  # judgement of the move pressed; None in a whole game
    ms: int  # how long it took
    is_retry: bool  # whether an earlier try at this position was taken back
    gained: int  # points
    slides: tuple[Slide, ...]  # the tile movements of the move made
    unknown: tuple[int, ...] = ()  # other legal moves whose rates the table doesn't know

    @property
    def board(self) -> int:
        """The position before it, F for every tile above 32768 too."""
        return board_of(self.before)

    @property
    def best(self) -> int:
        """The best move, the first of equal ones, where a table judged."""
        best = best_of(self.rates)
        assert best is not None
        return best

    @property
    def judgement(self) -> Judgement:
        assert self.judged is not None
        return self.judged

    @property
    def is_mistake(self) -> bool:
        return is_mistake(self.judged)

    @property
    def is_corrected(self) -> bool:
        """Whether the board made another move in place of a mistake.

        Earlier versions had another one made in place of moves about as good, too.
        """
        return self.made != self.direction and self.is_mistake


class Totals(NamedTuple):
    """What the moves of a run add up to."""

    points: int = 0  # of the game
    points_lost: float = 0.0  # as a sum of differences of rates
    n_mistakes: int = 0

    def add(self, move: PlayedMove) -> "Totals":
        lost = move.judged.points_lost if move.judged else 0.0
        return Totals(
            self.points + move.gained, self.points_lost + lost, self.n_mistakes + move.is_mistake
        )


class Run:
    """A run in play or over."""

    def __init__(self, setup: Setup, started: datetime) -> None:
        self.setup, self.started = setup, started
        self.end: End | None = None  # why it ended; None while in play
        self.ended: datetime | None = None
        self.n_undos = 0  # number of moves taken back
        self._breaking: set[tuple[int, int]] = set()  # refused: number of moves before, direction
        self._tolerance = setup.tolerance
        self._moves: list[PlayedMove] = []
        self._positions: list[Cells] = [tuple(cells(setup.start))]
        self._scores = [Score(leaves_out_forced=setup.leaves_out_forced)]
        self._totals = [Totals()]
        self._taken_back: set[tuple[int, Cells]] = set()  # (number of moves before, position)

    @property
    def cells(self) -> Cells:
        """The 16 exponents on the board; 16 is 65536."""
        return self._positions[-1]

    @property
    def board(self) -> int:
        return board_of(self.cells)

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
        return self._moves[-1] if self._moves else None

    @property
    def score(self) -> Score:
        return self._scores[-1]

    @property
    def totals(self) -> Totals:
        return self._totals[-1]

    @property
    def match_rates(self) -> list[float]:
        return [score.match_rate for score in self._scores[1:]]

    @property
    def lost_points(self) -> list[float]:
        """What was lost until after each move, as sums of differences of rates."""
        return [totals.points_lost for totals in self._totals[1:]]

    @property
    def played_ms(self) -> int:
        """Total time of the moves not taken back, in ms."""
        return sum(move.ms for move in self._moves)

    @property
    def is_marked(self) -> bool:
        return self.n_undos > 0

    def worst(self, most: int) -> list[int]:
        """Return the indices of the costliest moves, worst first; good ones are left out.

        Along a route, what is no mistake is left out.
        """
        left_out = FREE_GRADES if self.setup.kind is Kind.ROUTE else FINE_GRADES
        wrong = {
            i: move.judged.loss
            for i, move in enumerate(self._moves)
            if move.judged and move.judged.grade not in left_out
        }
        return sorted(wrong, key=lambda i: (-wrong[i], i))[:most]

    @property
    def n_breaking(self) -> int:
        """How many refused moves would have broken the formation; files don't have them."""
        return len(self._breaking)

    def refuse(self, direction: int, refusal: Refusal) -> None:
        """Count a move that breaks the formation: otherwise it would be a free hint."""
        if refusal is Refusal.LEAVES:
            self._breaking.add((self.n_moves, direction))

    def is_legal(self, direction: int) -> bool:
        """Return whether any tile slides that way, whether or not the table rates it."""
        return self._slid(direction).cells != self.cells

    def refusal(
        self, direction: int, rates: Rates | None, unknown: Collection[int] = ()
    ) -> Refusal | None:
        """Return the reason why a move is not accepted; None if it is.

        `rates` are the table's for `board`, None in a whole game; `unknown` are legal moves without
        one.
        """
        return refusal_of(direction, self.is_legal(direction), rates, unknown)

    def play(
        self,
        direction: int,
        rates: Rates | None = None,
        ms: int = 0,
        unknown: Collection[int] = (),
        made: int | None = None,
    ) -> PlayedMove:
        """Judge a move and make it, or the best one in place of a mistake, then spawn the new tile.

        For `rates` and `unknown` see `refusal`. `made` is the move made, if a file knows it.

        Raises ValueError: the run is over, the move is refused (call `refusal` first), or can't be
        judged.
        """
        if self.end is not None or self.refusal(direction, rates, unknown) is not None:
            raise ValueError(f"move {direction} is not possible in {self.cells}")  # no text
        if made is None:
            made = self._made(direction, rates, self._judge(direction, rates, unknown))
        after = self._slid(made).cells
        cell, exponent = tile_after(self.setup, after, self.n_moves)
        return self.add(direction, cell, exponent, rates, ms, unknown=unknown, made=made)

    def add(
        self,
        direction: int,
        cell: int,
        exponent: int,
        rates: Rates | None,
        ms: int = 0,
        is_retry: bool | None = None,
        unknown: Collection[int] = (),
        made: int | None = None,
    ) -> PlayedMove:
        """Add a move whose new tile is known, for example from a file.

        Raises ValueError: the move cannot be made or judged, or the cell of the new tile is taken.
        """
        made, before = direction if made is None else made, self.cells
        motion = self._slid(made)
        if motion.cells == before:
            raise ValueError(tr("no tile slides that way"))
        judgement = self._judge(direction, rates, unknown)
        if motion.cells[cell]:
            raise ValueError(tr("the new tile lies on another one"))
        if is_retry is None:
            is_retry = (self.n_moves, before) in self._taken_back
        move = PlayedMove(
            before=before,
            direction=direction,
            made=made,
            cell=cell,
            exponent=exponent,
            rates=cast(FourRates, tuple(rates)) if rates else NO_RATES,
            judged=judgement,
            ms=ms,
            is_retry=is_retry,
            gained=motion.gained,
            slides=motion.slides,
            unknown=tuple(sorted(unknown)),
        )
        self._moves.append(move)
        self._positions.append((*motion.cells[:cell], exponent, *motion.cells[cell + 1 :]))
        self._scores.append(self.score.add(judgement))
        self._totals.append(self.totals.add(move))
        return move

    def undo(self) -> PlayedMove | None:
        """Take the last move back, if allowed; the run is marked from then on."""
        if not self.setup.allows_undo or not self._moves or self.end is End.TIME:
            return None
        move = self._moves.pop()
        for history in (self._positions, self._scores, self._totals):
            history.pop()
        self._taken_back.add((self.n_moves, self.cells))
        self.n_undos += 1
        self.end = self.ended = None
        return move

    def _slid(self, direction: int) -> Motion:
        setup = self.setup
        return slide_cells(self.cells, direction, setup.walls, merge_32768=not setup.is_judged)

    def _made(self, direction: int, rates: Rates | None, judged: Judgement | None) -> int:
        if not (self.setup.is_corrected and rates and is_mistake(judged)):
            return direction
        best = best_of((rates[0], rates[1], rates[2], rates[3]))
        return direction if best is None else best

    def _judge(
        self, direction: int, rates: Rates | None, unknown: Collection[int]
    ) -> Judgement | None:
        if not self.setup.is_judged:
            return None
        doubt = UnknownRates(frozenset(unknown), is_best_known=True) if unknown else None
        judgement = judge(rates, direction, self._tolerance, doubt) if rates else None
        if judgement is None:
            raise ValueError(tr("its rates do not let it be judged"))
        return judgement

    def goal_end(self, is_target: bool) -> End | None:
        """Return the `End` if the last move reached or missed the goal; None otherwise.

        `is_target`: the target is where it counts, which only the formation can tell.
        """
        goal, last = self.setup.goal, self.last
        if goal.ends_at_miss and last and not last.judgement.is_perfect:
            return End.MISS
        if is_target:
            return End.REACHED
        return End.MOVES if goal.moves and self.n_moves >= goal.moves else None

    def conclude(self, rates: Rates | None = None, is_best_known: bool = True) -> End | None:
        """Return the reason if the run ends at the current position; None otherwise.

        Only the formation can tell whether the target is reached, so the caller has to check that.
        See `end_of_rates` for the arguments.
        """
        if not any(self.is_legal(direction) for direction in range(4)):
            return End.NO_MOVE
        return end_of_rates(rates, is_best_known) if self.setup.is_judged else None

    def finish(self, end: End, when: datetime) -> None:
        self.end, self.ended = end, when

    def copy(self) -> "Run":
        """Return a snapshot of the run, for another thread to write."""
        found = Run(self.setup, self.started)
        found.end, found.ended, found.n_undos = self.end, self.ended, self.n_undos
        found._moves, found._positions = self._moves[:], self._positions[:]
        found._scores, found._totals = self._scores[:], self._totals[:]
        found._taken_back, found._breaking = set(self._taken_back), set(self._breaking)
        return found

    def replay(self) -> Replay:
        return Replay(
            tuple(cells(self.setup.start)),
            tuple(map(_replay_move, self._moves)),
            self.setup.walls,
            merge_32768=not self.setup.is_judged,
        )


def board_of(exponents: Cells) -> int:
    """Return a position as a number, F for every tile above 32768 too."""
    return from_cells(min(exponent, LARGEST_NIBBLE) for exponent in exponents)


def _replay_move(move: PlayedMove) -> ReplayMove:
    rates, is_forced = (move.rates, move.judged.is_forced) if move.judged else (None, False)
    return ReplayMove(move.made, move.cell, move.exponent, rates, move.ms or None, is_forced)
