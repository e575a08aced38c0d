"""The actions of the Puzzles page."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec

SPECS = (
    ActionSpec("left", mark("Answer left"), "", "left", repeats=False),
    ActionSpec("right", mark("Answer right"), "", "right", repeats=False),
    ActionSpec("up", mark("Answer up"), "", "up", repeats=False),
    ActionSpec("down", mark("Answer down"), "", "down", repeats=False),
    ActionSpec(
        "next",
        mark("Next puzzle"),
        "forward",
        "best new",  # no text
        repeats=False,
        caption=mark("Next"),
    ),
    ActionSpec("daily", mark("Puzzle of the day"), "calendar", "daily", repeats=False),
    ActionSpec(
        "kept",
        mark("All puzzles"),
        "clock",
        "history",
        checkable=True,
        repeats=False,
        caption=mark("All"),
    ),
    ActionSpec("practice", mark("Open in Practice"), "practice", "practice", repeats=False),
    ActionSpec(
        "file",
        mark("Add to my mistakes"),
        "mistakes",
        "bookmark",
        repeats=False,
        caption=mark("Add to mistakes"),
    ),
    ActionSpec("copy", mark("Copy the puzzle as text"), "copy", "copy", repeats=False),
    ActionSpec("undo", mark("Bring removed puzzles back"), "", "undo", repeats=False),
    ActionSpec("find", mark("Find puzzles"), "search", "search", repeats=False),
    ActionSpec("cancel", mark("Stop looking for puzzles"), "", "cancel", repeats=False),
    ActionSpec("paste", mark("Paste puzzles"), "paste", "paste", repeats=False),
    ActionSpec("import", mark("Import puzzles"), "folder", "import", repeats=False),
    ActionSpec("export", mark("Export puzzles"), "save", "export", repeats=False),
)
BAR = (("next", "daily"), ("kept",), ("practice", "file", "copy"))
MORE = ("find", "paste", "import", "export")
ON_A_PUZZLE = ("left", "right", "up", "down", "next", "practice")
"""The actions that need a puzzle in front."""
