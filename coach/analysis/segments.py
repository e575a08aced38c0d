"""The segments of a game that a table covers, each move with the table's rates before it.

A *segment* begins with the first covered position from which the target can still be reached and
whose best move is certain (see `coach.analysis.coverage`), and continues as long as the table
answers. `End` says why it ends. Each table has its own segments, independent of the other tables.

The large tiles stay the same throughout: none of them merge, and two smaller tiles make at most
the target, after which the table no longer covers the position.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from coach.analysis.coverage import Coverage, LargeTiles
from coach.grading.rated import Rated, UnknownRates
from engine.formats.replay import Cells, Rates, ReplayMove
from engine.platform.language import mark
from tablebase.errors import TableError
from tablebase.formation.goal import goal_of


class End(Enum):
    """Why a segment ends, in a phrase that `tr` translates."""

    REACHED = mark("target reached")
    ELSEWHERE = mark("target tile made where it does not count")
    LOST = mark("no way to the target left")
    LEFT = mark("a move left the formation")
    UNKNOWN = mark("what the table does not keep")
    RECORD = mark("end of the record")
    CANCELLED = mark("analysis canceled")
    OUTSIDE = mark("beyond the table")
    GAP = mark("moves missing in the record")


END_TITLES: Mapping[End, str] = MappingProxyType(
    {
        End.REACHED: mark("Target reached"),
        End.ELSEWHERE: mark("Target tile made where it does not count"),
        End.LOST: mark("No way to the target left"),
        End.LEFT: mark("A move left the formation"),
        End.UNKNOWN: mark("What the table does not keep"),
        End.RECORD: mark("End of the record"),
        End.CANCELLED: mark("Analysis canceled"),
        End.OUTSIDE: mark("Beyond the table"),
        End.GAP: mark("Moves missing in the record"),
    }
)
"""Why a segment ends, where that stands alone; to be translated by `tr`."""


@dataclass(frozen=True, slots=True)
class Position:
    """A covered position and the move that was played there."""

    index: int  # number of moves made before it; the move played here is number ``index + 1``
    cells: Cells  # 16 exponents
    rates: Rates  # by direction, in the orientation of the game
    move: ReplayMove | None  # None at the end of the record
    unknown_rates: UnknownRates | None = None  # the legal moves without a rate

    @property
    def best_rate(self) -> float:
        return max((rate for rate in self.rates if rate is not None), default=0.0)

    @property
    def rate(self) -> float | None:
        """The rate of the move played; None if it left the formation, is unknown, or none was
        played.
        """
        return self.rates[self.move.direction] if self.move else None


@dataclass(frozen=True)
class Segment:
    """A run of consecutive moves that one table covers."""

    table: str
    spawn4: float
    rate_type: str  # how the table stores rates
    target: int | str  # the tile, or a sum such as "sum1800"
    # The exponents of the large tiles, largest first; () on a board with walls.
    large: tuple[int, ...]
    positions: tuple[Position, ...]
    end: End

    @property
    def first(self) -> int:
        return self.positions[0].index

    def best_after(self, i: int) -> float | None:
        """Return the best rate after the i-th move and its new tile; None if unknown."""
        if i + 1 < len(self.positions):
            return self.positions[i + 1].best_rate
        return 1.0 if self.end is End.REACHED else None


@dataclass
class SegmentFinder:
    """Finds the segments of one table from the positions of a game, fed one by one."""

    coverage: Coverage
    problem: str = ""  # why the table is no longer queried; "" as long as it can be read
    n_covered: int = 0  # positions covered so far
    message_of: Callable[[TableError], str] = str  # returns the message for an error of the table
    _open: list[Position] = field(default_factory=list)
    _large: tuple[int, ...] = ()

    def feed(
        self, index: int, cells: Cells, tiles: LargeTiles, move: ReplayMove | None
    ) -> Segment | None:
        """Process the position after `index` moves; return the segment ending by it."""
        answer = self._ask(tiles)
        if answer is None:
            return self._close(self._why(tiles)) if self._open else None
        position = Position(index, cells, answer.rates, move, answer.unknown_rates)
        if not self._open:
            if position.best_rate <= 0.0 or not answer.is_best_known:
                return None  # the chance is zero or unknown
            self._large = () if self.coverage.walls else tiles.large(self.coverage.n_large)
        elif not answer.is_best_known:
            return self._close(End.UNKNOWN)
        self._open.append(position)
        self.n_covered += 1
        unknown = answer.unknown_rates
        if move and unknown and move.direction in unknown.moves:
            return self._close(End.UNKNOWN)
        if position.best_rate <= 0.0:
            return self._close(End.LOST)
        if move is not None and position.rate is None:
            return self._close(End.LEFT)
        return None

    def finish(self, end: End) -> Segment | None:
        return self._close(end) if self._open else None

    def _ask(self, tiles: LargeTiles) -> Rated | None:
        if self.problem:
            return None
        try:  # while a segment is open, each position follows a known move
            return self.coverage.answer(tiles, follows=bool(self._open))
        except TableError as error:
            self.problem = self.message_of(error)
            return None

    def _why(self, tiles: LargeTiles) -> End:
        if self.problem or not self.coverage.may_have_reached(tiles):
            return End.OUTSIDE
        return End.REACHED if self._open[-1].rate == 1.0 else End.ELSEWHERE

    def _close(self, end: End) -> Segment:
        table, positions = self.coverage.table, tuple(self._open)
        self._open.clear()
        return Segment(
            table.name,
            table.spawn4,
            table.rate,
            goal_of(table.target).json,
            self._large,
            positions,
            end,
        )
