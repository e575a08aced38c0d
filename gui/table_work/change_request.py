"""Requests to a child process that changes a finished table: to convert or to move it."""

from dataclasses import dataclass
from pathlib import Path

from engine.platform.language import mark
from engine.platform.project_files import own_command
from gui.table_work.table_request import TableRequest, option_words


@dataclass(frozen=True)
class ConvertRequest(TableRequest):
    """A table to make smaller: the arguments of `convert`. Options left at default are unchanged.

    Attributes
    ----------
    folder : Path
        The new table's own folder is created inside; the current table's parent replaces it.
    source : Path
        The current table's own folder.
    rate, threshold, optimal_only, sparse
        Contents of the new table; see ``tablebase.store.options.TableOptions``.
    level : str
        Compression level for recompressing all files.
    is_copy : bool
        Whether the current table is kept.
    """

    source: Path
    rate: str = ""
    threshold: float | None = None
    optimal_only: bool = False
    sparse: int = 0
    level: str = ""
    is_copy: bool = False

    doing = mark("Converting")
    work_words = (mark("Converting {table}"), mark("converting {table}"))
    done = "converted"
    is_usable_meanwhile = True

    @property
    def table(self) -> Path:
        """The folder of the new table."""
        return super().table if self.is_copy else self.source

    def command(self) -> list[str]:
        """Return the command line of the conversion."""
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
    """Layers of a table to move: the arguments of `relocate`.

    Attributes
    ----------
    folder : Path
        The folder that the table's own one is in.
    source : Path
        The table's own folder, which stays and keeps an index.
    to : Path
        A folder on the other drive; the table's own folder to bring its layers back.
    layers : (int, int) or None
        The first and the last layer to move; None for all.
    most_bytes : int
        Maximum size of the table's part on the other drive; 0 for no limit.
    """

    source: Path
    to: Path
    layers: tuple[int, int] | None = None
    most_bytes: int = 0

    doing = mark("Moving")
    work_words = (mark("Moving {table}"), mark("moving {table}"))
    done = "moved"
    is_usable_meanwhile = True

    @property
    def table(self) -> Path:
        """The folder of the table."""
        return self.source

    @property
    def is_return(self) -> bool:
        """Whether the layers come back to the table's own folder."""
        return self.to == self.source

    def command(self) -> list[str]:
        """Return the command line of the move."""
        words = ["relocate", str(self.source), "--to", str(self.to)]
        if self.layers:
            words += ["--layers", f"{self.layers[0]}-{self.layers[1]}"]
        elif self.most_bytes:
            words += ["--bytes", str(self.most_bytes)]
        return own_command(*words, "--json", "--stdin-control")
