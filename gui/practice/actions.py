"""The actions of the practice page."""

from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("undo", "Undo", "undo", "undo"),
    ActionSpec("redo", "Redo", "redo", "redo"),
    ActionSpec("new_start", "New start", "refresh", "new", repeats=False),
    ActionSpec("varied_start", "New start, some moves in", "", "varied", repeats=False),
    ActionSpec("step", "Play the best move", "best", "best"),
    ActionSpec("demo", "Start the demo", "play", "run", repeats=False),
    ActionSpec("hint", "Show the best move", "hint", "hint", repeats=False),
    ActionSpec("why", "Why: what the next tile can do", "why", "why", True, repeats=False),
    ActionSpec(
        "flip_sideways", "Flip left and right", "flip_sideways", "flip_sideways", repeats=False
    ),
    ActionSpec("flip_over", "Flip up and down", "flip_over", "flip_over", repeats=False),
    ActionSpec("rotate_left", "Rotate left", "rotate_left", "rotate_left", repeats=False),
    ActionSpec("rotate_right", "Rotate right", "rotate_right", "rotate_right", repeats=False),
    ActionSpec("edit", "Edit the board", "edit", "edit", checkable=True, repeats=False),
    ActionSpec("go_to", "Go to a position", "", "go_to", repeats=False),
    ActionSpec("test", "Test yourself on this table", "test", "test", repeats=False),
    ActionSpec("review", "Review the moves up to here", "review", "review", repeats=False),
    ActionSpec("copy", "Copy the position", "copy", "copy", repeats=False),
    ActionSpec("copy_text", "Copy the board as text", "copy", "copy_text", repeats=False),
    ActionSpec("paste", "Paste a position", "paste", "paste", repeats=False),
    ActionSpec("picture", "Copy a picture of the board", "picture", "picture", repeats=False),
    ActionSpec(
        "save_picture", "Save a picture of the board", "save", "save_picture", repeats=False
    ),
    ActionSpec("left", "Move left", "", "left"),
    ActionSpec("right", "Move right", "", "right"),
    ActionSpec("up", "Move up", "", "up"),
    ActionSpec("down", "Move down", "", "down"),
    ActionSpec("why_left", "Explain left", "", "why_left", repeats=False),
    ActionSpec("why_right", "Explain right", "", "why_right", repeats=False),
    ActionSpec("why_up", "Explain up", "", "why_up", repeats=False),
    ActionSpec("why_down", "Explain down", "", "why_down", repeats=False),
    ActionSpec("why_tile", "Explain a 2 or a 4", "", "why_tile", repeats=False),
    ActionSpec("why_plies", "Explain one tile or two", "", "why_plies", repeats=False),
    ActionSpec("by_hand", "Place new tiles by hand", "", "by_hand", checkable=True, repeats=False),
    ActionSpec("guess", "Guess first: hide the rates", "", "hide", checkable=True, repeats=False),
    ActionSpec("save_recording", "Save the moves up to here", "save", "save", repeats=False),
    ActionSpec("open_recording", "Open a recording", "folder", "open", repeats=False),
    ActionSpec("play_recording", "Play back the history", "play", "play_back", repeats=False),
    ActionSpec("line_start", "To the start of the history", "", "first", repeats=False),
    ActionSpec("line_end", "To the end of the history", "", "last", repeats=False),
    ActionSpec("other_way", "The next variation", "", "variation", repeats=False),
    ActionSpec("bookmark", "Bookmark this position", "", "bookmark", repeats=False),
    ActionSpec("next_bookmark", "To the next bookmark", "", "next_bookmark", repeats=False),
    ActionSpec("tab_play", "Panel: play", "", "tab_1", repeats=False),
    ActionSpec("tab_why", "Panel: why", "", "tab_2", repeats=False),
    ActionSpec("tab_line", "Panel: history", "", "tab_3", repeats=False),
)
DEMO = Toggle("demo", "Start the demo", "Stop the demo")
GROUPS = (
    ("undo", "redo", "new_start"),
    ("step", "demo", "hint", "why"),
    ("flip_sideways", "flip_over", "rotate_left", "rotate_right"),
    ("edit",),
    ("review", "test"),
)


# Names of the symmetries in engine.geometry.
TURNS = {
    "flip_sideways": "mirror",
    "flip_over": "flip",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
}
