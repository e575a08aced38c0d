"""A table as the list of tables has it."""

from dataclasses import dataclass
from pathlib import Path

from tablebase.formation.goal import Goal
from tablebase.store.options import USUAL_LARGE


@dataclass(frozen=True)
class TableInfo:
    """One table that was found.

    Attributes
    ----------
    target : Goal or int
        0 where a damaged table does not tell it.
    state : str
        "complete", "partial" (unfinished, the same build goes on with it), "damaged", "away" (a
        folder with layers of it is not there) or "part" (layers of a table that is not in the
        list).
    layers_done, layers : int
    boards, stored, bytes : int
        Of the finished layers; of a part, bytes only.
    message : str
        What is wrong with a damaged table, which layers are away, where a part belongs; "" for
        the others.
    folders : tuple of Path
        The other folders of the table, on other drives.
    origin : str
        The program whose table it is, which is read as it is; "" for our own.
    """

    path: Path
    name: str
    pattern: str
    target: Goal | int
    state: str
    layers_done: int
    layers: int
    boards: int
    stored: int
    bytes: int
    spawn4: float
    rate: str
    message: str
    threshold: float = 0.0
    optimal_only: bool = False
    sparse: int = 1
    most_equal: int = 0
    small_sum: int = 0
    large_from: int = USUAL_LARGE
    folders: tuple[Path, ...] = ()
    origin: str = ""

    @property
    def is_limited(self) -> bool:
        """Return whether its rates are lower bounds, as it leaves out boards beyond limits."""
        return self.most_equal > 0 or self.small_sum > 0
