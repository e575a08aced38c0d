"""A move and its reason as a JSON object."""

from typing import Any

from ai.choice import Choice
from coach.reasons.reason import Cells, find_reason
from coach.reasons.words import reason_text
from engine.bitboard import DIRECTIONS


def hint_event(text: str, board: Cells, choice: Choice, spawn4: float) -> dict[str, Any]:
    """Return what the command `hint` prints with ``--json``; `text` is the board as typed."""
    reason = find_reason(board, choice, spawn4)
    move = None if choice.direction is None else DIRECTIONS[choice.direction]
    return {
        "board": text,
        "move": move,
        "source": choice.source,
        "values": dict(zip(DIRECTIONS, choice.values, strict=True)),
        "kind": choice.kind.name.lower(),
        "reason": type(reason).__name__ if reason else None,
        "words": reason_text(reason) if reason else "",
    }
