"""The root of everything the program raises on purpose.

* AppError                 the user's mistake, or the world's: one line, no traceback
  - InvalidBoardError      a text or number that is not a board (also a ValueError)
  - WriteError             a file could not be written; an older one of that name is as it was
    + DriveFullError       no room left on the drive
  - tablebase.errors       formations, tables, builds

Anything else that reaches the top is a bug and is logged with its traceback.
"""


class AppError(Exception):
    """Say what was wrong, what was expected and what to do; shown to the user as it is."""


class InvalidBoardError(AppError, ValueError):
    """Text or number that is not a board.

    Attributes
    ----------
    why : str
        What is wrong, for a field that shows what was typed and says what it expects.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


class WriteError(AppError):
    """A file could not be written; an older one of that name is as it was."""


class DriveFullError(WriteError):
    """No room left on the drive."""
