"""Mistakes as JSON, with all details, and as CSV, one line each, for spreadsheets.

JSON: ``{"format": "endgame2048-mistakes", "version": 1, "mistakes": [...]}``, one mistake per line.
Rates are a list in the order left, right, up, down, null where there is no such move; times are
ISO 8601 with their time zone, boards 16 hex digits.

CSV: the columns of `COLUMNS`; only ``table``, ``board`` and either ``best`` or the four rates are
needed. Individual attempts and answers are not included.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.mistakes.mistake import Attempt, Mistake, time_of
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Record
from engine.bitboard import DIRECTIONS, format_board
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import write_error, write_file
from engine.platform.files.input_file import parse_json
from engine.platform.files.json_struct import as_struct, check_format
from engine.platform.language import listed, mark, tr

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
    """The contents of a file."""

    records: list[Record]
    problems: list[str]  # unusable entries, with the reason


def export(mistakes: Mistakes, ids: Iterable[int], path: Path) -> int:
    """Write mistakes to a file, CSV for ".csv", otherwise JSON; return their number.

    WriteError: it cannot be written; an existing file is left unchanged.
    """
    chosen = list(ids)
    write = csv_pieces if path.suffix.lower() == ".csv" else json_pieces
    try:
        write_file(path, write(mistakes, chosen))
    except OSError as error:
        raise write_error(error, path) from error
    return len(chosen)


def json_pieces(mistakes: Mistakes, ids: list[int]) -> Iterator[bytes]:
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "mistakes": ['.encode()
    between = "\n"
    for one in _in_order(mistakes, ids):
        yield f"{between}{json.dumps(_entry(mistakes, one), ensure_ascii=False)}".encode()
        between = ",\n"
    yield b"\n]}\n"


def csv_pieces(mistakes: Mistakes, ids: list[int]) -> Iterator[bytes]:
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
        "SELECT at, direction, is_right, seconds, was_new FROM mistake_answer WHERE mistake_id = ? "
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


def read_json(data: bytes) -> Reading:
    """Return the mistakes of a JSON file; raise MistakeFileError if it is not one of ours."""
    found = parse_json(data, tr("this file"), MistakeFileError)
    check_format(found, tr("a file of mistakes"), FORMAT, VERSION, MistakeFileError)
    if not isinstance(found.get("mistakes"), list):
        raise MistakeFileError(tr("this file has no list of mistakes; expected what Export wrote"))
    return _reading(
        mark("entry {number}: {problem}"), enumerate(found["mistakes"], 1), _without_blanks
    )


def read_csv(data: bytes) -> Reading:
    """Return the mistakes of a CSV file; raise MistakeFileError if it is not one of ours."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MistakeFileError(
            "this file is not a text in UTF-8 (byte {byte}); expected JSON or CSV of this "
            "program, or the notebook of 2048EndgameTablebase",
            byte=error.start + 1,
        ) from error
    header = text.partition("\n")[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing = sorted({"table", "board"} - set(rows.fieldnames or ()))
    if len(missing) == 1:
        text = mark("this file has no column {name}; expected a first line with {columns}")
        raise MistakeFileError(text, name=missing[0], columns=listed(COLUMNS))
    if missing:
        raise MistakeFileError(
            "this file has no column {name} and no column {other}; "
            "expected a first line with {columns}",
            name=missing[0],
            other=missing[1],
            columns=listed(COLUMNS),
        )
    try:
        return _reading(mark("line {number}: {problem}"), enumerate(rows, 2), _entry_of)
    except csv.Error as error:
        raise MistakeFileError("this file is not CSV: {problem}", problem=error) from error


def _reading(
    text: str, entries: Iterable[tuple[int, Any]], given_in: Callable[[Any], Any]
) -> Reading:
    from coach.mistakes.entry_fields import EntryFields

    records, problems = [], []
    for number, entry in entries:
        try:
            fields = as_struct(given_in(entry), EntryFields, MistakeFileError, lenient=True)
            records.append(fields.record())
        except ValueError as error:
            problems.append(tr(text, number=number, problem=error))
    return Reading(records, problems)


def _without_blanks(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    given = {name: one for name, one in value.items() if one not in (None, "")}
    for name in ("attempts", "answers"):
        if isinstance(given.get(name), list):
            given[name] = [_without_blanks(one) for one in given[name]]
    return given


def _entry_of(row: dict[str, Any]) -> Any:
    if None in row or None in row.values():
        raise ValueError(tr("it has more or fewer columns than the first line"))
    found = {name: text.strip() for name, text in row.items()}
    rates = [found.get(name) or None for name in DIRECTIONS]
    lists = {"best": found.get("best", "").split(), "tags": found.get("tags", "").split(";")}
    return _without_blanks({**found, **lists, "rates": rates})
