"""Grading of a whole game by all tables that cover parts of it, with luck separated from skill.

What is judged and what isn't:

* Judging begins with the first covered position.
* Every move with a rate counts, as in Review: also one that keeps a *certain* position, whose best
  rate is exactly 1, certain.
* A move that leaves the formation has no rate and no grade: the segment ends with it and records
  why. The same holds for a move of which a thinned table knows only that it is not the best.
* Grades, match rate and tolerance all come from `coach.grading.grade`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from coach.analysis.coverage import Coverage, LargeTiles
from coach.analysis.segments import End, Position, Segment, SegmentFinder
from coach.grading.grade import Judgement, Score, Tolerance, judge
from coach.grading.luck import Fortune, SpawnLuck, spawn_luck
from coach.grading.rated import LowerBoundsError, check_exact
from engine.formats.replay import Cells, Replay, ReplayError, position_after
from tablebase.errors import TableError
from tablebase.probe.table import Table

PROGRESS_EVERY = 64  # positions; about 50 ms if a table covers them all
N_WORST = 10


@dataclass(frozen=True, slots=True)
class GradedMove:
    """A covered position, the move played there and how it was judged."""

    position: Position
    judgement: Judgement | None  # None for a move that is not counted (see above)
    luck: SpawnLuck | None  # luck of the new tile after the move; None if a rate is unknown
    best_after: float | None

    @property
    def number(self) -> int:
        """Return the move's number in the game, from 1."""
        return self.position.index + 1

    @property
    def is_certain(self) -> bool:
        return self.position.best_rate == 1.0 and self.position.rate == 1.0

    @property
    def leaves(self) -> bool:
        return self.position.move is not None and self.position.rate is None


@dataclass(frozen=True)
class SegmentReport:
    """A segment, graded."""

    segment: Segment
    moves: tuple[GradedMove, ...]  # one for each position at which a move was played
    score: Score  # score of the judged moves
    # Luck over all moves whose rates are known before and after.
    fortune: Fortune

    @property
    def n_certain(self) -> int:
        return sum(move.is_certain for move in self.moves)

    @cached_property
    def worst(self) -> tuple[GradedMove, ...]:
        bad = [
            (-move.judgement.points_lost, move.number, move)
            for move in self.moves
            if move.judgement and not move.judgement.is_perfect
        ]
        return tuple(move for *_, move in sorted(bad, key=lambda lost: lost[:2]))

    @property
    def median_ms(self) -> int | None:
        """Return the median time of a judged move; None where the record has no times."""
        times = [one.position.move.ms for one in self.moves if one.judgement and one.position.move]
        known = sorted(ms for ms in times if ms is not None)
        return known[len(known) // 2] if known else None


def grade_segment(segment: Segment) -> SegmentReport:
    # The other program's types that store 1 - rate are at least as precise as the plain ones.
    tolerance = Tolerance.of_type(segment.rate_type.removeprefix("1-"))
    score, fortune = Score(), Fortune.from_rate(segment.positions[0].best_rate)
    moves = []
    for i, position in enumerate(segment.positions):
        if position.move is None:
            continue
        rate, best_after = position.rate, segment.best_after(i)
        direction = position.move.direction
        judgement = judge(position.rates, direction, tolerance, position.unknown_rates)
        score = score.add(judgement)
        if rate is not None and best_after is not None and fortune.end > 0.0:
            fortune = fortune.add(rate, best_after)
        moves.append(GradedMove(position, judgement, spawn_luck(rate, best_after), best_after))
    return SegmentReport(segment, tuple(moves), score, fortune)


@dataclass(frozen=True)
class GameReport:
    """The result of analyzing one game."""

    replay: Replay
    final: Cells  # the last position looked at
    n_positions: int  # positions looked at
    # Covered positions, including those in segments too short to be reported; counted once per
    # table.
    n_covered: int
    segments: tuple[SegmentReport, ...]  # in the order of the game
    n_short: int  # segments not reported because they have too few judged moves
    tables: tuple[str, ...]  # the tables queried
    problems: tuple[str, ...]  # what could not be read, as messages
    is_complete: bool  # False if the analysis was canceled

    @property
    def n_moves(self) -> int:
        return len(self.replay.moves)

    @cached_property
    def points(self) -> int:
        return points_of(self.replay, self.final, max(0, self.n_positions - 1))


def points_of(replay: Replay, final: Cells, n_moves: int) -> int:
    """Return the points earned by the first `n_moves` moves of a game, which lead to `final`.

    A tile of 2**e stands for the points of all merges that made it from 2s, (e - 1) * 2**e; each
    tile spawned as a 4 accounts for 4 points that were never earned. Missing moves don't count.
    """
    fours = sum(move.exponent == 2 for move in replay.moves[:n_moves])
    points = _held(final, replay) - _held(replay.start, replay) - 4 * fours
    return points - (_held_in_gaps(replay, n_moves) if replay.gaps else 0)


def _held_in_gaps(replay: Replay, n_moves: int) -> int:
    positions, found = list(islice(replay.positions(), n_moves + 1)), 0
    for number, position in replay.gaps:
        if number <= n_moves:
            last, rules = replay.moves[number - 1], (replay.walls, replay.merge_32768)
            before = position_after(positions[number - 1], last, number, *rules)
            found += _held(position, replay) - _held(before, replay)
    return found


def _held(cells: Cells, replay: Replay) -> int:
    return sum((e - 1) << e for e in cells if e and not (replay.walls and e == 15))


@dataclass(frozen=True)
class Progress:
    """The positions done so far, of all, and what was found in them."""

    done: int
    total: int
    n_covered: int
    n_segments: int


@dataclass
class Analysis:
    """One game being analyzed: iterate over `run`, then call `report`, whenever you stop."""

    replay: Replay
    tables: Sequence[Table]  # each is queried for every position that it covers
    least_moves: int = 1  # segments with fewer judged moves are counted but not reported
    is_strict: bool = False  # see `coach.analysis.coverage`
    message_of: Callable[[TableError], str] = str  # returns the message for an error of a table
    _finders: list[SegmentFinder] = field(default_factory=list, init=False)
    _segments: list[SegmentReport] = field(default_factory=list, init=False)
    _n_short: int = field(default=0, init=False)
    _n_seen: int = field(default=0, init=False)
    _final: Cells = field(default=(), init=False)
    _problem: str = field(default="", init=False)
    _is_complete: bool = field(default=False, init=False)
    _gaps: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        coverages = [Coverage(table, self.replay.walls, self.is_strict) for table in self.tables]
        for one in filter(lambda one: one.is_possible, coverages):
            finder = SegmentFinder(one, message_of=self.message_of)
            self._finders.append(finder)
            try:
                check_exact(one.table)
            except LowerBoundsError as error:
                finder.problem = str(error)
        self._problem, self._final = self.replay.problem, self.replay.start
        self._gaps = {index for index, _ in self.replay.gaps}

    def run(self) -> Iterator[Progress]:
        """Go through the game, yielding the progress now and then; may be abandoned at any time."""
        try:
            for index, cells in enumerate(self.replay.positions()):
                self._look(index, cells)
                if self._n_seen % PROGRESS_EVERY == 0:
                    yield self._progress()
        except ReplayError as error:
            self._problem = str(error)
        self._end(End.RECORD)
        self._is_complete = True
        yield self._progress()

    @property
    def report(self) -> GameReport:
        """Return the results; closes the open segments, so call it only when you won't go on."""
        self._end(End.CANCELLED)
        problems = [self._problem, *(finder.problem for finder in self._finders)]
        return GameReport(
            replay=self.replay,
            final=self._final,
            n_positions=self._n_seen,
            n_covered=self._n_covered,
            segments=tuple(sorted(self._segments, key=lambda one: one.segment.first)),
            n_short=self._n_short,
            tables=tuple(finder.coverage.table.name for finder in self._finders),
            problems=tuple(filter(None, problems)),
            is_complete=self._is_complete,
        )

    def _look(self, index: int, cells: Cells) -> None:
        moves = self.replay.moves
        move = moves[index] if index < len(moves) else None
        tiles = LargeTiles(cells, self.replay.merge_32768)
        if index in self._gaps:
            self._end(End.GAP)
        for finder in self._finders:
            self._keep(finder.feed(index, cells, tiles, move))
        self._final, self._n_seen = cells, index + 1

    def _end(self, end: End) -> None:
        for finder in self._finders:
            self._keep(finder.finish(end))

    def _keep(self, segment: Segment | None) -> None:
        if segment is None:
            return
        report = grade_segment(segment)
        if report.score.n_moves >= self.least_moves:
            self._segments.append(report)
        elif report.score.n_moves:
            self._n_short += 1

    @property
    def _n_covered(self) -> int:
        return sum(finder.n_covered for finder in self._finders)

    def _progress(self) -> Progress:
        total = len(self.replay.moves) + 1
        return Progress(self._n_seen, total, self._n_covered, len(self._segments))


def analyze(
    replay: Replay, tables: Sequence[Table], *, least_moves: int = 1, is_strict: bool = False
) -> GameReport:
    analysis = Analysis(replay, tables, least_moves, is_strict)
    for _ in analysis.run():
        pass
    return analysis.report
