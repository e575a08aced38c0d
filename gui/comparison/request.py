"""What is to be compared: a position, the move made there, and who says how good it is. No Qt."""

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
        Exponents; large tiles may be F where a table is asked.
    played : int
        The move.
    table : Path or None
        The folder of the table to ask; None to ask search.
    follows : bool
        Whether the position is known to come up in the table, as in a game that it has rated.
    chances : four chances or None
        What search has said of the position where one comes from: the comparison says the same.
    """

    cells: Cells
    played: int
    table: Path | None
    follows: bool = False
    chances: Sequence[float | None] | None = None
