"""Requests to a child process that makes, imports, converts or moves a table."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.language import mark, tr
from engine.platform.project_files import own_command
from gui.text.numbers import format_table
from tablebase.formation.chain_name import chain_name, first_name
from tablebase.formation.goal import Goal
from tablebase.store.options import CONTENTS, OPTIONS, BuildOptions, TableOptions

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


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
    def formation_name(self) -> str:
        return self.pattern

    @property
    def table(self) -> Path:
        return self.folder / f"{self.formation_name}_{self.target}"

    @property
    def title(self) -> str:
        return format_table(self.formation_name, self.target)

    @property
    def work_title(self) -> str:
        """The work, at the start of a sentence: `Building 442 \u2192 128`."""
        return tr(self.work_words[0], table=self.title)

    @property
    def work(self) -> str:
        """The work, inside a sentence: `building 442 \u2192 128`."""
        return tr(self.work_words[1], table=self.title)


def option_words(request: TableRequest, names: Iterable[str] = OPTIONS) -> list[str]:
    defaults = {field.name: field.default for field in fields(request)}
    words: list[str] = []
    for name in names:
        value = getattr(request, name, None)
        if name in defaults and value != defaults[name]:
            words += OPTIONS[name].words(value)
    return words


@dataclass(frozen=True)
class ConvertRequest(TableRequest):
    """A table to make smaller: the arguments of `convert`. Options left at default are unchanged.

    The new table's own folder is created inside `folder`; the current table's parent replaces it.
    """

    source: Path  # the current table's own folder
    rate: str = ""
    threshold: float | None = None
    optimal_only: bool = False
    sparse: int = 0
    level: str = ""  # compression level for recompressing all files
    is_copy: bool = False  # whether the current table is kept

    doing = mark("Converting")
    work_words = (mark("Converting {table}"), mark("converting {table}"))
    done = "converted"
    is_usable_meanwhile = True

    @property
    def table(self) -> Path:
        return super().table if self.is_copy else self.source

    def command(self) -> list[str]:
        where = ["--out", str(self.folder)] if self.is_copy else []
        return self._command(*where, "--stdin-control")

    def size_command(self) -> list[str]:
        """Return the command line that only computes the size of the new table.

        It doesn't depend on the destination; layers on another drive don't matter for a copy.
        """
        return self._command("--out", str(self.source.parent), "--dry-run", "--stdin-control")

    def _command(self, *more: str) -> list[str]:
        words = ["convert", str(self.source), *option_words(self)]
        return own_command(*words, *more, "--json")


@dataclass(frozen=True)
class RelocateRequest(TableRequest):
    """Layers of a table to move: the arguments of `relocate`."""

    source: Path  # the table's own folder, which stays and keeps an index
    to: Path  # a folder on the other drive; the table's own folder to bring its layers back
    # (int, int) or None: the first and the last layer to move; None for all.
    layers: tuple[int, int] | None = None
    most_bytes: int = 0  # maximum size of the table's part on the other drive; 0 for no limit

    doing = mark("Moving")
    work_words = (mark("Moving {table}"), mark("moving {table}"))
    done = "moved"
    is_usable_meanwhile = True

    @property
    def table(self) -> Path:
        return self.source

    @property
    def is_return(self) -> bool:
        return self.to == self.source

    def command(self) -> list[str]:
        words = ["relocate", str(self.source), "--to", str(self.to)]
        if self.layers:
            words += ["--layers", f"{self.layers[0]}-{self.layers[1]}"]
        elif self.most_bytes:
            words += ["--bytes", str(self.most_bytes)]
        return own_command(*words, "--json", "--stdin-control")


@dataclass(frozen=True)
class BuildRequest(BuildOptions, TableRequest):
    """A table to build: the arguments of the command `build`."""

    doing = mark("Building")
    work_words = (mark("Building {table}"), mark("building {table}"))
    done = "built"
    then: str = ""  # the name of the table beside it that it continues in

    @property
    def formation_name(self) -> str:
        after = self.then.rpartition("_")[0]
        return chain_name(self.pattern, after) if after else self.pattern

    @property
    def content(self) -> tuple[TableOptions, str, str]:
        """The options that define the table's contents: tables that differ in them are distinct."""
        return self.contents, self.extra_steps, self.then

    @property
    def manner(self) -> dict[str, Any]:
        """The options that change no answer, by name."""
        return {name: getattr(self, name) for name in OPTIONS if OPTIONS[name].group == "manner"}

    def command(self) -> list[str]:
        words = ["build", self.pattern, str(self.target), "--out", str(self.folder)]
        words += ["--then", self.then] if self.then else []
        words += option_words(self, filter(self.is_written, OPTIONS))
        return own_command(*words, "--json", "--stdin-control")


@dataclass(frozen=True)
class ImportRequest(TableRequest):
    """A table of another program to convert into one of ours: the arguments of `import`."""

    source: Path  # the folder of the other table, or folder/PATTERN_TARGET if it may hold several

    doing = mark("Importing")
    work_words = (mark("Importing {table}"), mark("importing {table}"))
    done = "imported"

    def command(self) -> list[str]:
        words = ["import", str(self.source), "--out", str(self.folder)]
        return own_command(*words, "--json", "--stdin-control")


Request = BuildRequest | ImportRequest | ConvertRequest | RelocateRequest


def rebuild_request(table: "TableInfo") -> BuildRequest:
    """Return the request to rebuild or resume a table; by default options if it has no manifest."""
    folder = table.path.parent
    pattern = first_name(table.pattern, table.then)
    if not table.rate:
        return BuildRequest(table.pattern, table.target, folder)
    options = {name: getattr(table, name) for name in (*CONTENTS, "extra_steps")}
    return BuildRequest(pattern, table.target, folder, **options, then=table.then)
