"""The actions of the practice page."""

from gui.pages.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("undo", "Undo", "undo", ("Backspace", "Ctrl+Z")),
    ActionSpec("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("new_start", "New start", "start", ("Home",), repeats=False),
    ActionSpec("step", "Play the best move", "best", ("Return", "Enter")),
    ActionSpec("demo", "Start the demo", "play", ("Space",), repeats=False),
    ActionSpec("hint", "Show the best move", "hint", ("H",), repeats=False),
    ActionSpec("flip_sideways", "Flip left and right", "flip_sideways", ("F",), repeats=False),
    ActionSpec("flip_over", "Flip up and down", "flip_over", ("Shift+F",), repeats=False),
    ActionSpec("rotate_left", "Rotate left", "rotate_left", ("Shift+R",), repeats=False),
    ActionSpec("rotate_right", "Rotate right", "rotate_right", ("R",), repeats=False),
    ActionSpec("edit", "Edit the board", "edit", ("E",), checkable=True, repeats=False),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
    ActionSpec("paste", "Paste a position", "copy", ("Ctrl+V",), repeats=False),
    ActionSpec("left", "Move left", "", ("Left", "A")),
    ActionSpec("right", "Move right", "", ("Right", "D")),
    ActionSpec("up", "Move up", "", ("Up", "W")),
    ActionSpec("down", "Move down", "", ("Down", "S")),
    ActionSpec("guess", "Guess first: hide the rates", "", ("G",), checkable=True, repeats=False),
)
DEMO = Toggle("demo", "Start the demo", "Stop the demo")
GROUPS = (
    ("undo", "redo", "new_start"),
    ("step", "demo", "hint"),
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
