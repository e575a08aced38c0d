"""An entry of the list of tables."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tablebase.formation.goal import Goal, goal_of
from tablebase.store.options import DEFAULT_LARGE


@dataclass(frozen=True)
class TableInfo:
    """One table that was found.

    Attributes
    ----------
    target : Goal or int
        0 if it is unknown for a damaged or unread table.
    state : str
        "complete", "partial" (unfinished, the same build resumes it), "damaged", "away" (a
        folder with some of its layers is missing), "part" (layers of a table that is not in the
        list) or "unread" (of another program, in a format that is not read here).
    layers_expanded, work_bytes : int
        Layers in the working files of an unfinished table, and their size on disk.
    boards, stored, bytes : int
        Counts for the finished layers; for a part, bytes only.
    message : str
        What is wrong with a damaged table, which layers are away, where a part belongs, what an
        unread one is; "" for the others.
    folders : tuple of Path
        The other folders of the table, on other drives.
    extra_steps : str
        The choice of its length: "" as usual for the formation, a number, or "full".
    is_cut_off : bool
        Whether later layers might raise its rates.
    origin : str
        The program whose table it is, which is used directly; "" for our own.
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
    large_from: int = DEFAULT_LARGE
    folders: tuple[Path, ...] = ()
    origin: str = ""
    layers_expanded: int = 0
    work_bytes: int = 0
    extra_steps: str = ""
    is_cut_off: bool = False

    @property
    def step(self) -> str:
        """The build step of an unfinished table: "expand", "solve", or "" before these."""
        if self.layers_done or self.layers_expanded == self.layers:
            return "solve" if self.layers else ""
        return "expand" if self.layers_expanded else ""

    @property
    def step_layers(self) -> int:
        """The number of layers finished in that step."""
        return self.layers_expanded if self.step == "expand" else self.layers_done

    @property
    def is_limited(self) -> bool:
        """Return whether its rates are lower bounds, as it leaves out boards beyond limits."""
        return self.most_equal > 0 or self.small_sum > 0

    def to_json(self) -> dict[str, Any]:
        """Return what the command `tables` prints with ``--json``."""
        return {
            **asdict(self),
            "target": goal_of(self.target).json,
            "path": str(self.path),
            "folders": list(map(str, self.folders)),
        }
