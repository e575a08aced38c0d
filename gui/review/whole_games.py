"""Judging whole games: the runner and the analysis."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ai.thinking_time import nodes_of
from gui.work.tasks import Tasks

if TYPE_CHECKING:
    from coach.whole_game.analysis import WholeGameAnalysis

T = TypeVar("T")


@dataclass(frozen=True)
class WholeGames:
    """How Review judges whole games.

    Attributes
    ----------
    tasks : Tasks
        A dedicated thread, as it takes minutes.
    analysis : callable
        Given milliseconds per move, returns a context manager that yields the analysis.
    """

    tasks: Tasks
    analysis: Callable[[float], "AbstractContextManager[WholeGameAnalysis]"]


@contextmanager
def open_analysis(folder: Path, ms: float) -> "Iterator[WholeGameAnalysis]":
    """Yield an analysis by the program's own search; not on the GUI thread.

    Its results are stored in the data folder `folder`.
    """
    from ai.chances.chance_search import ChanceSearch
    from coach.whole_game.analysis import WholeGameAnalysis
    from coach.whole_game.stored_chances import CHANCES_NAME, StoredChances

    kept = StoredChances(folder / CHANCES_NAME)
    try:
        yield WholeGameAnalysis(
            ChanceSearch().look, nodes_of(ms), kept, lambda: datetime.now(timezone.utc)
        )
    finally:
        kept.close()
