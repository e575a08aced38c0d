"""The actions of the Review page."""

from collections.abc import Mapping

from PySide6.QtGui import QAction

from gui.review.game import ReviewGame
from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("first", "To the start", "first", ("Home",), repeats=False),
    ActionSpec("back", "Back one move", "back", ("Left", "Backspace", "Delete", "A")),
    ActionSpec("forward", "On one move", "forward", ("Right", "Return", "Enter", "D")),
    ActionSpec("last", "To the end", "last", ("End",), repeats=False),
    ActionSpec("previous_mark", "To the marked move before", "previous_mark", ("Shift+N", "P")),
    ActionSpec("next_mark", "To the next marked move", "next_mark", ("N",)),
    ActionSpec("auto", "Play by itself", "play", ("Space",), repeats=False),
    ActionSpec("hint", "Show the best move", "hint", ("H",), checkable=True, repeats=False),
    ActionSpec("practice", "Practise from here", "practice", ("Ctrl+P",), repeats=False),
    ActionSpec("open", "Open a recorded game", "folder", ("Ctrl+O",), repeats=False),
    ActionSpec("latest", "Open the latest test", "", ("Ctrl+L",), repeats=False),
    ActionSpec("back_ten", "Back ten moves", "", ("PgUp",)),
    ActionSpec("forward_ten", "On ten moves", "", ("PgDown",)),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
)
GROUPS = (
    ("first", "back", "forward", "last"),
    ("previous_mark", "next_mark"),
    ("auto", "hint"),
    ("practice",),
)
AUTO = Toggle("auto", "Play by itself", "Stop playing")
_WITHOUT_GAME = ("open", "latest")
"""Actions that make sense before there is a game."""


def enable(actions: Mapping[str, QAction], game: ReviewGame) -> None:
    """Let only those actions be chosen that do something now."""
    has_game = game.recording is not None
    for name, action in actions.items():
        action.setEnabled(has_game or name in _WITHOUT_GAME)
    for name in ("first", "back", "back_ten"):
        actions[name].setEnabled(has_game and game.position > 0)
    for name in ("last", "forward", "forward_ten"):
        actions[name].setEnabled(has_game and not game.is_at_end)
    actions["next_mark"].setEnabled(game.next_mark() is not None)
    actions["previous_mark"].setEnabled(game.previous_mark() is not None)
