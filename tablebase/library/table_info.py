"""An entry of the list of tables."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tablebase.formation.goal import Goal, goal_of
from tablebase.store.options import Contents


@dataclass(frozen=True, kw_only=True)
class TableInfo(Contents):
    """One table that was found, and what it stores; `rate` is "" if that is unknown."""

    path: Path
    name: str
    pattern: str
    target: Goal | int  # 0 if it is unknown for a damaged or unread table
    # "complete", "partial" (unfinished, the same build resumes it), "damaged", "away" (a folder
    # with some of its layers is missing), "part" (layers of a table that is not in the list) or
    # "unread" (of another program, in a format that is not read here).
    state: str
    layers_done: int = 0
    layers: int = 0
    # Counts for the finished layers; for a part, bytes only.
    boards: int = 0
    stored: int = 0
    bytes: int = 0
    # What is wrong with a damaged table, which layers are away, where a part belongs, what an
    # unread one is; "" for the others.
    message: str
    folders: tuple[Path, ...] = ()  # the other folders of the table, on other drives
    origin: str = ""  # the program whose table it is, which is used directly; "" for our own
    # Layers in the working files of an unfinished table, and their size on disk.
    layers_expanded: int = 0
    work_bytes: int = 0
    # The choice of its length: "" as usual for the formation, a number, or "full".
    extra_steps: str = ""
    then: str = ""  # the table that a chained one continues in
    is_cut_off: bool = False  # whether later layers might raise its rates

    @property
    def step(self) -> str:
        """The build step of an unfinished table: "expand", "solve", or "" before these."""
        if self.layers_done or self.layers_expanded == self.layers:
            return "solve" if self.layers else ""
        return "expand" if self.layers_expanded else ""

    @property
    def step_layers(self) -> int:
        return self.layers_expanded if self.step == "expand" else self.layers_done

    def to_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "target": goal_of(self.target).json,
            "path": str(self.path),
            "folders": list(map(str, self.folders)),
        }
