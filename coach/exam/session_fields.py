"""The fields of a test file, and the test they describe; see `session_file`."""

from datetime import datetime, timezone
from typing import Annotated, Literal

from msgspec import Meta, Struct

from coach.play.rules import MAX_MOVES, End, ExamGoal
from coach.play.run import Run
from coach.play.setup import PLAIN_FIELDS, Kind, Setup
from engine.bitboard import DIRECTIONS, LARGEST_NIBBLE, from_cells
from engine.platform.files.field_types import DirectionName, FourShares, Share, one_of
from engine.platform.language import mark, tr
from engine.saved_game import cells_from_text
from engine.symmetry import SYMMETRIES
from tablebase.formation.goal import goal_in
from tablebase.store.rates import RATE_TYPES

_RATES = [prefix + name for prefix in ("", "1-") for name in RATE_TYPES]
_EARLIEST, _LATEST = (datetime(year, 1, 1, tzinfo=timezone.utc) for year in (1900, 9000))
_A_TABLE, _A_TARGET = (
    mark("a name such as L3_512"),
    mark("a tile from 4 to 65536, or a sum such as sum1800"),
)
_A_SEED = mark("a whole number from 0 to 18446744073709551615")


class MoveFields(Struct, frozen=True):
    """A move of a test."""

    move: DirectionName
    cell: Annotated[int, Meta(ge=0, le=15)]
    tile: Literal[2, 4]
    ms: Annotated[int, Meta(ge=0, le=1 << 40)]
    rates: FourShares
    retry: bool = False
    unknown: tuple[DirectionName, ...] = ()

    def __post_init__(self) -> None:
        if any(self.rates[DIRECTIONS.index(name)] is not None for name in self.unknown):
            raise ValueError(tr("'unknown' names a move that has a rate"))

    def add_to(self, session: Run) -> None:
        """Add the move to a test; raise ValueError if it is not possible there."""
        session.add(
            DIRECTIONS.index(self.move),
            self.cell,
            self.tile // 2,
            self.rates,
            self.ms,
            self.retry,
            tuple(map(DIRECTIONS.index, self.unknown)),
        )


class SessionFields(Struct, frozen=True):
    """A test."""

    table: Annotated[str, Meta(min_length=1, max_length=100, description=_A_TABLE)]
    target: (
        Annotated[int, Meta(ge=4, le=65536, description=_A_TARGET)]
        | Annotated[str, Meta(max_length=12, description=_A_TARGET)]
    )
    spawn4: Share
    rate: Annotated[str, one_of(_RATES)]
    seed: Annotated[int, Meta(ge=0, description=_A_SEED)]
    start: str
    walls: bool
    symmetry: Annotated[str, one_of(SYMMETRIES)]
    is_given: bool
    allows_undo: bool
    leaves_out_forced: bool
    seconds_per_move: Annotated[int, Meta(ge=0, le=3600)]
    started: str
    ended: str
    end: Literal["", "reached", "no move", "lost", "outside", "time", "moves", "miss"]
    n_undos: Annotated[int, Meta(ge=0, le=1 << 31)]
    moves: tuple[MoveFields, ...]
    perfect_within: Annotated[float, Meta(ge=0, le=100)] = 0.0
    goal_moves: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = 0
    ends_at_miss: bool = False

    def __post_init__(self) -> None:
        if not self.table.isprintable():
            raise _wrong("table", self.table, tr(_A_TABLE))
        goal = goal_in(self.target)
        if goal is None or (goal.tile & goal.tile - 1 if goal.tile else not goal.is_possible):
            raise _wrong("target", self.target, tr(_A_TARGET))
        if self.seed > (1 << 64) - 1:
            raise _wrong("seed", self.seed, tr(_A_SEED))

    def session(self, kind: Kind = Kind.EXAM) -> Run:
        """Return the test; raise ValueError if it can't have been played like this."""
        session = Run(self._setup(kind), _time("started", self.started))
        session.n_undos = self.n_undos
        for number, move in enumerate(self.moves, 1):
            try:
                move.add_to(session)
            except ValueError as error:
                raise ValueError(
                    tr("move {number} cannot be: {reason}", number=number, reason=error)
                ) from error
        if self.end:
            session.finish(End(self.end), _time("ended", self.ended))
        return session

    def _setup(self, kind: Kind) -> Setup:
        start, goal = cells_from_text(self.start), goal_in(self.target)
        assert goal is not None  # checked in __post_init__
        if max(start) > LARGEST_NIBBLE or not any(start):
            raise ValueError(tr("'start' is not a position of a table"))
        return Setup(
            table=self.table,
            target=goal,
            spawn4=self.spawn4,
            rate=self.rate,
            seed=self.seed,
            start=from_cells(start),
            goal=ExamGoal(self.goal_moves, self.ends_at_miss),
            kind=kind,
            **{name: getattr(self, name) for name in PLAIN_FIELDS},
        )


def _time(name: str, text: str) -> datetime:
    """Return a time, in UTC if it has no zone; only of years that our databases take."""
    try:
        found = datetime.fromisoformat(text)
        found = found if found.tzinfo else found.replace(tzinfo=timezone.utc)
        is_known = _EARLIEST <= found < _LATEST
    except (ValueError, OverflowError):
        is_known = False
    if not is_known:
        raise _wrong(name, text[:40], tr("a date and time such as 2026-05-01T12:00:00"))
    return found


def _wrong(name: str, value: object, wanted: str) -> ValueError:
    return ValueError(
        tr("{field!r} is {value!r}; expected {wanted}", field=name, value=value, wanted=wanted)
    )
