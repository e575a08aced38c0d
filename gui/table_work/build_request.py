"""Requests to a child process that makes a table: to build or to import it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.language import mark
from engine.platform.project_files import own_command
from gui.table_work.change_request import ConvertRequest, RelocateRequest
from gui.table_work.table_request import TableRequest, option_words
from tablebase.store.options import CONTENTS, OPTIONS, BuildOptions, TableOptions

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


@dataclass(frozen=True)
class BuildRequest(BuildOptions, TableRequest):
    """A table to build: the arguments of the command `build`."""

    doing = mark("Building")
    work_words = (mark("Building {table}"), mark("building {table}"))
    done = "built"

    @property
    def content(self) -> tuple[TableOptions, str]:
        """The options that define the table's contents: tables that differ in them are distinct."""
        return self.contents, self.extra_steps

    @property
    def manner(self) -> dict[str, Any]:
        """The options that change no answer, by name."""
        return {name: getattr(self, name) for name, one in OPTIONS.items() if one.group == "manner"}

    def command(self) -> list[str]:
        """Return the command line of the build."""
        words = ["build", self.pattern, str(self.target), "--out", str(self.folder)]
        words += option_words(self, filter(self.is_written, OPTIONS))
        return own_command(*words, "--json", "--stdin-control")


@dataclass(frozen=True)
class ImportRequest(TableRequest):
    """A table of another program to convert into one of ours: the arguments of `import`.

    Attributes
    ----------
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
    options = {name: getattr(table, name) for name in (*CONTENTS, "extra_steps")}
    return BuildRequest(table.pattern, table.target, folder, **options)
