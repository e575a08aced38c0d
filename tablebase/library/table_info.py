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
    layers_expanded, work_bytes : int
        What working files of an unfinished table hold, and their size on disk.
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
    layers_expanded: int = 0
    work_bytes: int = 0

    @property
    def step(self) -> str:
        """The step of its build that an unfinished table is in: "expand", "solve", or "" before."""
        if self.layers_done or self.layers_expanded == self.layers:
            return "solve" if self.layers else ""
        return "expand" if self.layers_expanded else ""

    @property
    def step_layers(self) -> int:
        """How many layers that step has done."""
        return self.layers_expanded if self.step == "expand" else self.layers_done

    @property
    def is_limited(self) -> bool:
        """Return whether its rates are lower bounds, as it leaves out boards beyond limits."""
        return self.most_equal > 0 or self.small_sum > 0
