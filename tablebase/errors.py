"""Everything this package raises on purpose.

* AppError (engine.errors)
  - FormationError            a formation in patterns_config.json contradicts itself
    + UnknownFormationError   no formation of that name (also a LookupError)
  - TableError
    + MissingTableError       there is no finished table in that folder (also a LookupError)
    + TableFormatError        a file is foreign or of another version
    + DamagedTableError       a file is shorter, longer or other than its checksum says
    + ChangedTableError       it was converted or moved meanwhile: opening it again helps
    + UnreadableTableError    the drive fails, for now perhaps: asking again may help
    + ProbeError              the table cannot answer for that board (also a ValueError)
  - BuildError
    + BuildRefusedError       other parameters, another builder at work, nothing to build
    + BuildCancelledError     somebody asked to stop; what is finished stays
    + DiskFullError           no room left; what is finished stays
"""

from engine.errors import AppError


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
    """A file is not what its checksum says."""


class ChangedTableError(TableError):
    """A table was converted or moved after it was opened."""


class UnreadableTableError(TableError):
    """The drive that a table is on fails."""


class ProbeError(TableError, ValueError):
    """The table cannot answer for that board.

    Attributes
    ----------
    why : str
        The reason alone, without the names of table and board.
    """

    def __init__(self, text: str, why: str = "") -> None:
        super().__init__(text)
        self.why = why or text


class BuildError(AppError):
    """A build could not start or go on."""


class BuildRefusedError(BuildError):
    """Building here would spoil something, or cannot work."""


class BuildCancelledError(BuildError):
    """Somebody asked to stop; everything finished so far is kept."""


class DiskFullError(BuildError):
    """No room left on the drive; everything finished so far is kept."""
