"""What stands in place of the rates when there are none: a title, a sentence, what to do."""

from pathlib import Path

from engine.bitboard import format_board
from gui.practice.shown import ShownAnswer
from gui.text.messages import message_of, sentence
from gui.widgets.notice import Message

_NEW_START = {"new_start": "New start"}
_BACK = {"new_start": "New start", "undo": "Undo"}
TABLES = {"tables": "Show the tables"}
PLACE_HINT = (
    "Place the new tile: click for a 2, right click for a 4, or go there by arrows, then 2 or 4."
)


INVITATION = Message(
    "Practice against perfect answers",
    "A table knows the success rate of every move in an endgame. Build one, and play it here: "
    "the smallest takes seconds.",
    {"tables": "Build a table"},
)


def explanation_of(shown: ShownAnswer) -> Message | None:
    """Return what to say of the position in place of its rates; None when the rates say it."""
    remedies = _BACK if shown.can_undo else _NEW_START
    if shown.is_reached:
        return Message(
            f"{shown.target} reached", "This position is won. Play on, or begin again.", _NEW_START
        )
    if shown.is_over:
        return Message("No move is left", f"The {shown.target} was not reached.", remedies)
    if shown.answer and shown.answer.error:
        reason = str(shown.answer.error).rpartition(f"{format_board(shown.step.board)}: ")[2]
        end = "; undo leads back." if shown.can_undo else "."
        text = f"{sentence(reason)} You can play on{end}"
        return Message("Not in this table", text, remedies)
    return None


def opening(path: Path) -> Message:
    """Return what to say while a table is being opened."""
    return Message(f"Opening {path.name}")


def failure(error: BaseException) -> Message:
    """Return what to say of a table that does not open."""
    return Message("This table cannot be used", message_of(error), TABLES)


def removed(name: str) -> Message:
    """Return what to say after the open table was closed."""
    return Message(f"{name} is closed", "Choose another table above, or build one.", TABLES)
