"""The title of a recorded game: its table or name, time and result.

Programs name files for programs. From names made here and by 2048EndgameTablebase, the table and
the time are known without opening the file; a name given by a person is kept.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from coach.recordings.recording import Recording, table_in_name
from engine.platform.language import mark, tr

_GAME = mark("Game")
_POINTS = re.compile(r"(\d{1,9})_20\d{6}_\d{6}(?!\d)")
_PART = re.compile(r"_(\d{1,7})_[01]\.\d{4}\.rpl$")


@dataclass(frozen=True)
class Heading:
    """The parts of a title."""

    name: str  # the name of a game without a table
    table: str | None = None  # such as "L3_512"
    played_at: datetime | None = None  # with its time zone
    perfect_share: float | None = None  # of the judged moves
    n_moves: int | None = None
    points: int | None = None
    first_move: int | None = None  # for a part of a game, the number of its first move
    points_lost: float | None = None  # by its moves, as a sum of differences of rates
    outcome: str = ""  # of a test or route: "reached", or the reason why it ended before


def heading_in_name(path: Path) -> Heading:
    """Return the heading that can be read from a file name.

    >>> heading_in_name(Path("442_128_20261122-115159-496.json")).table
    '442_128'
    >>> heading_in_name(Path("122340_20261122_115159.txt")).points
    122340
    """
    when, points, part = _time_in(path.name), _POINTS.match(path.name), _PART.search(path.name)
    table = table_in_name(path.name) if when or part else None
    is_ours = points or re.match(r"(\w+_)?practice_20\d{6}_\d{6}|game(\.|$)", path.name)
    return Heading(
        tr(_GAME) if is_ours else path.stem,
        table,
        when,
        first_move=int(part[1]) if part else None,
        points=int(points[1]) if points else None,
    )


def heading_of(recording: Recording) -> Heading:
    found = heading_in_name(recording.path) if recording.path else Heading(recording.name)
    return replace(
        found,
        table=recording.table or found.table,
        played_at=found.played_at or recording.played_at,
        perfect_share=recording.score.perfect_share if recording.n_judged else None,
        n_moves=recording.n_moves,
    )


def _time_in(name: str) -> datetime | None:
    """Return the time in a file name: with milliseconds it is UTC, else local."""
    found = re.search(r"(?<!\d)(20\d{6})[-_]?(\d{6})(-\d{3})?(?!\d)", name)
    if found is None:
        return None
    try:
        when = datetime.strptime(found[1] + found[2], "%Y%m%d%H%M%S")
    except ValueError:
        return None
    return when.replace(tzinfo=timezone.utc) if found[3] else when.astimezone()
