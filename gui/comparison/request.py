"""A request to compare: a position, the move made there, and the judging source. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.formats.replay import Cells


@dataclass(frozen=True)
class ComparisonRequest:
    """A move to compare with the best one.

    Attributes
    ----------
    cells : tuple of 16 int
        Exponents; large tiles may be F if a table is queried.
    table : Path or None
        The folder of the table to query; None for search.
    follows : bool
        Whether the position is known to be reachable in the table, as in a game it has rated.
    chances : four chances or None
        Chances that search already showed for the position, so that the comparison shows the same.
    """

    cells: Cells
    played: int
    table: Path | None
    follows: bool = False
    chances: Sequence[float | None] | None = None
