"""The formations of the program and of the user, reread when a file changes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.errors import AppError
from engine.platform.language import tr

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.formation.own_file import OwnFile


class FormationFiles:
    """Two files of formations.

    Parameters
    ----------
    own : Path, optional
        The user's own file, which need not exist.

    Attributes
    ----------
    own : mapping of str to Formation
        Formations from the user's file.
    problem : str
        Why the user's file is currently ignored; "" if it isn't.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self.own: Mapping[str, Formation] = {}
        self._stamps: object = None
        self._formations: Mapping[str, Formation] = {}
        self.problem = ""

    @property
    def own_file(self) -> "OwnFile":
        """Return the user's file, for changing it."""
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
            except AppError as error:  # the user may be editing it: the others still work
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
