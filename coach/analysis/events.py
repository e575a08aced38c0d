"""What ``analyze --json`` tells; see `engine.platform.events`."""

from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.platform.events import Event


class AnalysisProgress(Event, frozen=True, tag="progress", kw_only=True):
    """The progress with one game: of its positions among the tables, then of search.

    With search, `rough` says whether this is the first, quick look; without it, `covered` counts
    the positions that a table covers.
    """

    file: Path
    rough: bool | None = None
    done: int
    total: int
    covered: int | None = None


class AnalyzedSegment(Struct, frozen=True):
    """What callers need of a segment; `coach.analysis.data.segment_to_json` writes more."""

    table: str
    first_move: int
    last_move: int
    end: str
    judged: int
    match_rate: float
    points_lost: float
    luck_log: float | None
    start_rate: float
    end_rate: float
    grades: dict[str, int]
    rpl: Path | None


class AnalyzedGame(Event, frozen=True, tag="file"):
    """What callers need of an analyzed game; `coach.analysis.data.to_json` writes more.

    `reports` are the written files by kind; `game` is the judgement of the whole game.
    """

    file: Path
    recorded_as: str
    moves: int
    points: int
    largest_tile: int
    covered: int
    complete: bool
    problems: tuple[str, ...]
    reports: dict[str, Path]
    segments: tuple[AnalyzedSegment, ...]
    game: dict[str, Any] | None = None


class StoredGame(Event, frozen=True, tag="kept"):
    """What was stored of a person's own game, or in `message` why it was not."""

    file: Path
    message: str = ""
    mistakes: int | None = None
    moves: int | None = None


class AnalysisFailure(Event, frozen=True, tag="error"):
    """A file that could not be analyzed, and why."""

    file: Path
    message: str


class AnalysisDone(Event, frozen=True, tag="done"):
    """The end of an analysis: numbers of files and of positions covered."""

    files: int
    failed: int
    covered: int
    cancelled: bool
    cpu_s: float


AnalysisEvent = AnalysisProgress | AnalyzedGame | StoredGame | AnalysisFailure | AnalysisDone
