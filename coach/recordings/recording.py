"""A game to review: every position, the value of each move, the effect of each new tile.

A recording comes from a file in any supported format or from another part of the program. If the
file has no rates, or old ones, tables can provide them: `coach.recordings.many_tables`.
"""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coach.analysis.course import BY_SEARCH
from coach.grading.grade import GRADES, UINT32, Judgement, Score, Tolerance, judge
from coach.grading.luck import spawn_luck
from coach.grading.rated import UnknownRates
from coach.play.rules import End
from coach.play.run import Run
from coach.recordings.game_files import is_test
from engine.formats.replay import Cells, Rates, Replay, ReplayError, bitboard
from engine.platform.errors import AppError
from engine.platform.files.input_file import read_bytes
from engine.platform.language import mark, tr
from engine.trace import slide_cells
from tablebase.formation.goal import read_goal

Floats = npt.NDArray[np.float64]

FILE, MANY_TABLES, WHOLE_GAME = "file", "tables", "game"
"""Sources of rates besides the names of tables; the last two have raters, position by position."""

SEARCH = BY_SEARCH
"""The rater of positions in a whole game without a table; see `coach.whole_game`."""

_HAVE_RATERS = (MANY_TABLES, WHOLE_GAME)

MAX_BYTES = 64 << 20  # a million moves in the longest format
_LATEST_S = 32_503_679_999.0  # the end of the year 2999: Windows knows dates up to 3000
_SMALLEST_TARGET, _LARGEST_TARGET = 16, 65536

_NUMBER = {grade: i for i, grade in enumerate(GRADES)}


class RecordingError(AppError, ValueError):
    """A file contains no recorded game."""


@dataclass(frozen=True)
class Rater:
    """A source of rates for a position: a table or search."""

    name: str
    tolerance: Tolerance  # which of its rates count as equal
    goal: str = ""  # the goal that its rates are chances of, if one name stands for several goals


@dataclass(frozen=True)
class Recording:
    """A recorded game, judged.

    Position i is before move i; there is one more position than moves.
    """

    name: str  # the name to show
    replay: Replay  # contains legal moves only
    positions: tuple[Cells, ...]  # tuple of 16 exponents each
    rates: tuple[Rates | None, ...]  # the known rates of each position, including the last
    tolerance: Tolerance = UINT32  # the tolerance within which rates count as equal
    path: Path | None = None  # the file; None for a game without a file
    table: str | None = None  # name of the table it was played against, if known
    # Where the rates come from: `FILE`, the name of a table, `MANY_TABLES`, `WHOLE_GAME`, "" if
    # there are none.
    source: str = FILE
    # The best rate of the last position if known from elsewhere: 1 if the game is won.
    end_rate: float | None = None
    leaves_out_forced: bool = False  # whether forced moves are left out of the score
    # Why the record ends before its file does, or where moves are missing; "" if neither.
    problem: str = ""
    # The rates unknown to the table that rated the moves, by position.
    doubts: Mapping[int, UnknownRates] = field(default_factory=dict)
    # The source of each position's rates, if there are several; None if unrated or rated by the
    # file. () unless the source is `MANY_TABLES` or `WHOLE_GAME`.
    raters: tuple[Rater | None, ...] = ()
    played_at: datetime | None = None  # when it began or was written; with its time zone
    # The direction pressed, by position, where a correcting route made another move.
    pressed: Mapping[int, int] = field(default_factory=dict)
    # Whether its mistakes and moves are already stored in the database and the profile.
    is_filed: bool = False

    @property
    def has_raters(self) -> bool:
        return self.source in _HAVE_RATERS

    @property
    def n_moves(self) -> int:
        return len(self.replay.moves)

    @cached_property
    def gaps(self) -> frozenset[int]:
        return frozenset(i for i, _ in self.replay.gaps)

    @cached_property
    def boards(self) -> tuple[int, ...]:
        """The positions in the form that tables take."""
        return tuple(map(bitboard, self.positions))

    @cached_property
    def judgements(self) -> tuple[Judgement | None, ...]:
        """The judgement of each move; None if unknown, or nothing was left to lose."""
        return tuple(
            judge(rates, self.direction_at(i), self.tolerance_at(i), self.doubts.get(i))
            if rates
            else None
            for i, rates in enumerate(self.rates[: self.n_moves])
        )

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The score at each position: after 0 moves, after 1, ..."""
        scores = [Score(leaves_out_forced=self.leaves_out_forced)]
        for judgement in self.judgements:
            scores.append(scores[-1].add(judgement))
        return tuple(scores)

    @cached_property
    def luck(self) -> tuple[float | None, ...]:
        """The luck of the tile after each move, a logarithm: below 0 it hurt, -inf left no chance.

        None if a rate is unknown or a lower bound, nothing was left to lose, moves are missing, or
        another table takes over: its rates are chances of something else.
        """
        found: list[float | None] = []
        for i, move in enumerate(self.replay.moves):
            rates = self.rates[i] if self._is_same_chance(i) else None
            one = spawn_luck(rates[move.direction] if rates else None, self.best_rate(i + 1))
            found.append(one.log if one else None)
        return tuple(found)

    def tile_points(self, i: int) -> float | None:
        """Return the change by the tile after move i, in rates; None if unknown."""
        rates, after = self.rates[i], self.best_rate(i + 1)
        rate = rates[self.replay.moves[i].direction] if rates else None
        if self.luck[i] is None or rate is None or after is None:
            return None
        return after - rate

    @cached_property
    def luck_curve(self) -> Floats:
        """The sum of `tile_points` at each position; NaN if none is known."""
        points = np.array([self.tile_points(i) for i in range(self.n_moves)], np.float64)
        sums = np.append(0.0, np.cumsum(np.nan_to_num(points)))
        return sums if np.isfinite(points).any() else np.full_like(sums, math.nan)

    @cached_property
    def losses(self) -> Floats:
        """The loss of each move; NaN if unknown."""
        return np.array([one.loss if one else math.nan for one in self.judgements], np.float64)

    @cached_property
    def points_lost(self) -> Floats:
        """The loss of each move, as a difference of two rates; NaN if unknown."""
        found = [one.points_lost if one else math.nan for one in self.judgements]
        return np.array(found, np.float64)

    @cached_property
    def mean_losses(self) -> Floats:
        """The mean loss per judged move, up to each position; NaN before the first."""
        lost, is_known = self.points_lost, np.isfinite(self.points_lost)
        sums, counts = np.cumsum(np.where(is_known, lost, 0.0)), np.cumsum(is_known)
        return np.append(math.nan, np.where(counts, sums / np.maximum(counts, 1), math.nan))

    @cached_property
    def grade_numbers(self) -> npt.NDArray[np.int8]:
        """The index of each move's grade in `GRADES`; -1 if unknown."""
        return np.array([_NUMBER[one.grade] if one else -1 for one in self.judgements], np.int8)

    @cached_property
    def match_rates(self) -> Floats:
        return np.array([score.match_rate for score in self.scores], np.float64)

    @cached_property
    def chances(self) -> Floats:
        """The best rate at each position; NaN if unknown or a lower bound."""
        n = len(self.positions)
        best = [None if self._is_bound(i) else self.best_rate(i) for i in range(n)]
        return np.array(best, np.float64)  # None becomes NaN

    @cached_property
    def total_luck(self) -> float | None:
        known = [one for one in self.luck if one is not None]
        return sum(known) if known else None

    @cached_property
    def n_judged(self) -> int:
        return int(np.count_nonzero(self.grade_numbers >= 0))

    @property
    def is_judged_whole(self) -> bool:
        """Whether search rates what no table does: products of that many estimates mean nothing."""
        return self.source == WHOLE_GAME

    @property
    def score(self) -> Score:
        return self.scores[-1]

    def rater_at(self, i: int) -> str:
        """Return the rater of a position: a table's name, `SEARCH`, `FILE`, or "" for none."""
        if self.rates[i] is None:
            return ""
        if not self.has_raters:
            return self.source
        rater = self.raters[i]
        return rater.name if rater else FILE

    def table_at(self, i: int) -> str | None:
        """Return the table for a position: the one that rates it, else the game's own."""
        rater = self.rater_at(i)
        return self.table if rater in ("", FILE, SEARCH) else rater

    def tolerance_at(self, i: int) -> Tolerance:
        rater = self.raters[i] if self.raters else None
        return rater.tolerance if rater else self.tolerance

    def direction_at(self, i: int) -> int:
        """Return the direction pressed, by which a move is judged, whatever the board did."""
        return self.pressed.get(i, self.replay.moves[i].direction)

    def breaking_at(self, i: int) -> tuple[int, ...]:
        """Return the moves of a rated position that are legal but break the formation."""
        rates, before, replay = self.rates[i], self.positions[i], self.replay
        if rates is None:
            return ()
        unknown = self.doubts[i].moves if i in self.doubts else ()
        without = [d for d, rate in enumerate(rates) if rate is None and d not in unknown]
        walls, merges = replay.walls, replay.merge_32768
        return tuple([d for d in without if slide_cells(before, d, walls, merges).cells != before])

    def _is_same_chance(self, i: int) -> bool:
        """Return whether a move and the position after it are rated for the same target.

        Always False for lower bounds, as they may differ in how close they are.
        """
        if self._is_bound(i) or self._is_bound(i + 1) or i + 1 in self.gaps:
            return False
        if not self.raters:
            return True
        now, then = self.rater_at(i), self.rater_at(i + 1)
        if now == then == SEARCH:
            return self.raters[i] == self.raters[i + 1]
        if not then and i + 1 == self.n_moves:  # the end of the game's own table is known
            return now in (self.table, FILE)
        return now == then

    def _is_bound(self, i: int) -> bool:
        doubt = self.doubts.get(i)
        return bool(doubt and doubt.is_limited)

    def best_rate(self, i: int) -> float | None:
        rates = self.rates[i]
        known = [rate for rate in rates if rate is not None] if rates else []
        if known:
            return max(known)
        return self.end_rate if i == self.n_moves else None

    def mistakes(self, least_loss: float) -> list[int]:
        is_wrong = (self.grade_numbers > 0) & (self.losses >= least_loss)
        found: list[int] = np.flatnonzero(is_wrong).tolist()
        return found

    def worst(self, most: int) -> list[int]:
        return self._by_loss[:most]

    @cached_property
    def _by_loss(self) -> list[int]:
        wrong = np.flatnonzero(self.grade_numbers > 0)
        found: list[int] = wrong[np.argsort(-self.losses[wrong], kind="stable")].tolist()
        return found

    def judge_all(self) -> "Recording":
        """Compute all cached properties now; return the recording itself."""
        _ = self.boards, self.match_rates, self.luck_curve, self.losses, self.grade_numbers
        _ = self.n_judged, self.total_luck, self._by_loss, self.mean_losses, self.chances
        return self


def recording_of(
    replay: Replay,
    name: str = "",
    *,
    path: Path | None = None,
    table: str | None = None,
    tolerance: Tolerance = UINT32,
    end_rate: float | None = None,
    leaves_out_forced: bool = False,
    played_at: datetime | None = None,
    doubts: Mapping[int, UnknownRates] | None = None,
    pressed: Mapping[int, int] | None = None,
    is_filed: bool = False,
) -> Recording:
    """Return a recorded game, judged by the rates in it.

    If a move is illegal, the recording ends before it and says so.
    """
    positions: list[Cells] = []
    problem = replay.problem
    try:
        for position in replay.positions():
            positions.append(position)
    except ReplayError as error:
        problem = str(error)
    moves = replay.moves[: len(positions) - 1]
    if len(moves) < len(replay.moves):
        replay = replace(replay, moves=moves, problem=problem)
    has_rates = any(move.rates for move in moves)
    return Recording(
        name=name or tr("Game"),
        replay=replay,
        positions=tuple(positions),
        rates=(*(move.rates for move in moves), None),
        tolerance=tolerance,
        path=path,
        table=table,
        source=FILE if has_rates else "",
        end_rate=end_rate,
        leaves_out_forced=leaves_out_forced,
        problem=problem,
        played_at=played_at,
        doubts=dict(doubts or {}),
        pressed=dict(pressed or {}),
        is_filed=is_filed,
    ).judge_all()


def open_recording(path: Path, patterns: Container[str] | None = None) -> Recording:
    """Return the recorded game in a file of any supported format, judged.

    `patterns` are the names of formations, to tell a table's name in the file name from other
    words. Raises RecordingError if it cannot be read or contains no game. A file damaged further on
    gives the moves before; `problem` says where it ends and why.
    """
    data = read_bytes(path, tr("a recorded game"), MAX_BYTES, RecordingError)
    try:
        if is_test(data):
            from coach.exam.session_file import session_from_json

            return recording_of_run(session_from_json(data), path.name, path)
        from engine.formats.reading import read_replay

        _, replay = read_replay(data)
    except RecordingError:
        raise
    except AppError as error:
        text = mark("cannot open {name}: {problem}")
        raise RecordingError(text, name=path.name, problem=error) from error
    table = table_in_name(path.name, patterns)
    return recording_of(replay, path.name, path=path, table=table, played_at=written_at(path))


def recording_in_text(text: str) -> Recording:
    """Return the game in a text, as other sites copy theirs; raise RecordingError if none."""
    from engine.formats.reading import read_replay

    try:
        _, replay = read_replay(text.encode("utf-8", "replace"))
    except AppError as error:
        raise RecordingError("cannot paste this as a game: {problem}", problem=error) from error
    return recording_of(replay, tr("Pasted game"))


def recording_of_run(
    run: Run, name: str = "", path: Path | None = None, played: datetime | None = None
) -> Recording:
    """Return a run as a recorded game: the moves made on the board, judged by those pressed."""
    from coach.play.setup import Kind

    setup, moves = run.setup, list(enumerate(run.moves))
    # A start chosen by the table is reachable, so a missing rate means that the table is thinned.
    doubts = {
        i: UnknownRates(frozenset(move.unknown), is_best_known=True, is_thinned=not setup.is_given)
        for i, move in moves
        if move.unknown
    }
    end_rates = {End.REACHED: 1.0, End.NO_MOVE: 0.0, End.LOST: 0.0}
    return recording_of(
        run.replay(),
        name,
        path=path,
        table=setup.table if setup.table not in ("", SEARCH) else None,
        tolerance=setup.tolerance,
        end_rate=end_rates.get(run.end) if run.end and setup.is_judged else None,
        leaves_out_forced=setup.leaves_out_forced,
        played_at=played or run.started,
        doubts=doubts,
        pressed={i: move.direction for i, move in moves if move.made != move.direction},
        is_filed=setup.is_judged and setup.kind is Kind.ROUTE,
    )


def written_at(path: Path) -> datetime | None:
    """Return the time a file was written, with its time zone; None if unknown.

    Some drives have files of the year 1601 or 11476: those count as of 1970 or 2999, so that our
    databases and the lists of all systems take them.
    """
    try:
        seconds = path.stat().st_mtime
    except OSError:
        return None
    return datetime.fromtimestamp(min(max(seconds, 0.0), _LATEST_S), timezone.utc)


def table_in_name(file_name: str, patterns: Container[str] | None = None) -> str | None:
    """Return the table that a file name begins with, as PATTERN_TARGET; None if unclear.

    >>> table_in_name("L3_512_20260509121500_0.9731_rec.rpl")
    'L3_512'
    >>> table_in_name("3x3_sum1800_20260509.rpl")
    '3x3_sum1800'
    >>> table_in_name("my best game.txt") is None
    True
    """
    pattern, _, rest = file_name.partition("_")
    goal = read_goal(rest.partition("_")[0].partition(".")[0])
    if goal is None or not pattern.isalnum():
        return None
    is_tile = goal.tile & (goal.tile - 1) == 0 and _SMALLEST_TARGET <= goal.tile <= _LARGEST_TARGET
    if not (is_tile if goal.tile else goal.is_possible):
        return None
    return f"{pattern}_{goal}" if patterns is None or pattern in patterns else None


def end_rate_of(recording: Recording, rates: Sequence[Rates | None]) -> float | None:
    """Return 0 if the table knows the last position and no move is left there, else None."""
    last, walls = recording.positions[-1], recording.replay.walls
    if recording.end_rate is not None or rates[-1] is None:
        return recording.end_rate
    merges = recording.replay.merge_32768
    is_over = all(slide_cells(last, one, walls, merges).cells == last for one in range(4))
    before = rates[-2] if len(rates) > 1 else None
    was_won = before and before[recording.replay.moves[-1].direction] == 1.0
    return 0.0 if is_over and not was_won else None
