"""The actions of the comparison."""

from engine.platform.language import mark
from gui.widgets.board_actions import ActionSpec, Toggle

SPECS = (
    ActionSpec("first", mark("To the start"), "first", "first", repeats=False),
    ActionSpec("back", mark("Back one move"), "back", "undo", caption=mark("Back")),
    ActionSpec("forward", mark("Forward one move"), "forward", "redo", caption=mark("Next")),
    ActionSpec("last", mark("To the end"), "last", "last", repeats=False),
    ActionSpec("step", mark("Best move on both boards"), "best", "best", tint="best_move"),
    ActionSpec("run", mark("Play on"), "play", "run", repeats=False),
    ActionSpec(
        "tiles", mark("Other new tiles"), "dice", "new", repeats=False, caption=mark("Other tiles")
    ),
    ActionSpec("left", mark("Move left"), "", "left"),
    ActionSpec("right", mark("Move right"), "", "right"),
    ActionSpec("up", mark("Move up"), "", "up"),
    ActionSpec("down", mark("Move down"), "", "down"),
)
GROUPS = (("first", "back", "forward", "last"), ("step", "run"), ("tiles",))
RUN = Toggle("run", mark("Play on"), mark("Stop"))
