"""The actions of the Review page."""

from gui.pages.board_actions import ActionSpec, Toggle

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
    ActionSpec("open", "Open a recorded game", "open", ("Ctrl+O",), repeats=False),
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
WITHOUT_GAME = ("open", "latest")
"""Actions that make sense before there is a game."""
