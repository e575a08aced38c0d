"""The formations of the program and of this person, read again when a file has changed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import AppError

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation


class FormationFiles:
    """Two files of formations.

    Parameters
    ----------
    own : Path, optional
        This person's own file, which need not exist.

    Attributes
    ----------
    problem : str
        Why the own file counts for nothing at the moment; "" when all is well.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self._stamps: object = None
        self._formations: Mapping[str, Formation] = {}
        self.problem = ""

    def read(self) -> "Mapping[str, Formation]":
        """Return all formations; the same object as long as no file changes."""
        from tablebase.formation.patterns_file import CONFIG_PATH, load_formations

        stamps = (_stamp(CONFIG_PATH), _stamp(self._own))
        if stamps != self._stamps:
            try:
                self._formations, self.problem = load_formations(own=self._own), ""
            except AppError as error:  # while somebody edits their file, the others still serve
                self._formations, self.problem = load_formations(), str(error)
            self._stamps = stamps
        return self._formations


def _stamp(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status else None
