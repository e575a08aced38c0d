"""Mistakes as JSON, with everything that is known, and as CSV, one line each, for spreadsheets.

JSON: ``{"format": "endgame2048-mistakes", "version": 1, "mistakes": [...]}``, one mistake a line.
Rates are a list in the order left, right, up, down, null where there is no such move; times are
ISO 8601 with their time zone, boards 16 hex digits.

CSV: the columns of `COLUMNS`; only ``table``, ``board`` and either ``best`` or the four rates are
needed. The single attempts and answers are not in it.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.mistakes.fields import Fields, read_record, texts
from coach.mistakes.mistake import Attempt, Mistake, time_of
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Answer, Record
from engine.bitboard import DIRECTIONS, format_board
from engine.errors import AppError
from engine.files.atomic_file import write_error, write_file

FORMAT, VERSION = "endgame2048-mistakes", 1
COLUMNS = (
    *("table", "spawn4", "board", "symmetry", *DIRECTIONS, "best", "grade"),
    *("count", "total_loss", "worst_loss", "first", "last", "answers_right", "answers_wrong"),
    *("due", "retired", "tags"),
)
_LOT = 500


class MistakeFileError(AppError, ValueError):
    """A file of mistakes cannot be read."""


@dataclass(frozen=True)
class Reading:
    """What a file holds.

    Attributes
    ----------
    records : list of Record
    problems : list of str
        Entries that could not be used, and why.
    """

    records: list[Record]
    problems: list[str]


# Writing ------------------------------------------------------------------------------------


def export(mistakes: Mistakes, ids: Iterable[int], path: Path) -> int:
    """Write mistakes to a file and return how many; ".csv" makes it CSV, anything else JSON.

    Raises
    ------
    WriteError
        It cannot be written; an older file of that name stays as it was.
    """
    chosen = list(ids)
    write = csv_pieces if path.suffix.lower() == ".csv" else json_pieces
    try:
        write_file(path, write(mistakes, chosen))
    except OSError as error:
        raise write_error(error, path) from error
    return len(chosen)


def json_pieces(mistakes: Mistakes, ids: list[int]) -> Iterator[bytes]:
    """Yield the JSON of mistakes, piece by piece."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "mistakes": ['.encode()
    between = "\n"
    for one in _in_order(mistakes, ids):
        yield f"{between}{json.dumps(_entry(mistakes, one), ensure_ascii=False)}".encode()
        between = ",\n"
    yield b"\n]}\n"


def csv_pieces(mistakes: Mistakes, ids: list[int]) -> Iterator[bytes]:
    """Yield the CSV of mistakes, piece by piece."""
    yield (",".join(COLUMNS) + "\r\n").encode()
    for one in _in_order(mistakes, ids):
        text = io.StringIO()
        csv.DictWriter(text, COLUMNS).writerow(_row(one))
        yield text.getvalue().encode()


def _in_order(mistakes: Mistakes, ids: list[int]) -> Iterator[Mistake]:
    for start in range(0, len(ids), _LOT):
        lot = ids[start : start + _LOT]
        found = mistakes.get(lot)
        yield from (found[one] for one in lot if one in found)


def _entry(mistakes: Mistakes, one: Mistake) -> dict[str, Any]:
    answers = mistakes.connection.execute(
        "SELECT at, direction, is_right, seconds, was_new FROM answer WHERE mistake_id = ? "
        "ORDER BY at",
        (one.id,),
    ).fetchall()
    card = mistakes.connection.execute("SELECT card FROM mistake WHERE id = ?", (one.id,))
    return {
        **_summary(one),
        "rates": list(one.rates),
        "best": [DIRECTIONS[direction] for direction in one.best],
        "tags": list(one.tags),
        "run": one.run,
        "card": card.fetchone()[0],
        "attempts": [_attempt_entry(attempt) for attempt in mistakes.attempts(one.id)],
        "answers": [_answer_entry(*answer) for answer in answers],
    }


def _summary(one: Mistake) -> dict[str, Any]:
    return {
        "table": one.key.name,
        "spawn4": one.key.spawn4,
        "board": format_board(one.board),
        "symmetry": one.symmetry,
        "grade": one.grade.value,
        "count": one.count,
        "total_loss": one.total_loss,
        "worst_loss": one.worst_loss,
        "first": _iso(one.first),
        "last": _iso(one.last),
        "due": _iso(one.due),
        "retired": _iso(one.retired),
    }


def _row(one: Mistake) -> dict[str, Any]:
    return {
        **_summary(one),
        **dict(zip(DIRECTIONS, one.rates, strict=True)),
        "best": " ".join(DIRECTIONS[direction] for direction in one.best),
        "answers_right": one.n_right,
        "answers_wrong": one.n_wrong,
        "tags": "; ".join(one.tags),
    }


def _attempt_entry(attempt: Attempt) -> dict[str, Any]:
    return {
        "when": _iso(attempt.when),
        "direction": DIRECTIONS[attempt.direction],
        "loss": attempt.loss,
        "grade": attempt.grade.value if attempt.grade else None,
        "source": attempt.source,
        "move": attempt.move,
    }


def _answer_entry(
    at: int, direction: int, is_right: int, seconds: float | None, was_new: int
) -> dict[str, Any]:
    return {
        "when": _iso(time_of(at)),
        "direction": DIRECTIONS[direction],
        "is_right": bool(is_right),
        "seconds": seconds,
        "was_new": bool(was_new),
    }


def _iso(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()


# Reading ------------------------------------------------------------------------------------


def read_json(data: bytes) -> Reading:
    """Return the mistakes of a JSON file; raise MistakeFileError when it is not one of ours."""
    try:
        found = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise MistakeFileError(
            f"this file is not JSON ({error}); expected what Export has written"
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise MistakeFileError(f'this JSON holds no mistakes; expected "format": "{FORMAT}" in it')
    version, entries = found.get("version"), found.get("mistakes")
    if version != VERSION or not isinstance(entries, list):
        raise MistakeFileError(
            f"this file has version {version!r}, this program knows {VERSION}: "
            "a later version of the program may read it"
        )
    return _reading("entry", enumerate(entries, 1), _record_of_entry)


def read_csv(data: bytes) -> Reading:
    """Return the mistakes of a CSV file; raise MistakeFileError when it is not one of ours."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MistakeFileError(
            f"this file is not a text in UTF-8 (byte {error.start + 1}); expected JSON or CSV of "
            "this program, or the notebook of 2048EndgameTablebase"
        ) from error
    header = text.partition("\n")[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing = {"table", "board"} - set(rows.fieldnames or ())
    if missing:
        raise MistakeFileError(
            f"this file has no column {' and no column '.join(sorted(missing))}; "
            f"expected a first line with {', '.join(COLUMNS)}"
        )
    try:
        return _reading("line", enumerate(rows, 2), _record_of_row)
    except csv.Error as error:
        raise MistakeFileError(f"this file is not CSV: {error}") from error


def _reading(what: str, entries: Iterable[tuple[int, Any]], read: Any) -> Reading:
    records, problems = [], []
    for number, entry in entries:
        try:
            records.append(read(entry))
        except (ValueError, RecursionError) as error:  # the latter by naming a deep nest
            problems.append(f"{what} {number}: {error}")
    return Reading(records, problems)


def _record_of_entry(entry: object) -> Record:
    if not isinstance(entry, dict):
        raise ValueError(f"{entry!r:.60} is no mistake")
    fields = Fields(entry)
    rates = fields.get("rates", list, [None] * 4)
    if len(rates) != 4:
        raise ValueError(f"rates: {rates!r:.60}: expected four")
    best = [fields.direction(name) for name in fields.get("best", list, [])]
    named = Fields(dict(zip(DIRECTIONS, rates, strict=True)))
    return read_record(
        fields,
        tuple(named.share(name) for name in DIRECTIONS),
        tuple(best),
        tags=texts(fields.get("tags", list, [])),
        attempts=tuple(_attempt_of(Fields(one)) for one in fields.get("attempts", list, [])),
        answers=tuple(_answer_of(Fields(one)) for one in fields.get("answers", list, [])),
        run=fields.whole("run", 0),
        card=fields.get("card", str, ""),
    )


def _record_of_row(row: dict[str, Any]) -> Record:
    if None in row or None in row.values():
        raise ValueError("it has more or fewer columns than the first line")
    fields = Fields({name: text for name, text in row.items() if text.strip()})
    best = tuple(fields.direction(name) for name in fields.get("best", str, "").split())
    rates = tuple(fields.share(name) for name in DIRECTIONS)
    return read_record(fields, rates, best, tags=texts(fields.get("tags", str, "").split(";")))


def _attempt_of(fields: Fields) -> Attempt:
    return Attempt(
        when=fields.needed_time("when"),
        direction=fields.direction(fields.get("direction", str, "")),
        loss=fields.share("loss"),
        grade=fields.grade("grade"),
        source=fields.get("source", str, ""),
        move=fields.whole("move", 0),
    )


def _answer_of(fields: Fields) -> Answer:
    return Answer(
        when=fields.needed_time("when"),
        direction=fields.direction(fields.get("direction", str, "")),
        is_right=fields.get("is_right", bool, False),
        seconds=fields.number("seconds"),
        was_new=fields.get("was_new", bool, False),
    )


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
