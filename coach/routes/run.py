"""A run along a route: the moves made, their judgements, and the new tiles.

On a table, every move is judged by the table's rates for the position before it. A correcting route
continues with the table's best move whatever was pressed: everybody meets the same boards, and the
scores show who knew them better. That also holds for a move as good as the best one: it counts as
perfect, and the route still makes its own move. Without correction, everybody takes their own way
with the same luck (`coach.routes.tiles`).

A whole game has no table and nothing to correct; only the points count.

No Qt, no files, no clock.
"""

import zlib
from collections.abc import Collection
from dataclasses import dataclass

from coach.exam.session import End, Refusal, end_of_rates, symmetries
from coach.grading.formation_cells import has_reached
from coach.grading.grade import Grade, Judgement, Rates, Score, Tolerance, judge
from coach.grading.rated import UnknownRates, best_of
from coach.routes.code import (
    GAME,
    Route,
    RouteCodeError,
    fingerprint_of,
    fours_of,
)
from coach.routes.tiles import draw_below, new_tile, start_tile
from engine.bitboard import LARGEST_NIBBLE, N_CELLS, cells, from_cells
from engine.platform.language import tr
from engine.symmetry import transform
from engine.trace import Motion, Slide, slide_cells
from tablebase.formation.formation import Formation
from tablebase.probe.table import Table

Cells = tuple[int, ...]
FREE_GRADES = (Grade.PERFECT, Grade.EXCELLENT)
"""Moves that are no mistake: what they lose is less than the book of mistakes takes down."""
_START_BOARD, _TURN = range(2)  # numbers of a route's stream


def route_on(table: Table, seed: int, n_moves: int, is_corrected: bool) -> Route:
    """Return a route on a table.

    Raises
    ------
    RouteCodeError
        There are no routes on this table.
    """
    fours = fours_of(table.spawn4)
    formation, _, target = table.name.rpartition("_")
    if fours is None:
        raise RouteCodeError(
            tr(
                "no routes on a table with {share:g} % fours: expected a multiple of 0.1 %",
                share=100 * table.spawn4,
            )
        )
    if formation.upper() == GAME:
        raise RouteCodeError(
            tr("no routes on a formation called {name}: rename it first", name=formation)
        )
    return Route(
        formation.upper(),
        target,
        seed,
        n_moves,
        is_corrected,
        fours,
        fingerprint_of(table.formation),
    )


def start_of(route: Route, formation: Formation | None = None) -> Cells:
    """Return the 16 exponents of a route's first position.

    Parameters
    ----------
    formation : Formation, optional
        That of its table; None for a whole game.

    Raises
    ------
    RouteCodeError
        The formation is not the one that the route was made for.
    """
    if formation is None:
        first = _with(start_tile(range(N_CELLS), route.seed, 0, route.fours), (0,) * N_CELLS)
        return _with(start_tile(_empty(first), route.seed, 1, route.fours), first)
    if fingerprint_of(formation) != route.fingerprint:
        raise RouteCodeError(
            tr(
                "this route was made for another formation called {name}: one of you has changed "
                "it",
                name=route.formation,
            )
        )
    at = draw_below(route.seed, _START_BOARD, len(formation.starts))
    board = tuple(cells(formation.starts[at]))
    board = _with(start_tile(_empty(board), route.seed, 0, route.fours), board)
    names = symmetries(formation.walls)
    turn = names[draw_below(route.seed, _TURN, len(names))]
    return tuple(cells(transform(from_cells(board), turn)))


@dataclass(frozen=True)
class RouteMove:
    """A move along a route."""

    before: Cells  # the 16 exponents before it
    # The move pressed and the move made: the table's best one if the route corrects.
    direction: int
    made: int
    # The new tile.
    cell: int
    exponent: int
    gained: int  # points
    slides: tuple[Slide, ...]  # tile movements of the move made
    judgement: Judgement | None  # judgement of the move pressed; None in a whole game
    rates: Rates | None  # the table's rates for `before`
    ms: int  # how long it took
    unknown: tuple[int, ...] = ()  # other legal moves whose rates the table doesn't know

    @property
    def is_corrected(self) -> bool:
        """Whether the board made another move than was pressed."""
        return self.made != self.direction

    @property
    def is_mistake(self) -> bool:
        """Whether it lost enough to count as a mistake."""
        return self.judgement is not None and self.judgement.grade not in FREE_GRADES


class RouteRun:
    """A run along a route.

    Parameters
    ----------
    table : Table, optional
        The table it is played on; None for a whole game.

    Attributes
    ----------
    points : int
        Of the game.
    points_lost : float
        Total loss of all moves, as a sum of differences of rates.
    n_mistakes : int
        Number of mistakes.
    played_ms : int
        Total time of all moves.

    Raises
    ------
    RouteCodeError
        The route was made for another formation with that name.
    """

    def __init__(self, route: Route, table: Table | None = None) -> None:
        self.route, self._table = route, table
        self.rate = table.rate if table else ""
        self.end: End | None = None  # why it ended; None while in play
        self.points, self.points_lost = 0, 0.0
        self.n_mistakes, self.played_ms = 0, 0
        self._walls = bool(table and table.formation.walls)
        self._tolerance = Tolerance.of_type(self.rate) if table else Tolerance(0.0)
        self._moves: list[RouteMove] = []
        self._cells = start_of(route, table.formation if table else None)
        self._scores = [Score()]

    # What there is --------------------------------------------------------------------------

    @property
    def cells(self) -> Cells:
        """The 16 exponents on the board; 16 is 65536."""
        return self._cells

    @property
    def board(self) -> int:
        """The position as a number, F for every tile above 32768 too."""
        return board_of(self._cells)

    @property
    def walls(self) -> bool:
        """Whether exponent 15 is a wall."""
        return self._walls

    @property
    def table(self) -> str:
        """The name of its table, such as "442_512"; "" for a whole game."""
        return self._table.name if self._table else ""

    @property
    def tolerance(self) -> Tolerance:
        """Which rates count as equal."""
        return self._tolerance

    @property
    def moves(self) -> tuple[RouteMove, ...]:
        """All moves so far."""
        return tuple(self._moves)

    @property
    def n_moves(self) -> int:
        """The number of moves so far."""
        return len(self._moves)

    @property
    def last(self) -> RouteMove | None:
        """The move that led here."""
        return self._moves[-1] if self._moves else None

    @property
    def score(self) -> Score:
        """The score of the judged moves."""
        return self._scores[-1]

    @property
    def match_rates(self) -> list[float]:
        """The match rate after each move."""
        return [score.match_rate for score in self._scores[1:]]

    @property
    def line(self) -> int:
        """10 bits that identify the moves on the board: equal values mean equal boards."""
        return zlib.crc32(bytes(move.made for move in self._moves)) & 1023

    def worst(self, most: int) -> list[int]:
        """Return the indices of the costliest moves, worst first; perfect moves are left out."""
        losses = {
            i: move.judgement.loss
            for i, move in enumerate(self._moves)
            if move.judgement and not move.judgement.is_perfect
        }
        return sorted(losses, key=lambda i: (-losses[i], i))[:most]

    def is_legal(self, direction: int) -> bool:
        """Return whether any tile slides that way."""
        return self._slid(direction).cells != self._cells

    def refusal(
        self, direction: int, rates: Rates | None, unknown: Collection[int] = ()
    ) -> Refusal | None:
        """Return the reason why a move is not accepted, or None; `rates` are those of the table."""
        if not self.is_legal(direction):
            return Refusal.ILLEGAL
        if direction in unknown:
            return Refusal.UNKNOWN
        return Refusal.LEAVES if rates is not None and rates[direction] is None else None

    # Playing --------------------------------------------------------------------------------

    def play(
        self,
        direction: int,
        rates: Rates | None = None,
        ms: int = 0,
        unknown: Collection[int] = (),
    ) -> RouteMove:
        """Make a move, or the best one in its place, judge it, and spawn the new tile.

        Parameters
        ----------
        rates : sequence of four float or None, optional
            The table's rates for the position; None in a whole game.
        ms : int
            How long it took.
        unknown : collection of int
            The legal moves whose rates the table doesn't know.

        Raises
        ------
        ValueError
            The run is over, or the move is refused (call `refusal` first) or can't be judged.
        """
        if self.end is not None or self.refusal(direction, rates, unknown) is not None:
            raise ValueError(f"move {direction} is not possible in {self._cells}")  # no text
        judgement, made = None, direction
        if self._table is not None:
            judgement, made = self._judged(direction, rates, unknown)
        motion = self._slid(made)
        seed, fours = self.route.seed, self.route.fours
        cell, exponent = tile = new_tile(_empty(motion.cells), seed, self.n_moves, fours)
        move = RouteMove(
            before=self._cells,
            direction=direction,
            made=made,
            cell=cell,
            exponent=exponent,
            gained=motion.gained,
            slides=motion.slides,
            judgement=judgement,
            rates=tuple(rates) if rates else None,
            ms=ms,
            unknown=tuple(sorted(unknown)),
        )
        self._moves.append(move)
        self._cells = _with(tile, motion.cells)
        self._scores.append(self.score.add(judgement))
        self.points += move.gained
        self.points_lost += judgement.points_lost if judgement else 0.0
        self.n_mistakes += move.is_mistake
        self.played_ms += ms
        return move

    def conclude(self, rates: Rates | None = None, is_best_known: bool = True) -> End | None:
        """Record and return the reason if the current position is the end; None otherwise.

        See `end_of_rates` for the arguments.
        """
        self.end = self.reached() or self._stuck(rates, is_best_known)
        return self.end

    def reached(self) -> End | None:
        """Return the end that needs no lookup: the target or the number of moves is reached."""
        table = self._table
        if table and has_reached(self.board, table.target, table.formation):
            return End.REACHED
        if self.route.n_moves and self.n_moves >= self.route.n_moves:
            return End.MOVES
        return None

    def _stuck(self, rates: Rates | None, is_best_known: bool) -> End | None:
        if not any(self.is_legal(direction) for direction in range(4)):
            return End.NO_MOVE
        return end_of_rates(rates, is_best_known) if self._table else None

    def _judged(
        self, direction: int, rates: Rates | None, unknown: Collection[int]
    ) -> tuple[Judgement, int]:
        """Return the judgement of a move, and the move to make."""
        doubt = UnknownRates(frozenset(unknown), is_best_known=True) if unknown else None
        judgement = judge(rates, direction, self._tolerance, doubt) if rates else None
        if rates is None or judgement is None:
            raise ValueError(tr("its rates do not let it be judged"))
        best = best_of((rates[0], rates[1], rates[2], rates[3]))
        assert best is not None  # otherwise there was nothing to judge by
        return judgement, best if self.route.is_corrected else direction

    def _slid(self, direction: int) -> Motion:
        is_game = self._table is None
        return slide_cells(self._cells, direction, self._walls, merge_32768=is_game)


def board_of(exponents: Cells) -> int:
    """Return a position as a number, F for every tile above 32768 too."""
    return from_cells(min(exponent, LARGEST_NIBBLE) for exponent in exponents)


def _empty(exponents: Cells) -> list[int]:
    return [cell for cell, exponent in enumerate(exponents) if not exponent]


def _with(tile: tuple[int, int], exponents: Cells) -> Cells:
    cell, exponent = tile
    return (*exponents[:cell], exponent, *exponents[cell + 1 :])
