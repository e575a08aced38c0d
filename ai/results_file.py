"""Finished games as CSV: one line each, written as soon as a game ends, so nothing is lost."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ai.errors import PlayError
from engine.input_file import read_limited

if TYPE_CHECKING:
    from ai.ladder_game import MoveStatistics
    from ai.match import Match
    from ai.players import GameResult

COLUMNS = (
    "player", "budget", "weights", "spawn4", "start", "tables", "seed", "score", "max_tile",
    "moves", "final", "ms_per_move", "cpu_s", "nodes_per_move", "depth", "sources",
)  # fmt: skip
_SETTINGS = COLUMNS[:6]
_MOST_BYTES = 1 << 30  # millions of games


def row_of(match: "Match", game: "GameResult") -> dict[str, str]:
    """Return the line of a game."""
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
    }


def sources_of(row: dict[str, str]) -> dict[str, int]:
    """Return how many moves each source decided, of one line."""
    pairs = (pair.rpartition("=") for pair in row["sources"].split())
    return {name: int(n) for name, _, n in pairs}


def settings_of(match: "Match") -> dict[str, str]:
    """Return what must be the same in all lines of a file."""
    start = "".join(f"{exponent:x}" for exponent in match.start) if match.start else ""
    weights = str(match.weights) if match.weights else ""
    tables = " ".join(match.table_names)
    found = (match.player, match.budget_text, weights, f"{match.spawn4:g}", start, tables)
    return dict(zip(_SETTINGS, found, strict=True))


def read_rows(path: Path, match: "Match") -> list[dict[str, str]]:
    """Return the lines of a file, none when there is no file yet; a torn last line is dropped.

    Raises
    ------
    PlayError
        It is no file of games, or of games of another match.
    """
    try:
        text = read_limited(path, _MOST_BYTES).decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline="")))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PlayError(f"cannot read the games in {path}: {error}") from error
    if not lines:
        return []
    if tuple(lines[0]) != COLUMNS:
        raise PlayError(f"{path} is no list of games of this program: name another file")
    rows = [
        dict(zip(COLUMNS, line, strict=True)) for line in lines[1:] if len(line) == len(COLUMNS)
    ]
    wanted = settings_of(match)
    for row in rows:
        for name in _SETTINGS:
            if row[name] != wanted[name]:
                raise PlayError(
                    f"{path} has games with {name} {row[name]!r}, not {wanted[name]!r}: "
                    "name another file, or go on as before"
                )
    return rows


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write a file anew, so that it ends with a whole line."""
    write_table(path, COLUMNS, rows)


def write_table(path: Path, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    """Write lines under the names of their columns."""
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise PlayError(f"cannot write {path}: {error.strerror}") from error


def append_row(path: Path, row: dict[str, str]) -> None:
    """Add one line."""
    try:
        with path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, COLUMNS).writerow(row)
    except OSError as error:
        raise PlayError(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def move_log(path: Path | None) -> "Iterator[Callable[[MoveStatistics], object] | None]":
    """Give what writes a line for each move to a file, one column for each field; None: nothing."""
    if path is None:
        yield None
        return
    from dataclasses import astuple, fields

    from ai.ladder_game import MoveStatistics

    try:
        file = path.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise PlayError(f"cannot write {path}: {error.strerror}") from error
    with file:
        writer = csv.writer(file)
        writer.writerow([field.name for field in fields(MoveStatistics)])
        yield lambda move: writer.writerow(astuple(move))
