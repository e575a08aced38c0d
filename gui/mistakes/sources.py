"""From an attempt back to the test that it was made in. No Qt.

An attempt names its test by the file that the test is kept in once it is over. Until then the moves
are in the file of the test in play.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import AppError
from gui.test.keeper import CURRENT
from tablebase.coach.mistake import DRILL, Attempt
from tablebase.coach.session_file import SessionFileError, file_name, read_session


class NoSourceError(AppError, LookupError):
    """The game of an attempt cannot be shown."""


@dataclass(frozen=True)
class Source:
    """A recorded game and a position in it.

    Attributes
    ----------
    path : Path
    position : int
        That before the move; 0 is the start.
    """

    path: Path
    position: int


def is_test(attempt: Attempt) -> bool:
    """Tell whether an attempt says that it was made in a test played here."""
    name = attempt.source
    is_name = name == Path(name).name and "\\" not in name  # it may come from an imported file
    return name != DRILL and is_name and name.endswith(".json") and attempt.move > 0


def find_source(attempt: Attempt, tests: Path) -> Source:
    """Return where an attempt was made.

    Parameters
    ----------
    attempt : Attempt
    tests : Path
        The folder of the tests played here.

    Raises
    ------
    NoSourceError
        It was not made in a test, or the file of that is not there any more.
    """
    if not is_test(attempt):
        where = "in a drill" if attempt.source == DRILL else f"in {attempt.source or 'no game'}"
        raise NoSourceError(f"this attempt was made {where}; only tests can be reviewed")
    path = tests / attempt.source
    if path.is_file():
        return Source(path, attempt.move - 1)
    current = tests / CURRENT
    try:
        if current.is_file() and file_name(read_session(current)) == attempt.source:
            return Source(current, attempt.move - 1)
    except SessionFileError:
        pass  # then it is not there, as far as anyone can tell
    raise NoSourceError(f"the test of this attempt is not there any more: {path}")


def find_latest(attempts: Sequence[Attempt], tests: Path) -> Source:
    """Return where the latest attempt was made whose test is still there.

    Raises
    ------
    NoSourceError
        None is.
    """
    made = [attempt for attempt in attempts if is_test(attempt)]
    if not made:
        raise NoSourceError("this mistake was not made in a test played here: there is no game")
    for attempt in made:
        try:
            return find_source(attempt, tests)
        except NoSourceError:
            continue
    return find_source(made[0], tests)
