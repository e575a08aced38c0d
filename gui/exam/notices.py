"""Notices in place of the last move on the test page: before there is one, and on failure."""

from pathlib import Path

from coach.grading.rated import LowerBoundsError
from engine.platform.language import mark, tr
from gui.text.messages import message_of
from gui.text.numbers import table_title
from gui.widgets.notice import Message

INVITATION = Message(
    mark("Test yourself against perfect answers"),
    mark(
        "Play an endgame as well as you can. A table that knows the success rate of every move "
        "grades yours. Build a table first: the smallest takes seconds."
    ),
    {"tables": mark("Build a table")},
)
FIRST_MOVE = Message(
    mark("Find the best move"),
    mark("Use the arrow keys or swipe. You see the success rates after each move."),
)
FIRST_MOVE_HIDDEN = Message(
    FIRST_MOVE.title,
    mark(
        "Use the arrow keys or swipe. The success rates stay hidden until the end, or until you "
        "show them with the eye below the board."
    ),
)
LOADING = Message(mark("One moment"), mark("Looking for your last test."))
RESUMED = Message(mark("Welcome back"), mark("Your test continues where you left off."))


def opening(path: Path) -> Message:
    """Return the message shown while a table is being opened."""
    return Message(tr("Opening {table}\N{HORIZONTAL ELLIPSIS}", table=table_title(path.name)))


def failure(error: BaseException) -> Message:
    """Return the message for a table that cannot be read."""
    remedies = {"reopen": tr("Try again"), "tables": tr("Show tables")}
    if isinstance(error, LowerBoundsError):
        title = tr("This table can't grade your moves")
        return Message(title, message_of(error), {"tables": remedies["tables"]})
    return Message(tr("This table can't be read"), message_of(error), remedies)


def removed(name: str) -> Message:
    """Return the message after the open table was closed."""
    return Message(
        tr("{table} is closed", table=table_title(name)),
        tr("Choose another table above."),
        {"tables": tr("Show tables")},
    )
