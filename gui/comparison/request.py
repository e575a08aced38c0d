"""A request to compare: a position, the move made there, and the judging source. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.formats.replay import Cells


@dataclass(frozen=True)
class ComparisonRequest:
    """A move to compare with the best one."""

    cells: Cells  # exponents; large tiles may be F if a table is queried
    played: int
    table: Path | None  # the folder of the table to query; None for search
    # Whether the position is known to be reachable in the table, as in a game it has rated.
    follows: bool = False
    # four chances or None: chances that search already showed for the position, so that the
    # comparison shows the same.
    chances: Sequence[float | None] | None = None
