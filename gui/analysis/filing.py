"""What was wrong in analyzed games, filed into the book of mistakes. No Qt widgets.

Each part of a game has a recording with the rates before its moves: that is what is filed by. A
game that is analyzed again files nothing twice, as source, time and move of a mistake are those of
the game.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from coach.analysis.coverage import LargeTiles
from coach.grading.grade import Judgement, Rates
from coach.mistakes.mistake import ANALYSIS
from coach.recordings.recording import Recording, open_recording
from engine.errors import AppError
from engine.language import mark, tr
from gui.core.lookup import OnError, Tasks
from gui.core.mistake_service import MistakeService


@dataclass(frozen=True)
class Wrong:
    """A move that was not perfect, as the book of mistakes takes it; see `Mistakes.note`."""

    table: str
    spawn4: float
    board: int
    direction: int
    judgement: Judgement
    rates: Rates
    when: datetime
    source: str
    move: int
    symmetry: str


class MistakeFiling:
    """Files the mistakes of an analyzed game.

    Parameters
    ----------
    book : MistakeService
        Decides by its threshold what is worth it.
    tasks : Tasks
        Where recordings are read.
    symmetry_of : callable
        Returns the symmetry of the positions of a table; runs on the worker thread.
    """

    def __init__(
        self, book: MistakeService, tasks: Tasks, symmetry_of: Callable[[str], str]
    ) -> None:
        self._book, self._tasks, self._symmetry_of = book, tasks, symmetry_of

    def file(self, event: Mapping[str, Any], done: Callable[[int], None], failed: OnError) -> None:
        """File what an event "file" of ``analyze --json`` tells of; `done` gets how many."""

        def note(found: list[Wrong]) -> None:
            done(sum(self._book.note(**vars(one)) for one in found))

        self._tasks.run(lambda: list(wrong_moves(event, self._symmetry_of)), note, failed)


def wrong_moves(event: Mapping[str, Any], symmetry_of: Callable[[str], str]) -> Iterator[Wrong]:
    """Yield the moves of an analyzed game that were not perfect.

    Raises
    ------
    AppError
        A recording cannot be read, or the event lacks something.
    """
    path = Path(str(event["file"]))
    when = _played_at(path)
    for segment in event["segments"]:
        if not segment.get("rpl"):
            continue
        try:
            table, spawn4 = str(segment["table"]), float(segment["spawn4"])
            first, n_large = int(segment["first_move"]), len(segment["large_tiles"])
            exponent = int(segment["target"]).bit_length() - 1
        except (KeyError, TypeError, ValueError) as error:
            text = mark("the analysis of {name} lacks {field}: nothing is filed")
            raise AppError(tr(text, name=path.name, field=error)) from error
        recording, symmetry = open_recording(Path(segment["rpl"])), symmetry_of(table)
        for i, judgement in enumerate(recording.judgements):
            board, rates = _masked(recording, i, n_large, exponent), recording.rates[i]
            if judgement and not judgement.is_perfect and board is not None and rates:
                yield Wrong(
                    table, spawn4, board, judgement.direction, judgement, rates, when,
                    f"{ANALYSIS}{path.name}", first + i, symmetry,
                )  # fmt: skip


def _masked(recording: Recording, i: int, n_large: int, exponent: int) -> int | None:
    if recording.replay.walls:
        return recording.boards[i]
    return LargeTiles(recording.positions[i]).masked(n_large, exponent)


def _played_at(path: Path) -> datetime:
    """Return when a game was recorded, as far as its file tells."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
    except OSError as error:
        raise AppError(
            tr("cannot read {path}: {problem}", path=path, problem=error.strerror or error)
        ) from error
