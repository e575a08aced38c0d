"""The actions of the Situations page."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec

SPECS = (
    ActionSpec("next", mark("Next attempt"), "refresh", "new", repeats=False, group=0),
    ActionSpec("review", mark("Review this attempt"), "review", "review", repeats=False, group=1),
    ActionSpec(
        "practice", mark("Practice this position"), "practice", "practice", repeats=False, group=1
    ),
    ActionSpec(
        "all",
        mark("All situations"),
        "clock",
        "history",
        checkable=True,
        repeats=False,
        caption=mark("All"),
        group=2,
    ),
    ActionSpec("copy", mark("Copy the position"), "copy", "copy", repeats=False, group=3),
    ActionSpec("paste", mark("Paste a position"), "paste", "paste", repeats=False, group=3),
    ActionSpec("go_to", mark("Type a position"), "", "go_to", repeats=False),
    ActionSpec("import", mark("Import situations"), "folder", "import", repeats=False, group=3),
    ActionSpec("undo", mark("Bring the removed situation back"), "", "undo", repeats=False),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
