"""Importing mistakes from any supported file.

The notebook of 2048EndgameTablebase, ``mistakes_book.pkl``, is read, never written: a Python
pickle, read by an unpickler that runs nothing (`engine.formats.plain_pickle`).

Layout: table name -> position (numpy.uint64) -> (count, total loss, best move in words).
"""

from collections.abc import Callable
from pathlib import Path

from coach.grading.grade import Grade
from coach.mistakes.files import MistakeFileError, Reading, read_csv, read_json
from coach.mistakes.mistake import TableKey
from coach.mistakes.record import Record, legal_directions, worst_grade
from engine.bitboard import DIRECTIONS, format_board
from engine.formats.plain_pickle import PlainPickleError, kind_text, load_plain
from engine.platform.files.input_file import read_bytes
from engine.platform.language import listed, mark, tr
from engine.platform.surrogates import replace_surrogates

MAX_BYTES = 512 << 20  # a million mistakes, written out in full


def read_mistakes(path: Path, symmetry_of: Callable[[str], str]) -> Reading:
    """Return the mistakes in a file: JSON or CSV of `coach.mistakes.files`, or a notebook.

    Its first bytes tell which. `symmetry_of`: see `read_notebook`. MistakeFileError: it cannot be
    read, or contains something else.
    """
    data = read_bytes(path, tr("a file of mistakes"), MAX_BYTES, MistakeFileError)
    start = data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith(b"\x80") or path.suffix.lower() in (".pkl", ".pickle"):
        return read_notebook(data, symmetry_of)
    if start.startswith((b"{", b"[")):
        return read_json(data)
    return read_csv(data)


MAX_NOTEBOOK_BYTES = 64 << 20  # a million positions
_MAX_COUNT = (1 << 31) - 1
_SPAWN4 = 0.1  # probability of fours of its tables; the notebook doesn't store it


def read_notebook(data: bytes, symmetry_of: Callable[[str], str]) -> Reading:
    """Return the mistakes of a notebook.

    `symmetry_of` returns that of the positions of a table, see `position.position_symmetry`.
    MistakeFileError: it is not a notebook, or contains more than plain data.
    """
    found = _plain(data)
    if not isinstance(found, dict):
        text = mark("this pickle is not a notebook of mistakes: expected a dictionary")
        raise MistakeFileError(tr(text))
    records: list[Record] = []
    problems: list[str] = []
    for table, entries in found.items():
        if not isinstance(table, str) or not isinstance(entries, dict):
            text = mark("{found}: expected the name of a table and its positions")
            problems.append(tr(text, found=_shown(table)))
            continue
        name = replace_surrogates(table)
        key, symmetry = TableKey(name, _SPAWN4), symmetry_of(name)
        for board, entry in entries.items():
            try:
                records.append(_record(key, symmetry, board, entry))
            except ValueError as error:
                problems.append(f"{table}, {_shown(board)}: {error}")
    return Reading(records, problems)


def _plain(data: bytes) -> object:
    if len(data) > MAX_NOTEBOOK_BYTES:
        text = mark("this file is larger than {size} MiB: too large for a notebook")
        raise MistakeFileError(text, size=MAX_NOTEBOOK_BYTES >> 20)
    try:
        return load_plain(data)
    except PlainPickleError as error:
        raise MistakeFileError(
            "this file cannot be read as a notebook of 2048EndgameTablebase: {problem}; "
            "expected its mistakes_book.pkl",
            problem=error,
        ) from error


def _record(key: TableKey, symmetry: str, board: object, entry: object) -> Record:
    if not isinstance(board, int) or not 0 <= board < 1 << 64:
        raise ValueError(tr("expected a position"))
    if not isinstance(entry, tuple) or len(entry) != 3:
        raise _refused(mark("{found}: expected count, total loss and best move"), entry)
    count, loss, name = entry
    if not isinstance(count, int) or not 1 <= count <= _MAX_COUNT:
        raise _refused(mark("count {found}: expected a whole number from 1 on"), count)
    if not isinstance(loss, (int, float)) or not 0 <= loss <= count:
        raise _refused(mark("total loss {found}: expected a number from 0 to the count"), loss)
    if name not in DIRECTIONS:
        text = mark("best move {found}: expected one of {names}")
        raise ValueError(tr(text, found=_shown(name), names=listed(DIRECTIONS)))
    best = DIRECTIONS.index(name)
    if best not in legal_directions(board, walls=symmetry != "full"):
        raise ValueError(tr("best move {name}: it cannot be made there", name=name))
    mean = min(1.0, loss / count)
    grade: Grade = worst_grade(mean)
    return Record(key, board, (best,), count, float(loss), mean, symmetry, grade=grade)


def _refused(text: str, found: object) -> ValueError:
    return ValueError(tr(text, found=_shown(found)))


def _shown(value: object) -> str:
    """Return a value as short text for a message; some have a long repr or none at all."""
    if isinstance(value, int) and 0 <= value < 1 << 64:
        return format_board(value) if value > _MAX_COUNT else str(value)
    if isinstance(value, (str, float)):
        return f"{value!r:.40}"
    return kind_text(value)
