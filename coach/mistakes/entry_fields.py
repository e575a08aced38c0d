"""The fields of a mistake in an imported file, and their conversion to a record; see `files`."""

from datetime import datetime, timezone
from typing import Annotated

from msgspec import Meta, Struct

from coach.grading.grade import Grade
from coach.mistakes.mistake import Attempt, TableKey
from coach.mistakes.record import NO_RATES, Answer, Record, worst_grade
from engine.bitboard import DIRECTIONS, parse_board
from engine.geometry import MODES
from engine.platform.files.field_types import DirectionName, FourShares, Share, one_of
from engine.platform.language import tr
from engine.platform.surrogates import replace_surrogates

_Seconds = Annotated[float, Meta(ge=-1e11, le=1e11)]
_Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
_EARLIEST, _LATEST = (datetime(year, 1, 1, tzinfo=timezone.utc) for year in (1970, 9999))


class AttemptFields(Struct, frozen=True):
    """A move that was not the best."""

    when: str
    direction: DirectionName
    loss: Share | None = None
    grade: Grade | None = None
    source: str = ""
    move: _Count = 0

    def attempt(self) -> Attempt:
        when, direction = _time("when", self.when), DIRECTIONS.index(self.direction)
        return Attempt(
            when, direction, self.loss, self.grade, replace_surrogates(self.source), self.move
        )


class AnswerFields(Struct, frozen=True):
    """An answer in a drill."""

    when: str
    direction: DirectionName
    is_right: bool = False
    seconds: _Seconds | None = None
    was_new: bool = False

    def answer(self) -> Answer:
        when, direction = _time("when", self.when), DIRECTIONS.index(self.direction)
        return Answer(when, direction, self.is_right, self.seconds, self.was_new)


class EntryFields(Struct, frozen=True):
    """A mistake."""

    table: str
    board: str
    spawn4: Share = 0.1
    symmetry: Annotated[str, one_of(MODES)] = "full"
    rates: FourShares = (None, None, None, None)
    best: tuple[DirectionName, ...] = ()
    grade: Grade | None = None
    count: _Count = 1
    total_loss: Annotated[float, Meta(ge=0)] = 0.0
    worst_loss: Share | None = None
    first: str | None = None
    last: str | None = None
    due: str | None = None
    retired: str | None = None
    tags: tuple[str, ...] = ()
    attempts: tuple[AttemptFields, ...] = ()
    answers: tuple[AnswerFields, ...] = ()
    run: _Count = 0
    card: str = ""

    def __post_init__(self) -> None:
        if not self.table.strip():
            raise ValueError(tr("'table' is blank; expected the name of a table"))
        if self.total_loss > self.count + 1e-6:  # a sum of floats may be off
            raise ValueError(
                tr(
                    "'total_loss' is {loss}; expected at most the count, {count}",
                    loss=self.total_loss,
                    count=self.count,
                )
            )
        if not self.best and self.rates == NO_RATES:
            raise ValueError(tr("neither the best move nor the rates are given"))

    def record(self) -> Record:
        """Return the mistake; raise ValueError if a time or the board is invalid."""
        worst = self.worst_loss
        if worst is None:
            worst = self.total_loss / self.count if self.count else 0.0
        top = max((rate for rate in self.rates if rate is not None), default=None)
        best = map(DIRECTIONS.index, self.best)
        return Record(
            key=TableKey(replace_surrogates(self.table.strip()), self.spawn4),
            board=parse_board(self.board),
            best=tuple(best) or tuple(i for i, rate in enumerate(self.rates) if rate == top),
            count=self.count,
            total_loss=self.total_loss,
            worst_loss=worst,
            symmetry=self.symmetry,
            rates=self.rates,
            first=_time_or_none("first", self.first),
            last=_time_or_none("last", self.last),
            attempts=tuple(one.attempt() for one in self.attempts),
            answers=tuple(one.answer() for one in self.answers),
            tags=tuple(replace_surrogates(tag) for tag in map(str.strip, self.tags) if tag),
            run=self.run,
            card=replace_surrogates(self.card),
            due=_time_or_none("due", self.due),
            retired=_time_or_none("retired", self.retired),
            grade=self.grade or worst_grade(worst),
        )


def _time_or_none(name: str, text: str | None) -> datetime | None:
    return None if text is None else _time(name, text)


def _time(name: str, text: str) -> datetime:
    """Return a time in UTC, which is also assumed if it has no zone."""
    try:
        found = datetime.fromisoformat(text)
        found = found if found.tzinfo else found.replace(tzinfo=timezone.utc)
        found = found.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        found = _LATEST
    if not _EARLIEST <= found < _LATEST:
        raise ValueError(
            tr(
                "{field!r} is {text}; expected a time from 1970 on such as 2026-03-01T12:00:00",
                field=name,
                text=f"{text!r:.60}",
            )
        )
    return found
