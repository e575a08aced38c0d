"""The base of all requests for work on a table."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from engine.platform.language import tr
from gui.text.numbers import format_table
from tablebase.formation.goal import Goal
from tablebase.store.options import OPTIONS


@dataclass(frozen=True)
class TableRequest:
    """A table to make; its own folder is made inside `folder`.

    A bare number as the target is the face value of a tile.
    """

    pattern: str
    target: Goal | int
    folder: Path

    work_words = ("", "")
    """What is done, with the table, in English: to begin a text with, and inside one."""
    is_usable_meanwhile = False
    """Whether the table answers as before while the work goes on."""

    @property
    def table(self) -> Path:
        """The folder of the table."""
        return self.folder / f"{self.pattern}_{self.target}"

    @property
    def title(self) -> str:
        """The table's displayed name."""
        return format_table(self.pattern, self.target)

    @property
    def work_title(self) -> str:
        """The work, at the start of a sentence: `Building 442 \u2192 128`."""
        return tr(self.work_words[0], table=self.title)

    @property
    def work(self) -> str:
        """The work, inside a sentence: `building 442 \u2192 128`."""
        return tr(self.work_words[1], table=self.title)


def option_words(request: TableRequest, names: Iterable[str] = OPTIONS) -> list[str]:
    """Return the words of a command for the options of a request that differ from its defaults."""
    defaults = {field.name: field.default for field in fields(request)}
    words: list[str] = []
    for name in names:
        value = getattr(request, name, None)
        if name in defaults and value != defaults[name]:
            words += OPTIONS[name].words(value)
    return words
