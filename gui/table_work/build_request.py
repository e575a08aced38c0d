"""Requests to a child process that makes a table: to build or to import it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.language import mark
from engine.platform.project_files import own_command
from gui.table_work.change_request import ConvertRequest, RelocateRequest
from gui.table_work.table_request import TableRequest
from tablebase.store.options import DEFAULT_LARGE

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


@dataclass(frozen=True)
class BuildRequest(TableRequest):
    """A table to build: the arguments of the command `build`.

    Attributes
    ----------
    pattern : str
    target : Goal or int
        A bare number is the face value of a tile.
    folder : Path
        The table's own folder is made inside.
    spawn4, rate, threshold, optimal_only, sparse, most_equal, small_sum, large_from
        Contents of the table; see ``tablebase.store.options.TableOptions``.
    extra_steps : str
        How long the table is: "" as usual for the formation, a number, or "full".
    level, pack_scratch
        Compression level of its files, and whether working files are compressed as well.
    threads, memory_bytes : int
        0 for all available.
    scratch : str
        The folder for working files; "" for the previous one, initially the table's own.
    """

    spawn4: float = 0.1
    rate: str = "uint32"
    threshold: float = 0.0
    optimal_only: bool = False
    sparse: int = 1
    level: str = "fast"
    pack_scratch: bool = False
    threads: int = 0
    memory_bytes: int = 0
    most_equal: int = 0
    small_sum: int = 0
    large_from: int = DEFAULT_LARGE
    scratch: str = ""
    extra_steps: str = ""

    doing = mark("Building")
    work_words = (mark("Building {table}"), mark("building {table}"))
    done = "built"

    @property
    def content(self) -> tuple[object, ...]:
        """The options that define the table's contents: tables that differ in them are distinct."""
        kept = self.spawn4, self.rate, self.threshold, self.optimal_only, self.sparse
        return *kept, self.most_equal, self.small_sum, self.large_from, self.extra_steps

    @property
    def is_limited(self) -> bool:
        """Whether boards beyond limits are left out, so that rates are lower bounds."""
        return self.most_equal > 0 or self.small_sum > 0

    def command(self) -> list[str]:
        """Return the command line of the build."""
        words = ["build", self.pattern, str(self.target), "--out", str(self.folder)]
        words += ["--spawn4", repr(self.spawn4), "--rate", self.rate]
        if self.threshold > 0:
            words += ["--threshold", repr(self.threshold)]
        if self.optimal_only:
            words.append("--optimal-only")
        if self.sparse > 1:
            words += ["--sparse", str(self.sparse)]
        if self.most_equal:
            words += ["--most-equal", str(self.most_equal)]
        if self.small_sum:
            words += ["--small-sum", str(self.small_sum)]
        if self.is_limited:
            words += ["--large-from", str(self.large_from)]
        if self.extra_steps:
            words += ["--extra-steps", self.extra_steps]
        if self.level != "fast":
            words += ["--level", self.level]
        if self.pack_scratch:
            words.append("--pack-scratch")
        if self.scratch:
            words += ["--scratch", self.scratch]
        if self.threads:
            words += ["--threads", str(self.threads)]
        if self.memory_bytes:
            words += ["--memory", str(self.memory_bytes)]
        return own_command(*words, "--json", "--stdin-control")


@dataclass(frozen=True)
class ImportRequest(TableRequest):
    """A table of another program to convert into one of ours: the arguments of `import`.

    Attributes
    ----------
    pattern : str
    target : Goal or int
        A bare number is the face value of a tile.
    folder : Path
        The new table's own folder is made inside.
    source : Path
        The folder of the other table, or folder/PATTERN_TARGET if it may hold several.
    """

    source: Path

    doing = mark("Importing")
    work_words = (mark("Importing {table}"), mark("importing {table}"))
    done = "imported"

    def command(self) -> list[str]:
        """Return the command line of the import."""
        words = ["import", str(self.source), "--out", str(self.folder)]
        return own_command(*words, "--json", "--stdin-control")


Request = BuildRequest | ImportRequest | ConvertRequest | RelocateRequest


def rebuild_request(table: "TableInfo") -> BuildRequest:
    """Return the request to rebuild or resume a table of the list, with its own options.

    A table whose manifest cannot be read gets the default options.
    """
    folder = table.path.parent
    if not table.rate:
        return BuildRequest(table.pattern, table.target, folder)
    return BuildRequest(
        *(table.pattern, table.target, folder, table.spawn4, table.rate),
        *(table.threshold, table.optimal_only, table.sparse),
        most_equal=table.most_equal,
        small_sum=table.small_sum,
        large_from=table.large_from,
        extra_steps=table.extra_steps,
    )
