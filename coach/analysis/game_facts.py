"""The key facts of a whole game, for one picture or the top of a page."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from coach.analysis.course import (
    BY_SEARCH,
    CourseMoment,
    CoursePhase,
    chance_in,
    exponents,
    share_in,
)
from coach.grading.grade import GRADES, Grade, Judgement
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Cells
from engine.platform.errors import AppError
from engine.platform.language import tr

N_WORST = 10
_ROOM_BETWEEN = 0.02  # stretches, in drawings


@dataclass(frozen=True)
class CostlyMove:
    """A move that lost some of the chance."""

    number: int  # number in the game, from 1
    cells: tuple[int, ...]  # the exponents before the move
    direction: int
    best: tuple[int, ...]  # all equally best directions
    rate: float
    best_rate: float
    grade: Grade

    @property
    def points_lost(self) -> float:
        return self.best_rate - self.rate


def costly(number: int, cells: Cells, judgement: Judgement) -> CostlyMove:
    return CostlyMove(
        number,
        cells,
        judgement.direction,
        judgement.best,
        judgement.rate,
        judgement.best_rate,
        judgement.grade,
    )


@dataclass(frozen=True)
class Stretch:
    """Consecutive moves that one table rates."""

    table: str  # such as "442_128"; "" if a file has rates but doesn't name the table
    first: int  # the number of the first move
    best_rates: tuple[float, ...]  # the best rate before each move


@dataclass(frozen=True)
class GameFacts:
    """A summary of a game."""

    name: str  # the file's name; it may contain any characters
    n_moves: int
    points: int
    largest_tile: int
    # In the order of the game; those of different tables may overlap.
    stretches: tuple[Stretch, ...]
    n_judged: int
    longest_streak: int
    match_rate: float  # over all stretches; 1 if nothing was judged
    # Sums over all stretches, as differences of rates.
    points_lost: float
    points_of_luck: float
    counts: tuple[int, ...]  # moves by grade, in the order of `GRADES`
    worst: tuple[CostlyMove, ...]  # the costliest moves, worst first
    phases: tuple[CoursePhase, ...] = ()
    # Phases and decisive moments of a whole game that search judged too.
    moments: tuple[CourseMoment, ...] = ()

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest rate in a chart of the stretches; never equal."""
        rates = [rate for one in self.stretches for rate in one.best_rates]
        low, high = min(rates, default=0.0), max(rates, default=1.0)
        return (low - 0.5e-6, high + 0.5e-6) if high - low < 1e-12 else (low, high)

    @property
    def has_course(self) -> bool:
        return sum(len(one.best_rates) for one in self.stretches) > 1

    def across(self) -> list[list[float]]:
        """Return the horizontal positions of the moves of each stretch in a chart, from 0 to 1.

        The stretches follow each other with small gaps: drawn to scale, the moves that no table
        rates would leave most of a long game's chart empty.
        """
        n_rated = sum(len(one.best_rates) - 1 for one in self.stretches)
        room = min(_ROOM_BETWEEN, 0.2 / len(self.stretches)) if self.stretches else 0.0
        step = (1 - room * (len(self.stretches) - 1)) / max(1, n_rated)
        found, left = [], 0.0
        for one in self.stretches:
            places = [left + i * step for i in range(len(one.best_rates))]
            found.append([min(1.0, place) for place in places])
            left = places[-1] + room
        return found

    def marks(self) -> list[tuple[CostlyMove, float, float]]:
        """Return the costliest moves, each with its position as in `across` and the rate there.

        A move rated by two tables is marked once, on the first line.
        """
        places: dict[int, tuple[float, float]] = {}
        for one, across in zip(self.stretches, self.across(), strict=True):
            for i, rate in enumerate(one.best_rates):
                places.setdefault(one.first + i, (across[i], rate))
        return [(move, *places[move.number]) for move in self.worst if move.number in places]

    @property
    def span(self) -> tuple[int, int]:
        firsts = [one.first for one in self.stretches]
        lasts = [one.first + len(one.best_rates) - 1 for one in self.stretches]
        return min(firsts, default=1), max(lasts, default=self.n_moves)

    @property
    def tables(self) -> tuple[str, ...]:
        judging = [name for phase in self.phases for name in phase.sources if name != BY_SEARCH]
        named = [one.table for one in self.stretches]
        return tuple(dict.fromkeys(name for name in (*named, *judging) if name))

    @property
    def mean_loss(self) -> float:
        return self.points_lost / max(1, self.n_judged)

    @property
    def is_whole(self) -> bool:
        return bool(self.phases)


def facts_of_data(data: Mapping[str, Any]) -> GameFacts:
    """Return the facts of a game that `coach.analysis.data.to_json` describes, with its moves.

    Raises AppError if a field is missing or invalid.
    """
    try:
        return _facts(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        text = tr("the report of the analysis cannot be understood: {problem!r}", problem=error)
        raise AppError(text) from error


def _facts(data: Mapping[str, Any]) -> GameFacts:
    segments = data["segments"]
    counts = [sum(int(one["grades"].get(grade.value, 0)) for one in segments) for grade in GRADES]
    worst: dict[int, CostlyMove] = {}
    costly = [_costly(move) for one in segments for move in one["worst"]]
    for move in sorted(costly, key=lambda move: (-move.points_lost, move.number)):
        worst.setdefault(move.number, move)
    facts = GameFacts(
        name=str(data["file"]),
        n_moves=int(data["moves"]),
        points=int(data["points"]),
        largest_tile=int(data["largest_tile"]),
        stretches=tuple(
            stretch
            for segment in segments
            for stretch in stretches_of(
                (int(move["move"]), str(segment["table"]), max(_rates(move), default=None))
                for move in segment["move_list"]
            )
        ),
        n_judged=sum(counts),
        longest_streak=max([int(one["longest_combo"]) for one in segments], default=0),
        match_rate=math.prod(share_in(one["match_rate"]) for one in segments),
        points_lost=math.fsum(float(one["points_lost"]) for one in segments),
        points_of_luck=math.fsum(float(one["points_of_luck"]) for one in segments),
        counts=tuple(counts),
        worst=tuple(worst.values())[:N_WORST],
    )
    return with_game(facts, data["game"]) if data.get("game") else facts


def with_game(facts: GameFacts, game: Mapping[str, Any]) -> GameFacts:
    """Return the facts of a game judged as a whole: all figures cover all its moves.

    `game` is as of `coach.whole_game.report.to_json`, with the chances before each move.
    """
    phases = tuple(map(CoursePhase.of, game["phases"]))
    moments = tuple(map(CourseMoment.of, game["moments"]))
    if "chances" not in game:  # written by an earlier version: keep the figures of the tables
        return replace(facts, phases=phases, moments=moments)
    counts = tuple(int(game["grades"].get(grade.value, 0)) for grade in GRADES)
    return replace(
        facts,
        stretches=stretches_of((i, "", chance_in(one)) for i, one in enumerate(game["chances"], 1)),
        n_judged=sum(counts),
        longest_streak=int(game["longest_combo"]),
        match_rate=share_in(game["match_rate"]),
        points_lost=float(game["points_lost"]),
        points_of_luck=float(game["points_of_luck"]),
        counts=counts,
        worst=tuple(
            CostlyMove(m.number, m.cells, m.played, m.best, m.after, m.before, m.grade)
            for m in map(CourseMoment.of, game["worst"])
            if m.grade and m.best
        ),
        phases=phases,
        moments=moments,
    )


def _rates(move: Mapping[str, Any]) -> list[float]:
    return [share_in(rate) for rate in move["rates"].values() if rate is not None]


def _costly(move: Mapping[str, Any]) -> CostlyMove:
    played = DIRECTIONS.index(move["played"])
    return CostlyMove(
        int(move["move"]),
        exponents(move["board"]),
        played,
        tuple(map(DIRECTIONS.index, move["best"])),
        share_in(move["rates"][DIRECTIONS[played]]),
        max(_rates(move)),
        Grade(move["grade"]),
    )


def stretches_of(rated: Iterable[tuple[int, str, float | None]]) -> tuple[Stretch, ...]:
    """Return the stretches of a game.

    `rated` has the number of each move, ascending, the name of what rates the position before it,
    and the best rate there if known.
    """
    known = [(number, table, rate) for number, table, rate in rated if rate is not None]
    found = []
    # Consecutive numbers all have the same difference from their index.
    runs = groupby(enumerate(known), key=lambda ranked: (ranked[1][0] - ranked[0], ranked[1][1]))
    for (_, table), run in runs:
        moves = [move for _, move in run]
        found.append(Stretch(table, moves[0][0], tuple(rate for *_, rate in moves)))
    return tuple(found)
