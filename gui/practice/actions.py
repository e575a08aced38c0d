"""The actions of the practice page."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("undo", mark("Undo"), "undo", "undo"),
    ActionSpec("redo", mark("Redo"), "redo", "redo"),
    ActionSpec("new_start", mark("New start"), "refresh", "new", repeats=False),
    ActionSpec("varied_start", mark("New start, some moves in"), "", "varied", repeats=False),
    ActionSpec("step", mark("Play the best move"), "best", "best"),
    ActionSpec("demo", mark("Start the demo"), "play", "run", repeats=False),
    ActionSpec("hint", mark("Show the best move"), "hint", "hint", repeats=False),
    ActionSpec("why", mark("Why: what the next tile can do"), "why", "why", True, repeats=False),
    ActionSpec(
        "compare",
        mark("Compare the move with the best one"),
        "compare",
        "compare",
        repeats=False,
    ),
    ActionSpec(
        "flip_sideways",
        mark("Flip left and right"),
        "flip_sideways",
        "flip_sideways",
        repeats=False,
    ),
    ActionSpec("flip_over", mark("Flip up and down"), "flip_over", "flip_over", repeats=False),
    ActionSpec("rotate_left", mark("Rotate left"), "rotate_left", "rotate_left", repeats=False),
    ActionSpec("rotate_right", mark("Rotate right"), "rotate_right", "rotate_right", repeats=False),
    ActionSpec("edit", mark("Edit the board"), "edit", "edit", checkable=True, repeats=False),
    ActionSpec("go_to", mark("Go to a position"), "", "go_to", repeats=False),
    ActionSpec("test", mark("Test yourself on this table"), "test", "test", repeats=False),
    ActionSpec(
        "situation", mark("Play this position ten times"), "situations", "situation", repeats=False
    ),
    ActionSpec("review", mark("Review the moves up to here"), "review", "review", repeats=False),
    ActionSpec("copy", mark("Copy the position"), "copy", "copy", repeats=False),
    ActionSpec("copy_text", mark("Copy the board as text"), "copy", "copy_text", repeats=False),
    ActionSpec("paste", mark("Paste a position"), "paste", "paste", repeats=False),
    ActionSpec(
        "read_picture",
        mark("Read the board in a picture"),
        "picture",
        "read_picture",
        repeats=False,
    ),
    ActionSpec("picture", mark("Copy a picture of the board"), "picture", "picture", repeats=False),
    ActionSpec(
        "save_picture", mark("Save a picture of the board"), "save", "save_picture", repeats=False
    ),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
    ActionSpec("why_left", mark("Explain left"), "", "why_left", repeats=False),
    ActionSpec("why_right", mark("Explain right"), "", "why_right", repeats=False),
    ActionSpec("why_up", mark("Explain up"), "", "why_up", repeats=False),
    ActionSpec("why_down", mark("Explain down"), "", "why_down", repeats=False),
    ActionSpec("why_tile", mark("Explain a 2 or a 4"), "", "why_tile", repeats=False),
    ActionSpec("why_plies", mark("Explain one tile or two"), "", "why_plies", repeats=False),
    ActionSpec(
        "by_hand", mark("Place new tiles by hand"), "", "by_hand", checkable=True, repeats=False
    ),
    ActionSpec(
        "guess", mark("Guess first: hide the rates"), "", "hide", checkable=True, repeats=False
    ),
    ActionSpec("save_recording", mark("Save the moves up to here"), "save", "save", repeats=False),
    ActionSpec("open_recording", mark("Open a recording"), "folder", "open", repeats=False),
    ActionSpec("play_recording", mark("Play back the history"), "play", "play_back", repeats=False),
    ActionSpec("line_start", mark("To the start of the history"), "", "first", repeats=False),
    ActionSpec("line_end", mark("To the end of the history"), "", "last", repeats=False),
    ActionSpec("other_way", mark("The next variation"), "", "variation", repeats=False),
    ActionSpec("bookmark", mark("Bookmark this position"), "", "bookmark", repeats=False),
    ActionSpec("next_bookmark", mark("To the next bookmark"), "", "next_bookmark", repeats=False),
    ActionSpec("tab_play", mark("Panel: play"), "", "tab_1", repeats=False),
    ActionSpec("tab_why", mark("Panel: why"), "", "tab_2", repeats=False),
    ActionSpec("tab_line", mark("Panel: history"), "", "tab_3", repeats=False),
)
DEMO = Toggle("demo", mark("Start the demo"), mark("Stop the demo"))
GROUPS = (
    ("undo", "redo", "new_start"),
    ("step", "demo", "hint", "why", "compare"),
    ("flip_sideways", "flip_over", "rotate_left", "rotate_right"),
    ("edit",),
    ("review", "test", "situation"),
)


# Names of the symmetries in engine.geometry.
TURNS = {
    "flip_sideways": "mirror",
    "flip_over": "flip",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
}
