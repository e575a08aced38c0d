"""What stands in place of the rates when there are none: a title, a sentence, what to do."""

from pathlib import Path

from engine.bitboard import format_board
from gui.practice.shown import ShownAnswer
from gui.text.messages import message_of, sentence
from gui.text.numbers import format_table
from gui.text.rates import DIRECTION_NAMES
from gui.widgets.notice import Message

_NEW_START = {"new_start": "New start"}
_BACK = {"new_start": "New start", "undo": "Undo"}
TABLES = {"tables": "Show tables"}
PLACE_HINT = "Place the new tile: click for a 2, right click for a 4. Or arrow keys, then 2 or 4."


INVITATION = Message(
    "Practice against perfect answers",
    "A table knows the success rate of every move in an endgame. Build one and play it here. "
    "The smallest takes seconds.",
    {"tables": "Build a table"},
)


def explanation_of(shown: ShownAnswer) -> Message | None:
    """Return what to say of the position in place of its rates; None when the rates say it."""
    remedies = _BACK if shown.can_undo else _NEW_START
    if shown.is_reached:
        return Message(
            f"{shown.target} reached", "You made it. Keep playing, or start again.", _NEW_START
        )
    if shown.is_over:
        return Message("No move left", f"You didn't reach the {shown.target}.", remedies)
    if shown.answer and shown.answer.error:
        reason = str(shown.answer.error).rpartition(f"{format_board(shown.step.board)}: ")[2]
        if shown.is_broken:
            reason = f"the large tiles are no longer in the {shown.pattern} shape"
        end = "Keep playing, or undo." if shown.can_undo else "Keep playing, or start again."
        return Message("Not in this table", f"{sentence(reason)} {end}", remedies)
    return None


def opening(path: Path) -> Message:
    """Return what to say while a table is being opened."""
    return Message(f"Opening {title_of(path.name)} \N{HORIZONTAL ELLIPSIS}")


def failure(error: BaseException) -> Message:
    """Return what to say of a table that does not open."""
    return Message("Can't open this table", message_of(error), TABLES)


def removed(name: str) -> Message:
    """Return what to say after the open table was closed."""
    text = "Choose another table above, or build one."
    return Message(f"{title_of(name)} is closed", text, TABLES)


def question(direction: int, table: str) -> str:
    """Return what to ask before a move that breaks the formation."""
    name = DIRECTION_NAMES[direction].capitalize()
    return (
        f"{name} breaks the formation, so the {title_of(table)} table can't rate what follows. "
        f"To play it anyway, press {name} again."
    )


def title_of(table: str) -> str:
    """Return the name of a table as people read it, from that of its folder."""
    pattern, _, target = table.rpartition("_")
    return format_table(pattern, int(target)) if pattern and target.isdecimal() else table
