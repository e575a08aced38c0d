"""The actions of the Situations page."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec

SPECS = (
    ActionSpec("next", mark("Next attempt"), "refresh", "new", repeats=False),
    ActionSpec("review", mark("Review this attempt"), "review", "review", repeats=False),
    ActionSpec("practice", mark("Practice this position"), "practice", "practice", repeats=False),
    ActionSpec(
        *("all", mark("All situations"), "clock", "history"),
        checkable=True,
        repeats=False,
        caption=mark("All"),
    ),
    ActionSpec("copy", mark("Copy the position"), "copy", "copy", repeats=False),
    ActionSpec("paste", mark("Paste a position"), "paste", "paste", repeats=False),
    ActionSpec("go_to", mark("Type a position"), "", "go_to", repeats=False),
    ActionSpec("import", mark("Import situations"), "folder", "import", repeats=False),
    ActionSpec("undo", mark("Bring the removed situation back"), "", "undo", repeats=False),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
GROUPS = (("next",), ("review", "practice"), ("all",), ("copy", "paste", "import"))
