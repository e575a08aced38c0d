"""The actions of the Game page."""

from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("undo", "Undo", "undo", ("Backspace", "Ctrl+Z", "Delete")),
    ActionSpec("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("new_game", "New game", "refresh", ("Ctrl+N",), repeats=False),
    ActionSpec("step", "Let the player make one move", "best", ("Return", "Enter", "Space")),
    ActionSpec("auto", "Let the player play", "play", ("P",), repeats=False),
    ActionSpec("copy", "Copy the position", "copy", ("Ctrl+C",), repeats=False),
    ActionSpec("paste", "Paste a position", "paste", ("Ctrl+V",), repeats=False),
    ActionSpec("export", "Export for 2048verse", "save", ("Ctrl+S",), repeats=False),
    ActionSpec(
        "export_new",
        "Export for 2048verse as it is today",
        "",
        ("Ctrl+Shift+S",),
        False,
        False,
    ),
    ActionSpec("review", "Open the game in Review", "review", ("R",), repeats=False),
    ActionSpec("left", "Move left", "", ("Left", "A", "H")),
    ActionSpec("right", "Move right", "", ("Right", "D", "L")),
    ActionSpec("up", "Move up", "", ("Up", "W", "K")),
    ActionSpec("down", "Move down", "", ("Down", "S", "J")),
)
GROUPS = (
    ("undo", "redo", "new_game"),
    ("step", "auto"),
    ("copy", "export", "review"),
)
AUTO = Toggle("auto", "Let the player play", "Stop the player")
