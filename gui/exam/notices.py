"""What the test page says where the last move will be: before there is one, and when it fails."""

from pathlib import Path

from gui.exam.text import table_name
from gui.text.messages import message_of
from gui.widgets.notice import Message

INVITATION = Message(
    "Test yourself against perfect answers",
    "Play an endgame as well as you can. A table that knows the success rate of every move grades "
    "yours. Build a table first: the smallest takes seconds.",
    {"tables": "Build a table"},
)
FIRST_MOVE = Message(
    "Find the best move",
    "Use the arrow keys or swipe. You see the success rates after each move.",
)
LOADING = Message("One moment", "Looking for your last test.")
RESUMED = Message("Welcome back", "Your test continues where you left off.")


def opening(path: Path) -> Message:
    """Return what to say while a table is being opened."""
    return Message(f"Opening {table_name(path.name)} \N{HORIZONTAL ELLIPSIS}")


def failure(error: BaseException) -> Message:
    """Return what to say of a table that cannot be read."""
    remedies = {"reopen": "Try again", "tables": "Show tables"}
    return Message("This table can't be read", message_of(error), remedies)


def removed(name: str) -> Message:
    """Return what to say after the open table was closed."""
    return Message(
        f"{table_name(name)} is closed", "Choose another table above.", {"tables": "Show tables"}
    )
