"""The actions of the practice page."""

from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("undo", "Undo", "undo", ("Backspace", "Delete", "Ctrl+Z")),
    ActionSpec("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("new_start", "New start", "refresh", ("Home", "F5"), repeats=False),
    ActionSpec("varied_start", "New start, some moves in", "", ("Shift+Home",), repeats=False),
    ActionSpec("step", "Play the best move", "best", ("Return", "Enter")),
    ActionSpec("demo", "Start the demo", "play", ("Space",), repeats=False),
    ActionSpec("hint", "Show the best move", "hint", ("B",), repeats=False),
    ActionSpec("why", "Why: what the next tile can do", "why", ("X",), True, repeats=False),
    ActionSpec("flip_sideways", "Flip left and right", "flip_sideways", ("F",), repeats=False),
    ActionSpec("flip_over", "Flip up and down", "flip_over", ("Shift+F",), repeats=False),
    ActionSpec("rotate_left", "Rotate left", "rotate_left", ("Shift+R",), repeats=False),
    ActionSpec("rotate_right", "Rotate right", "rotate_right", ("R",), repeats=False),
    ActionSpec("edit", "Edit the board", "edit", ("E", "F2"), checkable=True, repeats=False),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
    ActionSpec("copy_text", "Copy the board as text", "copy", ("Ctrl+Shift+C",), repeats=False),
    ActionSpec("paste", "Paste a position", "paste", ("Ctrl+V",), repeats=False),
    ActionSpec("picture", "Copy a picture of the board", "picture", ("Z",), repeats=False),
    ActionSpec("save_picture", "Save a picture of the board", "save", ("Shift+Z",), repeats=False),
    ActionSpec("left", "Move left", "", ("Left", "A", "H")),
    ActionSpec("right", "Move right", "", ("Right", "D", "L")),
    ActionSpec("up", "Move up", "", ("Up", "W", "K")),
    ActionSpec("down", "Move down", "", ("Down", "S", "J")),
    ActionSpec("why_left", "Explain left", "", ("Alt+Left",), repeats=False),
    ActionSpec("why_right", "Explain right", "", ("Alt+Right",), repeats=False),
    ActionSpec("why_up", "Explain up", "", ("Alt+Up",), repeats=False),
    ActionSpec("why_down", "Explain down", "", ("Alt+Down",), repeats=False),
    ActionSpec("why_tile", "Explain a 2 or a 4", "", ("T",), repeats=False),
    ActionSpec("why_plies", "Explain one tile or two", "", ("Shift+X",), repeats=False),
    ActionSpec("by_hand", "Place new tiles by hand", "", ("Q",), checkable=True, repeats=False),
    ActionSpec("guess", "Guess first: hide the rates", "", ("G",), checkable=True, repeats=False),
    ActionSpec("save_recording", "Save the moves up to here", "save", ("Ctrl+S",), repeats=False),
    ActionSpec("open_recording", "Open a recording", "folder", ("Ctrl+O",), repeats=False),
    ActionSpec("play_recording", "Play back the history", "play", ("P",), repeats=False),
    ActionSpec("line_start", "To the start of the history", "", ("Ctrl+Home",), repeats=False),
    ActionSpec("line_end", "To the end of the history", "", ("End", "Ctrl+End"), repeats=False),
    ActionSpec("other_way", "The next variation", "", ("V",), repeats=False),
    ActionSpec("bookmark", "Bookmark this position", "", ("M",), repeats=False),
    ActionSpec("next_bookmark", "To the next bookmark", "", ("Shift+M",), repeats=False),
    ActionSpec("tab_play", "Panel: play", "", ("F6",), repeats=False),
    ActionSpec("tab_why", "Panel: why", "", ("F7",), repeats=False),
    ActionSpec("tab_line", "Panel: history", "", ("F8",), repeats=False),
)
DEMO = Toggle("demo", "Start the demo", "Stop the demo")
GROUPS = (
    ("undo", "redo", "new_start"),
    ("step", "demo", "hint", "why"),
    ("flip_sideways", "flip_over", "rotate_left", "rotate_right"),
    ("edit",),
)


# Names of the symmetries in engine.geometry.
TURNS = {
    "flip_sideways": "mirror",
    "flip_over": "flip",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
}
