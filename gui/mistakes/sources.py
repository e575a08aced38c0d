"""Finding the test in which an attempt was made: an attempt names it, see `coach.exam.history`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coach.exam.history import FOLDER, History, MissingTestError
from coach.mistakes.mistake import DRILL, PUZZLE, SITUATION, Attempt, Mistake
from coach.play.run import Run
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from engine.symmetry import canonical
from gui.mistakes.text import source_text


class NoSourceError(AppError, LookupError):
    """The game of an attempt cannot be shown."""


@dataclass(frozen=True)
class Source:
    """A recorded game and a position in it."""

    path: Path
    position: int  # the position before the move; 0 is the start


def is_test(attempt: Attempt) -> bool:
    """Return whether an attempt claims to be from a test played here."""
    name = attempt.source
    is_name = name == Path(name).name and "\\" not in name  # it may come from an imported file
    return name != DRILL and is_name and name.endswith(".json") and attempt.move > 0


def find_source(attempt: Attempt, tests: History, mistake: Mistake | None = None) -> Source:
    """Return the source of an attempt; raise NoSourceError if there is none.

    After undos, the position of its mistake may have another number in the file.
    """
    if not is_test(attempt):
        raise NoSourceError(_no_test(attempt))
    path = tests.path.parent / FOLDER / attempt.source
    try:
        return Source(path, _number_in(tests.session(attempt.source), attempt, mistake))
    except MissingTestError as error:
        text = mark("the test with this mistake is gone: {path}")
        raise NoSourceError(text, path=path) from error


def _no_test(attempt: Attempt) -> str:
    if attempt.source == DRILL:
        return tr("this attempt was in a drill; only tests can be reviewed")
    if attempt.source == PUZZLE:
        return tr("this attempt was in a puzzle; only tests can be reviewed")
    if attempt.source == SITUATION:
        return tr("this attempt was in a situation; open it from the Situations page")
    if not attempt.source:
        return tr("this attempt was in no game; only tests can be reviewed")
    text = mark("this attempt was in {source}; only tests can be reviewed")
    return tr(text, source=source_text(attempt.source))


def _number_in(session: Run, attempt: Attempt, mistake: Mistake | None) -> int:
    """Return the index of an attempt in its test: the nearest to its number with its position."""
    place = attempt.move - 1
    if mistake is None or not session.n_undos:
        return place
    boards = [*(move.board for move in session.moves), session.board]
    matching = [i for i, board in enumerate(boards) if _is_position_of(board, mistake)]
    nearest = min(matching, key=lambda i: abs(i - place), default=place)
    return min(nearest, len(boards) - 1)  # taken back and never reached again: use a nearby place


def _is_position_of(board: int, mistake: Mistake) -> bool:
    n_large = f"{mistake.board:016x}".count("f")
    shown = cells(board)
    largest = sorted(range(16), key=lambda cell: -shown[cell])[:n_large]
    for cell in largest:
        board |= LARGEST_NIBBLE << (60 - 4 * cell)
    return canonical(board, mistake.symmetry) == mistake.board


def find_latest(
    attempts: Sequence[Attempt], tests: History, mistake: Mistake | None = None
) -> Source:
    """Return the source of the latest attempt at a mistake whose test still exists.

    Raises NoSourceError if none does.
    """
    made = [attempt for attempt in attempts if is_test(attempt)]
    if not made:
        raise NoSourceError(
            tr("this mistake doesn't come from a test played here, so there's no game to review")
        )
    for attempt in made:
        try:
            return find_source(attempt, tests, mistake)
        except NoSourceError:
            continue
    return find_source(made[0], tests, mistake)
