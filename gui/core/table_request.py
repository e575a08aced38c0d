"""What all requests for work on a table have in common."""

from dataclasses import dataclass
from pathlib import Path

from gui.text.numbers import format_table


@dataclass(frozen=True)
class TableRequest:
    """A table to make; its own folder is made inside `folder`."""

    pattern: str
    target: int
    folder: Path

    is_usable_meanwhile = False
    """Whether the table answers as before while the work goes on."""

    @property
    def table(self) -> Path:
        """The folder of the table."""
        return self.folder / f"{self.pattern}_{self.target}"

    @property
    def title(self) -> str:
        """The table's name as people read it."""
        return format_table(self.pattern, self.target)
