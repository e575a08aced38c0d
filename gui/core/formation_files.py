"""The formations of the program and of this person, read again when a file has changed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import AppError
from engine.language import tr

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.formation.own_file import OwnFile


class FormationFiles:
    """Two files of formations.

    Parameters
    ----------
    own : Path, optional
        This person's own file, which need not exist.

    Attributes
    ----------
    own : mapping of str to Formation
        Those that are from this person's file.
    problem : str
        Why the own file counts for nothing at the moment; "" when all is well.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self.own: Mapping[str, Formation] = {}
        self._stamps: object = None
        self._formations: Mapping[str, Formation] = {}
        self.problem = ""

    @property
    def own_file(self) -> "OwnFile":
        """Return the file of this person, to change it."""
        from tablebase.formation.own_file import OwnFile

        if self._own is None:
            raise AppError(tr("there is no folder for formations of your own"))
        return OwnFile(self._own)

    def read(self) -> "Mapping[str, Formation]":
        """Return all formations; the same object as long as no file changes."""
        from tablebase.formation.patterns_file import CONFIG_PATH, load_formations

        stamps = (_stamp(CONFIG_PATH), _stamp(self._own))
        if stamps != self._stamps:
            try:
                self._formations, self.problem = load_formations(own=self._own), ""
                self.own = self.own_file.read() if self._own else {}
            except AppError as error:  # while somebody edits their file, the others still serve
                self._formations, self.problem = load_formations(), str(error)
                self.own = {}
            self._stamps = stamps
        return self._formations


def _stamp(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status else None
