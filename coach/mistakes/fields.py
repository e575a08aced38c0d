"""The fields of a mistake in somebody's file, each checked: nothing in it is trusted."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TypeVar

from coach.grading.grade import Grade
from coach.mistakes.mistake import TableKey
from coach.mistakes.record import Record, worst_grade
from engine.bitboard import DIRECTIONS, parse_board
from engine.geometry import MODES

T = TypeVar("T")

_MOST = 1_000_000_000
_EARLIEST, _LATEST = (datetime(year, 1, 1, tzinfo=timezone.utc) for year in (1970, 9999))


@dataclass(frozen=True)
class Fields:
    """Fields by name; whatever is wrong with one is a ValueError that names it."""

    values: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping):
            raise ValueError(f"{self.values!r:.60} is no group of fields")

    def get(self, name: str, kind: type[T], default: T) -> T:
        """Return a field of a type; the default when it is missing or null."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, kind):
            raise ValueError(f"{name}: {value!r:.60}: expected {kind.__name__}")
        return value

    def number(self, name: str) -> float | None:
        """Return a number, given as such or as a text; None when it is missing."""
        value = self.values.get(name)
        if value is None:
            return None
        try:
            found = float(value) if isinstance(value, (str, int, float)) else math.nan
        except (ValueError, OverflowError):
            found = math.nan
        if isinstance(value, bool) or not math.isfinite(found):
            raise ValueError(f"{name}: {value!r:.60}: expected a number")
        return found

    def share(self, name: str) -> float | None:
        """Return a number in [0, 1]; None when it is missing."""
        found = self.number(name)
        if found is not None and not 0 <= found <= 1:
            raise ValueError(f"{name}: {found!r}: expected a number from 0 to 1")
        return found

    def whole(self, name: str, default: int) -> int:
        """Return a whole number that is not negative."""
        found = self.number(name)
        if found is None:
            return default
        if found != int(found) or not 0 <= found <= _MOST:
            raise ValueError(f"{name}: {found!r}: expected a whole number from 0 to {_MOST}")
        return int(found)

    def time(self, name: str) -> datetime | None:
        """Return a time with its zone (UTC unless it has one); None when it is missing."""
        text = self.get(name, str, "")
        if not text:
            return None
        try:
            found = datetime.fromisoformat(text)
            found = found if found.tzinfo else found.replace(tzinfo=timezone.utc)
            found = found.astimezone(timezone.utc)
        except (ValueError, OverflowError):
            found = _LATEST
        if not _EARLIEST <= found < _LATEST:
            raise ValueError(f"{name}: {text!r:.60}: expected a time such as 2026-03-01T12:00:00")
        return found

    def needed_time(self, name: str) -> datetime:
        """Return a time that has to be there."""
        found = self.time(name)
        if found is None:
            raise ValueError(f"{name} is missing")
        return found

    def grade(self, name: str) -> Grade | None:
        """Return a grade by name; None when it is missing."""
        text = self.get(name, str, "")
        if not text:
            return None
        if text not in [grade.value for grade in Grade]:
            names = ", ".join(grade.value for grade in Grade)
            raise ValueError(f"{name}: {text!r:.60}: expected one of {names}")
        return Grade(text)

    def direction(self, text: object) -> int:
        """Return the direction that a text names."""
        if text not in DIRECTIONS:
            raise ValueError(f"{text!r:.60} is no direction: expected {', '.join(DIRECTIONS)}")
        return DIRECTIONS.index(str(text))


def read_record(
    fields: Fields, rates: tuple[float | None, ...], best: tuple[int, ...], **more: Any
) -> Record:
    """Return the record of fields that JSON and CSV have in common.

    Parameters
    ----------
    fields : Fields
    rates : four float or None
    best : tuple of int
        Found from the rates when it is empty.
    **more
        Other fields of the record.

    Raises
    ------
    ValueError
        A field is missing or not what it should be.
    """
    table = fields.get("table", str, "").strip()
    if not table:
        raise ValueError("table: the name of a table is missing")
    symmetry = fields.get("symmetry", str, "full")
    if symmetry not in MODES:
        raise ValueError(f"symmetry: {symmetry!r:.60}: expected one of {', '.join(MODES)}")
    spawn4, loss = fields.share("spawn4"), fields.number("total_loss") or 0.0
    count, worst = fields.whole("count", 1), fields.share("worst_loss")
    if not 0 <= loss <= count + 1e-6:  # a sum of floats
        raise ValueError(f"total_loss: {loss!r}: expected a number from 0 to the count, {count}")
    if worst is None:
        worst = loss / count if count else 0.0
    return Record(
        key=TableKey(table, 0.1 if spawn4 is None else spawn4),
        board=parse_board(fields.get("board", str, "")),
        best=best or _best_of(rates),
        count=count,
        total_loss=loss,
        worst_loss=worst,
        symmetry=symmetry,
        rates=rates,
        first=fields.time("first"),
        last=fields.time("last"),
        due=fields.time("due"),
        retired=fields.time("retired"),
        grade=fields.grade("grade") or worst_grade(worst),
        **more,
    )


def texts(values: Iterable[object]) -> tuple[str, ...]:
    """Return texts without the blank ones, stripped; raise ValueError when one is no text."""
    found = []
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"tags: {value!r:.60}: expected a text")
        found.append(value.strip())
    return tuple(text for text in found if text)


def _best_of(rates: tuple[float | None, ...]) -> tuple[int, ...]:
    top = max((rate for rate in rates if rate is not None), default=None)
    if top is None:
        raise ValueError("neither the best move nor the rates are given")
    return tuple(direction for direction, rate in enumerate(rates) if rate == top)
