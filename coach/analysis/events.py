"""What ``analyze --json`` tells; see `engine.platform.events`."""

from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import structs

from coach.analysis.analyses import GameSummary, StoredAnalysis, StoredSegment
from engine.platform.errors import AppError
from engine.platform.events import Event
from engine.platform.language import tr


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
    segments: tuple[StoredSegment, ...]
    game: dict[str, Any] | None = None

    def stored(self, at: datetime) -> StoredAnalysis:
        """Raise AppError if its whole game is not one."""
        try:
            game = GameSummary.of(self.game) if self.game else None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            text = tr("what the analysis said cannot be understood: {problem!r}", problem=error)
            raise AppError(text) from error
        fields = structs.asdict(self) | {"game": game}
        path, is_complete = fields.pop("file"), fields.pop("complete")
        return StoredAnalysis(0, at, path, is_complete=is_complete, **fields)


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
