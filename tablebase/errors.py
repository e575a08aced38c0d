"""Everything this package raises on purpose.

* AppError (engine.platform.errors)
  - FormationError            a formation in patterns_config.json contradicts itself
    + UnknownFormationError   no formation of that name (also a LookupError)
  - TableError
    + MissingTableError       there is no finished table in that folder (also a LookupError)
    + TableFormatError        a file is another program's or of another version
    + DamagedTableError       a file has another size or content than its checksum says
    + ChangedTableError       converted or moved since it was opened: open it again
    + UnreadableTableError    the drive fails, perhaps only for now: try again
    + ProbeError              the table cannot answer for that board (also a ValueError)
  - BuildError
    + BuildRefusedError       other parameters, another builder at work, nothing to build
    + BuildCancelledError     the user asked to stop; finished layers stay
    + DiskFullError           the drive is full; finished layers stay
"""

from pathlib import Path
from typing import Any

from engine.platform.errors import AppError, CancelledError
from engine.platform.language import tr


class FormationError(AppError):
    """A formation contradicts itself or the schema."""


class UnknownFormationError(FormationError, LookupError):
    """No formation has that name."""


class TableError(AppError):
    """A finished table cannot be used."""


class MissingTableError(TableError, LookupError):
    """There is no finished table in that folder."""


class TableFormatError(TableError):
    """A file is not ours, or of a version this program does not know."""


class DamagedTableError(TableError):
    """A file does not match its checksum."""


class ChangedTableError(TableError):
    """A table was converted or moved after it was opened."""


class UnreadableTableError(TableError):
    """The drive that holds a table fails."""


class ProbeError(TableError, ValueError):
    """The table cannot answer for a board; `why` leaves out the names of table and board."""

    def __init__(self, text: str, why: str = "", /, **values: Any) -> None:
        super().__init__(text, **values)
        self.why = why or str(self)


class BuildError(AppError):
    """A build could not start or go on."""


class BuildRefusedError(BuildError):
    """Building here would damage something, or cannot work."""


class BuildCancelledError(BuildError, CancelledError):
    """The user asked to stop; everything finished so far is kept."""


class DiskFullError(BuildError):
    """The drive is full; everything finished so far is kept."""


def cannot_read(path: Path, error: OSError) -> str:
    """Return the sentence about a file that the system does not let us read."""
    return tr("cannot read {path}: {reason}", path=path, reason=error.strerror)
