"""The games that were played to their end: a line of CSV each, and what they add up to. No Qt."""

import csv
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Attributes
    ----------
    seed : int
        Tells games apart: one that was undone and finished anew replaces its first end.
    ended : str
        ISO date and time.
    score, moves : int
    largest : int
        The exponent of the largest tile.
    difficulty : int
        Percent of tiles that were chosen against the player, at the end.
    helper : str
        Who made moves for the person; "" for nobody.
    """

    seed: int
    ended: str
    score: int
    moves: int
    largest: int
    difficulty: int = 0
    helper: str = ""


@dataclass(frozen=True)
class Summary:
    """What games add up to.

    Attributes
    ----------
    games, best : int
    mean : float
        Of the scores; 0 without games.
    tile_rates : tuple of (exponent, share)
        How many of the games reached a tile, in [0, 1]: from the largest ever on downward.
    """

    games: int = 0
    best: int = 0
    mean: float = 0.0
    tile_rates: tuple[tuple[int, float], ...] = ()


_NAMES = tuple(field.name for field in fields(GameRecord))
_WHOLE = ("seed", "score", "moves", "largest", "difficulty")


def read_records(path: Path) -> list[GameRecord]:
    """Return the games in a file, none when there is no file; lines that are none are skipped."""
    found: dict[int, GameRecord] = {}
    try:
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            for row in csv.DictReader(file, strict=False):
                if record := _record(row):
                    found.pop(record.seed, None)
                    found[record.seed] = record
    except FileNotFoundError:
        return []
    except (OSError, csv.Error) as error:
        _log.warning("finished games in %s: %s", path, error)
    return list(found.values())


def _record(row: dict[str, str]) -> GameRecord | None:
    try:
        whole = {name: int(row[name]) for name in _WHOLE}
        return GameRecord(**whole, ended=row["ended"], helper=row["helper"] or "")
    except (KeyError, TypeError, ValueError):
        return None


def append_record(path: Path, record: GameRecord) -> None:
    """Add a game to a file, which is made when there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists() or path.stat().st_size == 0
    is_torn = not is_new and path.read_bytes()[-1:] != b"\n"
    with path.open("a", newline="", encoding="utf-8") as file:
        if is_torn:
            file.write("\n")
        writer = csv.DictWriter(file, _NAMES, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(asdict(record))


def summarize(records: Iterable[GameRecord], n_tiles: int = 5) -> Summary:
    """Return what games add up to, with the rates of at most `n_tiles` tiles."""
    games: Sequence[GameRecord] = list(records)
    if not games:
        return Summary()
    top = max(game.largest for game in games)
    rates = []
    for exponent in range(top, max(0, top - n_tiles), -1):
        rates.append((exponent, sum(game.largest >= exponent for game in games) / len(games)))
    scores = [game.score for game in games]
    return Summary(len(games), max(scores), sum(scores) / len(games), tuple(rates))
