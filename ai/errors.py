"""Everything this package raises on purpose.

* AppError (engine.platform.errors)
  - WeightsError      a file of weights is missing, damaged or of another version
  - PlayError         games cannot be played as asked
  - PreparationError  compiling ahead of time ended early
"""

from engine.platform.errors import AppError


class WeightsError(AppError):
    """A file of weights cannot be used."""


class PlayError(AppError):
    """Games can't be played or resumed as requested."""


class PreparationError(AppError):
    """Compiling ahead of time ended early."""
