"""The root of all errors that the program raises on purpose.

* AppError                 a mistake of the user, or of the world: one line, no traceback
  - InvalidBoardError      a text or number that is not a board (also a ValueError)
  - WriteError             a file could not be written; an existing one is unchanged
    + DriveFullError       the drive is full
  - CancelledError         the user asked to stop; what is finished stays
  - tablebase.errors       formations, tables, builds

Anything else that reaches the top is a bug and is logged with its traceback.
"""

from typing import Any

from engine.platform.language import tr


class AppError(Exception):
    """An error that says what was wrong, what was expected and what to do; `tr` gets its values."""

    def __init__(self, text: str = "", /, **values: Any) -> None:
        super().__init__(tr(text, **values) if values else text)


class InvalidBoardError(AppError, ValueError):
    """Text or number that is not a board; `why` is for a field that shows the rest itself."""

    def __init__(self, text: str, why: str = "", /, **values: Any) -> None:
        super().__init__(text, **values)
        self.why = why or str(self)


class WriteError(AppError):
    """A file could not be written; an existing one is unchanged."""


class DriveFullError(WriteError):
    """The drive is full."""


class CancelledError(AppError):
    """The user asked to stop; everything finished so far is kept."""
