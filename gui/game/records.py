"""Records of finished games: a CSV line each, and their summary. No Qt.

A file of an older version has fewer columns; the others are added with the next game.
"""

import csv
import io
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import read_limited

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    seed: int  # identifies a game: one that was undone and finished again replaces its first end
    ended: str  # ISO date and time
    score: int
    moves: int
    largest: int  # the exponent of the largest tile
    difficulty: int = 0  # percentage of tiles chosen against the player, at the end
    helper: str = ""  # name of the AI that made moves for the user; "" for none
    ms: int | None = None  # total time of its moves
    fours: int | None = None  # number of fours among its new tiles
    spawn4: float = 0.1  # probability of fours, in [0, 1]


@dataclass(frozen=True)
class Summary:
    """The summary of games."""

    games: int = 0
    best: int = 0  # of the games without help
    mean: float = 0.0  # of the scores; 0 without games
    # tuple of (exponent, share): share of games that reached a tile, in [0, 1], from the largest
    # ever down.
    tile_rates: tuple[tuple[int, float], ...] = ()
    helped: int = 0  # games in which an AI made moves for the user
    # Of all games; games whose time is not known add nothing to `ms`.
    moves: int = 0
    ms: int = 0
    # Fours among the new tiles of the games that counted them, in [0, 1].
    four_share: float | None = None
    scores: tuple[int, ...] = ()  # in the order in which the games ended


_NAMES = tuple(field.name for field in fields(GameRecord))
_LARGEST_EXPONENT = 17  # 131072
_MAX_BYTES = 256 << 20  # millions of games
_WHOLE = ("seed", "score", "moves", "largest", "difficulty")


def read_records(path: Path) -> list[GameRecord]:
    """Return the games in a file, none if there is no file; invalid lines are skipped."""
    records: dict[int, GameRecord] = {}
    try:
        text = read_limited(path, _MAX_BYTES).decode("utf-8-sig", errors="replace")
        for row in csv.DictReader(io.StringIO(text, newline=""), strict=False):
            if record := _record(row):
                records.pop(record.seed, None)
                records[record.seed] = record
    except FileNotFoundError:
        return []
    except (OSError, csv.Error) as error:
        _log.warning("finished games in %s: %s", path, error)
    return list(records.values())


def _record(row: dict[str, str]) -> GameRecord | None:
    try:
        whole = {name: int(row[name]) for name in _WHOLE}
        optional = {name: int(row[name]) for name in ("ms", "fours") if row.get(name)}
        spawn4 = float(row.get("spawn4") or GameRecord.spawn4)
        if not all(0 <= number < 1 << 64 for number in (*whole.values(), *optional.values())):
            return None
        if whole["largest"] > _LARGEST_EXPONENT or not 0.0 <= spawn4 <= 1.0:
            return None
        return GameRecord(
            **whole, **optional, ended=row["ended"] or "", helper=row["helper"] or "", spawn4=spawn4
        )
    except (KeyError, TypeError, ValueError):
        return None


def append_record(path: Path, record: GameRecord) -> None:
    """Add a game to a file, which is created if missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = read_limited(path, _MAX_BYTES) if path.exists() else b""
    if text and not text.startswith(_lines([], has_head=True)):
        write_file(path, [_lines([*read_records(path), record], has_head=True)])
        return
    with path.open("ab") as file:
        if text and not text.endswith(b"\n"):  # truncated by a crash
            file.write(b"\n")
        file.write(_lines([record], has_head=not text))


def _lines(records: Iterable[GameRecord], has_head: bool) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, _NAMES, lineterminator="\n")
    if has_head:
        writer.writeheader()
    writer.writerows(map(asdict, records))
    return text.getvalue().encode("utf-8")


def summarize(records: Iterable[GameRecord], n_tiles: int = 5) -> Summary:
    """Return the summary of games, with the rates of at most `n_tiles` tiles."""
    games: Sequence[GameRecord] = list(records)
    if not games:
        return Summary()
    top = max(game.largest for game in games)
    rates = [
        (exponent, sum(game.largest >= exponent for game in games) / len(games))
        for exponent in range(top, max(0, top - n_tiles), -1)
    ]
    scores = [game.score for game in games]
    counted = [game for game in games if game.fours is not None and game.moves > 0]
    n_spawned = sum(game.moves for game in counted)
    return Summary(
        len(games),
        max((game.score for game in games if not game.helper), default=0),
        sum(scores) / len(games),
        tuple(rates),
        sum(bool(game.helper) for game in games),
        sum(game.moves for game in games),
        sum(game.ms or 0 for game in games),
        sum(game.fours or 0 for game in counted) / n_spawned if n_spawned else None,
        tuple(scores),
    )
