"""Finished games as CSV: one line each, written as soon as a game ends, so nothing is lost."""

import csv
import io
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from ai.errors import PlayError
from engine.platform.files.atomic_file import write_error, write_file, writing
from engine.platform.files.file_lock import is_taken, lock
from engine.platform.language import mark, tr
from engine.saved_game import cells_to_text

if TYPE_CHECKING:
    from ai.baselines.ladder_game import MoveStatistics
    from ai.game_result import GameResult
    from ai.match.match import Match

COLUMNS = (
    "player", "budget", "weights", "spawn4", "start", "tables", "seed", "score", "max_tile",
    "moves", "final", "ms_per_move", "cpu_s", "nodes_per_move", "depth", "sources",
    "source_ms",
)  # fmt: skip
_BEFORE_SOURCE_MS = COLUMNS[:-1]  # existing files keep their columns
_SETTINGS = COLUMNS[:6]
_WHOLE, _NUMBERS = ("seed", "score", "max_tile", "moves"), ("ms_per_move", "cpu_s")
_MAX_LINE_LENGTH = 1 << 16
_END = b"\r\n"
_WAIT_S, _MAX_WAITS = 0.02, 3000  # another process holds the file for a millisecond


def row_of(match: "Match", game: "GameResult") -> dict[str, str]:
    moves = max(1, game.moves)
    return settings_of(match) | {
        "seed": str(game.seed),
        "score": str(game.score),
        "max_tile": str(1 << game.max_exponent),
        "moves": str(game.moves),
        "final": game.final,
        "ms_per_move": f"{1000 * game.cpu_s / moves:.4f}",
        "cpu_s": f"{game.cpu_s:.3f}",
        "nodes_per_move": f"{game.nodes / moves:.0f}",
        "depth": f"{game.depths / moves:.2f}",
        "sources": " ".join(f"{name}={n}" for name, n in sorted(game.sources.items())),
        "source_ms": " ".join(
            f"{name}={1000 * s / game.sources[name]:.4f}"
            for name, s in sorted(game.source_s.items())
        ),
    }


def sources_of(row: dict[str, str]) -> dict[str, int]:
    pairs = (pair.rpartition("=") for pair in row["sources"].split())
    return {name: int(n) for name, _, n in pairs}


def source_ms_of(row: dict[str, str]) -> dict[str, float]:
    pairs = (pair.rpartition("=") for pair in row.get("source_ms", "").split())
    return {name: float(ms) for name, _, ms in pairs}


def final_of(row: dict[str, str]) -> tuple[int, ...]:
    return tuple(int(digit, 36) for digit in row["final"])


def settings_of(match: "Match") -> dict[str, str]:
    start = cells_to_text(match.start) if match.start else ""
    weights = str(match.weights) if match.weights else ""
    tables = " ".join(match.table_names)
    values = (match.player, match.budget_text, weights, f"{match.spawn4:g}", start, tables)
    return dict(zip(_SETTINGS, values, strict=True))


class ResultsFile:
    """Finished games in a file that several processes may add to at the same time.

    It is created if missing; an incomplete last line of a killed process is removed. Raises
    PlayError if it cannot be read or written, is not a results file, or belongs to another match.
    """

    def __init__(
        self, path: Path, match: "Match", sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._path, self._wanted, self._sleep = path, settings_of(match), sleep
        self._known_bytes = 0
        self._columns: tuple[str, ...] = COLUMNS  # of the file
        self.rows: dict[int, dict[str, str]] = {}  # the games that are in the file, by seed
        with self._locked() as file:
            self._read_on(file)
            if self._known_bytes == 0:
                self._append(file, _HEAD)

    def add(self, row: dict[str, str]) -> dict[str, str]:
        """Add a game; return its line in the file, which is another process's if that was faster.

        Raises PlayError as on opening; then the file is unchanged.
        """
        seed = int(row["seed"])
        with self._locked() as file:
            self._read_on(file)
            if seed not in self.rows:
                self._append(file, _line(row[name] for name in self._columns))
                self.rows[seed] = row
        return self.rows[seed]

    @contextmanager
    def _locked(self) -> Iterator[FileIO]:
        try:
            if self._path.exists() and not self._path.is_file():
                raise PlayError("{path} is not a file: name another one", path=self._path)
            with self._path.open("a+b", buffering=0) as file:
                self._wait_for_lock(file)
                yield file
        except (OSError, ValueError) as error:  # a null character in the name, or undecodable bytes
            reason = getattr(error, "strerror", None) or error
            text = tr("cannot keep games in {path}: {reason}", path=self._path, reason=reason)
            raise PlayError(text) from error

    def _wait_for_lock(self, file: FileIO) -> None:
        for _ in range(_MAX_WAITS):
            try:
                lock(file)
            except OSError as error:
                if not is_taken(error):
                    return  # a drive without locks: lines are still appended in one write
                self._sleep(_WAIT_S)
            else:
                return
        text = mark("another program keeps {path} locked: end it, or name another file")
        raise PlayError(text, path=self._path)

    def _read_on(self, file: FileIO) -> None:
        if file.seek(0, os.SEEK_END) < self._known_bytes:
            text = tr("{path} was cut short by another program: start again", path=self._path)
            raise PlayError(text)
        file.seek(self._known_bytes)
        rows = []
        with open(file.fileno(), "rb", closefd=False) as lines:
            while line := lines.readline(_MAX_LINE_LENGTH):
                is_head = self._known_bytes == 0
                columns = _columns_of(line) if is_head else self._columns
                is_ours = len(line) < _MAX_LINE_LENGTH
                if columns is None or not is_ours:
                    raise self._is_other()
                if not line.endswith(b"\n"):
                    file.truncate(self._known_bytes)
                    break
                self._known_bytes += len(line)
                self._columns = columns
                if not is_head:
                    rows.append(line.decode("utf-8"))
        for fields in csv.reader(rows):
            self._take(fields)

    def _take(self, fields: list[str]) -> None:
        if len(fields) != len(self._columns):
            return
        row = dict.fromkeys(COLUMNS, "") | dict(zip(self._columns, fields, strict=True))
        for name in _SETTINGS:
            if row[name] != self._wanted[name]:
                text = mark(
                    "{path} has games with {name} {found!r}, not {wanted!r}: "
                    "choose another file, or continue as before"
                )
                raise PlayError(
                    text, path=self._path, name=name, found=row[name], wanted=self._wanted[name]
                )
        if not _is_readable(row):
            raise self._is_other()
        self.rows[int(row["seed"])] = row

    def _is_other(self) -> PlayError:
        text = mark("{path} is not a list of games of this program: choose another file")
        return PlayError(text, path=self._path)

    def _append(self, file: FileIO, line: bytes) -> None:
        """Add all of a line, or nothing."""
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError:
            with suppress(OSError):
                file.truncate(self._known_bytes)
            raise
        self._known_bytes += len(line)


def _is_readable(row: dict[str, str]) -> bool:
    """Return whether a line has the figures of a game: a spreadsheet may have changed them."""
    try:
        counts, times = sources_of(row), source_ms_of(row)
        numbers = [*(int(row[name]) for name in _WHOLE), *counts.values(), *times.values()]
        numbers += [float(row[name]) for name in _NUMBERS]
        final_of(row)
    except ValueError:
        return False
    return times.keys() <= counts.keys() and all(0 <= number < 1 << 64 for number in numbers)


def _line(fields: Iterable[str]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(fields)
    return text.getvalue().encode("utf-8")


_HEAD = _line(COLUMNS)


def _columns_of(line: bytes) -> tuple[str, ...] | None:
    """Return the columns named in a header line; None if they are not ours.

    The line may be incomplete, and an editor may have changed its line ending. If it could become
    either list, it counts as the new one, as in new files.
    """
    for columns in (COLUMNS, _BEFORE_SOURCE_MS):
        head = _line(columns)
        if line in (head, head.replace(b"\r", b"")):
            return columns
        if not line.endswith(b"\n") and head.startswith(line):
            return COLUMNS
    return None


def write_table(path: Path, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    """Write lines under the names of their columns; raise PlayError."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows(rows)
    try:
        write_file(path, [text.getvalue().encode("utf-8")])
    except OSError as error:
        raise PlayError(str(write_error(error, path))) from error


@contextmanager
def move_log(
    path: Path | None, finished: Collection[int] = ()
) -> "Iterator[Callable[[MoveStatistics], object] | None]":
    """Yield a function that writes a CSV line per move to a file; None without a path.

    Lines about moves of `finished` games, given by their seeds, stay in the file.
    """
    if path is None:
        yield None
        return
    from dataclasses import astuple, fields

    from ai.baselines.ladder_game import MoveStatistics

    head = ",".join(field.name for field in fields(MoveStatistics)).encode("ascii") + _END
    with writing(path):
        if finished and path.is_file():
            write_file(path, [head, *_moves_in(path, head, finished)])
            file = path.open("a", newline="", encoding="ascii", buffering=1)
        else:  # a pipe, for instance
            file = path.open("w", newline="", encoding="ascii", buffering=1)
            file.write(head.decode("ascii"))
    writer = csv.writer(file)

    # Each line at once: the results may say of a game at any time that it is finished.
    def write_move(move: "MoveStatistics") -> None:
        with writing(path):
            writer.writerow(astuple(move))

    try:
        yield write_move
    finally:
        with suppress(OSError):  # reported already
            file.close()


def _moves_in(path: Path, head: bytes, seeds: Collection[int]) -> Iterator[bytes]:
    """Yield the whole lines about games with these seeds; none if it is another file."""
    wanted = {b"%d" % seed for seed in seeds}
    with path.open("rb") as file:
        if file.readline(_MAX_LINE_LENGTH).rstrip() != head.rstrip():
            return
        for line in file:
            if line.partition(b",")[0] in wanted and line.count(b",") == head.count(b","):
                yield line.rstrip() + _END
