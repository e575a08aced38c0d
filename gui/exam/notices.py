"""What the test page says where the last move will be: before there is one, and when it fails."""

from pathlib import Path

from gui.text.messages import message_of
from gui.widgets.notice import Message

INVITATION = Message(
    "Test yourself against perfect answers",
    "Play an endgame as well as you can; every move is judged by a table that knows the success "
    "rate of each. Build a table first: the smallest takes seconds.",
    {"tables": "Build a table"},
)
FIRST_MOVE = Message(
    "Find the best move",
    "Move by a key or a swipe. The rates show after each move.",
)
LOADING = Message("One moment", "Looking for the test of last time.")
RESUMED = Message("Welcome back", "This test goes on where you left it.")


def opening(path: Path) -> Message:
    """Return what to say while a table is being opened."""
    return Message(f"Opening {path.name}")


def failure(error: BaseException) -> Message:
    """Return what to say of a table that cannot be read."""
    remedies = {"reopen": "Try again", "tables": "Show the tables"}
    return Message("This table cannot be read", message_of(error), remedies)


def removed(name: str) -> Message:
    """Return what to say after the open table was closed."""
    return Message(f"{name} is closed", "Choose another table above.", {"tables": "Tables"})
